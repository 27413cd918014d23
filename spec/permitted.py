"""Results of all trees over some leaves: sets of numbered values as bits, and their extremes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import copysign
from typing import Any, NamedTuple

from spec.errors import InterpError
from spec.schedule import Schedule, tree

# Sets of a reduction's values, which are numbered, as bits of integers; for the exact set of results.

State = tuple[Any, ...]  # one element per operand of the reduction
Bodies = Callable[[Sequence[State], Sequence[State]], Sequence[State]]  # a body on many pairs at once
LIMIT = 1 << 18  # a whole 8-bit type has 1 << 16 pairs


class TooMany(InterpError):
    """Exception: the exact set would take more applications of the body, or more work, than allowed."""


@dataclass
class Row:
    """Results of the body for one lhs: a table by rhs, filled in when needed."""

    applied: int = 0  # the set of rhs
    found: int = 0  # the set of results
    results: dict[int, int] = field(default_factory=dict)  # of each rhs
    origins: dict[int, int] = field(default_factory=dict)  # of each result the set of rhs
    images: dict[tuple[int, int], int] = field(default_factory=dict)  # of eight rhs at a time, when asked for

    def fill(self, rhs: int, result: int) -> None:
        self.applied |= 1 << rhs
        self.found |= 1 << result
        self.results[rhs] = result
        self.origins[result] = self.origins.get(result, 0) | 1 << rhs

    def image(self, place: int, byte: int) -> int:
        """Return the set of results for those rhs that `byte` has among the eight from number `8 * place`."""
        image = 0
        for b in bits(byte):
            image |= 1 << self.results[8 * place + b]
        self.images[place, byte] = image
        return image


class Values:
    """Numbering of values, so that a set of them is an integer; and the body on these numbers."""

    def __init__(self, bodies: Bodies, limit: int = LIMIT) -> None:
        """Start without values. limit: how many pairs may be combined; 512 times as many may be examined."""
        self.bodies, self.limit, self.work = bodies, limit, 512 * limit
        self.states: list[State] = []
        self.numbers: dict[Any, int] = {}
        self.rows: list[Row] = []

    def find(self, state: State) -> int | None:
        """Return the number of a known value."""
        return self.numbers.get(tuple(map(key, state)))

    def number(self, state: State) -> int:
        number = self.numbers.setdefault(tuple(map(key, state)), len(self.states))
        if number == len(self.states):
            self.states.append(state)
            self.rows.append(Row())
        return number

    def apply(self, wanted: Mapping[int, int]) -> int:
        """Return the set of results of the body for each lhs with its set of wanted rhs."""
        fresh = {a: rhs & ~self.rows[a].applied for a, rhs in wanted.items()}
        count = sum(map(int.bit_count, fresh.values()))
        if count > self.limit:
            raise TooMany("the exact set of permitted results is too large to find")
        self.limit -= count
        if count:
            pairs = [(a, b) for a, rhs in fresh.items() for b in bits(rhs)]
            lhs, rhs = ([self.states[pair[side]] for pair in pairs] for side in (0, 1))
            for (a, b), state in zip(pairs, self.bodies(lhs, rhs), strict=True):
                self.rows[a].fill(b, self.number(state))
        return self._image(wanted)

    def _image(self, wanted: Mapping[int, int]) -> int:
        found = 0
        for a, rhs in wanted.items():
            row = self.rows[a]
            if row.found & ~found:
                self.spend(len(self.states) // 8)
                for part in enumerate(rhs.to_bytes(len(self.states) // 8 + 1, "little")):
                    if part[1]:
                        found |= row.images[part] if part in row.images else row.image(*part)
        return found

    def pair(self, result: int, lhs: int, rhs: int) -> tuple[int, int] | None:
        """Return a pair from two sets, which were combined before, that has this result."""
        for a in bits(lhs):
            if both := self.rows[a].origins.get(result, 0) & rhs:
                return a, next(bits(both))
        return None

    def spend(self, work: int) -> None:
        """Raise `TooMany` if too many small sets have been examined."""
        self.afford(work)
        self.work -= work

    def afford(self, work: int) -> None:
        if work > self.work:
            raise TooMany("the exact set of permitted results takes too long to find")


def bits(numbers: int) -> Iterator[int]:
    """Yield the members of a set of numbers."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest


