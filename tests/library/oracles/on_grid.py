"""The oracle on a process grid: a function of the module in each process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from spec.grid import Grid, ProcessId
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.processes import Done, take_turns
from spec.schedule import LEFT, Schedule


class Task(NamedTuple):
    """The work of one process: a function of the module, and its arguments."""

    function: str
    args: Sequence[Tensor]


def evaluate_parallel(
    module: Module,
    grid: Grid,
    tasks: Mapping[ProcessId, Task],
    schedule: Schedule = LEFT,
    infeeds: Mapping[ProcessId, list[Any]] | None = None,
) -> dict[ProcessId, Done]:
    """Return the results and the outfeed of every process of the grid.

    infeeds: for each process the elements of its infeed, tuples of tensors; processes may share one list.
    """
    runs = {id: partial(evaluate, module, task.args, schedule, task.function) for id, task in tasks.items()}
    return take_turns(grid, runs, infeeds)
