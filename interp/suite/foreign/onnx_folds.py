"""ONNX: reductions, windows, matrix products and convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from interp.suite.foreign import views
from interp.suite.foreign.onnx_graph import OnnxGraph
from interp.suite.foreign.onnx_rules import dequantized, kind, parameters, quantized
from interp.suite.foreign.translation import Operand, Rule, need
from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType

REDUCED = {"add": "ReduceSum", "multiply": "ReduceProd", "maximum": "ReduceMax", "minimum": "ReduceMin"}
OF_BOOLEANS = {"or": "ReduceMax", "and": "ReduceMin"}
COMBINED = {"add": "Add", "multiply": "Mul", "maximum": "Max", "minimum": "Min", "or": "Or", "and": "And"}
SPATIAL = 3  # dimensions of a window


def converted(graph: OnnxGraph, x: Operand, type: ElementType | QuantizedType) -> Operand:
    """Convert the leaves of a reduction to the body's type, as the specification does, if that is another."""
    if x.type.element_type == type:
        return x
    target = TensorType(x.type.shape, type)
    need(x.type.is_quantized and target.is_quantized, "leaves converted between plain types")
    graph.how.append(f"DequantizeLinear, QuantizeLinear {target.storage_type}")
    return quantized(graph, dequantized(graph, x), target)