def beside(reached: int, inits: int) -> dict[int, int]:
    """Return the pairs of reached values and inits, in both orders."""
    wanted = dict.fromkeys(bits(inits), reached)
    for value in bits(reached):
        wanted[value] = wanted.get(value, 0) | inits
    return wanted


def key(element: Any) -> Any:
    """Return a key that is equal for equal bits: -0 differs from +0, and every NaN is the same."""
    if isinstance(element, complex):
        return key(element.real), key(element.imag)
    if isinstance(element, float):
        return "nan" if element != element else (element, copysign(1.0, element))
    return element


# Results of all trees over some leaves: their set, and its least and greatest member.
#
# This module takes a body as a function on states (a state is a tuple, one element per operand), so that
# oracle and engine share it. The specification lets a tree have any number of init values at any positions;
# if it has exactly one, that is the leftmost leaf (erratum E9). Leaf 0 is the init value throughout.

Body = Callable[[State, State], State]
Interval = tuple[int, int]  # elements first to last - 1
ALONE = (0, 0)  # no elements: inits alone


@dataclass(frozen=True, eq=False)
class Permitted:
    """The exact set of results; `base` and `sets` have it for each interval of the elements.

    `base` has the results without an init at either end, `sets` also those with inits there.
    """

    values: Values
    elements: tuple[int, ...]
    init: int | None  # None: it is the first of the elements, and stands nowhere else
    base: dict[Interval, int] = field(default_factory=dict)
    sets: dict[Interval, int] = field(default_factory=dict)
    reach: dict[int, int] = field(default_factory=dict)  # per value what inits beside it make of it

    @property
    def states(self) -> list[State]:
        """The permitted results."""
        return [self.values.states[v] for v in bits(self.sets[0, len(self.elements)])]

    def __contains__(self, state: State) -> bool:
        number = self.values.find(state)
        return number is not None and bool(self.sets[0, len(self.elements)] >> number & 1)

    def find_schedule(self, state: State) -> Schedule | None:
        """Return one explicit tree that gives this result, or None if it is not permitted.

        Raise `TooMany` if the result takes too many inits.
        """
        if state not in self:
            return None
        n = len(self.elements) + (self.init is not None)
        steps: list[tuple[int, int]] = []
        todo: list[Any] = [((0, len(self.elements)), self.values.number(state))]
        nodes: list[int] = []
        while todo:  # postorder, without recursion: a tree may be as deep as it has leaves
            goal = todo.pop()
            if goal is None:
                rhs, lhs = nodes.pop(), nodes.pop()
                steps.append((lhs, rhs))
                nodes.append(n + len(steps) - 1)
            elif children := self._children(*goal):
                todo += [None, *reversed(children)]
            else:
                (first, last), _ = goal
                nodes.append(first + (self.init is not None) if first < last else 0)
            self.values.spend(512)
        return tree(steps)

    def _children(self, interval: Interval, value: int) -> list[tuple[Interval, int]]:
        """Return two smaller goals whose values the body combines into this one, or none for a leaf."""
        first, last = interval
        if not self.base[interval] >> value & 1:
            return self._with_init(interval, value)
        for middle in range(first + 1, last):
            parts = (first, middle), (middle, last)
            if found := self.values.pair(value, *(self.sets[part] for part in parts)):
                return list(zip(parts, found, strict=True))
        return []

    def _with_init(self, interval: Interval, value: int) -> list[tuple[Interval, int]]:
        """Return the last init that led to this value, on its left or right, and the value before it."""
        reached = self.base[interval]
        while True:
            for lhs, rhs in ((ALONE, interval), (interval, ALONE)):
                sets = (reached if part == interval else self.sets[part] for part in (lhs, rhs))
                if found := self.values.pair(value, *sets):
                    return list(zip((lhs, rhs), found, strict=True))
            inits = reached if interval == ALONE else self.sets[ALONE]
            reached |= self.values.apply(beside(reached, inits))

    def close(self, interval: Interval) -> None:
        """Close an interval under inits on either side, to a fixpoint, which exists as storage is finite."""
        closed = 0
        for value in bits(self.base[interval]):
            if not closed >> value & 1:
                closed |= self.base[interval] if self.init is None else self._reach(value)
        self.sets[interval] = closed

    def _reach(self, value: int) -> int:
        """Return the values that result from one value and any number of inits on either side."""
        if value not in self.reach:
            reached, before = 1 << value, 0
            while reached != before:
                fresh, before = reached & ~before, reached
                reached |= self.values.apply(beside(fresh, self.sets[ALONE]))
            self.reach[value] = reached
        return self.reach[value]

    def close_inits(self) -> None:
        """Close the trees of inits alone, to a fixpoint."""
        assert self.init is not None
        self.base[ALONE] = reached = 1 << self.init
        before = 0
        while reached != before:
            fresh, before = reached & ~before, reached
            reached |= self.values.apply(beside(fresh, reached))
        self.sets[ALONE] = reached

    def splits(self, first: int, last: int) -> dict[int, int]:
        """Return, for each value of a left part, the values of its right parts, over all splits."""
        wanted: dict[int, int] = {}
        for middle in range(first + 1, last):
            lhs, rhs = self.sets[first, middle], self.sets[middle, last]
            self.values.spend(lhs.bit_count())
            for a in bits(lhs):
                wanted[a] = wanted.get(a, 0) | rhs
        return wanted


