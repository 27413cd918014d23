"""`prove`: for every input, whether an accumulation of a program can overflow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interp.backends import NUMPY
from interp.engine.arguments import function_named
from interp.engine.evaluate import Context
from interp.engine.processes import Grid as OneProcess
from interp.execute.run import runnable
from interp.ops import OPERATIONS
from interp.proving.forward import Forward, Progress
from interp.proving.judgement import PROVED, REFUTED, UNKNOWN, Judgement
from interp.proving.parameters import ranges_of
from interp.proving.proof import Proof, Row
from interp.proving.witness import Search
from spec.accumulator import LITERAL, Accumulator, Reading, reading_named
from spec.grid import ONE
from spec.ir import Module
from spec.schedule import Schedule, parse

ORDER = (REFUTED, UNKNOWN, PROVED)


def prove(
    module: Module,
    ranges: Mapping[str | int, Any] | None = None,
    *,
    function: str = "main",
    schedule: str | Schedule = "left",
    mode: str = "mlir",
    reading: str | Reading = "dequantize",
    accumulator: int | str | Accumulator | None = None,
    runs: int = 16,
    progress: Progress | None = None,
) -> Proof:
    """Return, for each accumulation, whether it is free of overflow for every input, without sampling.

    ranges: of parameters, by name or position: `(least, greatest)` as stored elements, or an array for one
    that is known; by default all that a type holds, but neither NaN nor infinities. The verdicts are
    "proved", "refuted" (a run of the row's witness has overflowed) and "unknown". runs: how many runs may
    look for witnesses. progress: called with what is looked at, how many operations are done, and of how
    many. The other options are those of `run`. Raises as `run` does.
    """
    options: dict[str, Any] = {"schedule": parse(schedule), "function": function, "mode": mode}
    options["reading"] = read = reading_named(reading, accumulator)
    forward = walked(module, ranges, progress=progress, **options)
    judged = _worst(forward.judgements)
    search = Search(module, forward.steps, forward.given, options, runs)
    search.search([judgement for judgement, _ in judged if judgement.verdict != PROVED], progress)
    rows = [_row(*each, search) for each in judged]
    return Proof(function_named(module, function), tuple(rows), repr(options["schedule"]), read)


def walked(
    module: Module,
    ranges: Mapping[str | int, Any] | None = None,
    *,
    function: str = "main",
    schedule: str | Schedule = "left",
    mode: str = "mlir",
    reading: Reading = LITERAL,
    progress: Progress | None = None,
) -> Forward:
    """Return the walk through a program, with the ranges of all its values."""
    func = runnable(module, function, mode, ONE, reading)
    context = Context(
        NUMPY, module, parse(schedule), OPERATIONS, process=OneProcess().processes[0], reading=reading
    )
    forward = Forward(context, ranges_of(func, ranges or {}), progress)
    forward.region(func.body, forward.given, {})
    return forward


def _worst(judgements: list[tuple[Judgement, str]]) -> list[tuple[Judgement, str]]:
    """Return one judgement for each result of an operation: the worst, if it is reached in several ways."""
    found: dict[tuple[int, int], tuple[Judgement, str]] = {}
    for judgement, name in judgements:
        key = id(judgement.op), judgement.result
        if key not in found or ORDER.index(judgement.verdict) < ORDER.index(found[key][0].verdict):
            found[key] = judgement, name
    return list(found.values())


def _row(judgement: Judgement, qualifier: str, search: Search) -> Row:
    """Return a row, refuted if some arguments are seen to overflow."""
    if seen := search.found.get(id(judgement)):
        return Row(replace(judgement, verdict=REFUTED), qualifier, seen)
    if judgement.verdict == UNKNOWN and not judgement.why:
        made = f"no overflow in {search.made} run{'s' * (search.made != 1)} of likely arguments"
        why = search.refused or (made if search.made else "no run has looked for a witness")
        return Row(replace(judgement, why=why), qualifier)
    return Row(judgement, qualifier)
