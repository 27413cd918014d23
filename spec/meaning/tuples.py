"""Tuples and tokens: values that are not tensors. A tuple's elements are its values; a token has none."""

from __future__ import annotations

from collections.abc import Sequence

from spec.ir import Op
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Tensor


def tuple_(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = (val...)"""
    return (Tensor(op.result.type, tuple(operands)),)


def get_tuple_element(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = operand[index]"""
    (operand,) = operands
    return (operand.elements[op["index"]],)


def after_all(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = a token, which comes after all inputs"""
    return (Tensor(op.result.type, ()),)


TUPLE_MEANINGS: dict[str, Meaning] = {
    "stablehlo.tuple": tuple_,
    "stablehlo.get_tuple_element": get_tuple_element,
    "stablehlo.after_all": after_all,
    "stablehlo.create_token": after_all,
}
