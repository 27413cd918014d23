"""Reasons why no schedule gives a result element, or all elements from one reduced element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from spec.permitted import set_text, text
from spec.values import State as Numbers
from spec.values import key

SHOWN = 3  # elements that are named, and whose joint results are listed

Name = Callable[[int], str]  # of a result element: `result 0[2] = 7`


class Refutation(NamedTuple):
    """Proof that no schedule gives the numbers `given` to all the result elements `places`.

    `results` are all numbers that schedules give them, in the same order, and unless `exact` perhaps others.
    `ends` are the least and the greatest, if only these are known.
    """

    places: Sequence[int]
    given: Numbers
    results: Sequence[Numbers] = ()
    exact: bool = True
    ends: tuple[Numbers, Numbers] | None = None

    def alone(self) -> dict[int, str]:
        """Return the elements that no schedule gives, whatever the others are, with the reasons."""
        if self.ends is not None:
            rows = zip(self.places, *self.ends, self.given, strict=True)
            return {place: _outside(low, high) for place, low, high, x in rows if not low <= x <= high}
        found = {}
        for k, place in enumerate(self.places):
            own = unique([(state[k],) for state in self.results])
            if own and key(self.given[k]) not in (key(x) for (x,) in own):
                found[place] = f"no schedule gives it, {self._set(own)}"
        return found

    def together(self, name: Name) -> dict[int, str]:
        """Return, for each element, the reason why no schedule gives it together with the others."""
        if len(self.places) > SHOWN or not self.results:
            one = f"no schedule gives all {len(self.places)} elements that come from the same reduced one"
            return dict.fromkeys(self.places, one)
        found = {}
        for place in self.places:
            others = " and ".join(name(other) for other in self.places if other != place)
            found[place] = f"no schedule gives it together with {others}: together {self._set(self.results)}"
        return found

    def _set(self, states: Sequence[Numbers]) -> str:
        return f"{'the permitted set is' if self.exact else 'all results are among'} {set_text(states)}"


def unique(states: Sequence[Numbers]) -> list[Numbers]:
    """Return the distinct states."""
    return list({tuple(map(key, state)): state for state in states}.values())


def _outside(least: float, greatest: float) -> str:
    return f"outside [{text((least,))}, {text((greatest,))}], the least and the greatest permitted"
