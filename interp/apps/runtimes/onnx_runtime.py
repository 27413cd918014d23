"""ONNX Runtime on the CPU: reductions, windows, contractions, and the rules of all operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from interp.apps.runtimes import onnx_rules, views
from interp.apps.runtimes.onnx_graph import OnnxGraph, versions
from interp.apps.runtimes.onnx_rules import BINARY, LOGICAL, kind
from interp.apps.runtimes.translation import Operand, Rule, Runtime, need
from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType

# ONNX: reductions, windows, matrix products and convolutions.

REDUCED = {"add": "ReduceSum", "multiply": "ReduceProd", "maximum": "ReduceMax", "minimum": "ReduceMin"}
OF_BOOLEANS = {"or": "ReduceMax", "and": "ReduceMin"}
COMBINED = BINARY | LOGICAL
SPATIAL = 3  # dimensions of a window
# Writes the operator of a contraction: graph, op, lhs, rhs, its name (MatMul or Conv), its attributes.
Contraction = Callable[[OnnxGraph, Op, Operand, Operand, str, dict[str, Any]], str]


def convert_leaves(graph: OnnxGraph, x: Operand, type: ElementType | QuantizedType) -> Operand:
    """Convert the leaves of a reduction to the body's type, as the specification does, if that is another."""
    if x.type.element_type == type:
        return x
    target = TensorType(x.type.shape, type)
    need(x.type.is_quantized and target.is_quantized, "leaves converted between plain types")
    graph.how.append(f"DequantizeLinear, QuantizeLinear {target.storage_type}")
    return graph.quantize(graph.dequantize(x), target)


