"""`run`: eager execution of a program on NumPy, by a schedule, observed by listeners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.arguments import accept_arguments, function_named
from interp.engine.bundles import decode, encode, results_of
from interp.engine.evaluate import Context, Listener, listening
from interp.engine.limits import refuse_sizes
from interp.engine.memo import once
from interp.engine.prepared import Operations
from interp.engine.processes import ProcessGrid as OneProcess
from interp.engine.tensor import Tensor
from interp.execute.notes import note_skipped, note_unused
from interp.execute.refine import refuse_dynamic
from interp.execute.supported import refuse_unsupported  # and so the kernels, while a program is still read
from interp.execute.unused import unused_options
from interp.kernels import OPERATIONS
from interp.recorder.recorder import Recorder
from spec.accumulator import LITERAL, Reading, reading_named
from spec.errors import Violation
from spec.grid import ONE, Grid
from spec.ir import Func, Module
from spec.options import one_of, several
from spec.readings import reading_error
from spec.rules.on_grid import verify_on_grid
from spec.schedule import Schedule, parse
from spec.verify import verify

if TYPE_CHECKING:
    from interp.execute.accumulating import Given, Ways


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
    recorders = _recorders(failing) if failing else []
    refuse_sizes(module, func)
    stored = accept_arguments(func, args)
    carried = [decode(NUMPY, x, v.type) for x, v in zip(stored, func.inputs, strict=True)]
    heard = *listening(listeners), *recorders
    introduce(heard, read, module)
    if not isinstance(reading, Reading):  # a verb that passes one says in its answer what is not used
        note_unused(module, func.name, read)
    how = contractions_named(contractions)
    with np.errstate(all="ignore"), operations_for(sums) as operations:
        ways = parse(schedule), operations, heard, how
        ctx = Context(NUMPY, module, *ways, process=OneProcess().processes[0], reading=read)
        results = ctx.run(func.body, carried)
        for recorder in recorders:
            recorder.refuse()
        given = [encode(NUMPY, x, type) for x, type in zip(results, func.results, strict=True)]
    return results_of(func.results, given, stored)


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


def _recorders(kinds: Iterable[str]) -> list[Recorder]:
    """Return a list of one recorder of these kinds of events."""
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
