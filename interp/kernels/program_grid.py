"""interpreter.run_parallel, which runs functions of its module on a grid of processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from interp.backends import Array, State
from interp.engine.bundles import encode
from interp.engine.evaluate import Context
from interp.engine.processes import ProcessGrid, Process
from spec.ir import Op
from spec.program_grid import infeed, programs


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
