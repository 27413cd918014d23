"""LiteRT: elementwise operations, conversions, and operations that move elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from interp.apps.runtimes.litert_graph import LitertGraph
from interp.apps.runtimes.litert_model import Slot
from interp.apps.runtimes.translation import NotExpressible, Operand, Rule, family, need
from spec.ir import Op
from spec.types import ELEMENT_TYPES, TensorType

# LiteRT: elementwise operations and conversions.
#
# An elementwise operation on quantized types is one operator on quantized tensors where the operator takes
# them (`QUANTIZED`) and the parameters satisfy its documented restrictions (`SAME`, `FIXED`); elsewhere it
# is DEQUANTIZE, the operator on floats, QUANTIZE ("QDQ").

# The operator, and its table of options.
OPERATORS = {
    "abs": ("ABS", "AbsOptions"),
    "add": ("ADD", "AddOptions"),
    "atan2": ("ATAN2", "ATan2Options"),
    "ceil": ("CEIL", ""),
    "cosine": ("COS", "CosOptions"),
    "divide": ("DIV", "DivOptions"),
    "exponential": ("EXP", "ExpOptions"),
    "floor": ("FLOOR", ""),
    "log": ("LOG", ""),
    "logistic": ("LOGISTIC", ""),
    "maximum": ("MAXIMUM", "MaximumMinimumOptions"),
    "minimum": ("MINIMUM", "MaximumMinimumOptions"),
    "multiply": ("MUL", "MulOptions"),
    "negate": ("NEG", "NegOptions"),
    "power": ("POW", "PowOptions"),
    "round_nearest_even": ("ROUND", ""),
    "rsqrt": ("RSQRT", ""),
    "sign": ("SIGN", "SignOptions"),
    "sine": ("SIN", ""),
    "sqrt": ("SQRT", ""),
    "subtract": ("SUB", "SubOptions"),
    "tanh": ("TANH", ""),
}
# Operators that take quantized tensors.
QUANTIZED = set("ABS ADD DIV EXP LOG LOGISTIC MAXIMUM MINIMUM MUL RSQRT SQRT SUB TANH".split())
# Restrictions of TensorFlow Lite's quantization specification: equal parameters of operands and result, and
# the result's scale and zero point, by storage type.
SAME = {"MAXIMUM", "MINIMUM"}
FIXED = {
    "LOGISTIC": {"i8": (1 / 256, -128), "ui8": (1 / 256, 0), "i16": (1 / 32768, 0)},
    "TANH": {"i8": (1 / 128, 0), "ui8": (1 / 128, 128), "i16": (1 / 32768, 0)},
}
# Operators that act on the stored numbers of plain types, as StableHLO does.
OF_STABLEHLO = {"add", "maximum", "minimum", "multiply"}
SCALED = {"i8", "ui8", "i16", "ui16"}  # which LiteRT's own operators take for quantized
COMPARED = {
    "EQ": "EQUAL",
    "NE": "NOT_EQUAL",
    "LT": "LESS",
    "LE": "LESS_EQUAL",
    "GT": "GREATER",
    "GE": "GREATER_EQUAL",
}
LOGICAL = {"and": "LOGICAL_AND", "or": "LOGICAL_OR", "not": "LOGICAL_NOT"}
F32 = ELEMENT_TYPES["f32"]


def elementwise(graph: LitertGraph, op: Op, operands: Sequence[Operand], theirs: tuple[str, str]) -> Operand:
    """Write one operator, of those on quantized, on scaled or on plain numbers."""
    name, options = theirs
    types = [*(x.type for x in operands), op.result.type]
    if all(type.is_quantized for type in types) and name in QUANTIZED and is_allowed(name, types):
        return one(graph, name, operands, op.result.type, options)
    if any(type.is_quantized for type in types):
        return through_floats(graph, name, operands, op.result.type, options)
    short = op.name.removeprefix("stablehlo.")
    if short in OF_STABLEHLO and op.result.type.storage_type.name not in ("f32", "f16", "i32", "i64"):
        return one(graph, f"STABLEHLO_{short.upper()}", operands, op.result.type)
    plain = op.result.type.storage_type.name
    need(plain not in SCALED or name not in QUANTIZED, f"{plain} without a scale")
    return one(graph, name, operands, op.result.type, options)


def is_allowed(name: str, types: Sequence[TensorType]) -> bool:
    """Return whether the parameters satisfy the documented restrictions of an operator."""
    elements = [type.quantized_element_type for type in types]
    if name in SAME:
        return len({(e.storage_type, e.scales, e.zero_points) for e in elements}) == 1
    fixed = FIXED.get(name, {}).get(elements[-1].storage_type.name)
    per_tensor = all(element.is_per_tensor for element in elements)
    return per_tensor and (fixed is None or fixed == (elements[-1].scale, elements[-1].zero_point))


def one(
    graph: LitertGraph,
    name: str,
    operands: Sequence[Operand],
    type: TensorType,
    options: str = "",
) -> Operand:
    """Write one operator and note it, with the type of its first operand."""
    graph.how.append(f"{name} {operands[0].type.storage_type}")
    return graph.add(name, [x.handle for x in operands], type, options)


def through_floats(
    graph: LitertGraph, name: str, operands: Sequence[Operand], type: TensorType, options: str
) -> Operand:
    """Write DEQUANTIZE, an operator on floats and QUANTIZE."""
    floats = [dequantize(graph, x) for x in operands]
    first = next((x for x in operands if x.type.is_quantized), operands[0])
    graph.how.append(f"QDQ {name} {first.type.storage_type}")
    real = TensorType(type.shape, F32) if type.is_quantized else type
    return quantize(graph, graph.add(name, [x.handle for x in floats], real, options), type)


def dequantize(graph: LitertGraph, x: Operand) -> Operand:
    """Write DEQUANTIZE for a quantized operand; a plain one stays."""
    if not x.type.is_quantized:
        return x
    return graph.add("DEQUANTIZE", [x.handle], TensorType(x.type.shape, F32), "DequantizeOptions")


def quantize(graph: LitertGraph, x: Operand, type: TensorType) -> Operand:
    """Write QUANTIZE for another type; for the same type the operand stays."""
    if x.type.element_type == type.element_type:
        return x
    return graph.add("QUANTIZE", [x.handle], type, "QuantizeOptions")


def requantize(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    (x,) = operands
    if x.type.is_quantized and x.quantized_type.is_per_axis:  # the operator's own rescaling is per tensor
        graph.how.append(f"DEQUANTIZE, QUANTIZE {op.result.type.storage_type}")
        return quantize(graph, dequantize(graph, x), op.result.type)
    source = f"{x.type.storage_type} to " * x.type.is_quantized
    graph.how.append(f"QUANTIZE {source}{op.result.type.storage_type}")
    return graph.add("QUANTIZE", [x.handle], op.result.type, "QuantizeOptions")


def real(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    graph.how.append(f"DEQUANTIZE {operands[0].type.storage_type}")
    return dequantize(graph, operands[0])


def compare(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write a comparison, of quantized tensors too; plain 8 and 16 bits would be taken for quantized."""
    need(op.attributes.get("compare_type") != "TOTALORDER", "the total order of floats")
    name, type = COMPARED[op["comparison_direction"]], operands[0].type
    need(type.is_quantized or type.storage_type.name not in SCALED, f"{type.storage_type} without a scale")
    return one(graph, name, operands, op.result.type)


