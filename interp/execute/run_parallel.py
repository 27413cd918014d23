"""`run_parallel`: a program on a grid of processes, which meet at collectives and send messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from interp.backends import NUMPY
from interp.engine.arguments import accept_arguments
from interp.engine.bundles import decode, encode, results_of
from interp.engine.evaluate import Context, Listener, listening
from interp.engine.limits import refuse_sizes
from interp.engine.processes import ProcessGrid
from interp.engine.tensor import Tensor
from interp.execute.notes import note_unused
from interp.execute.run import contractions_named, introduce, operations_for, reading_and_ways, runnable
from interp.recorder.recorder import Recorder
from spec.accumulator import Reading
from spec.errors import Malformed
from spec.grid import Grid as Sizes
from spec.ir import Func, Module
from spec.options import several, whole
from spec.schedule import Schedule, parse

if TYPE_CHECKING:
    from interp.execute.accumulating import Given

T = TypeVar("T")
Functions = str | Sequence[str] | Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Parallel:
    """Results of the processes of a grid, in the order of their numbers.

    Process `(replica_id, partition_id)` has the number `replica_id * num_partitions + partition_id`.
    results: for each process its results, as `run` returns them. outfeeds: for each process a list with one
    tuple of tensors for each `outfeed` that it executed. `parallel[1]` and `parallel[0, 1]` are the results
    of one process.
    """

    num_replicas: int
    num_partitions: int
    results: tuple[tuple[Tensor, ...], ...]
    outfeeds: tuple[tuple[tuple[Tensor, ...], ...], ...]

    def __getitem__(self, process: int | tuple[int, int]) -> tuple[Tensor, ...]:
        if isinstance(process, tuple):
            process = process[0] * self.num_partitions + process[1]
        return self.results[process]

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)


def run_parallel(
    module: Module,
    args: Sequence[Sequence[Any]] = (),
    *,
    num_replicas: int = 1,
    num_partitions: int = 1,
    functions: Functions = "main",
    infeeds: Sequence[Iterable[Any]] = (),
    schedule: str | Schedule = "left",
    mode: str = "mlir",
    listeners: Iterable[Listener] = (),
    fail_on: str | Iterable[str] = (),
    contractions: str = "fold",
    reading: str | Reading = "dequantize",
    accumulator: Given | Mapping[Any, Given] | None = None,
    recipe: str | None = None,
    listeners_of: Sequence[Iterable[Listener]] = (),
) -> Parallel:
    """Run a program on a grid of `num_replicas` by `num_partitions` processes; return results and outfeeds.

    args: for each process, in the order of their numbers (see `Parallel`), its arguments; none are needed if
    the functions take none. functions: the function that all processes run, or a list of replicas, each a
    list of the functions of its partitions. infeeds: for each process a list of the values that its `infeed`
    operations return in turn, each a tuple of arrays or one array.

    Processes take turns, each running until it waits for others, so that a run is deterministic. `send`
    does not wait. If all processes wait, `Unspecified` says where and for whom each of them waits. An error
    in one process ends all, and names that process. `listeners` hear all processes, one at a time; their
    attribute `process`, and that of events, is the process that runs. listeners_of: for each process those
    that hear it alone.
    Other options and errors are those of `run`.
    """
    grid = grid_of(num_replicas, num_partitions)
    names = dict.fromkeys(names_of(functions, grid))
    read, sums = reading_and_ways(module, names, schedule, (reading, accumulator, recipe))
    funcs = functions_of(module, functions, grid, mode, read)
    given = each(args, funcs, grid)
    for process, values in zip(grid.processes, infeed_queues(infeeds, grid), strict=True):
        process.infeed = values
    failing = several(fail_on, "kinds of events")
    recorders = [Recorder(failing)] if failing else []
    heard = *listening(listeners), *recorders
    own = [(*heard, *listening(x)) for x in per_process(listeners_of, grid, "listeners_of", ())]
    introduce(dict.fromkeys(chain(*own)), read, module)
    for func in () if isinstance(reading, Reading) else funcs:
        note_unused(module, func.name, read)
    with np.errstate(all="ignore"), operations_for(sums) as operations:
        ways = parse(schedule), operations, heard, contractions_named(contractions)
        ctx = Context(NUMPY, module, *ways, reading=read)
        tasks = [
            partial(task, ctx._replace(process=process, listeners=hearing), func, values)
            for process, func, values, hearing in zip(grid.processes, funcs, given, own, strict=True)
        ]
        results = grid.run(tasks)
    for recorder in recorders:
        recorder.refuse()
    outfeeds = tuple(tuple(process.outfed) for process in grid.processes)
    return Parallel(grid.num_replicas, grid.num_partitions, tuple(results), outfeeds)


def task(ctx: Context, func: Func, args: Sequence[Any]) -> tuple[Tensor, ...]:
    """Return the results of one process."""
    carried = [decode(NUMPY, x, v.type) for x, v in zip(args, func.inputs, strict=True)]
    results = ctx.run(func.body, carried)
    given = [encode(NUMPY, x, type) for x, type in zip(results, func.results, strict=True)]
    return results_of(func.results, given, args)


def grid_of(num_replicas: int, num_partitions: int) -> ProcessGrid:
    """Return the grid of these sizes; `Malformed` if it has no processes."""
    grid = ProcessGrid(whole(num_replicas, "number of replicas"), whole(num_partitions, "number of partitions"))
    if not grid.processes:
        sizes = f"num_replicas = {grid.num_replicas}, num_partitions = {grid.num_partitions}"
        raise Malformed("a grid without processes", f"expected 1 or more of both, got {sizes}")
    return grid


def functions_of(module: Module, functions: Functions, grid: ProcessGrid, mode: str, read: Reading) -> list[Func]:
    """Return the function of each process, all of them verified, with sizes known and not too large."""
    sizes = Sizes(grid.num_replicas, grid.num_partitions)
    funcs = [runnable(module, name, mode, sizes, read) for name in names_of(functions, grid)]
    for func in funcs:
        refuse_sizes(module, func)
    return funcs


def names_of(functions: Functions, grid: ProcessGrid) -> list[str]:
    """Return the name of each process's function; `Malformed` if `functions` does not fit the grid."""
    if isinstance(functions, str):
        return [functions] * len(grid.processes)
    rows = [[row] if isinstance(row, str) else list(row) for row in functions]
    if [len(row) for row in rows] != [grid.num_partitions] * grid.num_replicas:
        raise Malformed(
            "`functions` does not fit the grid",
            f"expected {grid.num_replicas} lists of {grid.num_partitions} names, got {rows}",
        )
    return [name for row in rows for name in row]


