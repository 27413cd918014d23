"""TOSA: elementwise operations and data movement.

TOSA has no operators on quantized tensors: operands are rescaled to i32, an operator on i32 follows, and its
result is rescaled, as StableHLO's own `stablehlo-quant-legalize-to-tosa-rescale` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tosa_serializer as tosa

from interp.apps.runtimes.tosa_graph import I32, SHIFTED, TosaGraph, check_type
from interp.apps.runtimes.translation import Operand, Rule, family, need
from interp.apps.runtimes.views import scale
from spec.ir import Op
from spec.types import TensorType

FLOATS = {"f16", "bf16", "f32"}
ARITHMETIC = {"i32", *FLOATS}
INTEGERS = {"i8", "i16", "i32"}
PROPAGATE = tosa.NanPropagationMode.PROPAGATE
# The operator, the element types that TOSA's table has for it, and its attributes.
PLAIN: dict[str, tuple[str, set[str], tuple[Any, ...]]] = {
    "abs": ("ABS", ARITHMETIC, ()),
    "add": ("ADD", ARITHMETIC, ()),
    "and": ("BITWISE_AND", INTEGERS, ()),
    "ceil": ("CEIL", FLOATS, ()),
    "cosine": ("COS", FLOATS, ()),
    "count_leading_zeros": ("CLZ", {"i32"}, ()),
    "divide": ("INTDIV", {"i32"}, ()),
    "exponential": ("EXP", FLOATS, ()),
    "floor": ("FLOOR", FLOATS, ()),
    "log": ("LOG", FLOATS, ()),
    "logistic": ("SIGMOID", FLOATS, ()),
    "maximum": ("MAXIMUM", ARITHMETIC, (PROPAGATE,)),
    "minimum": ("MINIMUM", ARITHMETIC, (PROPAGATE,)),
    "not": ("BITWISE_NOT", INTEGERS, ()),
    "or": ("BITWISE_OR", INTEGERS, ()),
    "power": ("POW", FLOATS, ()),
    "rsqrt": ("RSQRT", FLOATS, ()),
    "shift_left": ("LOGICAL_LEFT_SHIFT", INTEGERS, ()),
    "shift_right_logical": ("LOGICAL_RIGHT_SHIFT", INTEGERS, ()),
    "sine": ("SIN", FLOATS, ()),
    "subtract": ("SUB", ARITHMETIC, ()),
    "tanh": ("TANH", FLOATS, ()),
    "xor": ("BITWISE_XOR", INTEGERS, ()),
}
LOGICAL = {"and": "LOGICAL_AND", "or": "LOGICAL_OR", "xor": "LOGICAL_XOR", "not": "LOGICAL_NOT"}
# The operators of a comparison, with its operands exchanged where it has none of its own.
COMPARED = {"EQ": ("EQUAL", 1), "GT": ("GREATER", 1), "GE": ("GREATER_EQUAL", 1), "LT": ("GREATER", -1),
            "LE": ("GREATER_EQUAL", -1)}  # fmt: skip
SUMS = {"add": 2, "subtract": 2, "maximum": 1, "minimum": 1}  # by which the common scale exceeds the larger


def plain(graph: TosaGraph, op: Op, operands: Sequence[Operand], theirs: Any) -> Operand:
    """Write one operator on plain types, or the composition on quantized ones."""
    name, types, attribute = theirs
    short, type = op.name.removeprefix("stablehlo."), op.result.type
    if any(v.type.is_quantized for v in (*op.operands, *op.results)):
        return through_i32(graph, short, operands, type)
    if type.storage_type.kind == "boolean" and short in LOGICAL:
        return one(graph, LOGICAL[short], operands, type)
    need(type.storage_type.name in types, f"{name} has no {type.storage_type}")
    return one(graph, name, operands, type, *attribute)


def one(
    graph: TosaGraph, name: str, operands: Sequence[Operand], type: TensorType, *attribute: Any
) -> Operand:
    """Write one operator and note it, with the type of its first operand."""
    graph.how.append(f"{name} {operands[0].type.storage_type}")
    return graph.add(name, [x.handle for x in operands], type, *attribute)


def through_i32(graph: TosaGraph, name: str, operands: Sequence[Operand], type: TensorType) -> Operand:
    """Write RESCALE of the operands, an operator on i32, RESCALE of its result."""
    need(name in SUMS or name in ("multiply", "abs"), "no operator on rescaled integers")
    elements, result = [x.quantized_type for x in operands], type.quantized_element_type
    check_type(type)
    wide = TensorType(type.shape, I32)
    common = SUMS.get(name, 0) * max(scale(e) for e in elements)
    exact = SHIFTED.get(elements[0].storage_type.name, 1)
    need(not common or elements[0].storage_type.name in SHIFTED, f"quantized {elements[0].storage_type}")
    factors = [scale(e) / common * exact if common else 1.0 for e in elements]
    inputs = [to_i32(graph, x, factor) for x, factor in zip(operands, factors, strict=True)]
    operator = "MUL" if name == "multiply" else PLAIN[name][0]
    handles = [x.handle for x in inputs] + [graph.numbers([0], "int8")] * (name == "multiply")
    attribute = PLAIN[name][2] if name in PLAIN else ()
    y = graph.add(operator, handles, wide, *attribute)
    product = float(np.prod([scale(e) for e in elements]))
    last = (common / exact if common else product) / scale(result)
    graph.how.append(f"RESCALE, {operator} i32, RESCALE {elements[0].storage_type}")
    return graph.rescale(y, last, type, (0, result.zero_point))


def to_i32(graph: TosaGraph, x: Operand, factor: float) -> Operand:
    """Write RESCALE of a quantized operand to i32 without a zero point."""
    return graph.rescale(x, factor, TensorType(x.type.shape, I32), (x.quantized_type.zero_point, 0))


def multiply(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    type = op.result.type
    if any(v.type.is_quantized for v in (*op.operands, *op.results)):
        return through_i32(graph, "multiply", operands, type)
    need(type.storage_type.name in ARITHMETIC, f"MUL has no {type.storage_type}")
    graph.how.append(f"MUL {type.storage_type}")
    return graph.add("MUL", [*(x.handle for x in operands), graph.numbers([0], "int8")], type)


def negate(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write NEGATE, which takes zero points, of equal scales."""
    (x,), type = operands, op.result.type
    points = [0, 0]
    if x.type.is_quantized:
        need(scale(x.quantized_type) == scale(type.quantized_element_type), "NEGATE between scales")
        need(x.type.storage_type.name == "i8" == type.storage_type.name, "NEGATE of this storage")
        points = [x.quantized_type.zero_point, type.quantized_element_type.zero_point]
    need(type.storage_type.name in INTEGERS | FLOATS, f"NEGATE has no {type.storage_type}")
    zeros = [graph.constant(TensorType((1,), type.storage_type), np.array([z])) for z in points]
    graph.how.append(f"NEGATE {type.storage_type}")
    return graph.add("NEGATE", [x.handle, *(z.handle for z in zeros)], type)


