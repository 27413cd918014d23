"""The oracle on a process grid: every process is run until it has all that it waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from spec.context import Results
from spec.errors import Unspecified
from spec.evaluate import evaluate
from spec.grid import Grid, ProcessId
from spec.index import Tensor
from spec.ir import Module
from spec.processes import Blocked, Exchange, Process
from spec.schedule import LEFT, Schedule


class Task(NamedTuple):
    """The work of one process: a function of the module, and its arguments."""

    function: str
    args: Sequence[Tensor]


class Done(NamedTuple):
    """The results of one process, and what it wrote to its outfeed."""

    results: Results
    outfed: list[Results]


def evaluate_parallel(
    module: Module,
    grid: Grid,
    tasks: Mapping[ProcessId, Task],
    schedule: Schedule = LEFT,
    infeeds: Mapping[ProcessId, list[Results]] | None = None,
) -> dict[ProcessId, Done]:
    """Return what every process of the grid does.

    infeeds: for each process what its infeeds give, one after the other; processes may share one list.
    """
    exchange, done = Exchange(dict(infeeds or {})), dict[ProcessId, Done]()
    while len(done) < len(tasks):
        known, blocked = (len(done), exchange.size), []
        for id, task in tasks.items():
            if id in done:
                continue
            process = Process(id, grid, exchange)
            try:
                results = evaluate(module, task.args, schedule, task.function, process)
                done[id] = Done(results, process.outfed)
            except Blocked as error:
                blocked.append(error)
        if known == (len(done), exchange.size):
            raise deadlock(blocked)
    return done


def deadlock(blocked: Sequence[Blocked]) -> Unspecified:
    """Return the error for processes that all wait."""
    lines = "\n".join(error.line for error in blocked)
    return Unspecified("deadlock: no process can go on", lines, blocked[0].where)
