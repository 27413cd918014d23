"""ONNX: elementwise operations, conversions, and operations that move elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from interp.apps.runtimes.onnx_graph import OnnxGraph, onnx_type
from interp.apps.runtimes.translation import Operand, Rule, family, need
from spec.ir import Op
from spec.types import ElementType, QuantizedType

# ONNX: elementwise operations, conversions and data movement.
#
# An elementwise operation on quantized types is one of ONNX Runtime's own operators on quantized tensors
# (`QLINEAR`), or DequantizeLinear, the operator, QuantizeLinear ("QDQ").

UNARY = {
    "abs": "Abs", "ceil": "Ceil", "cosine": "Cos", "exponential": "Exp", "floor": "Floor", "log": "Log",
    "logistic": "Sigmoid", "negate": "Neg", "round_nearest_even": "Round", "sign": "Sign", "sine": "Sin",
    "sqrt": "Sqrt", "tan": "Tan", "tanh": "Tanh",
}  # fmt: skip
BINARY = {
    "add": "Add", "divide": "Div", "maximum": "Max", "minimum": "Min", "multiply": "Mul", "power": "Pow",
    "subtract": "Sub",
}  # fmt: skip
LOGICAL = {"and": "And", "or": "Or", "xor": "Xor", "not": "Not"}
QLINEAR = {"add": "QLinearAdd", "multiply": "QLinearMul", "logistic": "QLinearSigmoid"}
COMPARED = {"EQ": "Equal", "GE": "GreaterOrEqual", "GT": "Greater", "LE": "LessOrEqual", "LT": "Less"}


def apply(
    graph: OnnxGraph, op: Op, operands: Sequence[Operand], name: str, write: Callable[..., str]
) -> Operand:
    """Write an operator on plain types, between DequantizeLinear and QuantizeLinear for quantized ones."""
    any_quantized = any(v.type.is_quantized for v in (*op.operands, *op.results))
    graph.how.append(f"{'QDQ ' * any_quantized}{name} {kind(op)}")
    return graph.quantize(write(*(graph.dequantize(x) for x in operands)), op.result.type)


def kind(op: Op) -> str:
    """Return the type that the operator works on: of the first quantized value, or of the operand."""
    values = (*op.operands, *op.results)
    found = next((v.type for v in values if v.type.is_quantized), values[0].type)
    return found.storage_type.name


def elementwise(graph: OnnxGraph, op: Op, operands: Sequence[Operand], theirs: str) -> Operand:
    """Write one operator, a contributed one if the operation has one for quantized operands."""
    name = op.name.removeprefix("stablehlo.")
    if name in QLINEAR and all(v.type.is_quantized for v in (*op.operands, *op.results)):
        return write_qlinear(graph, op, operands, QLINEAR[name])
    return apply(graph, op, operands, theirs, lambda *xs: graph.add(theirs, *xs))


def write_qlinear(graph: OnnxGraph, op: Op, operands: Sequence[Operand], theirs: str) -> Operand:
    """Write an operator that takes each operand with its scale and zero point, then those of the result."""
    type = op.result.type.quantized_element_type
    inputs = [name for x in operands for name in (x.handle, *graph.parameters(x.quantized_type))]
    for each in (*(x.quantized_type for x in operands), type):
        need(each.is_per_tensor, f"{theirs} with scales per axis")
        need(each.expressed_type.name == "f32", f"{theirs} has no {each.expressed_type} scale")
        need(each.storage_type.bits == 8, f"{theirs} has no {each.storage_type}")
    graph.how.append(f"{theirs} {kind(op)}")
    name = graph.contribute(theirs, *inputs, *graph.parameters(type))
    return Operand(name, op.result.type)


def logical(graph: OnnxGraph, op: Op, operands: Sequence[Operand], theirs: str) -> Operand:
    """Write an operator on booleans, or its counterpart on the bits of integers."""
    plain = op.result.type.storage_type.kind == "boolean"
    return elementwise(graph, op, operands, theirs if plain else f"Bitwise{theirs}")


def remainder(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    return apply(graph, op, operands, "Mod", lambda x, y: graph.add("Mod", x, y, fmod=1))


def compare(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write a comparison; ONNX has no NotEqual, so that is Not of Equal."""
    need(op.attributes.get("compare_type") != "TOTALORDER", "the total order of floats")
    direction = op["comparison_direction"]
    if direction == "NE":
        return apply(graph, op, operands, "Equal", lambda x, y: graph.add("Not", graph.add("Equal", x, y)))
    theirs = COMPARED[direction]
    return apply(graph, op, operands, theirs, lambda x, y: graph.add(theirs, x, y))


