"""The constraint rows of tuple, get_tuple_element and after_all."""

from __future__ import annotations

from spec.ir import Op, Value
from spec.rules.common import SHOWN, scalar
from spec.rules.constraint import C, Constraint, Input
from spec.types import TokenType, TupleType


def is_token(value: Value) -> bool:
    return isinstance(value.type, TokenType)


def is_tuple_of_operands(op: Op) -> bool:
    """Return whether the result is a tuple of the operands' types."""
    type = op.result.type
    return isinstance(type, TupleType) and type.types == tuple(value.type for value in op.operands)


def element(op: Op) -> object:
    """Return the type number `index` of the operand's tuple type."""
    type = op.operand.type
    return type.types[op["index"]] if isinstance(type, TupleType) else None


TUPLE = (C(1, "result has type tuple<E0, ..., EN-1> where Ei = type(val[i])", is_tuple_of_operands, SHOWN),)

GET_TUPLE_ELEMENT = (
    Input(1, "operand: tuple", lambda op: isinstance(op.operand.type, TupleType), "type(operand)"),
    scalar(2, "index", "si32"),
    C(
        1,
        "0 <= index < size(operand)",
        lambda op: 0 <= op["index"] < len(op.operand.type.types),
        "index, type(operand)",
    ),
    C(
        2,
        "type(result) = tuple_element_types(operand)[index]",
        lambda op: op.result.type == element(op),
        f"index, {SHOWN}",
    ),
)

AFTER_ALL = (
    Input(
        1,
        "inputs: variadic number of token; result: token",
        lambda op: all(map(is_token, (*op.operands, op.result))),
        SHOWN,
    ),
)

TUPLE_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.tuple": TUPLE,
    "stablehlo.get_tuple_element": GET_TUPLE_ELEMENT,
    "stablehlo.after_all": AFTER_ALL,
    "stablehlo.create_token": AFTER_ALL,
}
