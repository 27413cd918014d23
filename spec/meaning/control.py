"""Calls, loops, choices, maps and barriers. Terminators have no function: the loop reads their operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spec.ir import Op
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Index, Tensor, build
from spec.types import TensorType


def call(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return the results of the function that `callee` names."""
    return context.call(op["callee"].name, operands)


def composite(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results = decomposition(inputs...)"""
    return context.call(op["decomposition"].name, operands)


def while_(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """internal_state = operand; while cond(internal_state): internal_state = body(internal_state)"""
    cond, body = context.bodies
    state = tuple(operands)
    while cond(*state)[0].elements[0]:
        state = body(*state)
    return state


def case(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = selected_branch(), branches[index] if 0 <= index < size(branches), else branches[-1]"""
    index = operands[0].elements[0]
    return context.bodies[index if 0 <= index < len(context.bodies) else -1]()


def if_(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = pred ? true_branch() : false_branch()"""
    true_branch, false_branch = context.bodies
    return true_branch() if operands[0].elements[0] else false_branch()


def map_(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_index] = computation(inputs...[result_index])"""
    (computation,) = context.bodies

    def element(result_index: Index) -> Any:
        args = (Tensor(TensorType((), x.type.element_type), (x[result_index],)) for x in operands)
        return computation(*args)[0].item

    return (build(op.result.type, element),)


def optimization_barrier(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = operand"""
    return tuple(operands)


MEANINGS: dict[str, Meaning] = {
    "func.call": call,
    "stablehlo.composite": composite,
    "stablehlo.while": while_,
    "stablehlo.case": case,
    "stablehlo.if": if_,
    "stablehlo.optimization_barrier": optimization_barrier,
    "stablehlo.map": map_,
}