def compare(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write a comparison of plain numbers, or of quantized ones on their common scale."""
    need(op.attributes.get("compare_type") != "TOTALORDER", "the total order of floats")
    direction = op["comparison_direction"]
    need(direction in COMPARED, "no operator for NE")
    name, order = COMPARED[direction]
    inputs, type = list(operands)[::order], operands[0].type
    if type.is_quantized:
        need(type.storage_type.name in SHIFTED, f"quantized {type.storage_type}")
        common = max(scale(x.quantized_type) for x in inputs)
        exact = SHIFTED[type.storage_type.name]
        inputs = [to_i32(graph, x, scale(x.quantized_type) / common * exact) for x in inputs]
        graph.how.append(f"RESCALE, {name} i32 {type.storage_type}")
        return graph.add(name, [x.handle for x in inputs], op.result.type)
    need(type.storage_type.name in ARITHMETIC, f"{name} has no {type.storage_type}")
    return one(graph, name, inputs, op.result.type)


def select(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    elements = {x.element_type for x in (operands[1].type, operands[2].type, op.result.type)}
    need(len(elements) == 1, "operands of several types")
    pred, *rest = operands
    graph.how.append(f"SELECT {rest[0].type.storage_type}")
    pred = to_shape(graph, pred, (1,) * op.result.type.rank) if pred.type.shape == () else pred
    return graph.add("SELECT", [pred.handle, *(x.handle for x in rest)], op.result.type)


def cast(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    types = operands[0].type, op.result.type
    need(not any(t.is_quantized for t in types), "quantized types")
    need(not any(t.storage_type.kind == "unsigned" for t in types), "unsigned integers")
    graph.how.append(f"CAST {types[0].storage_type} to {types[1].storage_type}")
    return graph.add("CAST", [operands[0].handle], types[1])


def requantize(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write RESCALE between two quantized types; floats have no operator."""
    (x,), type = operands, op.result.type
    need(x.type.is_quantized, "no operator from floats")
    check_type(type)
    graph.how.append(f"RESCALE {x.type.storage_type} to {type.storage_type}")
    result = type.quantized_element_type
    return graph.rescale(
        x, scale(x.quantized_type) / scale(result), type, (x.quantized_type.zero_point, result.zero_point)
    )


def move_rule(write: Callable[[TosaGraph, Op, Sequence[Operand]], Operand], name: str) -> Rule:
    """Return the rule of an operation that moves elements; quantized ones move stored integers."""

    def rule(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
        types = {v.type.element_type for v in (op.operands[0], op.result)}
        need(len(types) == 1, "operands and results of other parameters")
        graph.how.append(f"{name} {op.result.type.storage_type}")
        return write(graph, op, operands)

    return rule


def to_shape(graph: TosaGraph, x: Operand, shape: Sequence[int]) -> Operand:
    """Write RESHAPE unless the shape is the same."""
    if tuple(shape) == x.type.shape:
        return x
    type = TensorType(tuple(shape), x.type.element_type)
    return graph.add("RESHAPE", [x.handle, graph.shape(shape)], type)


def to_order(graph: TosaGraph, x: Operand, order: Sequence[int]) -> Operand:
    """Write TRANSPOSE unless the order is the same."""
    if list(order) == sorted(order):
        return x
    type = TensorType(tuple(x.type.shape[k] for k in order), x.type.element_type)
    return graph.add("TRANSPOSE", [x.handle], type, list(order))


def concatenate(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    need(len({x.type.element_type for x in operands}) == 1, "operands of several types")
    return graph.add("CONCAT", [x.handle for x in operands], op.result.type, op["dimension"])


def take_slice(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    need(set(op["strides"]) <= {1}, "strides of a slice")
    lists = graph.shape(op["start_indices"]), graph.shape(op.result.type.shape)
    return graph.add("SLICE", [operands[0].handle, *lists], op.result.type)


def reverse(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    x = operands[0]
    for axis in op["dimensions"]:
        x = graph.add("REVERSE", [x.handle], x.type, axis)
    return x


def broadcast(graph: TosaGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write RESHAPE, which puts every dimension in its place, and TILE."""
    (x,), type, places = operands, op.result.type, list(op["broadcast_dimensions"])
    sizes = [1] * type.rank
    for k, place in enumerate(places):
        sizes[place] = x.type.shape[k]
    x = to_shape(graph, to_order(graph, x, np.argsort(places).tolist() if places else []), sizes)
    times = [n // size if size else 1 for n, size in zip(type.shape, sizes, strict=True)]
    return graph.add("TILE", [x.handle, graph.shape(times)], type)


RULES: dict[str, Rule] = {
    **family(plain, PLAIN),
    "multiply": multiply,
    "negate": negate,
    "compare": compare,
    "select": select,
    "convert": cast,
    "uniform_quantize": requantize,
    "reshape": move_rule(lambda graph, op, xs: to_shape(graph, xs[0], op.result.type.shape), "RESHAPE"),
    "transpose": move_rule(lambda graph, op, xs: to_order(graph, xs[0], op["permutation"]), "TRANSPOSE"),
    "concatenate": move_rule(concatenate, "CONCAT"),
    "slice": move_rule(take_slice, "SLICE"),
    "reverse": move_rule(reverse, "REVERSE"),
    "broadcast_in_dim": move_rule(broadcast, "TILE"),
}
