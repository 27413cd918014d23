"""Calls, loops, choices, maps and barriers. Terminators have no function: the loop reads their operands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from spec.constraint import C, OpSpec
from spec.context import Context, Results
from spec.index import Index, Tensor, build
from spec.ir import Op
from spec.types import TensorType

# The other rows of composite are judged together with its module.
NAMESPACED = C(
    1,
    "is_namespaced_op_name(name)",
    lambda op: re.fullmatch(r"[a-zA-Z][\w]*(\.[\w$]+)+", op["name"]) is not None,
    "name",
)


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


OPS = {
    "func.call": OpSpec((), call, bundles=True),
    "stablehlo.composite": OpSpec((NAMESPACED,), composite, bundles=True),
    "stablehlo.while": OpSpec((), while_, bundles=True),
    "stablehlo.case": OpSpec((), case, bundles=True),
    "stablehlo.if": OpSpec((), if_, bundles=True),
    "stablehlo.optimization_barrier": OpSpec((), optimization_barrier, bundles=True),
    "stablehlo.map": OpSpec((), map_),
}
