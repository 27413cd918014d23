"""PyTorch on the CPU, eager, with the default engine for quantized tensors: a rule for each operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from interp.apps.runtimes import views
from interp.apps.runtimes.torch_graph import (
    TorchGraph,
    as_quantized,
    dtype_of,
    quantized_dtype,
    scales,
    versions,
)
from interp.apps.runtimes.translation import Operand, Rule, Runtime, family, need
from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType

# PyTorch: elementwise operations, conversions and data movement.
#
# An elementwise operation on quantized types is an operator of `torch.ops.quantized`, or `dequantize`, the
# operator on floats and `quantize_per_tensor` ("QDQ").

# Functions of `torch`.
NAMES = {
    "abs": "abs", "add": "add", "and": "bitwise_and", "atan2": "atan2", "ceil": "ceil", "cosine": "cos",
    "exponential": "exp", "exponential_minus_one": "expm1", "floor": "floor", "is_finite": "isfinite",
    "log": "log", "log_plus_one": "log1p", "logistic": "sigmoid", "maximum": "maximum", "minimum": "minimum",
    "multiply": "mul", "negate": "neg", "not": "bitwise_not", "or": "bitwise_or", "power": "pow",
    "remainder": "fmod", "round_nearest_even": "round", "rsqrt": "rsqrt", "sign": "sign", "sine": "sin",
    "sqrt": "sqrt", "subtract": "sub", "tan": "tan", "tanh": "tanh", "xor": "bitwise_xor",
    "shift_left": "bitwise_left_shift", "select": "where",
}  # fmt: skip
QUANTIZED = {"add": "add", "multiply": "mul", "logistic": "sigmoid"}  # functions of `torch.ops.quantized`
COMPARED = {"EQ": "eq", "NE": "ne", "LT": "lt", "LE": "le", "GT": "gt", "GE": "ge"}


def elementwise(graph: TorchGraph, op: Op, operands: Sequence[Operand], theirs: str) -> Operand:
    name, values = op.name.removeprefix("stablehlo."), (*op.operands, *op.results)
    if name in QUANTIZED and all(v.type.is_quantized for v in values):
        return by_quantized(graph, QUANTIZED[name], operands, op.result.type)
    return apply(graph, op, operands, theirs, getattr(torch, theirs))


def by_quantized(graph: TorchGraph, name: str, operands: Sequence[Operand], type: TensorType) -> Operand:
    """Run an operator on quantized tensors, which takes the scale and the zero point of its result."""
    graph.how.append(f"quantized.{name} {operands[0].type.storage_type}")
    element = type.quantized_element_type
    need(element.is_per_tensor, f"quantized.{name} with scales per axis")
    need(element.storage_type == operands[0].type.storage_type, "a result of another storage type")
    inputs = [as_quantized(graph, x) for x in operands]
    function = getattr(torch.ops.quantized, name)
    return Operand(graph.call(function, *inputs, scales(element)[0], element.zero_point).int_repr(), type)


def apply(
    graph: TorchGraph, op: Op, operands: Sequence[Operand], name: str, function: Callable[..., Any]
) -> Operand:
    """Run a function on plain tensors, between dequantize and quantize for quantized ones."""
    found = next((x.type for x in operands if x.type.is_quantized), None)
    graph.how.append(f"{'QDQ ' if found else ''}{name} {(found or operands[0].type).storage_type}")
    y = graph.call(function, *(dequantize(graph, x) for x in operands))
    return Operand(quantize(graph, y, op.result.type), op.result.type)


def dequantize(graph: TorchGraph, x: Operand) -> Any:
    return as_quantized(graph, x).dequantize() if x.type.is_quantized else x.handle


def quantize(graph: TorchGraph, x: Any, type: TensorType) -> Any:
    """Return the stored numbers of floats in a quantized type; a plain result stays."""
    if not type.is_quantized:
        return x
    element = type.quantized_element_type
    dtype, axis = quantized_dtype(element), element.quantization_dimension
    need(x.dtype == torch.float32, f"quantized from {x.dtype}")
    if axis is None:
        function = torch.quantize_per_tensor
        return graph.call(function, x, scales(element)[0], element.zero_point, dtype).int_repr()
    parameters = torch.tensor(scales(element), dtype=torch.float64), torch.tensor(element.zero_points)
    return graph.call(torch.quantize_per_channel, x, *parameters, axis, dtype).int_repr()


def divide(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    integers = operands[0].type.storage_type.is_integer and not operands[0].type.is_quantized
    mode = "trunc" if integers else None
    return apply(graph, op, operands, "div", lambda x, y: torch.div(x, y, rounding_mode=mode))


def compare(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    need(op.attributes.get("compare_type") != "TOTALORDER", "the total order of floats")
    name = COMPARED[op["comparison_direction"]]
    return apply(graph, op, operands, name, getattr(torch, name))


def clamp(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    low, x, high = operands
    return apply(graph, op, (x, low, high), "clamp", torch.clamp)


def cast(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    dtype = dtype_of(op.result.type.storage_type)
    need(not operands[0].type.is_quantized, "quantized types")
    return apply(graph, op, operands, "to", lambda x: x.to(dtype))


def requantize(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    (x,), type = operands, op.result.type
    name = "quantize_per_tensor" if type.quantized_element_type.is_per_tensor else "quantize_per_channel"
    graph.how.append(f"{'dequantize, ' * x.type.is_quantized}{name} {type.storage_type}")
    return Operand(quantize(graph, dequantize(graph, x), type), type)


def real(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    graph.how.append(f"dequantize {operands[0].type.storage_type}")
    return Operand(dequantize(graph, operands[0]), op.result.type)


def move_rule(write: Callable[..., Any], name: str) -> Rule:
    """Return the rule of an operation that moves elements; quantized ones move stored numbers."""

    def rule(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
        types = {v.type.element_type for v in (op.operands[0], op.result)}
        need(len(types) == 1 or not op.result.type.is_quantized, "operands and results of other parameters")
        graph.how.append(f"{name} {op.result.type.storage_type}")
        return Operand(graph.call(write, op, *(x.handle for x in operands)), op.result.type)

    return rule


def broadcast(op: Op, x: Any) -> Any:
    shape, places = op.result.type.shape, list(op["broadcast_dimensions"])
    sizes = [1] * len(shape)
    for k, place in enumerate(places):
        sizes[place] = x.shape[k]
    return x.permute(np.argsort(places).tolist() if places else []).reshape(sizes).expand(shape)


def take_slice(op: Op, x: Any) -> Any:
    lists = op["start_indices"], op["limit_indices"], op["strides"]
    return x[tuple(slice(*each) for each in zip(*lists, strict=True))]


def pad(op: Op, x: Any, value: Any) -> Any:
    need(not any(op["interior_padding"]), "interior_padding")
    pairs = zip(op["edge_padding_low"], op["edge_padding_high"], strict=True)
    flat = [n for pair in reversed(list(pairs)) for n in pair]
    return torch.nn.functional.pad(x, flat, value=value.item())


RULES: dict[str, Rule] = {
    **family(elementwise, NAMES),
    "divide": divide,
    "compare": compare,
    "clamp": clamp,
    "convert": cast,
    "uniform_quantize": requantize,
    "uniform_dequantize": real,
    "quant.qcast": requantize,
    "quant.dcast": real,
    "reshape": move_rule(lambda op, x: x.reshape(op.result.type.shape), "reshape"),
    "transpose": move_rule(lambda op, x: x.permute(list(op["permutation"])), "permute"),
    "reverse": move_rule(lambda op, x: torch.flip(x, list(op["dimensions"])), "flip"),
    "concatenate": move_rule(lambda op, *xs: torch.cat(xs, op["dimension"]), "cat"),
    "broadcast_in_dim": move_rule(broadcast, "expand"),
    "slice": move_rule(take_slice, "slice"),
    "pad": move_rule(pad, "pad"),
}


# PyTorch: reductions, windows, matrix products and convolutions.

REDUCED: dict[str, tuple[str, Callable[..., Any]]] = {
    "add": ("sum", lambda x, axes: torch.sum(x, axes, dtype=x.dtype)),
    "maximum": ("amax", torch.amax),
    "minimum": ("amin", torch.amin),
    "and": ("all", torch.all),
    "or": ("any", torch.any),
}
# The least number of spatial dimensions, the name, and the pools by their number; a sum has a chosen divisor.
POOLS: dict[str, tuple[int, str, tuple[Callable[..., Any], ...]]] = {
    "maximum": (1, "max_pool", (functional.max_pool1d, functional.max_pool2d, functional.max_pool3d)),
    "add": (2, "avg_pool", (functional.avg_pool2d, functional.avg_pool3d)),
}
CONVOLUTIONS = (functional.conv1d, functional.conv2d, functional.conv3d)


def convert_leaves(graph: TorchGraph, x: Operand, type: ElementType | QuantizedType) -> Operand:
    """Convert the leaves of a reduction to the body's type, as the specification does, if that is another."""
    if x.type.element_type == type:
        return x
    target = TensorType(x.type.shape, type)
    need(x.type.is_quantized and target.is_quantized, "leaves converted between plain types")
    graph.how.append(f"dequantize, quantize_per_tensor {target.storage_type}")
    return Operand(quantize(graph, dequantize(graph, x), target), target)


