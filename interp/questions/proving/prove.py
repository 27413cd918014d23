"""`prove`: for every input, whether an accumulation of a program can overflow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interp.backends import NUMPY
from interp.engine.arguments import function_named
from interp.engine.evaluate import Context
from interp.engine.processes import ProcessGrid as OneProcess
from interp.engine.walk import walk
from interp.engine.work import Covered, Progress, Work
from interp.execute.run import runnable
from interp.execute.unused import has_accumulator, unused_options, why_not_judged
from interp.kernels import OPERATIONS
from interp.questions.proving.forward import Forward
from interp.questions.proving.judgement import (
    ANY_ORDER,
    ANY_SCHEDULE,
    NOT_JUDGED,
    PROVED,
    REFUTED,
    UNKNOWN,
    Judgement,
)
from interp.questions.proving.parameters import ranges_of
from interp.questions.proving.proof import Proof, Row
from interp.questions.proving.witness import Search
from spec.accumulator import LITERAL, Accumulator, Reading, reading_named
from spec.grid import ONE
from spec.ir import Module
from spec.schedule import Schedule, parse

ORDER = (REFUTED, NOT_JUDGED, UNKNOWN, PROVED)
OWN_TYPE = "in its own type, the accumulator was not looked at"
NO_TIME = "the deadline came before the runs that may find a witness"


def prove(
    module: Module,
    ranges: Mapping[str | int, Any] | None = None,
    *,
    function: str = "main",
    schedule: str | Schedule = "left",
    mode: str = "mlir",
    reading: str | Reading = "dequantize",
    accumulator: int | str | Accumulator | None = None,
    recipe: str | None = None,
    runs: int = 16,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Proof:
    """Return, for each accumulation, whether it is free of overflow for every input, without sampling.

    ranges: of parameters, by name or position: `(least, greatest)` as stored elements, or an array for one
    that is known; by default all that a type holds, but neither NaN nor infinities. The verdicts are
    "proved", "refuted" (a run of the row's witness has overflowed), "unknown", and "not judged" (its sums do
    not use the `accumulator` that was asked for, or the deadline came first). runs: how many runs may look
    for witnesses. seconds: the time after which no other operation is looked at, and no other run begins.
    progress: called with what is looked at, how many operations are done, and of how many. The other options
    are those of `run`, whose accumulators here are those of the integer reading. Raises as `run` does.
    """
    options: dict[str, Any] = {"schedule": parse(schedule), "function": function, "mode": mode}
    read, work = reading_named(reading, accumulator, recipe), Work(seconds, progress)
    forward = walk_forward(module, ranges, work=work, **options, reading=read)
    judged = _worst(forward.judgements)
    own = read._replace(is_asked=False)  # its runs need not use the accumulator everywhere
    search = Search(module, forward.steps, forward.given, {**options, "reading": own}, runs, work)
    still = [judgement for judgement, _ in judged if judgement.verdict == UNKNOWN]
    search.search(sorted(still, key=lambda judgement: not has_accumulator(judgement.op, read)))
    late = sum(judgement.verdict == NOT_JUDGED for judgement, _ in judged)
    work.covered.insert(0, Covered("accumulations", len(judged) - late, len(judged)))
    rows = tuple(_row(*each, search, read) for each in judged)
    func = function_named(module, function)
    said = unused_options(module, func.name, read), tuple(work.covered)
    return Proof(func, rows, repr(options["schedule"]), read, *said)


def walk_forward(
    module: Module,
    ranges: Mapping[str | int, Any] | None = None,
    *,
    function: str = "main",
    schedule: str | Schedule = "left",
    mode: str = "mlir",
    reading: Reading = LITERAL,
    work: Work | None = None,
) -> Forward:
    """Return the walk through a program, with the ranges of all its values."""
    func = runnable(module, function, mode, ONE, reading._replace(is_asked=False))
    context = Context(
        NUMPY, module, parse(schedule), OPERATIONS, process=OneProcess().processes[0], reading=reading
    )
    forward = Forward(context, ranges_of(func, ranges or {}), work)
    walk(forward, func.body, forward.given)
    return forward


def _worst(judgements: list[tuple[Judgement, str]]) -> list[tuple[Judgement, str]]:
    """Return one judgement for each result of an operation, of all the ways in which it is reached."""
    found: dict[tuple[int, int], tuple[Judgement, str]] = {}
    for judgement, name in judgements:
        key = id(judgement.op), judgement.result
        found[key] = (_worse(found[key][0], judgement) if key in found else judgement), name
    return list(found.values())


def _worse(first: Judgement, second: Judgement) -> Judgement:
    """Return the worse of two judgements of one accumulation; of two proofs, that of the narrower scope."""
    width = lambda x: (ORDER.index(x.verdict), x.scope in (ANY_SCHEDULE, ANY_ORDER), x.scope == ANY_ORDER)
    worse = min(first, second, key=width)
    if not first.verdict == second.verdict == PROVED:
        return worse
    pairs = (first.ends, second.ends), (first.needed, second.needed)
    ends, needed = (one and other and one.join(other) for one, other in pairs)
    return replace(worse, ends=ends, needed=needed)


def _row(judgement: Judgement, qualifier: str, search: Search, reading: Reading) -> Row:
    """Return a row: refuted if some arguments are seen to overflow, not judged if it uses no accumulator."""
    unused = reading.is_asked and not has_accumulator(judgement.op, reading)
    if seen := search.found.get(id(judgement)):
        return Row(replace(judgement, verdict=REFUTED, why=OWN_TYPE if unused else ""), qualifier, seen)
    if unused and judgement.verdict != NOT_JUDGED:
        return Row(replace(judgement, verdict=NOT_JUDGED, why=why_not_judged(judgement.op)), qualifier)
    if judgement.verdict == UNKNOWN and not judgement.why:
        made = f"no overflow in {search.made} run{'s' * (search.made != 1)} of likely arguments"
        late = NO_TIME if search.is_late else "no run has looked for a witness"
        why = search.refused or (made if search.made and not search.is_late else late)
        return Row(replace(judgement, why=why), qualifier)
    return Row(judgement, qualifier)
