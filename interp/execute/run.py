"""`run`: eager execution of a program on NumPy, and `run_parallel`, the same on a grid of processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from interp.backends import NUMPY
from interp.engine.arguments import accept_arguments, decode, encode, function_named, results_of
from interp.engine.evaluate import Context, Listener, listening
from interp.engine.limits import refuse_sizes
from interp.engine.markup import Display
from interp.engine.memo import once
from interp.engine.prepared import Operations
from interp.engine.processes import ProcessGrid
from interp.engine.processes import ProcessGrid as OneProcess
from interp.engine.tensor import Tensor
from interp.execute.refusals import refuse_dynamic, refuse_unsupported
from interp.execute.unused import note_skipped, note_unused, unused_options
from interp.kernels import OPERATIONS
from spec.accumulator import LITERAL, Reading, reading_named
from spec.errors import Malformed, Violation, one_of, several, whole
from spec.grid import ONE, Grid
from spec.grid import Grid as Sizes
from spec.ir import Func, Module
from spec.readings import reading_error
from spec.rules.communication import verify_on_grid
from spec.rules.verify import verify
from spec.schedule import Schedule, parse

if TYPE_CHECKING:
    from interp.execute.accumulating import Given, Ways
    from interp.recorder.recorder import Recorder


def run(
    module: Module,
    *args: Any,
    schedule: str | Schedule = "left",
    function: str = "main",
    mode: str = "mlir",
    listeners: Iterable[Listener] = (),
    fail_on: str | Iterable[str] = (),
    contractions: str = "fold",
    reading: str | Reading = "dequantize",
    accumulator: Given | Mapping[Any, Given] | None = None,
    recipe: str | None = None,
) -> tuple[Tensor, ...]:
    """Return the results of `function`, a tuple of `Tensor`, for arguments given as stored elements.

    Arguments for quantized parameters are integers. A token is `()`, and may be left out; a tuple is the
    Python tuple of its values.
    schedule: "left", "balanced", "blocks(k)", "windows(k)", "random(seed)" or a `Schedule`. mode: the
    constraints that must hold, "strict" (those of the text) or "mlir" (those that jaxlib checks).
    reading: how quantized operations execute, "dequantize" or "integer". accumulator: where products and
    leaves are summed: in every contraction and sum, or by name, `{"%5": "i16 saturate"}`. Integers wrap
    unless the name says otherwise; "i16 blocks(4) i32", "i16 split(4) i32", "maddubs", "f16" and "bf16" are
    others, as is every accumulation, such as "lanes(16: left fma; balanced)", which has its own order. A
    contraction of quantized or dequantized numbers in integers sums `q - zero_point`. In the integer reading
    an integer type alone ("i32", the default) is that of sums of products, and of products.
    recipe: how the integer reading rescales integers, a key of `spec.recipes.RECIPES`; default "exact".
    fail_on: kinds of events (`interp.recorder.event.KINDS`), such as "saturate", that make the run a failure.
    Raises `Violation`, `Malformed` (arguments), `Unsupported` (also for arrays larger than the machine's
    memory, or than the environment's `INTERP_MEMORY` in bytes), and `Finding` (for `fail_on`). It is
    deterministic, and safe to call from several threads. Semantics: the StableHLO specification, with the
    errata that `interp.errata` lists.
    """
    read, sums = reading_and_ways(module, [function], schedule, (reading, accumulator, recipe))
    func = runnable(module, function, mode, ONE, read)
    failing = several(fail_on, "kinds of events")
    recorders = _recorders(failing)
    refuse_sizes(module, func)
    stored = accept_arguments(func, args)
    heard = *listening(listeners), *recorders
    introduce(heard, read, module)
    if not isinstance(reading, Reading):  # a verb that passes one says in its answer what is not used
        note_unused(module, func.name, read)
    how = contractions_named(contractions)
    with np.errstate(all="ignore"), operations_for(sums) as operations:
        ways = parse(schedule), operations, heard, how
        ctx = Context(NUMPY, module, *ways, process=OneProcess().processes[0], reading=read)
        results = task(ctx, func, stored)
    for recorder in recorders:
        recorder.refuse()
    return results


def introduce(listeners: Iterable[Listener], reading: Reading, module: Module) -> None:
    """Tell the listeners of a run, before it begins, what will run and in which reading."""
    for listener in listeners:
        listener.on_reading(reading)
        listener.on_start(module)


def reading_and_ways(
    module: Module, functions: Iterable[str], schedule: str | Schedule, given: tuple[Any, Any, Any]
) -> tuple[Reading, Ways]:
    """Return the reading, and the ways of sums in other accumulators; the import takes time."""
    if given[1] is None:
        return reading_named(*given), {}
    from interp.execute.accumulating import reading_and_ways as of_functions

    funcs = [function_named(module, name) for name in functions]
    return of_functions(module, funcs, parse(schedule), *given)


def operations_for(ways: Ways) -> AbstractContextManager[Operations]:
    """Return the operations for the ways of a run's sums."""
    if not ways:
        return nullcontext(OPERATIONS)
    from interp.execute.accumulating import summing

    return summing(ways)


def _recorders(kinds: Sequence[str]) -> list[Recorder]:
    """Return one recorder of these kinds of events, or none; the import takes time."""
    if not kinds:
        return []
    from interp.recorder.recorder import Recorder

    return [Recorder(kinds)]


def contractions_named(name: str) -> str:
    """Check the name of a way to sum contractions, and return it: `fold` (by the schedule) or `library`."""
    return one_of(("fold", "library"), name, "way to contract")


@once
def runnable(module: Module, function: str, mode: str, grid: Grid = ONE, reading: Reading = LITERAL) -> Func:
    """Check that the module has no violations and all kernels, and return its function to run on a grid."""
    refuse_dynamic(module)
    refuse_violations(module, mode)
    func = function_named(module, function)
    refuse_unsupported(module, func)
    if violation := next(verify_on_grid(module, func.name, grid), None):
        raise violation if grid != ONE else _needing_more(violation)
    if error := reading_error(module, func.name, reading):
        raise error
    unused_options(module, func.name, reading).refuse()
    note_skipped(module, func)
    return func


def _needing_more(violation: Violation) -> Violation:
    """Return a violation on the grid of one process that says how to run several."""
    code, formula, evidence, where = violation.args
    what_to_do = "several processes: interp.run_parallel or interp.trace_parallel, with num_replicas=..."
    return Violation(code, formula, f"{evidence}\n{what_to_do}", where)


def refuse_violations(module: Module, mode: str) -> None:
    if violation := _first_violation(module, mode):
        raise violation


@once
def _first_violation(module: Module, mode: str) -> Violation | None:
    return next(iter(verify(module, mode=mode)), None)


# `run_parallel`: a program on a grid of processes, which meet at collectives and send messages.

T = TypeVar("T")
Functions = str | Sequence[str] | Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Parallel(Display):
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
    recorders = _recorders(failing)
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
    """Return the results of a function, run by one process."""
    carried = [decode(NUMPY, x, v.type) for x, v in zip(args, func.inputs, strict=True)]
    results = ctx.run(func.body, carried)
    given = [encode(NUMPY, x, type) for x, type in zip(results, func.results, strict=True)]
    return results_of(func.results, given, args)


def grid_of(num_replicas: int, num_partitions: int) -> ProcessGrid:
    """Return the grid of these sizes; `Malformed` if it has no processes."""
    grid = ProcessGrid(
        whole(num_replicas, "number of replicas"), whole(num_partitions, "number of partitions")
    )
    if not grid.processes:
        sizes = f"num_replicas = {grid.num_replicas}, num_partitions = {grid.num_partitions}"
        raise Malformed("a grid without processes", f"expected 1 or more of both, got {sizes}")
    return grid


def functions_of(
    module: Module, functions: Functions, grid: ProcessGrid, mode: str, read: Reading
) -> list[Func]:
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
