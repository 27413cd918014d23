"""`permits`: whether some schedule gives the results of an implementation, element by element, with a proof.

This holds for the dequantize reading where quantized operations leave a choice: see `spec.readings`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.arguments import accepted
from interp.engine.evaluate import Listener
from interp.execute.run import run, runnable
from interp.ops import folds
from interp.permitted.dataflow import MANY, NOWHERE, Leaves, dataflow
from interp.permitted.foreign import equal, taken
from interp.permitted.members import Members
from interp.permitted.reproduction import Program, lines
from spec.ir import Func, Module
from spec.options import one_of, several, whole
from spec.permitted import Membership
from spec.readings import ANY, NOT_JUDGED, in_reading, reading_of
from spec.schedule import LEFT, Schedule, parse
from spec.values import LIMIT

EXACT, PERMITTED, NOT_PERMITTED, UNKNOWN = KINDS = ("exact", "permitted", "not permitted", "unknown")
_WORST_FIRST = (NOT_PERMITTED, UNKNOWN, PERMITTED)
NAMED = ("left", "balanced", "blocks(32)", "windows(32)")
SHOWN = 3  # elements in the text of a report


@dataclass(frozen=True, eq=False)
class Element:
    """One element of the results that no named schedule gives.

    `schedule` is a witness, run and confirmed on the leaves of this element alone. `program` reproduces the
    verdict: with those leaves, or, where operations follow the reduction, the whole program.
    """

    result: int
    index: tuple[int, ...]
    kind: str
    reason: str
    given: Any
    left: Any
    schedule: Schedule | None
    program: Program

    @property
    def reproduction(self) -> str:
        """Return three lines of Python that reproduce the verdict."""
        return lines(self.program)

    def __repr__(self) -> str:
        place = f"result {self.result}{list(self.index) if self.index else ''}"
        head = f"{place}: {self.kind}: given {self.given}, `left` gives {self.left}; {self.reason}"
        return "\n  ".join([head, *self.reproduction.splitlines()])


@dataclass(frozen=True, eq=False)
class Permits:
    """Result of `permits`: per result an array of "exact", "permitted", "not permitted" or "unknown".

    `schedules`: per result the schedule that gives each element, "" where none is known. `elements`: those
    that no named schedule gives. `reading`: the reading of quantized operations in which this holds,
    "dequantize", or "any" where all agree. The integer reading may permit other results; it is not judged.
    """

    verdicts: tuple[np.ndarray, ...]
    schedules: tuple[np.ndarray, ...]
    elements: tuple[Element, ...]
    reading: str = ANY

    @property
    def ok(self) -> bool:
        """Return whether every element is proven to be the result of some schedule."""
        return not self.counts.keys() & {NOT_PERMITTED, UNKNOWN}

    @property
    def counts(self) -> Counter[str]:
        """Return how many elements have each verdict."""
        return Counter(str(kind) for verdicts in self.verdicts for kind in verdicts.ravel())

    @property
    def schedule(self) -> str | None:
        """Return the named schedule that gives all results, or None."""
        names = {str(name) for schedules in self.schedules for name in schedules.ravel()}
        return names.pop() if len(names) == 1 and self.counts.keys() == {EXACT} else None

    def __repr__(self) -> str:
        counts = self.counts
        head = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind]) or "no elements"
        head += in_reading(self.reading)
        if self.reading != ANY and not self.ok:
            head += f"; {NOT_JUDGED}"
        named = Counter(
            str(name)
            for verdicts, schedules in zip(self.verdicts, self.schedules, strict=True)
            for name in schedules[verdicts == EXACT]
        )
        orders = "".join(f"\n  {n} as {name}" for name, n in named.most_common())
        worst = sorted(self.elements, key=lambda element: _WORST_FIRST.index(element.kind))
        return head + orders + "".join(f"\n{element!r}" for element in worst[:SHOWN])


def permits(
    module: Module,
    args: Sequence[Any],
    results: Sequence[Any],
    *,
    function: str = "main",
    mode: str = "mlir",
    schedules: Sequence[str | Schedule] | str | Schedule = NAMED,
    inits: str = "any",
    limit: int = LIMIT,
    most: int = 256,
) -> Permits:
    """Return whether an implementation's `results` for `args` are among those that some schedule gives.

    The result's `reading` says of which reading of quantized operations the verdicts speak.
    "exact": as one of the named `schedules`; "permitted": as a schedule that was found, run and confirmed, or
    in the exact set, without a tree if spelling one out takes too long; "not permitted": as none, for the
    reason given; "unknown": neither could be shown. inits: "any" number of init values, anywhere, as the
    specification says, or exactly "one" (then named schedules that repeat it do not count). At most `most`
    elements are searched for a schedule, with at most `limit` applications of the body in all.
    """
    one_of(("any", "one"), inits, "number of init values")
    limit, most = whole(limit, "limit"), whole(most, "number of elements")
    func = runnable(module, function, mode)
    stored = accepted(func, several(args, "arguments"))
    given = taken(func, several(results, "results"))
    trees = map(parse, several(schedules, "schedules", alone=(str, Schedule)))
    orders = [tree for tree in trees if inits == "any" or not tree.may_repeat_init]

    def results_of(tree: Schedule, *listeners: Listener) -> list[np.ndarray]:
        outs = run(module, *stored, schedule=tree, function=func.name, mode=mode, listeners=listeners)
        return [out.storage for out in outs]

    runs = {tree: results_of(tree) for tree in orders}
    judged = _Judged(module, func, given, runs)
    if judged.places and judged.whole:
        arguments = zip(func.inputs, stored, strict=True)
        env = {value.name: NUMPY.decode(x, value.type.storage_type) for value, x in arguments}
        leaves = Leaves(judged.whole, np.array(sorted(judged.places)), env)
        results_of(LEFT, leaves)
        with np.errstate(all="ignore"):  # infinities and NaNs are values like others
            judged.settle(Members(leaves, given, judged.places, inits == "any", limit, most))
    return judged.report(stored, runs.get(LEFT) or results_of(LEFT))


class _Judged:
    """Verdicts of all elements of all results in one row, each with its evidence."""

    def __init__(
        self, module: Module, func: Func, given: list[np.ndarray], runs: dict[Schedule, list[np.ndarray]]
    ) -> None:
        self.module, self.func, self.given = module, func, given
        self.whole = dataflow(module, func)
        self.origin = self._origins()
        explained = {tree: self._explained(outs) for tree, outs in runs.items()}
        self.names = np.full(self.origin.shape, "", object)
        by_count = sorted(explained, key=lambda tree: -int(explained[tree].sum()))
        for tree in reversed(by_count):  # what explains most prevails, of equals what was named first
            self.names[explained[tree]] = repr(tree)
        self.kinds = np.where(self.names == "", UNKNOWN, EXACT).astype(object)
        self.found: dict[int, tuple[Membership, Program | None]] = {}
        self.places: dict[int, list[int]] = {}  # of the reduction's elements that are open
        for place in ((self.kinds == UNKNOWN) & (self.origin >= 0)).nonzero()[0]:
            self.places.setdefault(int(self.origin[place]), []).append(int(place))
        self._reason(NOWHERE, NOT_PERMITTED, "the schedule does not matter here")
        self._reason(MANY, UNKNOWN, "named schedules do not give it, and not one reduction alone makes it")

    def _origins(self) -> np.ndarray:
        """Return the flat index of the reduction's element that each result element comes from."""
        if self.whole:
            return np.concatenate([np.zeros(0, int), *(origin.ravel() for origin in self.whole.origins)])
        somewhere = any(True for _ in folds(self.module, self.func.body))
        return np.full(sum(x.size for x in self.given), MANY if somewhere else NOWHERE)

    def _explained(self, outs: list[np.ndarray]) -> np.ndarray:
        """Return where one run gives an element, with all other elements from the same reduced element."""
        pairs = zip(self.given, outs, strict=True)
        same = np.concatenate([np.zeros(0, bool), *(equal(x, y).ravel() for x, y in pairs)])
        inside = self.origin >= 0
        wrong = np.bincount(self.origin[inside], weights=~same[inside])
        same[inside] = wrong[self.origin[inside]] == 0
        return same

    def _reason(self, origin: int, kind: str, reason: str) -> None:
        for place in ((self.kinds == UNKNOWN) & (self.origin == origin)).nonzero()[0]:
            self.kinds[place] = kind
            self.found[int(place)] = Membership(kind, reason), None

    def settle(self, members: Members) -> None:
        """Judge every element of the reduction that no named schedule gives."""
        for column, member, program in members.judged():
            for place in self.places[column]:
                self.kinds[place] = member.kind
                self.names[place] = repr(member.schedule) if member.schedule else ""
                self.found[place] = member, program if members.is_direct else None

    def report(self, args: list[np.ndarray], left: list[np.ndarray]) -> Permits:
        shapes = [x.shape for x in self.given]
        cuts = np.cumsum([x.size for x in self.given])[:-1]
        kinds, names = (
            [part.reshape(shape) for part, shape in zip(np.split(row, cuts), shapes, strict=True)]
            for row in (self.kinds.astype(str), self.names)
        )
        reading = reading_of(self.module, self.func.name)
        return Permits(tuple(kinds), tuple(names), tuple(self._elements(args, left)), reading)

    def _elements(self, args: list[np.ndarray], left: list[np.ndarray]) -> list[Element]:
        starts = np.cumsum([0, *(x.size for x in self.given)])
        whole = Program(self.module, args, self.given, self.func.name)
        elements = []
        for place, (member, program) in sorted(self.found.items()):
            k = int(np.searchsorted(starts, place, "right")) - 1
            index = tuple(map(int, np.unravel_index(place - starts[k], self.given[k].shape)))
            values = self.given[k][index], left[k][index]
            elements.append(
                Element(k, index, member.kind, member.reason, *values, member.schedule, program or whole)
            )
        return elements
