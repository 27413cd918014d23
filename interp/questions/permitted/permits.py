"""`permits`: proof, element by element, whether some schedule gives the results of an implementation.

A verdict holds for one reading of quantized operations if they leave a choice: see `spec.readings`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.arguments import accept_arguments
from interp.engine.evaluate import Listener
from interp.engine.work import Covered, Partly, Progress, Work
from interp.execute.refusals import refuse_bundles
from interp.execute.run import reading_and_ways, run, runnable
from interp.execute.unused import NOTHING, Unused, unused_options
from interp.kernels import folds
from interp.questions.permitted.contraction import expand_contraction
from interp.questions.permitted.dataflow import Leaves
from interp.questions.permitted.element_verdicts import (
    EXACT,
    KINDS,
    NOT_PERMITTED,
    NOT_TOGETHER,
    OUTSIDE,
    PERMITTED,
    PLACES,
    UNKNOWN,
    WITHIN,
    WRONG,
    Judged,
    refutations,
)
from interp.questions.permitted.element_verdicts import NOT_KNOWN as NOT_KNOWN
from interp.questions.permitted.integer_reading import judgements, uniform
from interp.questions.permitted.known import Match, nearest
from interp.questions.permitted.members import SCATTER, Members, Permutations, Updates
from interp.questions.permitted.random_bits import permit_any_bits, rounds_stochastically
from interp.questions.permitted.results import Program, Results, accept_results, equal, lines
from spec.accumulator import DEQUANTIZE, Reading
from spec.errors import Malformed, one_of, several, whole
from spec.grid import ONE
from spec.ir import Module
from spec.permitted import LIMIT
from spec.readings import ANY, NOT_JUDGED, in_reading, reading_of
from spec.schedule import LEFT, Schedule, parse

_WORST_FIRST = (NOT_PERMITTED, NOT_TOGETHER, UNKNOWN, PERMITTED)
NAMED = ("left", "balanced", "blocks(32)", "windows(32)")
SHOWN = 3  # elements in the text of a report


@dataclass(frozen=True, eq=False)
class Element:
    """One element of the results that no named schedule gives.

    `place` is that of `Permits.place`; `reason` says by which bound an element is wrong. `schedule` is a
    witness, confirmed by a run on the leaves of this element alone. `program` reproduces the verdict with
    those leaves; if operations follow the reduction, it is the whole program.
    """

    result: int
    index: tuple[int, ...]
    kind: str
    reason: str
    given: Any
    left: Any
    schedule: Schedule | None
    program: Program
    place: str = NOT_KNOWN

    @property
    def reproduction(self) -> str:
        """Return three lines of Python that reproduce the verdict."""
        return lines(self.program)

    def __repr__(self) -> str:
        place = f"result {self.result}{list(self.index) if self.index else ''}"
        kind = self.kind if self.place == NOT_KNOWN else f"{self.kind} ({self.place})"
        head = f"{place}: {kind}: given {self.given}, `left` gives {self.left}; {self.reason}"
        return "\n  ".join([head, *self.reproduction.splitlines()])


@dataclass(frozen=True, eq=False)
class Permits(Partly):
    """Result of `permits`: per result an array of verdicts: "exact", "permitted", "unknown" or a refusal.

    "not permitted": no schedule gives the element. "not permitted together": several elements come from one
    reduced element, and no schedule gives all of them, although some schedules may give each.
    `schedules`: per result the schedule that gives each element, "" where none is known. `elements`: the
    elements that no named schedule gives. `reading`: the reading of quantized operations for which the
    verdicts hold, "dequantize" or "integer", or "any" where all agree; another one may permit other results.
    `place`: per result an array of places. "within": exact or permitted. "wrong": beyond the proved bound on
    every accumulation of a family (any order, plain or fma, each node at least as wide as the declared type,
    whatever n is), which is more than "not permitted". "outside the specification": not permitted, but given
    by the accumulation that was asked about, or by a known one. "unknown": none of this is known.
    `along`: that accumulation, how many elements it gives, and of how many. A known one is named if it gives
    all elements, or one that no schedule gives.
    `unused_options`: the options that were asked for and that the program does not use.
    If the deadline came first, all verdicts are "unknown", since elements are judged together.
    """

    verdicts: tuple[np.ndarray, ...]
    schedules: tuple[np.ndarray, ...]
    elements: tuple[Element, ...]
    reading: str = ANY
    place: tuple[np.ndarray, ...] = ()
    unused: Unused = NOTHING
    covered: tuple[Covered, ...] = ()
    along: tuple[str, int, int] | None = None

    @property
    def ok(self) -> bool:
        """Return whether every element is proven to be the result of some schedule."""
        return not self.is_refuted and not self.counts[UNKNOWN]

    @property
    def is_refuted(self) -> bool:
        """Return whether it is proven of some element, or of several together, that no schedule gives it."""
        return bool(self.counts.keys() & {NOT_PERMITTED, NOT_TOGETHER})

    @property
    def counts(self) -> Counter[str]:
        """Return how many elements have each verdict."""
        return Counter(str(kind) for verdicts in self.verdicts for kind in verdicts.ravel())

    @property
    def places(self) -> Counter[str]:
        """Return how many elements have each place."""
        return Counter(str(place) for places in self.place for place in places.ravel())

    @property
    def schedule(self) -> str | None:
        """Return the named schedule that gives all results, or None."""
        names = {str(name) for schedules in self.schedules for name in schedules.ravel()}
        return names.pop() if len(names) == 1 and self.counts.keys() == {EXACT} else None

    def __repr__(self) -> str:
        counts = self.counts
        head = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind]) or "no elements"
        head += in_reading(self.reading)
        if self.reading == DEQUANTIZE and not self.ok:
            head += f"; {NOT_JUDGED}"
        if self.places.keys() & {OUTSIDE, WRONG}:
            head += "\n  place: " + ", ".join(f"{n} {place}" for place in PLACES if (n := self.places[place]))
        named = Counter(
            str(name)
            for verdicts, schedules in zip(self.verdicts, self.schedules, strict=True)
            for name in schedules[verdicts == EXACT]
        )
        orders = "".join(f"\n  {n} as {name}" for name, n in named.most_common())
        worst = sorted(self.elements, key=lambda element: _WORST_FIRST.index(element.kind))
        head += f"; {self.shortfall}" if self.partial else ""
        head += f"\n  {self.along[1]:,} of {self.along[2]:,} as along {self.along[0]}" if self.along else ""
        notes = "".join(f"\n{line}" for line in self.unused.lines)
        return head + orders + "".join(f"\n{element!r}" for element in worst[:SHOWN]) + notes


def permits(
    module: Module,
    args: Sequence[Any],
    results: Sequence[Any],
    *,
    function: str = "main",
    mode: str = "mlir",
    schedules: Sequence[str | Schedule] | str | Schedule = NAMED,
    only: bool = False,
    inits: str = "any",
    limit: int = LIMIT,
    most: int = 256,
    reading: str | Reading = "dequantize",
    accumulator: Any = None,
    recipe: str | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Permits:
    """Return whether an implementation's `results` for `args` are among those that some schedule gives.

    The verdicts on an element are: "exact": one of the named `schedules` gives it. "permitted": a schedule
    that was found and run gives it, or it is in the exact set of results (without a schedule if that would
    take too long). "not permitted": no schedule gives it, for the reason stated. "not permitted together": no
    schedule gives it together with the other elements of the same reduced one. "unknown": neither could be
    shown, or it depends on a function such as `exponential`, of which nobody guarantees the accuracy. The
    result's `reading` is the reading of quantized operations for which the verdicts hold.

    The result's `place` says besides where no accumulation at all gives an element: "wrong" is beyond the
    proved bound on every order, plain or fma, in the declared type or wider, for any number of leaves and any
    number of reductions; the reason has the bound.

    only: whether an implementation states that it has the named `schedules`: then an element that none of
    them gives is "not permitted" and wrong, if by one bit. inits: "any" number of init values, anywhere, as
    the specification says, or exactly "one" (named schedules that repeat it then do not count). most, limit:
    at most `most` elements are searched for, with `limit` applications of the body beyond theorems and a few
    schedules, and 256 times as many that are made at once. reading, accumulator, recipe: as for `run`;
    results that no schedule gives, but sums in these accumulators or along this accumulation do, are "not
    permitted", and outside the specification. Without `only`, any random bits may have rounded.
    A scatter combines one update after the other: only the schedule `left` is tried for a program with one,
    and every order of up to twelve updates. In the integer reading a result is permitted if some schedule
    gives it when every rescaling may go to either neighbour of the exact quotient, and accumulators may wrap
    or saturate. A recipe is run, and its results are judged by that, too: a result that it gives may be "not
    permitted".
    """
    work = Work(seconds, progress)
    read, sums = reading_and_ways(module, [function], LEFT, (reading, accumulator, recipe))
    one_of(("any", "one"), inits, "number of init values")
    limit, most = whole(limit, "limit"), whole(most, "number of elements")
    func = runnable(module, function, mode, ONE, read)
    refuse_bundles(func, "judged")
    stored = accept_arguments(func, several(args, "arguments"))
    given = accept_results(func, several(results, "results"))
    trees = map(parse, several(schedules, "schedules", alone=(str, Schedule)))
    sequential = any(op.name == SCATTER for op in folds(module, func.body))
    orders = [tree for tree in trees if tree == LEFT or not (sequential or repeats(tree, inits))]
    said = unused_options(module, func.name, read)
    whole_program = Program(module, stored, given, func.name, read)
    found = work.whole(
        "elements",
        sum(x.size for x in given),
        lambda: _judge(whole_program, orders, mode, inits, limit, most, only),
    )
    if found is None:
        kinds, names = (tuple(np.full(x.shape, text) for x in given) for text in (UNKNOWN, ""))
        reading_name = read.name if read.is_integer else reading_of(module, func.name)
        found = Permits(kinds, names, (), reading_name, kinds)
    elif sums:
        options: Any = {"function": func.name, "mode": mode, "accumulator": accumulator, "reading": read}
        outs = work.attempt(lambda: [x.storage for x in run(module, *stored, **options)])
        if outs is not None:
            same = tuple(equal(x, y) for x, y in zip(given, outs, strict=True))
            found = _outside(found, Match(str(accumulator), same))
    elif not only and found.counts.keys() - {EXACT} and not read.is_integer:
        judged = found
        found = work.attempt(lambda: _by_known(judged, whole_program, mode)) or judged
    if not only and not found.ok and rounds_stochastically(module):
        found = permit_any_bits(found, whole_program, lambda other: _run_left(whole_program, other, mode))
    return replace(found, unused=said, covered=tuple(work.covered))


def _run_left(program: Program, module: Module, mode: str) -> list[np.ndarray]:
    """Return the results of another module for the arguments of a program, in the schedule `left`."""
    options: Any = {"function": program.function, "mode": mode, "reading": program.reading}
    return [x.storage for x in run(module, *program.args, **options)]


def _by_known(found: Permits, program: Program, mode: str) -> Permits:
    """Return a judgement with a known accumulation, if it gives all results or one that no schedule gives."""

    def run_along(accumulation: str) -> list[np.ndarray]:
        options: Any = {"function": program.function, "mode": mode, "reading": program.reading}
        outs = run(program.module, *program.args, **options, accumulator=accumulation)
        return [x.storage for x in outs]

    match = nearest(program.module, program.function, program.given, run_along)
    if match is None:
        return found
    named = _outside(found, match)
    complete = match.number == sum(x.size for x in program.given)
    return named if complete or named.places[OUTSIDE] else found


def _outside(found: Permits, match: Match) -> Permits:
    """Return a judgement with the place of elements that no schedule gives, but this accumulation does."""
    refused = (NOT_PERMITTED, NOT_TOGETHER)
    rows = zip(found.verdicts, found.place, match.same, strict=True)
    places = tuple(
        np.where(np.isin(verdicts, refused) & same, OUTSIDE, place) for verdicts, place, same in rows
    )
    elements = tuple(replace(e, place=str(places[e.result][e.index])) for e in found.elements)
    along = match.accumulation, match.number, sum(x.size for x in match.same)
    return replace(found, place=places, elements=elements, along=along)


def _judge(
    program: Program, orders: Sequence[Schedule], mode: str, inits: str, limit: int, most: int, only: bool
) -> Permits:
    """Return the judgement in the reading of the program."""
    module, func, read = program.module, program.module[program.function], program.reading
    if only:
        return _as_stated(program, orders, mode, most)
    if not read.is_integer or reading_of(module, func.name) == ANY:
        found = _in_floats(program, orders, mode, inits == "any", limit, most)
        return replace(found, reading=reading_of(module, func.name))
    if (same := uniform(module, func)) is None:
        return _in_integers(program, orders)
    options: Any = {"function": func.name, "mode": mode, "schedules": orders, "inits": inits}
    found = permits(same, program.args, program.given, **options, limit=limit, most=most)
    return replace(found, reading=read.name)


def _as_stated(program: Program, orders: Sequence[Schedule], mode: str, most: int) -> Permits:
    """Return the judgement by the named schedules alone, in the program's reading."""
    module, func, read = program.module, program.module[program.function], program.reading
    if not orders:
        raise Malformed(
            "none of the stated schedules counts", "expected `left` for a scatter or for inits='one'"
        )

    def results_of(tree: Schedule, *listeners: Listener) -> list[np.ndarray]:
        options: Any = {"function": func.name, "mode": mode, "reading": read, "listeners": listeners}
        return [out.storage for out in run(module, *program.args, schedule=tree, **options)]

    runs = {tree: results_of(tree) for tree in orders}
    judged = Judged(module, func, list(program.given), runs)
    judged.refuse()
    judged.doubt(lambda listener: results_of(orders[0], listener), most)
    judged.locate(lambda places: {}, stated=True)
    report = _report(judged, Results(runs[orders[0]]), program)
    return replace(report, reading=ANY if reading_of(module, func.name) == ANY else read.name)