def clamp(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Clip for bounds that are scalars, else Max and Min."""
    low, x, high = operands
    if low.type.shape == high.type.shape == ():
        return apply(graph, op, (x, low, high), "Clip", lambda *xs: graph.add("Clip", *xs))
    write: Callable[..., str] = lambda x, low, high: graph.add("Min", graph.add("Max", x, low), high)
    return apply(graph, op, (x, low, high), "Max, Min", write)


def select(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    return apply(graph, op, operands, "Where", lambda *xs: graph.add("Where", *xs))


def is_finite(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write neither IsInf nor IsNaN."""
    write: Callable[[str], str] = lambda x: graph.add(
        "Not", graph.add("Or", graph.add("IsInf", x), graph.add("IsNaN", x))
    )
    return apply(graph, op, operands, "IsInf, IsNaN", write)


def cast(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    to = onnx_type(op.result.type.storage_type)
    return apply(graph, op, operands, "Cast", lambda x: graph.add("Cast", x, to=to))


def requantize(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write QuantizeLinear, after DequantizeLinear if the operand is quantized."""
    (x,) = operands
    both = x.type.is_quantized
    graph.how.append(f"{'DequantizeLinear, ' * both}QuantizeLinear {op.result.type.storage_type}")
    return graph.quantize(graph.dequantize(x), op.result.type)


def real(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    graph.how.append(f"DequantizeLinear {operands[0].type.storage_type}")
    return Operand(graph.dequantize(operands[0]), op.result.type)


RULES: dict[str, Rule] = {
    **family(elementwise, UNARY | BINARY),
    **family(logical, LOGICAL),
    "remainder": remainder,
    "compare": compare,
    "clamp": clamp,
    "select": select,
    "is_finite": is_finite,
    "convert": cast,
    "uniform_quantize": requantize,
    "uniform_dequantize": real,
    "quant.qcast": requantize,
    "quant.dcast": real,
}


# ONNX: operations that move elements; quantized ones move stored integers.

END = -(2**31)  # before the first element, for slices that go backwards


def note_move(graph: OnnxGraph, op: Op, name: str, handle: str) -> Operand:
    """Note the operator, for operands and results of equal parameters."""
    types = {along_no_axis(v.type.element_type) for v in (op.operands[0], op.result)}
    need(len(types) == 1 or not op.result.type.is_quantized, "operands and results of other parameters")
    graph.how.append(f"{name} {op.result.type.storage_type}")
    return Operand(handle, op.result.type)


def along_no_axis(type: ElementType | QuantizedType) -> ElementType | QuantizedType:
    """Return a type without its quantized dimension, which moves with the elements."""
    return replace(type, quantization_dimension=None) if isinstance(type, QuantizedType) else type


def reshape(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    return note_move(graph, op, "Reshape", graph.reshape(operands[0].handle, op.result.type.shape))


def transpose(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    options = {"perm": list(op["permutation"])} if op["permutation"] else {}
    handle = graph.add("Transpose", operands[0].handle, **options)
    return note_move(graph, op, "Transpose", handle)


def concatenate(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    types = {x.type.element_type for x in operands}
    need(len(types) == 1, "operands of several types")
    handle = graph.add("Concat", *(x.handle for x in operands), axis=op["dimension"])
    return note_move(graph, op, "Concat", handle)


def slice(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    rank = operands[0].type.rank
    lists = op["start_indices"], op["limit_indices"], range(rank), op["strides"]
    handle = graph.add("Slice", operands[0].handle, *(graph.integers(list(x)) for x in lists))
    return note_move(graph, op, "Slice", handle)


def reverse(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    axes = list(op["dimensions"])
    lists = [-1] * len(axes), [END] * len(axes), axes, [-1] * len(axes)
    return note_move(graph, op, "Slice", graph.add("Slice", operands[0].handle, *map(graph.integers, lists)))


def broadcast(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Reshape, which puts every dimension in its place, and Expand."""
    (x,), shape, places = operands, op.result.type.shape, list(op["broadcast_dimensions"])
    order = np.argsort(places).tolist() if places else []
    sizes = [1] * len(shape)
    for k, place in enumerate(places):
        sizes[place] = x.type.shape[k]
    handle = graph.reshape(graph.transpose(x.handle, order), sizes)
    return note_move(graph, op, "Expand", graph.add("Expand", handle, graph.integers(shape)))


def pad(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    x, value = operands
    need(not any(op["interior_padding"]), "interior_padding")
    need(x.type.element_type == value.type.element_type, "padding of another type")
    pads = graph.integers([*op["edge_padding_low"], *op["edge_padding_high"]])
    return note_move(graph, op, "Pad", graph.add("Pad", x.handle, pads, value.handle))


MOVES: dict[str, Rule] = {
    "reshape": reshape,
    "transpose": transpose,
    "concatenate": concatenate,
    "slice": slice,
    "reverse": reverse,
    "broadcast_in_dim": broadcast,
    "pad": pad,
}