def reduce(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write a reduction: of stored integers for an order-free body, else between Dequantize and Quantize."""
    seen = views.fold(op, operands)
    booleans = op.result.type.storage_type.kind == "boolean"
    operator = (REDUCED | OF_BOOLEANS if booleans else REDUCED).get(seen.body)
    need(bool(operator), f"a body of {seen.body}")
    x = convert_leaves(graph, seen.x, seen.accumulator)
    axes, raw = graph.integers(list(op["dimensions"])), seen.chooses or not x.type.is_quantized
    graph.how.append(f"{'QDQ ' * (not raw)}{operator} {x.type.storage_type}")
    handle = x.handle if raw else graph.dequantize(x)
    handle = graph.add(str(operator), handle, axes, keepdims=0, noop_with_empty_axes=1)
    if not seen.has_identity:
        init = convert_leaves(graph, seen.init, seen.accumulator)
        other = init.handle if raw else graph.dequantize(init)
        handle = graph.add(COMBINED[seen.body], handle, other)
    return Operand(handle, op.result.type) if raw else graph.quantize(handle, op.result.type)


def reduce_window(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write MaxPool over the dimensions in which a window is more than its element."""
    seen, at = views.fold(op, operands), views.window(op)
    need(seen.body == "maximum", f"no pool of {seen.body}")
    need(seen.x.type.element_type == seen.accumulator, "leaves converted before a pool")
    need(seen.has_identity or not at.is_padded, "padding with another value than the identity")
    graph.how.append(f"MaxPool {op.result.type.storage_type}")
    handle = write_pool(graph, op, seen.x, lambda x, _, options: graph.add("MaxPool", x, **options))
    if not seen.has_identity:
        need(seen.init.type.element_type == seen.accumulator, "an init value of another type")
        handle = graph.add("Max", handle, seen.init.handle)
    return Operand(handle, op.result.type)


def write_pool(graph: OnnxGraph, op: Op, x: Operand, write: Callable[[str, int, dict[str, Any]], str]) -> str:
    """Write an operator on windows, for the operand in its layout, the number of channels, and attributes.

    The dimensions that are not pooled are batch and channels if they are two, else they are the batch.
    """
    at = views.window(op)
    spatial = at.spatial or [len(at.size) - 1]
    need(0 < len(spatial) <= SPATIAL and spatial[0] >= 0, f"windows in {len(spatial)} dimensions")
    rest = [k for k in range(len(at.size)) if k not in spatial]
    shape, order, result = x.type.shape, rest + spatial, op.result.type.shape
    outer = [shape[k] for k in rest] if len(rest) == 2 else [prod(shape[k] for k in rest), 1]
    handle = graph.transpose(x.handle, order)
    if len(rest) != 2:
        handle = graph.reshape(handle, [*outer, *(shape[k] for k in spatial)])
    size, strides, dilations, low, high = (
        [each[k] for k in spatial] for each in (at.size, at.strides, at.dilations, at.low, at.high)
    )
    options = {"kernel_shape": size, "strides": strides, "dilations": dilations, "pads": low + high}
    handle = write(handle, outer[1], options)
    if len(rest) != 2:
        handle = graph.reshape(handle, [result[k] for k in order])
    return graph.transpose(handle, views.inverse(order))


def permute(graph: OnnxGraph, x: Operand, order: Sequence[int]) -> Operand:
    """Return an operand with its dimensions in another order; the elements of a constant are moved here."""
    if list(order) == sorted(order):
        return x
    element = x.type.element_type
    if isinstance(element, QuantizedType) and element.quantization_dimension is not None:
        element = replace(element, quantization_dimension=list(order).index(element.quantization_dimension))
    type = TensorType(tuple(x.type.shape[k] for k in order), element)
    if x.value is not None:
        return graph.constant(type, x.value.transpose(order))
    return Operand(graph.transpose(x.handle, order), type)


def dot_general(
    graph: OnnxGraph, op: Op, operands: Sequence[Operand], contracted: Contraction | None = None
) -> Operand:
    """Write MatMul, MatMulInteger or QLinearMatMul, on operands of rank 3 unless they fit as they are."""
    at, write = views.matrix_product(op), contracted or by_types
    left, right = permute(graph, operands[0], at.lhs_order), permute(graph, operands[1], at.rhs_order)
    if is_matmul(op):
        return Operand(write(graph, op, left, right, "MatMul", {}), op.result.type)
    left = replace(left, handle=graph.reshape(left.handle, [at.batch, at.rows, at.contracted]))
    right = replace(right, handle=graph.reshape(right.handle, [at.batch, at.contracted, at.columns]))
    handle = write(graph, op, left, right, "MatMul", {})
    return Operand(graph.reshape(handle, op.result.type.shape), op.result.type)


def is_matmul(op: Op) -> bool:
    """Return whether transposed operands have the shapes that MatMul takes, and gives the result's."""
    batches, inner = len(op["lhs_batching_dimensions"]), len(op["lhs_contracting_dimensions"])
    free = [value.type.rank - batches - inner for value in op.operands]
    return inner == 1 == free[1] and (free[0] == 1 or (batches == 0 and free[0] > 1))


def convolution(
    graph: OnnxGraph, op: Op, operands: Sequence[Operand], contracted: Contraction | None = None
) -> Operand:
    """Write Conv, ConvInteger or QLinearConv, channels first."""
    at, write = views.kernel(op), contracted or by_types
    left, right = permute(graph, operands[0], at.lhs_order), permute(graph, operands[1], at.rhs_order)
    options = {
        "strides": at.strides,
        "dilations": at.dilations,
        "pads": [low for low, _ in at.pads] + [high for _, high in at.pads],
        "group": at.groups,
    }
    handle = write(graph, op, left, right, "Conv", options)
    return Operand(graph.transpose(handle, views.inverse(at.result_order)), op.result.type)


def by_types(
    graph: OnnxGraph, op: Op, lhs: Operand, rhs: Operand, operator: str, options: dict[str, Any]
) -> str:
    """Write one of the three operators of a contraction, by the types of its operands and result."""
    result, number = op.result.type, lhs.type.is_quantized + rhs.type.is_quantized
    if number == 2 and result.storage_type.bits == 8:
        need(result.is_quantized, "quantized operands and a plain result")
        inputs = [n for x in (lhs, rhs) for n in (x.handle, *graph.parameters(x.quantized_type))]
        inputs += graph.parameters(result.quantized_element_type)
        need(lhs.quantized_type.is_per_tensor, f"QLinear{operator} with scales per axis of the lhs")
        need(rhs.quantized_type.is_per_tensor or operator == "Conv", "QLinearMatMul with scales per axis")
        graph.how.append(f"QLinear{operator} {kind(op)}")
        return graph.add(f"QLinear{operator}", *inputs, **options)
    if number == 2 and result.storage_type.name == "i32":
        need(is_accumulator(lhs.quantized_type, rhs.quantized_type, result), "an i32 result of another scale")
        points = [graph.parameters(x.quantized_type)[1] for x in (lhs, rhs)]
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


FOLDS: dict[str, Rule] = {
    "reduce": reduce,
    "reduce_window": reduce_window,
    "dot_general": dot_general,
    "convolution": convolution,
}


RULES = onnx_rules.RULES | onnx_rules.MOVES | FOLDS
RUNTIMES = {"onnxruntime": Runtime("onnxruntime", versions, OnnxGraph, RULES)}
