"""Results of all trees over some leaves: their set, and its least and greatest member.

This module takes a body as a function on states (a state is a tuple, one element per operand), so that oracle
and engine share it. The specification lets a tree have any number of init values at any positions; if it has
exactly one, that is the leftmost leaf (erratum E9). Leaf 0 is the init value throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from spec.schedule import Schedule, tree
from spec.values import LIMIT, Bodies, State, TooMany, Values, beside, bits

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


def permitted_results(
    leaves: Sequence[State], body: Body, any_number_of_inits: bool = False, limit: int = LIMIT
) -> Permitted:
    """Return the results of all schedules; `TooMany` beyond the limit."""
    return permitted_among(Values(each(body), limit), leaves, any_number_of_inits)


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


def extremes(leaves: Sequence[State], body: Body, any_number_of_inits: bool = False) -> tuple[State, State]:
    """Return the least and the greatest permitted result of a body that is monotone in both arguments.

    Both are members of the permitted set, which may have gaps between them. States must have one operand,
    without NaN, and the body must be monotone (`spec.meaning.bodies.is_monotone`) on a range that contains
    all results of all intervals.
    """
    least, greatest = (_extreme(leaves, body, pick, any_number_of_inits) for pick in (min, max))
    return least, greatest


def _extreme(leaves: Sequence[State], body: Body, pick: Callable[..., State], inits: bool) -> State:
    """Return the extreme result over all trees, by the body on the extremes of both parts of all splits."""
    init = _fixpoint(leaves[0], lambda x: pick(x, body(x, x))) if inits else leaves[0]
    elements = leaves[1:] if inits else leaves

    def with_inits(state: State) -> State:
        return _fixpoint(state, lambda x: pick(x, body(x, init), body(init, x))) if inits else state

    found = {(k, k + 1): with_inits(leaf) for k, leaf in enumerate(elements)}
    for length in range(2, len(elements) + 1):
        for first in range(len(elements) - length + 1):
            last = first + length
            middles = range(first + 1, last)
            found[first, last] = with_inits(
                pick(body(found[first, middle], found[middle, last]) for middle in middles)
            )
    return found[0, len(elements)] if elements else init


def _fixpoint(state: State, step: Callable[[State], State]) -> State:
    while (after := step(state)) != state:
        state = after
    return state


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


def each(body: Body) -> Bodies:
    """Return a body as a function of many pairs, from the function of one pair."""
    return lambda lhs, rhs: [body(a, b) for a, b in zip(lhs, rhs, strict=True)]
