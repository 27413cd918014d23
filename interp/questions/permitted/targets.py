"""Given results of a function, grouped by the element of its reduction from which they come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from interp.backends import NUMPY
from interp.questions.permitted.dataflow import Leaves, function_results
from interp.questions.permitted.foreign import equal
from interp.questions.permitted.parts import Part
from interp.questions.permitted.refutation import Refutation, unique
from interp.questions.permitted.results import Results, number
from spec.values import State as Numbers
from spec.values import key

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
