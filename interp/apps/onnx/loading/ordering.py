"""Operators that ask which elements are the largest, and running sums: ArgMax, TopK, Hardmax, CumSum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

import numpy as np

from interp.apps.onnx.loading.finite import is_bounded
from interp.apps.onnx.loading.node import Build, Node
from interp.apps.onnx.loading.reductions import keep_dimensions
from interp.loading import folding
from interp.loading.build import F32, I64, Folds
from interp.loading.folding import fold, sort
from spec.ir import Value


def arg_extreme(body: str, n: Node) -> Value:
    """Return the index of the largest or the least element along an axis: the first such, or the last."""
    x = n.value(0)
    axis = n.axis(0, x.type.rank)
    out = index_of_extreme(n.b, x, body, axis, bool(n.attribute("select_last_index", 0)))
    return keep_dimensions(n, out, x, [axis])


def index_of_extreme(b: Folds, x: Value, body: str, axis: int, last: bool = False) -> Value:
    """Return the index along an axis of the first or last element that is extreme, or NaN."""
    extreme = b.place(fold(b, x, body, [axis]), x.type.shape, [d for d in range(x.type.rank) if d != axis])
    chosen = b.compare("EQ", x, extreme)
    if x.type.tensor_element_type.kind == "float" and not is_bounded(b, x):
        chosen = b.binary("or", chosen, b.compare("NE", x, x))
    places = b.iota(x.type.shape, axis, I64)
    other = b.full(-1 if last else x.type.shape[axis], places.type)
    return fold(b, b.select(chosen, places, other), "maximum" if last else "minimum", [axis])


def hardmax(n: Node) -> Value:
    """Return 1 at the first largest element along an axis; before version 13, along all axes from there."""
    x = n.value(0)
    axis = n.axis(-1 if n.version >= 13 else 1, x.type.rank)
    shape = x.type.shape
    if n.version < 13:
        x, axis = n.b.reshape(x, [prod(shape[:axis]), prod(shape[axis:])]), 1
    first = index_of_extreme(n.b, x, "maximum", axis)
    spread = n.b.place(first, x.type.shape, [d for d in range(x.type.rank) if d != axis])
    is_first = n.b.compare("EQ", n.b.iota(x.type.shape, axis, I64), spread)
    return n.b.reshape(n.b.convert(is_first, x.type.tensor_element_type), shape)


def top_k(n: Node) -> Sequence[Value]:
    """Return the k largest or least elements along an axis in order, and their indices, ties by index."""
    x = n.value(0)
    axis = n.axis(-1, x.type.rank)
    k = n.parameter("k", 1)
    k = k if isinstance(k, int) else k[0]
    if not 0 <= k <= x.type.shape[axis]:
        raise n.malformed_error(f"k is {k} for a dimension of {x.type.shape[axis]}")
    places = n.b.iota(x.type.shape, axis, I64)
    way = "GT" if n.attribute("largest", 1) else "LT"
    _, places, values = sort(n.b, [sorting_key(n.b, x), places, x], axis, way)
    return [n.b.slice_in(v, axis, 0, k) for v in (values, places)]


def sorting_key(b: Folds, x: Value) -> Value:
    """Return numbers of the same order as x in the total order of floats: one zero, and one NaN on top."""
    if x.type.tensor_element_type.kind != "float":
        return x
    zero = b.full(0, x.type)
    x = b.select(b.compare("EQ", x, zero), zero, x)
    return x if is_bounded(b, x) else b.select(b.compare("NE", x, x), b.full(np.nan, x.type), x)


def running_fold(body: str, n: Node) -> Value:
    """Return the sum or product of all elements up to each one along an axis, or from it on in reverse.

    `exclusive` leaves out the element itself. Sums of 16-bit floats are kept in f32.
    """
    x = n.value(0)
    element = x.type.tensor_element_type
    axis = n.place(n.integers(1)[0], x.type.rank)
    wide = element.kind == "float" and element.bits <= 16 and body == "add"
    x = n.b.convert(x, F32) if wide else x
    ways = (bool(n.attribute(name, 0)) for name in ("exclusive", "reverse"))
    return n.b.convert(folding.running_fold(n.b, x, body, axis, *ways), element)


TABLE: dict[str, Build] = {
    "ArgMax": partial(arg_extreme, "maximum"),
    "ArgMin": partial(arg_extreme, "minimum"),
    "CumProd": partial(running_fold, "multiply"),
    "CumSum": partial(running_fold, "add"),
    "Hardmax": hardmax,
    "TopK": top_k,
}