def reduce(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write a reduction: of stored integers for an order-free body, else between Dequantize and Quantize."""
    seen = views.fold(op, operands)
    booleans = op.result.type.storage_type.kind == "boolean"
    operator = (REDUCED | OF_BOOLEANS if booleans else REDUCED).get(seen.body)
    need(bool(operator), f"a body of {seen.body}")
    x = converted(graph, seen.x, seen.accumulator)
    axes, orders = graph.integers(list(op["dimensions"])), seen.body in ("maximum", "minimum")
    raw = orders or not x.type.is_quantized
    graph.how.append(f"{'QDQ ' * (not raw)}{operator} {x.type.storage_type}")
    handle = x.handle if raw else dequantized(graph, x)
    handle = graph.add(str(operator), handle, axes, keepdims=0, noop_with_empty_axes=1)
    if not seen.has_identity:
        init = converted(graph, seen.init, seen.accumulator)
        other = init.handle if raw else dequantized(graph, init)
        handle = graph.add(COMBINED[seen.body], handle, other)
    return Operand(handle, op.result.type) if raw else quantized(graph, handle, op.result.type)


def reduce_window(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write MaxPool over the dimensions in which a window is more than its element."""
    seen, at = views.fold(op, operands), views.window(op)
    need(seen.body == "maximum", f"no pool of {seen.body}")
    need(seen.x.type.element_type == seen.accumulator, "leaves converted before a pool")
    need(seen.has_identity or not at.is_padded, "padding with another value than the identity")
    spatial = at.spatial or [len(at.size) - 1]
    need(0 < len(spatial) <= SPATIAL and spatial[0] >= 0, f"windows in {len(spatial)} dimensions")
    rest = [k for k in range(len(at.size)) if k not in spatial]
    shape, order = seen.x.type.shape, rest + spatial
    handle = graph.transposed(seen.x.handle, order)
    handle = graph.reshaped(handle, [1, prod(shape[k] for k in rest), *(shape[k] for k in spatial)])
    graph.how.append(f"MaxPool {op.result.type.storage_type}")
    size, strides, dilations, low, high = (
        [each[k] for k in spatial] for each in (at.size, at.strides, at.dilations, at.low, at.high)
    )
    options = {"kernel_shape": size, "strides": strides, "dilations": dilations, "pads": low + high}
    handle = graph.add("MaxPool", handle, **options)
    result = op.result.type.shape
    handle = graph.transposed(graph.reshaped(handle, [result[k] for k in order]), views.inverse(order))
    if not seen.has_identity:
        need(seen.init.type.element_type == seen.accumulator, "an init value of another type")
        handle = graph.add("Max", handle, seen.init.handle)
    return Operand(handle, op.result.type)


def dot_general(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write MatMul, MatMulInteger or QLinearMatMul on operands of rank 3."""
    at = views.matrix_product(op)
    lhs, rhs = operands
    left = graph.reshaped(graph.transposed(lhs.handle, at.lhs_order), [at.batch, at.rows, at.contracted])
    right = graph.reshaped(graph.transposed(rhs.handle, at.rhs_order), [at.batch, at.contracted, at.columns])
    handle = contracted(graph, op, replace(lhs, handle=left), replace(rhs, handle=right), "MatMul", {})
    return Operand(graph.reshaped(handle, op.result.type.shape), op.result.type)


def convolution(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Conv, ConvInteger or QLinearConv, channels first."""
    at = views.kernel(op)
    lhs, rhs = operands
    left, right = graph.transposed(lhs.handle, at.lhs_order), graph.transposed(rhs.handle, at.rhs_order)
    options = {
        "strides": at.strides,
        "dilations": at.dilations,
        "pads": [low for low, _ in at.pads] + [high for _, high in at.pads],
        "group": at.groups,
    }
    handle = contracted(graph, op, replace(lhs, handle=left), replace(rhs, handle=right), "Conv", options)
    return Operand(graph.transposed(handle, views.inverse(at.result_order)), op.result.type)


def contracted(
    graph: OnnxGraph, op: Op, lhs: Operand, rhs: Operand, operator: str, options: dict[str, Any]
) -> str:
    """Write one of the three operators of a contraction, by the types of its operands and result."""
    result, number = op.result.type, lhs.type.is_quantized + rhs.type.is_quantized
    if number == 2 and result.storage_type.bits == 8:
        need(result.is_quantized, "quantized operands and a plain result")
        inputs = [n for x in (lhs, rhs) for n in (x.handle, *parameters(graph, x.quantized))]
        inputs += parameters(graph, result.quantized_element_type)
        need(lhs.quantized.is_per_tensor, f"QLinear{operator} with scales per axis of the lhs")
        need(rhs.quantized.is_per_tensor or operator == "Conv", "QLinearMatMul with scales per axis")
        graph.how.append(f"QLinear{operator} {kind(op)}")
        return graph.add(f"QLinear{operator}", *inputs, **options)
    if number == 2 and result.storage_type.name == "i32":
        need(is_accumulator(lhs.quantized, rhs.quantized, result), "an i32 result of another scale")
        points = [parameters(graph, x.quantized)[1] for x in (lhs, rhs)]
        graph.how.append(f"{operator}Integer {kind(op)}")
        return graph.add(f"{operator}Integer", lhs.handle, rhs.handle, *points, **options)
    need(number == 0, "no operator for these quantized types")
    if lhs.type.storage_type.bits == 8 and result.storage_type.name == "i32":
        graph.how.append(f"{operator}Integer {kind(op)}")
        return graph.add(f"{operator}Integer", lhs.handle, rhs.handle, **options)
    need(lhs.type.element_type == rhs.type.element_type == result.element_type, "types that differ")
    graph.how.append(f"{operator} {kind(op)}")
    return graph.add(operator, lhs.handle, rhs.handle, **options)


def is_accumulator(lhs: QuantizedType, rhs: QuantizedType, result: TensorType) -> bool:
    """Return whether an i32 result holds the integer sum itself: scale s_l * s_r, zero point 0."""
    if not result.is_quantized:
        return False
    given = result.quantized_element_type
    product = np.array(lhs.scales, np.float32) * np.array(rhs.scales, np.float32)
    return set(given.zero_points) == {0} and np.array_equal(np.array(given.scales, np.float32), product)


RULES: dict[str, Rule] = {
    "reduce": reduce,
    "reduce_window": reduce_window,
    "dot_general": dot_general,
    "convolution": convolution,
}
