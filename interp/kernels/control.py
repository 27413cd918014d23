"""Calls, loops, choices, maps and barriers. Terminators end the loop of `Context.run` and have no kernel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from interp.backends import Array, State
from interp.engine.evaluate import Context
from spec.ir import Op


def call(ctx: Context, op: Op, *operands: Array) -> State:
    """Return the results of `callee` on the operands."""
    return ctx.call(op["callee"].name, operands)


def composite(ctx: Context, op: Op, *inputs: Array) -> State:
    """Return the results of `decomposition` on the inputs."""
    return ctx.call(op["decomposition"].name, inputs)


def while_(ctx: Context, op: Op, *operand: Array) -> State:
    """`operand`, replaced by `body(operand)` as long as `cond(operand)` holds."""
    cond, body = map(ctx.running, op.regions)
    return ctx.xp.while_loop(lambda state: cond(state)[0], body, operand)


def case(ctx: Context, op: Op, index: Array) -> State:
    """Return the results of `branches[index]`, or of the last branch if the index is out of range."""
    n = len(op.regions)
    chosen = ctx.xp.where((index >= 0) & (index < n), index, n - 1)
    return ctx.xp.switch(chosen, [partial(ctx.run, branch, ()) for branch in op.regions])


def if_(ctx: Context, op: Op, pred: Array) -> State:
    """Return the results of `true_branch` if `pred`, else of `false_branch`."""
    when_true, when_false = (partial(ctx.run, branch, ()) for branch in op.regions)
    return ctx.xp.switch(pred.astype(ctx.xp.int32), [when_false, when_true])


def map_(ctx: Context, op: Op, *inputs: Array) -> State:
    """`result[result_index] = computation(inputs...[result_index])`."""
    (computation,) = op.regions
    return ctx.elements(computation, inputs, ctx.is_elementwise(computation))


def optimization_barrier(ctx: Context, op: Op, *operand: Array) -> State:
    """`result = operand`, behind an optimization barrier."""
    return tuple(map(ctx.xp.opaque, operand))


KERNELS: dict[str, Callable[..., Any]] = {
    "func.call": call,
    "stablehlo.composite": composite,
    "stablehlo.while": while_,
    "stablehlo.case": case,
    "stablehlo.if": if_,
    "stablehlo.map": map_,
    "stablehlo.optimization_barrier": optimization_barrier,
}
