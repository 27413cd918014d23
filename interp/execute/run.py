"""`run`: eager execution of a program on NumPy, by a schedule, observed by listeners."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.arguments import accepted, function_named
from interp.engine.bundles import decoded, encoded, results_of
from interp.engine.evaluate import Context, Listener, listening
from interp.engine.limits import refuse_sizes
from interp.engine.memo import once
from interp.engine.processes import Grid as OneProcess
from interp.engine.tensor import Tensor
from interp.events.recorder import Recorder
from interp.execute.notes import note_skipped
from interp.execute.refine import refuse_dynamic
from interp.execute.supported import refuse_unsupported  # and so the kernels, while a program is still read
from interp.ops import OPERATIONS
from spec.accumulator import LITERAL, Accumulator, Reading, reading_named
from spec.errors import Violation
from spec.grid import ONE, Grid
from spec.grid_constraints import verify_on_grid
from spec.ir import Func, Module
from spec.options import one_of, several
from spec.readings import refused
from spec.schedule import Schedule, parse
from spec.verify import verify


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
    accumulator: int | str | Accumulator | None = None,
    recipe: str | None = None,
) -> tuple[Tensor, ...]:
    """Return the results of `function`, a tuple of `Tensor`, for arguments given as stored elements.

    Arguments for quantized parameters are integers. A token is `()`, and may be left out; a tuple is the
    Python tuple of its values.
    schedule: "left", "balanced", "blocks(k)", "windows(k)", "random(seed)" or a `Schedule`. mode: the
    constraints that must hold, "strict" (those of the text) or "mlir" (those that jaxlib checks).
    reading: how quantized operations execute, "dequantize" or "integer". accumulator: the signed type of
    sums of products in the integer reading, which wraps or saturates: "i32" (default) or "i16 saturate".
    recipe: how the integer reading rescales integers, a key of `spec.recipes.RECIPES`; default "exact".
    fail_on: kinds of events (`interp.events.event.KINDS`), such as "saturate", that make the run a failure.
    Raises `Violation`, `Malformed` (arguments), `Unsupported` (also for arrays larger than the machine's
    memory, or than the environment's `INTERP_MEMORY` in bytes), and `Finding` (for `fail_on`). It is
    deterministic, and safe to call from several threads. Semantics: the StableHLO specification, with the
    errata that `interp.errata` lists.
    """
    read = reading_named(reading, accumulator, recipe)
    func = runnable(module, function, mode, ONE, read)
    failing = several(fail_on, "kinds of events")
    recorders = _recorders(failing) if failing else []
    refuse_sizes(module, func)
    stored = accepted(func, args)
    carried = [decoded(NUMPY, x, v.type) for x, v in zip(stored, func.inputs, strict=True)]
    heard = *listening(listeners), *recorders
    for listener in heard:
        listener.on_reading(read)
        listener.on_start(module)
    ways = parse(schedule), OPERATIONS, heard, contractions_named(contractions)
    ctx = Context(NUMPY, module, *ways, process=OneProcess().processes[0], reading=read)
    with np.errstate(all="ignore"):
        results = ctx.run(func.body, carried)
        for recorder in recorders:
            recorder.refuse()
        given = [encoded(NUMPY, x, type) for x, type in zip(results, func.results, strict=True)]
    return results_of(func.results, given, stored)


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
    if error := refused(module, func.name, reading):
        raise error
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