def permitted_among(values: Values, leaves: Sequence[State], any_number_of_inits: bool = False) -> Permitted:
    """Compute the permitted set by dynamic programming over intervals; elements may share `values`."""
    values.afford(8 * len(leaves) ** 3 // 6)  # at least a few of each interval, and of several elements
    numbers = tuple(map(values.number, leaves))
    init, elements = (numbers[0], numbers[1:]) if any_number_of_inits else (None, numbers)
    found = Permitted(values, elements, init)
    if any_number_of_inits:
        found.close_inits()
    for length in range(1, len(elements) + 1):
        for first in range(len(elements) - length + 1):
            interval = first, first + length
            found.base[interval] = (
                values.apply(found.splits(*interval)) if length > 1 else 1 << elements[first]
            )
            found.close(interval)
    return found


class Membership(NamedTuple):
    """Verdict on a result: "permitted", with a schedule that gives it, "not permitted" or "unknown".

    `states`: the exact set, if a result is not permitted because it is not in that set.
    """

    kind: str
    reason: str
    schedule: Schedule | None = None
    states: Sequence[State] = ()


def membership(
    given: Callable[[Sequence[State]], State | None],
    values: Values,
    leaves: Sequence[State],
    any_number_of_inits: bool = False,
) -> Membership:
    """Judge by the exact set; `given` returns the state that an implementation gave, or None."""
    try:
        found = permitted_among(values, leaves, any_number_of_inits)
    except TooMany as error:
        return Membership("unknown", error.verdict)
    state = given(found.states)
    if state is None:
        every = set_text(found.states)
        reason = f"no schedule gives it, the permitted set is {every}"
        return Membership("not permitted", reason, states=found.states)
    try:
        schedule = found.find_schedule(state)
    except TooMany:
        return Membership(
            "permitted", "in the exact set; a tree with this many init values takes too long to list"
        )
    return Membership("permitted", f"{schedule!r} gives it", schedule)


def set_text(states: Sequence[State]) -> str:
    """Return a small set as text, a large one by its size."""
    texts = list(dict.fromkeys(map(text, states)))
    shown = ", ".join(sorted(texts, key=lambda s: (len(s), s))) if len(texts) <= 12 else "..."
    return f"{{{shown}}}" + f" ({len(texts)} results)" * (len(texts) > 12)


def text(state: State) -> str:
    return repr(state[0]) if len(state) == 1 else repr(state)
