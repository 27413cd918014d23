"""Operators whose numbers of results data decide: NonZero, Compress and Unique."""

from __future__ import annotations

import numpy as np

from interp.apps.onnx.loading.build import I1, I64, Folds
from interp.apps.onnx.loading.movement import take
from interp.apps.onnx.loading.node import Build, Node, Result
from interp.apps.onnx.loading.reductions import fold
from spec.ir import Value


def true_places(n: Node, mask: Value) -> Value:
    """Return the places of a vector that are true, in their order; only their number must be known."""
    b, (size,) = n.b, mask.type.shape
    places = b.iota((size,), 0, I64)
    number = fold(b, b.convert(mask, I64), "add", [0])
    count = int(n.known(number, "the number of its results"))
    if count == size:
        return places
    found = b.select(mask, places, b.full(size, places.type))
    return b.slice_in(sort(b, found), 0, 0, count)


def sort(b: Folds, x: Value) -> Value:
    """Return a vector in ascending order."""
    inner = b.inner()
    pair = [Value(inner.fresh(hint), b.full(0, x.type.tensor_element_type).type) for hint in ("a", "b")]
    comparator = inner.block(pair, [inner.compare("LT", *pair)])
    return b.emit("sort", [x], x.type, (comparator,), dimension=0, is_stable=True)


def compress(n: Node) -> Value:
    """Return the slices along an axis, by default the elements, at which a condition is true."""
    x, condition = n.raw_value(0), n.value(1)
    if (axis := n.attribute("axis")) is None:
        x, axis = n.b.reshape(n.plain(x), (x.type.size,)), 0
    axis = n.place(axis, x.type.rank)
    size = x.type.shape[axis]
    if condition.type.rank != 1 or condition.type.shape[0] > size:
        raise n.malformed_error(f"a condition of type {condition.type!r} for {size} slices")
    if n.symbol(1).is_known:
        return take(n, x, np.flatnonzero(n.constant(1)), axis)
    return n.b.gather(x, true_places(n, condition), axis)


def nonzero(n: Node) -> Result:
    """Return the indices of elements that are not zero, in their order: a row for each dimension."""
    x = n.value(0)
    if n.symbol(0).is_known:
        return np.asarray(np.nonzero(np.atleast_1d(n.constant(0))), np.int64)
    sizes = x.type.shape or (1,)
    flat = n.b.reshape(x, (x.type.size,))
    mask = flat if flat.type.tensor_element_type == I1 else n.b.compare("NE", flat, n.b.full(0, flat.type))
    places = true_places(n, mask)
    rows, inner = [], int(np.prod(sizes))
    for size in sizes:
        inner = inner // max(size, 1)
        row = n.b.binary_scalar("divide", places, max(inner, 1))
        row = n.b.binary_scalar("remainder", row, max(size, 1))
        rows.append(n.b.reshape(row, (1, *row.type.shape)))
    return n.b.concatenate(rows, 0)


def unique(n: Node) -> list[Result]:
    """Return the different elements or slices, their first places, those of all among them, and counts."""
    x, axis = n.constant(0), n.attribute("axis")
    if axis is not None:
        axis = n.place(axis, x.ndim)
    values, *rest = np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    places, inverse, counts = (each.reshape(-1).astype(np.int64) for each in rest)
    if not n.attribute("sorted", 1):
        order = np.argsort(places)
        values = np.take(values, order, 0 if axis is None else axis)
        places, inverse, counts = places[order], np.argsort(order)[inverse], counts[order]
    return [values, places, inverse, counts][: len(n.proto.output)]


TABLE: dict[str, Build] = {"Compress": compress, "NonZero": nonzero, "Unique": unique}
