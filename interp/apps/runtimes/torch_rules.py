"""PyTorch: elementwise operations, conversions and data movement.

An elementwise operation on quantized types is an operator of `torch.ops.quantized`, or `dequantize`, the
operator on floats and `quantize_per_tensor` ("QDQ").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from interp.apps.runtimes.torch_graph import TorchGraph, as_quantized, dtype_of, quantized_dtype, scales
from interp.apps.runtimes.translation import Operand, Rule, family, need
from spec.ir import Op
from spec.types import TensorType

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
