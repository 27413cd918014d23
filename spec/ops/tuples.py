"""Tuples and tokens: values that are not tensors. A tuple's elements are its values; a token has none."""

from __future__ import annotations

from collections.abc import Sequence

from spec.constraint import OpSpec
from spec.context import Context, Results
from spec.index import Tensor
from spec.ir import Op
from spec.ops.tuple_constraints import AFTER_ALL, GET_TUPLE_ELEMENT, TUPLE


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


OPS = {
    "stablehlo.tuple": OpSpec(TUPLE, tuple_, bundles=True),
    "stablehlo.get_tuple_element": OpSpec(GET_TUPLE_ELEMENT, get_tuple_element, bundles=True),
    "stablehlo.after_all": OpSpec(AFTER_ALL, after_all, bundles=True),
    "stablehlo.create_token": OpSpec(AFTER_ALL, after_all, bundles=True),
}
