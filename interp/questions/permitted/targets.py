"""Given results, grouped by the reduced element from which they come, and why no schedule gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY
from interp.questions.permitted.dataflow import Leaves, function_results
from interp.questions.permitted.results import Results, equal, number
from spec.ir import Region, reads, return_only
from spec.permitted import State as Numbers
from spec.permitted import key, set_text, text

# Parts of a body on several operands: sets of operands whose results depend on no other operands.

Part = tuple[int, ...]  # numbers of operands, ascending


def parts(body: Region) -> list[Part]:
    """Return the smallest parts that contain each operand, smaller parts first, without repetition.

    Each result of a tree, restricted to a part, is the result of the same tree of `restrict(body, part)`.
    """
    needs = _needs(body)
    found = set()
    for k in range(len(body.returns)):
        part, before = {k}, set[int]()
        while part != before:
            part, before = part.union(*(needs[j] for j in part)), part
        found.add(tuple(sorted(part)))
    return sorted(found, key=lambda part: (len(part), part))


def _needs(body: Region) -> list[set[int]]:
    """Return, for each result, the operands from which it is computed."""
    half = len(body.returns)
    known = {value.name: {k % half} for k, value in enumerate(body.arguments)}
    for op in body.ops[:-1]:
        read = [known[value.name] for value in reads(op)]
        known.update((value.name, set[int]().union(*read)) for value in op.results)
    return [known[value.name] for value in body.returns]


def restrict(body: Region, part: Part) -> Region:
    """Return the body on the operands of a part alone."""
    half = len(body.returns)
    arguments = tuple(body.arguments[side + k] for side in (0, half) for k in part)
    return replace(return_only(body, [body.returns[k] for k in part]), arguments=arguments)


# Reasons why no schedule gives a result element, or all elements from one reduced element.

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


IMAGES = 1 << 20  # numbers beyond which a refutation does not list the results


class Targets:
    """Results to reach: the judged `places` by column, which is a flat index of the reduction's results."""

    def __init__(
        self, leaves: Leaves, given: Sequence[np.ndarray], places: Mapping[int, Sequence[int]]
    ) -> None:
        self.leaves, self.whole, self.places = leaves, leaves.whole, places
        self.is_direct, self.results = leaves.whole.is_direct, Results(given)
        self.types = [type.storage_type for type in self.whole.func.results]

    def which(self, column: int, states: Sequence[Numbers]) -> Numbers | None:
        """Return the one of several accumulated states that leads to the given results, or None."""
        if not self.is_direct:
            return next((state for state in states if self._follows(column, state)), None)
        own = self.operands(column)
        whole = self.target(column)
        target = [key(whole[k]) for k in own]
        return next((state for state in states if [key(state[k]) for k in own] == target), None)

    def operands(self, column: int) -> list[int]:
        """Return the operands whose results are judged, for a reduction that is returned unchanged."""
        return [self.results.at(place)[0] for place in self.places[column]]

    def target(self, column: int) -> Numbers:
        """Return the given element of every result, for a reduction that is returned unchanged."""
        return tuple(number(x, t) for x, t in zip(self.results.row(column), self.types, strict=True))

    def carriers(self, column: int) -> Iterator[tuple[int, np.ndarray]]:
        """Yield each operand that is judged, for such a reduction, and its given result in its carrier."""
        for place in self.places[column]:
            k = self.results.at(place)[0]
            yield k, np.asarray(NUMPY.decode(self.results[place], self.types[k]))

    def judges(self, column: int, part: Part) -> bool:
        """Return whether the results of all operands of a part are judged."""
        return set(part) <= set(self.operands(column))

    def places_of(self, column: int, part: Part) -> list[int]:
        own = self.operands(column)
        return [self.places[column][own.index(k)] for k in part]

    def refutation(
        self, column: int, states: Sequence[Numbers], part: Part | None, exact: bool
    ) -> Refutation:
        """Return the proof that no schedule gives a column's results: the reduction has only these `states`.

        A state has all operands, or those of a part. If not `exact`, some states may not be reached.
        """
        places = self.places[column] if part is None else self.places_of(column, part)
        if len(states) * len(places) > IMAGES:
            return Refutation(places, self._numbers(self.results, places))
        given = self._numbers(self.results, places)
        if self.is_direct:
            own = self.operands(column) if part is None else range(len(part))
            images = [tuple(state[k] for k in own) for state in states]
        else:
            images = [self._numbers(self._function_results(column, state), places) for state in states]
        return Refutation(places, given, unique(images), exact)

    def _follows(self, column: int, state: Numbers) -> bool:
        outs = self._function_results(column, state)
        pairs = ((self.results[place], outs[place]) for place in self.places[column])
        return all(equal(np.asarray(x), np.asarray(y)).all() for x, y in pairs)

    def _function_results(self, column: int, state: Numbers) -> Results:
        """Return the function's results if the reduction's element at a column were `state`."""
        changed = [x.copy() for x in self.leaves.accumulators]
        for x, value in zip(changed, state, strict=True):
            x.reshape(-1)[column] = value
        return Results(function_results(self.leaves, tuple(changed)))

    def _numbers(self, results: Results, places: Sequence[int]) -> Numbers:
        return tuple(number(results[place], self.types[results.at(place)[0]]) for place in places)