def reduce(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Run a reduction: of stored numbers for an order-free body, else between dequantize and quantize."""
    seen, type = views.fold(op, operands), op.result.type
    need(seen.body in REDUCED, f"a body of {seen.body}")
    need(seen.body not in ("and", "or") or type.storage_type.kind == "boolean", "the bits of integers")
    name, function = REDUCED[seen.body]
    x = convert_leaves(graph, seen.x, seen.accumulator)
    raw = seen.chooses or not type.is_quantized
    graph.how.append(f"{'QDQ ' * (not raw)}{name} {x.type.storage_type}")
    axes = list(op["dimensions"])
    y = x.handle if raw else dequantize(graph, x)
    y = graph.call(function, y, axes) if axes else y
    if not seen.has_identity:
        init = convert_leaves(graph, seen.init, seen.accumulator)
        y = graph.call(getattr(torch, NAMES[seen.body]), y, init.handle if raw else dequantize(graph, init))
    return Operand(y if raw else quantize(graph, y, type), type)


def reduce_window(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Run a pool over the dimensions in which a window is more than its element; a sum divides by 1."""
    seen, at, type = views.fold(op, operands), views.window(op), op.result.type
    need(seen.body in POOLS, f"no pool of {seen.body}")
    need(seen.x.type.element_type == seen.accumulator, "leaves converted before a pool")
    need(seen.has_identity, "an init value that is not the identity")
    need(at.low == at.high, "padding that is not symmetric")
    least, name, pools = POOLS[seen.body]
    shape, spatial = seen.x.type.shape, at.spatial
    spatial = [k for k in range(len(shape)) if k not in spatial][: max(least - len(spatial), 0)] + spatial
    need(least <= len(spatial) <= 3, f"windows in {len(spatial)} dimensions")
    rest = [k for k in range(len(shape)) if k not in spatial]
    order, sizes = rest + spatial, [1, prod(shape[k] for k in rest), *(shape[k] for k in spatial)]
    x = replace(seen.x, handle=seen.x.handle.permute(order).reshape(sizes))
    graph.how.append(f"{name}{len(spatial)}d {type.storage_type}")
    y = run_pool(graph, seen.body, pools[len(spatial) - least], x, at, spatial)
    return Operand(y.reshape([type.shape[k] for k in order]).permute(views.inverse(order)), type)


def run_pool(
    graph: TorchGraph,
    body: str,
    pool: Callable[..., Any],
    x: Operand,
    at: views.Window,
    spatial: Sequence[int],
) -> Any:
    """Run a pool over spatial dimensions, on quantized tensors if the operand is one."""
    size, strides, pads, dilations = (
        [each[k] for k in spatial] for each in (at.size, at.strides, at.low, at.dilations)
    )
    if body == "add":
        need(set(dilations) <= {1} and not x.type.is_quantized, "a quantized or dilated sum")
        return graph.call(pool, x.handle, size, strides, pads, divisor_override=1)
    if x.type.is_quantized:
        return graph.call(pool, as_quantized(graph, x), size, strides, pads, dilations).int_repr()
    return graph.call(pool, x.handle, size, strides, pads, dilations)


def dot_general(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Run matmul or quantized.matmul on operands of rank 3."""
    at, (lhs, rhs), type = views.matrix_product(op), operands, op.result.type
    left = Operand(
        lhs.handle.permute(at.lhs_order).reshape(at.batch, at.rows, at.contracted),
        TensorType((at.batch, at.rows, at.contracted), lhs.type.element_type),
    )
    right = Operand(
        rhs.handle.permute(at.rhs_order).reshape(at.batch, at.contracted, at.columns),
        TensorType((at.batch, at.contracted, at.columns), rhs.type.element_type),
    )
    product = TensorType((at.batch, at.rows, at.columns), type.element_type)
    if all(each.is_quantized for each in (lhs.type, rhs.type, type)):
        need(lhs.quantized_type.is_per_tensor and rhs.quantized_type.is_per_tensor, "scales per axis")
        return Operand(by_quantized(graph, "matmul", (left, right), product).handle.reshape(type.shape), type)
    alike = {each.element_type for each in (lhs.type, rhs.type, type)}
    need(len(alike) == 1 and not type.is_quantized, "types that differ")
    graph.how.append(f"matmul {lhs.type.storage_type}")
    return Operand(graph.call(torch.matmul, left.handle, right.handle).reshape(type.shape), type)


def convolution(graph: TorchGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Run conv1d, conv2d or conv3d, of floats or of quantized tensors, channels first."""
    at, (lhs, rhs), type = views.kernel(op), operands, op.result.type
    number = len(at.strides)
    need(number <= 3, f"{number} spatial dimensions")
    need(all(low == high for low, high in at.pads), "padding that is not symmetric")
    x, weights = lhs.handle.permute(at.lhs_order), rhs.handle.permute(at.rhs_order)
    options = at.strides, [low for low, _ in at.pads], at.dilations, at.groups
    name = f"conv{number}d"
    if all(each.is_quantized for each in (lhs.type, rhs.type, type)):
        graph.how.append(f"quantized.{name} {lhs.type.storage_type}")
        given = quantized_operand(lhs, x, at.lhs_order), quantized_operand(rhs, weights, at.rhs_order)
        y = quantized_convolution(graph, name, *given, options, type)
    else:
        alike = {each.element_type for each in (lhs.type, rhs.type, type)}
        need(len(alike) == 1, "types that differ")
        graph.how.append(f"{name} {lhs.type.storage_type}")
        y = graph.call(CONVOLUTIONS[number - 1], x, weights, None, *options)
    return Operand(y.permute(views.inverse(at.result_order)), type)


def quantized_operand(x: Operand, handle: Any, order: Sequence[int]) -> Operand:
    """Return an operand with its dimensions in another order, scales per axis along the first."""
    element, axis = x.quantized_type, x.quantized_type.quantization_dimension
    if axis is not None:
        need(axis == order[0], "scales along another dimension than output features")
        element = replace(element, quantization_dimension=0)
    return Operand(handle.contiguous(), TensorType(tuple(handle.shape), element))


def quantized_convolution(
    graph: TorchGraph, name: str, x: Operand, weights: Operand, options: Sequence[Any], type: TensorType
) -> Any:
    """Pack the weights and run an operator of the quantized engine."""
    element = type.quantized_element_type
    need(element.is_per_tensor, "a result with scales per axis")
    pack, run = (getattr(torch.ops.quantized, each) for each in (f"{name}_prepack", name))
    packed = graph.call(pack, as_quantized(graph, weights), None, *options)
    y = graph.call(run, as_quantized(graph, x), packed, scales(element)[0], element.zero_point)
    return y.int_repr()


FOLDS: dict[str, Rule] = {
    "reduce": reduce,
    "reduce_window": reduce_window,
    "dot_general": dot_general,
    "convolution": convolution,
}


RUNTIMES = {"torch": Runtime("torch", versions, TorchGraph, RULES | FOLDS)}