def _in_floats(
    program: Program, orders: Sequence[Schedule], mode: str, any_inits: bool, limit: int, most: int
) -> Permits:
    """Return the judgement in the dequantize reading, which holds in any reading if all agree."""
    whole = expand_contraction(program, mode)
    module, func, stored, given = whole.module, whole.module[whole.function], whole.args, whole.given

    def results_of(tree: Schedule, *listeners: Listener) -> list[np.ndarray]:
        outs = run(module, *stored, schedule=tree, function=func.name, mode=mode, listeners=listeners)
        return [out.storage for out in outs]

    runs = {tree: results_of(tree) for tree in orders}
    judged = Judged(module, func, list(given), runs)
    if judged.places and judged.whole:
        arguments = zip(func.inputs, stored, strict=True)
        env = {value.name: NUMPY.decode(x, value.type.storage_type) for value, x in arguments}
        members, listener = (Permutations, Updates) if judged.whole.op.name == SCATTER else (Members, Leaves)
        leaves = listener(judged.whole, np.array(sorted(judged.places)), env)
        results_of(LEFT, leaves)
        with np.errstate(all="ignore"):  # infinities and NaNs are values like others
            judged.settle(lambda places: members(leaves, given, places, any_inits, limit, most))
    judged.doubt(lambda listener: results_of(LEFT, listener), most)
    judged.locate(lambda places: refutations(program, places, any_inits))
    left = Results(runs.get(LEFT) or results_of(LEFT))
    return _report(judged, left, whole)


