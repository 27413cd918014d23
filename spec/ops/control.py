"""Calls, loops and barriers. The terminators have no row: the loop reads their operands."""

from __future__ import annotations

from collections.abc import Sequence

from spec.constraint import OpSpec
from spec.evaluate import Context, Results
from spec.index import Tensor
from spec.ir import Op


def call(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """The results of the function that `callee` names."""
    return context.call(op["callee"].name, operands)


def while_(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """internal_state = operand; while cond(internal_state): internal_state = body(internal_state)"""
    cond, body = context.bodies
    state = tuple(operands)
    while cond(*state)[0].elements[0]:
        state = body(*state)
    return state


def optimization_barrier(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = operand"""
    return tuple(operands)


OPS = {
    "func.call": OpSpec((), call),
    "stablehlo.while": OpSpec((), while_),
    "stablehlo.optimization_barrier": OpSpec((), optimization_barrier),
}
