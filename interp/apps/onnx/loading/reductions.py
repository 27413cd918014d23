"""Operators that fold dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

import numpy as np

from interp.apps.onnx.loading.conversions import to_integer
from interp.apps.onnx.loading.node import Build, Node
from interp.loading.build import F64, Folds
from interp.loading.folding import SMALLEST, fold
from spec.ir import Value


def reduce(body: str, n: Node) -> Value:
    """Return x folded along the given axes, or all; the result keeps them with size 1 unless told not to."""
    x = n.raw_value(0) if body in SMALLEST else n.value(0)
    if x.type.is_quantized and not x.type.quantized_element_type.is_per_tensor:
        x = n.plain(x)
    dimensions = axes_of(n, x.type.rank)
    return keep_dimensions(n, fold(n.b, x, body, dimensions), x, dimensions)


def axes_of(n: Node, rank: int) -> list[int]:
    axes = n.parameter("axes", 1, [])
    if not axes and n.attribute("noop_with_empty_axes", 0):
        return []
    return sorted(n.places(axes, rank)) or list(range(rank))


def keep_dimensions(n: Node, out: Value, x: Value, dimensions: Sequence[int]) -> Value:
    if not n.attribute("keepdims", 1):
        return out
    return n.b.reshape(out, [1 if d in dimensions else s for d, s in enumerate(x.type.shape)])


def mean_along(b: Folds, x: Value, dimensions: Sequence[int]) -> Value:
    """Return the sum divided by how many numbers it has."""
    count = prod(x.type.shape[d] for d in dimensions)
    return b.binary_scalar("divide", fold(b, x, "add", dimensions), count)


def mean(n: Node) -> Value:
    x = n.value(0)
    dimensions = axes_of(n, x.type.rank)
    return keep_dimensions(n, mean_along(n.b, x, dimensions), x, dimensions)


def sum_of_squares(n: Node) -> Value:
    x = n.value(0)
    dimensions = axes_of(n, x.type.rank)
    return keep_dimensions(n, fold(n.b, n.b.binary("multiply", x, x), "add", dimensions), x, dimensions)


def first_norm(n: Node) -> Value:
    x = n.value(0)
    size = x if x.type.tensor_element_type.kind == "unsigned" else n.b.unary("abs", x)
    dimensions = axes_of(n, x.type.rank)
    return keep_dimensions(n, fold(n.b, size, "add", dimensions), x, dimensions)


def after(function: str, build: Build, n: Node) -> Value:
    """Return a function of a reduction; that of integers is computed in f64, and cut off."""
    x = build(n)
    assert isinstance(x, Value)
    element = x.type.tensor_element_type
    if element.kind == "float":
        return n.b.unary(function, x)
    return to_integer(n.b, n.b.unary(function, n.b.convert(x, F64)), element)


def log_sum_exp(n: Node) -> Value:
    """Return log(sum(exp(x))), shifted by the largest number so that nothing overflows.

    That of integers is computed in f64, and cut off.
    """
    x, element = n.value(0), n.type(0).tensor_element_type
    x = x if element.kind == "float" else n.b.convert(x, F64)
    dimensions = axes_of(n, x.type.rank)
    most = fold(n.b, x, "maximum", dimensions)
    finite = n.b.compare("LT", n.b.unary("abs", most), n.b.full(np.inf, most.type))
    most = n.b.select(finite, most, n.b.full(0, most.type))
    rest = [d for d in range(x.type.rank) if d not in dimensions]
    powers = n.b.unary("exponential", n.b.binary("subtract", x, n.b.place(most, x.type.shape, rest)))
    total = n.b.unary("log", fold(n.b, powers, "add", dimensions))
    out = keep_dimensions(n, n.b.binary("add", total, most), x, dimensions)
    return out if element.kind == "float" else to_integer(n.b, out, element)


TABLE: dict[str, Build] = {
    "ReduceL1": first_norm,
    "ReduceL2": partial(after, "sqrt", sum_of_squares),
    "ReduceLogSum": partial(after, "log", partial(reduce, "add")),
    "ReduceLogSumExp": log_sum_exp,
    "ReduceMax": partial(reduce, "maximum"),
    "ReduceMean": mean,
    "ReduceMin": partial(reduce, "minimum"),
    "ReduceProd": partial(reduce, "multiply"),
    "ReduceSum": partial(reduce, "add"),
    "ReduceSumSquare": sum_of_squares,
}
