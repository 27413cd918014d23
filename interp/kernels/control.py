"""Calls, loops, choices, maps, barriers, tuples, and grids of processes; terminators have no kernel."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from interp.backends import Array, State
from interp.engine.arguments import encode
from interp.engine.evaluate import Context
from interp.engine.processes import Process, ProcessGrid
from spec.grid import infeed, programs
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


# Tuples and tokens: a tuple is a Python tuple of its values, and a token is an empty tuple.


def tuple_(ctx: Context, op: Op, *val: Array) -> State:
    """`result = (val...)`."""
    return (val,)


def get_tuple_element(ctx: Context, op: Op, operand: State) -> State:
    """`result = operand[index]`."""
    return (operand[op["index"]],)


def after_all(ctx: Context, op: Op, *inputs: State) -> State:
    """`result` is a token, which holds nothing."""
    return ((),)


TUPLES: dict[str, Callable[..., Any]] = {
    "stablehlo.tuple": tuple_,
    "stablehlo.get_tuple_element": get_tuple_element,
    "stablehlo.after_all": after_all,
    "stablehlo.create_token": after_all,
}


# interpreter.run_parallel, which runs functions of its module on a grid of processes.


def run_parallel(ctx: Context, op: Op, *operands: Array) -> State:
    """Run the functions in `programs`, one in each process of a grid; each takes the next of the operands."""
    names = programs(op)
    grid = ProcessGrid(len(names), len(names[0]))
    shared = deque(_payload(ctx, name) for name in infeed(op))
    tasks, rest = [], list(operands)
    for process, name in zip(grid.processes, [name for row in names for name in row], strict=True):
        count = len(ctx.module[name].inputs)
        process.infeed = shared
        tasks.append(partial(_program, ctx, process, name, rest[:count]))
        rest = rest[count:]
    return tuple(x for results in grid.run(tasks) for x in results)


def _program(ctx: Context, process: Process, name: str, args: list[Array]) -> State:
    return ctx._replace(process=process).call(name, args)


def _payload(ctx: Context, name: str) -> tuple[Any, ...]:
    """Return the stored results of a function without arguments."""
    types = ctx.module[name].results
    return tuple(encode(ctx.xp, x, type) for x, type in zip(ctx.call(name, ()), types, strict=True))


GRIDS: dict[str, Callable[..., Any]] = {"interpreter.run_parallel": run_parallel}