def _in_integers(whole: Program, orders: Sequence[Schedule]) -> Permits:
    """Return the judgement in the integer reading."""
    func, given = whole.module[whole.function], Results(whole.given)
    found, first = judgements(whole.module, func, whole.args, given, orders, whole.reading)
    left = Results(first)
    elements = tuple(
        Element(*given.index(place), kind, reason, given[place], left[place], None, whole)
        for place, (kind, reason) in sorted(found.reasons.items())
    )
    within = np.where(np.isin(found.kinds.astype(str), (EXACT, PERMITTED)), WITHIN, NOT_KNOWN)
    kinds, names, place = (_split(given, row) for row in (found.kinds.astype(str), found.names, within))
    return Permits(kinds, names, elements, whole.reading.name, place)


def _split(given: Results, row: np.ndarray) -> tuple[np.ndarray, ...]:
    parts = zip(np.split(row, given.starts[1:-1]), given.arrays, strict=True)
    return tuple(part.reshape(x.shape) for part, x in parts)


def repeats(tree: Schedule, inits: str) -> bool:
    """Return whether a schedule may take more init values than are allowed."""
    return inits == "one" and tree.may_repeat_init


def _report(judged: Judged, left: Results, whole: Program) -> Permits:
    rows = judged.kinds.astype(str), judged.names, judged.place.astype(str)
    kinds, names, places = (_split(left, row) for row in rows)
    elements = []
    for place, (member, program) in sorted(judged.found.items()):
        values = judged.given[place], left[place]
        where = judged.given.index(place)
        elements.append(
            Element(
                *where,
                member.kind,
                member.reason,
                *values,
                member.schedule,
                program or whole,
                str(judged.place[place]),
            )
        )
    return Permits(kinds, names, tuple(elements), place=places)
