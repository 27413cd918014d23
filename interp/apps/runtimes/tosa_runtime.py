"""TOSA's reference model: reductions, windows, contractions, and the rules of all operations."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from interp.apps.runtimes import tosa_rules, views
from interp.apps.runtimes.tosa_graph import I32, TosaGraph, check_type, tosa_type, versions
from interp.apps.runtimes.tosa_rules import ARITHMETIC, FLOATS, PLAIN, PROPAGATE, to_i32, to_order, to_shape
from interp.apps.runtimes.translation import Operand, Rule, Runtime, need
from interp.apps.runtimes.views import scale
from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType

# TOSA: reductions, windows, matrix products and convolutions, of which the quantized ones end in RESCALE.

REDUCED: dict[str, tuple[str, set[str], tuple[Any, ...]]] = {
    "add": ("REDUCE_SUM", ARITHMETIC, ()),
    "multiply": ("REDUCE_PRODUCT", FLOATS, ()),
    "maximum": ("REDUCE_MAX", {"i8", "i16", *ARITHMETIC}, (PROPAGATE,)),
    "minimum": ("REDUCE_MIN", {"i8", "i16", *ARITHMETIC}, (PROPAGATE,)),
    "and": ("REDUCE_ALL", {"i1"}, ()),
    "or": ("REDUCE_ANY", {"i1"}, ()),
}


def convert_leaves(graph: TosaGraph, x: Operand, type: ElementType | QuantizedType) -> Operand:
    """Convert the leaves of a reduction to the body's type, as the specification does, if that is another."""
    if x.type.element_type == type:
        return x
    target = TensorType(x.type.shape, type)
    need(x.type.is_quantized and target.is_quantized, "leaves converted between plain types")
    check_type(target)
    graph.how.append(f"RESCALE {x.type.storage_type} to {target.storage_type}")
    points = x.quantized_type.zero_point, target.quantized_element_type.zero_point
    return graph.rescale(x, scale(x.quantized_type) / scale(target.quantized_element_type), target, points)