def select(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    elements = {x.element_type for x in (operands[1].type, operands[2].type, op.result.type)}
    if len(elements) == 1:
        _, x, _ = operands
        graph.how.append(f"SELECT_V2 {x.type.storage_type}")
        return graph.add("SELECT_V2", [x.handle for x in operands], op.result.type, "SelectV2Options")
    return through_floats(graph, "SELECT_V2", operands, op.result.type, "SelectV2Options")


def clamp(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write MAXIMUM and MINIMUM."""
    low, x, high = operands
    elements = {x.element_type for x in (*(x.type for x in operands), op.result.type)}
    type, options = op.result.type, "MaximumMinimumOptions"
    if len(elements) == 1:
        return one(graph, "MINIMUM", [one(graph, "MAXIMUM", [x, low], type, options), high], type, options)
    need(type.is_quantized, "operands of several types")
    above = through_floats(graph, "MAXIMUM", [x, low], TensorType(type.shape, F32), options)
    return through_floats(graph, "MINIMUM", [above, high], type, options)


def logical(graph: LitertGraph, op: Op, operands: Sequence[Operand], theirs: str) -> Operand:
    """Write an operator on booleans."""
    need(op.result.type.storage_type.kind == "boolean", "the bits of integers")
    return one(graph, theirs, operands, op.result.type)


def cast(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    types = operands[0].type, op.result.type
    need(not any(type.is_quantized for type in types), "quantized types")
    graph.how.append(f"CAST {types[0].storage_type} to {types[1].storage_type}")
    return graph.add("CAST", [operands[0].handle], types[1], "CastOptions")


def bitwise_rule(theirs: tuple[str, str]) -> Callable[..., Operand]:
    """Return the rule of an operator that is on the bits of integers."""

    def rule(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
        if op.result.type.storage_type.kind == "boolean":
            raise NotExpressible("booleans")
        return one(graph, theirs[0], operands, op.result.type, theirs[1])

    return rule


RULES: dict[str, Rule] = {
    **family(elementwise, OPERATORS),
    **family(logical, LOGICAL),
    "xor": bitwise_rule(("BITWISE_XOR", "BitwiseXorOptions")),
    "shift_left": bitwise_rule(("STABLEHLO_SHIFT_LEFT", "")),
    "clamp": clamp,
    "compare": compare,
    "convert": cast,
    "select": select,
    "uniform_quantize": requantize,
    "uniform_dequantize": real,
    "quant.qcast": requantize,
    "quant.dcast": real,
}


# LiteRT: operations that move elements; quantized tensors keep their parameters.

VERSIONS = {"BROADCAST_TO": 3}  # the least that is registered for every type; others are of version 1

VERSIONS = {"BROADCAST_TO": 3}  # the least that is registered for every type; others are of version 1


def write_move(
    graph: LitertGraph,
    name: str,
    x: Operand,
    others: Sequence[int],
    shape: Sequence[int],
    options: str = "",
    **values: Any,
) -> Operand:
    """Write an operator whose result has the element type of `x`, and another shape."""
    graph.how.append(f"{name} {x.type.storage_type}")
    type = TensorType(tuple(shape), x.type.element_type)
    return graph.add(name, [x.handle, *others], type, options, values, VERSIONS.get(name, 1))


def to_shape(graph: LitertGraph, x: Operand, shape: Sequence[int]) -> Operand:
    """Write RESHAPE unless the shape is the same; it is not noted, as it serves another operator."""
    if tuple(shape) == x.type.shape:
        return x
    type = TensorType(tuple(shape), x.type.element_type)
    return graph.add(
        "RESHAPE", [x.handle, graph.integers(shape)], type, "ReshapeOptions", {"newShape": list(shape)}
    )


def to_order(graph: LitertGraph, x: Operand, order: Sequence[int]) -> Operand:
    """Write TRANSPOSE unless the order is the same; it is not noted, as it serves another operator."""
    if list(order) == sorted(order):
        return x
    need(x.quantized_type.is_per_tensor if x.type.is_quantized else True, "scales per axis, transposed")
    type = TensorType(tuple(x.type.shape[k] for k in order), x.type.element_type)
    return graph.add("TRANSPOSE", [x.handle, graph.integers(order)], type, "TransposeOptions")


def operand_to_move(op: Op, operands: Sequence[Operand]) -> Operand:
    """Return the first operand, whose element type must be that of the result and per tensor."""
    x, element = operands[0], op.result.type.element_type
    need(x.type.element_type == element, "operands and results of other parameters")
    need(not x.type.is_quantized or x.quantized_type.is_per_tensor, "scales per axis")
    return x


def reshape(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    shape = op.result.type.shape
    x = operand_to_move(op, operands)
    return write_move(
        graph, "RESHAPE", x, [graph.integers(shape)], shape, "ReshapeOptions", newShape=list(shape)
    )


def transpose(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    order = graph.integers(list(op["permutation"]))
    return write_move(
        graph, "TRANSPOSE", operand_to_move(op, operands), [order], op.result.type.shape, "TransposeOptions"
    )


def concatenate(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    need(len({x.type.element_type for x in operands}) == 1, "operands of several types")
    x, *rest = operand_to_move(op, operands), *operands[1:]
    others = [y.handle for y in rest]
    shape, axis = op.result.type.shape, op["dimension"]
    return write_move(graph, "CONCATENATION", x, others, shape, "ConcatenationOptions", axis=axis)


def slice(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    lists = [graph.integers(op[name]) for name in ("start_indices", "limit_indices", "strides")]
    x = operand_to_move(op, operands)
    return write_move(graph, "STRIDED_SLICE", x, lists, op.result.type.shape, "StridedSliceOptions")


def reverse(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    axes = graph.integers(list(op["dimensions"]))
    x = operand_to_move(op, operands)
    return write_move(graph, "REVERSE_V2", x, [axes], op.result.type.shape, "ReverseV2Options")


def broadcast(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write RESHAPE, which puts every dimension in its place, and BROADCAST_TO."""
    x, shape, places = operand_to_move(op, operands), op.result.type.shape, list(op["broadcast_dimensions"])
    order = np.argsort(places).tolist() if places else []
    sizes = [1] * len(shape)
    for k, place in enumerate(places):
        sizes[place] = x.type.shape[k]
    placed = to_shape(graph, to_order(graph, x, order), sizes)
    return write_move(graph, "BROADCAST_TO", placed, [graph.integers(shape)], shape, "BroadcastToOptions")


def pad(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write STABLEHLO_PAD for plain types, else PADV2, which cannot pad between elements or remove some."""
    x, value = operand_to_move(op, operands), operands[1]
    need(value.type.element_type == x.type.element_type, "padding of another type")
    low, high, interior = (list(op[n]) for n in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    shape = op.result.type.shape
    if not x.type.is_quantized:
        values = {"edgePaddingLow": low, "edgePaddingHigh": high, "interiorPadding": interior}
        return write_move(graph, "STABLEHLO_PAD", x, [value.handle], shape, "StablehloPadOptions", **values)
    need(not any(interior), "interior_padding of quantized tensors")
    need(min([*low, *high], default=0) >= 0, "negative padding of quantized tensors")
    return write_move(graph, "PADV2", x, [pairs(graph, low, high), value.handle], shape, "PadV2Options")


def pairs(graph: LitertGraph, low: Sequence[int], high: Sequence[int]) -> int:
    """Keep paddings as the operators take them."""

    return graph.hold(Slot("int32", (len(low), 2), data=np.array([low, high], np.int32).T.copy()))


MOVES: dict[str, Rule] = {
    "broadcast_in_dim": broadcast,
    "concatenate": concatenate,
    "pad": pad,
    "reshape": reshape,
    "reverse": reverse,
    "slice": slice,
    "transpose": transpose,
}