def each(args: Sequence[Sequence[Any]], funcs: Sequence[Func], grid: ProcessGrid) -> list[list[Any]]:
    """Return the stored arguments of each process."""
    rows, found = per_process(args, grid, "args", ()), []
    for process, func, row in zip(grid.processes, funcs, rows, strict=True):
        try:
            found.append(accept_arguments(func, several(row, "arguments", alone=np.ndarray)))
        except Malformed as error:
            raise Malformed(f"process {process.id}: {error.verdict}", error.evidence, error.where) from None
    return found


def infeed_queues(infeeds: Sequence[Iterable[Any]], grid: ProcessGrid) -> list[deque[Any]]:
    """Return each process's infeed."""
    rows = per_process(infeeds, grid, "infeeds", ())
    return [deque(several(row, "elements of an infeed", alone=())) for row in rows]


def per_process(given: Sequence[T], grid: ProcessGrid, name: str, otherwise: T) -> list[T]:
    """Return the values for each process; `otherwise` for all if there are none."""
    rows = list(given) or [otherwise] * len(grid.processes)
    if len(rows) != len(grid.processes):
        evidence = f"expected one list for each of {len(grid.processes)} processes, got {len(rows)}"
        raise Malformed(f"`{name}` does not fit the grid", evidence)
    return rows