def reduce(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write one operator for each dimension; sums of quantized numbers are computed in i32."""
    seen, type = views.fold(op, operands), op.result.type
    need(seen.body in REDUCED, f"a body of {seen.body}")
    name, types, attribute = REDUCED[seen.body]
    leaves = [convert_leaves(graph, x, seen.accumulator) for x in (seen.x, seen.init)]
    storage = type.storage_type.name
    wide = type.is_quantized and storage != "i32" and not (seen.has_identity and storage in types)
    need(not wide or "i32" in types, f"{name} has no i32")
    need(wide or storage in types, f"{name} has no {storage}")
    x, init = (to_i32(graph, leaf, 1.0) for leaf in leaves) if wide else leaves
    graph.how.append(f"{'RESCALE, ' * wide}{name} {x.type.storage_type}{', RESCALE' * wide}")
    for axis in sorted(op["dimensions"]):
        shape = tuple(1 if k == axis else n for k, n in enumerate(x.type.shape))
        x = graph.add(name, [x.handle], TensorType(shape, x.type.element_type), axis, *attribute)
    x = to_shape(graph, x, type.shape)
    if not seen.has_identity:
        x = combine_init(graph, seen.body, x, init)
    if not wide:
        return Operand(x.handle, type)
    return graph.rescale(x, 1.0, type, (0, type.quantized_element_type.zero_point))


def combine_init(graph: TosaGraph, body: str, x: Operand, init: Operand) -> Operand:
    """Write the operator of the body for an init value that is not the identity."""
    need(body in PLAIN and body not in ("and", "or"), "an init value that is not the identity")
    name, types, attribute = PLAIN[body]
    need(x.type.storage_type.name in types, f"{name} has no {x.type.storage_type}")
    other = to_shape(graph, init, (1,) * x.type.rank)
    return graph.add(name, [x.handle, other.handle], x.type, *attribute)


def reduce_window(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write MAX_POOL2D over the dimensions in which a window is more than its element."""
    seen, at, type = views.fold(op, operands), views.window(op), op.result.type
    need(seen.body == "maximum", f"no pool of {seen.body}")
    need(seen.x.type.element_type == seen.accumulator, "leaves converted before a pool")
    need(seen.has_identity, "an init value that is not the identity")
    need(set(at.dilations) <= {1}, "window_dilations")
    need(type.storage_type.name in {"i8", "i16", *FLOATS}, f"MAX_POOL2D has no {type.storage_type}")
    spatial, shape = at.spatial, seen.x.type.shape
    need(len(spatial) <= 2, f"windows in {len(spatial)} dimensions")
    rest, flat = [k for k in range(len(shape)) if k not in spatial], [1] * (2 - len(spatial))
    order = [*spatial, *rest]
    x = to_order(graph, seen.x, order)
    x = to_shape(graph, x, [1, *flat, *(shape[k] for k in spatial), prod(shape[k] for k in rest)])
    result = (1, *flat, *(type.shape[k] for k in spatial), prod(type.shape[k] for k in rest))
    size, strides = (flat + [each[k] for k in spatial] for each in (at.size, at.strides))
    pads = [0, 0] * len(flat) + [n for k in spatial for n in (at.low[k], at.high[k])]
    graph.how.append(f"MAX_POOL2D {type.storage_type}")
    pooled = TensorType(result, type.element_type)
    x = graph.add("MAX_POOL2D", [x.handle], pooled, size, strides, pads, PROPAGATE)
    x = to_order(graph, to_shape(graph, x, [type.shape[k] for k in order]), views.inverse(order))
    return Operand(x.handle, type)


def dot_general(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write MATMUL on operands of rank 3."""
    at, (lhs, rhs), type = views.matrix_product(op), operands, op.result.type
    left = to_shape(graph, to_order(graph, lhs, at.lhs_order), [at.batch, at.rows, at.contracted])
    right = to_shape(graph, to_order(graph, rhs, at.rhs_order), [at.batch, at.contracted, at.columns])
    product = TensorType((at.batch, at.rows, at.columns), accumulator(lhs, rhs, type))
    y = graph.add("MATMUL", [left.handle, right.handle, *zero_points(graph, lhs, rhs)], product)
    return rescale_sums(graph, "MATMUL", to_shape(graph, y, type.shape), lhs, rhs, type)


def accumulator(lhs: Operand, rhs: Operand, type: TensorType) -> ElementType:
    """Return the type in which products are summed: i32 for i8, the type itself for floats."""
    names = {x.type.storage_type.name for x in (lhs, rhs)}
    number = lhs.type.is_quantized + rhs.type.is_quantized + type.is_quantized
    need(number in (0, 3), "quantized and plain types together")
    if names == {"i8"}:
        need(bool(number) or type.storage_type.name == "i32", f"a product of i8 in {type.storage_type}")
        return I32
    need(number == 0 and names <= FLOATS and names == {type.storage_type.name}, f"products of {min(names)}")
    return type.storage_type


def zero_points(graph: TosaGraph, lhs: Operand, rhs: Operand) -> list[str]:
    """Keep the zero points of both operands."""
    points = [x.quantized_type.zero_point if x.type.is_quantized else 0 for x in (lhs, rhs)]
    return [
        str(graph.constant(TensorType((1,), x.type.storage_type), np.array([z])).handle)
        for x, z in zip((lhs, rhs), points, strict=True)
    ]


def rescale_sums(
    graph: TosaGraph, name: str, y: Operand, lhs: Operand, rhs: Operand, type: TensorType
) -> Operand:
    """Write RESCALE of a quantized contraction's accumulator, and note the operators."""
    graph.how.append(f"{name} {lhs.type.storage_type}{', RESCALE' * type.is_quantized}")
    if not type.is_quantized:
        return Operand(y.handle, type)
    check_type(type)
    result = type.quantized_element_type
    return graph.rescale(
        y, scale(lhs.quantized_type) * scale(rhs.quantized_type) / scale(result), type, (0, result.zero_point)
    )


def convolution(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write CONV2D, channels last."""
    at, (lhs, rhs), type = views.kernel(op), operands, op.result.type
    need(len(at.strides) <= 2, f"{len(at.strides)} spatial dimensions")
    need(at.groups == 1, "feature_group_count")
    flat = [1] * (2 - len(at.strides))
    x, weights = (channels_last(graph, *each) for each in ((lhs, at.lhs_order), (rhs, at.rhs_order)))
    batch, features, *spatial = (type.shape[k] for k in at.result_order)
    wide = accumulator(lhs, rhs, type)
    bias = graph.constant(TensorType((1,), wide), np.zeros(1))
    pads = [0, 0] * len(flat) + [n for pair in at.pads for n in pair]
    attribute = pads, flat + at.strides, flat + at.dilations, False, tosa_type(wide)
    inputs = [x.handle, weights.handle, bias.handle, *zero_points(graph, lhs, rhs)]
    y = graph.add("CONV2D", inputs, TensorType((batch, *flat, *spatial, features), wide), *attribute)
    y = to_shape(graph, y, (batch, *spatial, features))
    order = [at.result_order[0], *at.result_order[2:], at.result_order[1]]
    return rescale_sums(graph, "CONV2D", to_order(graph, y, views.inverse(order)), lhs, rhs, type)


def channels_last(graph: TosaGraph, x: Operand, order: Sequence[int]) -> Operand:
    """Bring (batch, feature, spatial...) into (batch, spatial..., feature), with two spatial dimensions."""
    x = to_order(graph, x, [order[0], *order[2:], order[1]])
    first, *rest = x.type.shape
    return to_shape(graph, x, [first, *[1] * (3 - len(rest)), *rest])


FOLDS: dict[str, Rule] = {
    "reduce": reduce,
    "reduce_window": reduce_window,
    "dot_general": dot_general,
    "convolution": convolution,
}


RUNTIMES = {"tosa": Runtime("tosa", versions, TosaGraph, tosa_rules.RULES | FOLDS)}
