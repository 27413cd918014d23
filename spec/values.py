"""Sets of a reduction's values, which are numbered, as bits of integers; for the exact set of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import copysign
from typing import Any

from spec.errors import InterpError

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
