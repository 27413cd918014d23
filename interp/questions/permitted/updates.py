"""scatter: the results of an element under all permutations of the updates that land on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.evaluate import Place
from interp.kernels.scatter import BROKEN, breaks_a_promise
from interp.questions.permitted.batch import Batch, fold_leaves
from interp.questions.permitted.dataflow import Leaves
from interp.questions.permitted.members import Members, Verdicts
from interp.questions.permitted.reproduction import Program
from interp.speed.scattering import LAST, landing_of
from spec.permitted import Membership
from spec.schedule import LEFT
from spec.values import State as Numbers
from spec.values import key

SCATTER = "stablehlo.scatter"
MOST = 12  # updates of one element; their sets are 2^n

At = tuple[int, Any]  # the updates that were combined, as bits, and the key of a state


class Reached(NamedTuple):
    """A state, its predecessor, and the number of the update that led from that to it."""

    state: Numbers
    before: At = (0, None)
    update: int = -1


Level = dict[At, Reached]


@dataclass(frozen=True, eq=False)
class Updates(Leaves):
    """Listener that keeps the values of elements of a scatter, and the updates that land on them."""

    def on_node(self, place: Place, lhs: State, rhs: State, results: State) -> None:
        if place.op is self.whole.op and place.columns is not None:
            if place.node.last == 1:  # the own value is the left operand of the first node
                self.keep(0, place.columns, None, lhs)
            self.keep(int(place.node.last), place.columns, None, rhs)

    def batches(self) -> Iterator[tuple[np.ndarray, State]]:
        """Yield wanted elements with the same number of updates, and their leaves, their own value first."""
        own = tuple(x.reshape(-1)[self.wanted] for x in self.accumulators)  # where nothing lands
        counts = sum(self.present.values(), np.zeros(len(self.wanted), int))
        for count in np.unique(counts):
            same = (counts == count).nonzero()[0]
            rows = [self.rows[leaf] for leaf in range(count)] or [own]
            yield same, tuple(np.stack([row[k][same] for row in rows]) for k in range(len(own)))


class Permutations(Members):
    """Judge of the elements of a scatter, whose updates are combined one after the other, in any order."""

    def _verdicts(self, columns: list[int], leaves: State) -> Verdicts:
        if breaks_a_promise(NUMPY, self.whole.op, self._indices()):
            return dict.fromkeys(range(len(columns)), Membership("unknown", BROKEN))
        batch = Batch(columns, leaves, [()] * len(columns))
        landing = landing_of(self.whole.op, LEFT)
        if landing and not landing.in_order and landing.name != LAST:
            return self._by_one_order(batch)
        return {at: self._by_all_orders(batch, at) for at in range(len(columns))}

    def _indices(self) -> Array:
        return self.leaves.env[self.whole.op.operands[len(self.whole.op.results)].name]

    def _program(self, column: int, own: State) -> Program | None:
        return None  # a reduction of the leaves has other schedules

    def _by_one_order(self, batch: Batch) -> Verdicts:
        """Judge by the result in ascending order, if all other orders have the same."""
        results = fold_leaves(self.combine, batch.leaves, LEFT)
        states = [tuple(x[at].item() for x in results) for at in range(len(batch.columns))]
        return {at: self._refute(column, [states[at]]) for at, column in enumerate(batch.columns)}

    def _by_all_orders(self, batch: Batch, at: int) -> Membership:
        """Judge by the results of all orders, computed for one set of updates after another."""
        own, *updates = batch.rows(at)
        levels: list[Level] = [{(0, _key(own)): Reached(own)}]
        for _ in updates if len(updates) <= MOST else ():
            levels.append(self._grow(levels[-1], updates))
        if len(levels) <= len(updates) or not levels[-1]:
            return Membership("unknown", f"{len(updates)} updates have too many orders to try them all")
        states = [reached.state for reached in levels[-1].values()]
        found = self.targets.which(batch.columns[at], states)
        if found is None:
            return self._refute(batch.columns[at], states)
        order = ", ".join(map(str, _order(levels, found)))
        return Membership("permitted", f"its updates give it in the order {order}")

    def _grow(self, level: Level, updates: list[Numbers]) -> Level:
        """Return the states after one more update, or none if the limit does not allow that."""
        steps = [(place, k) for place in level for k in range(len(updates)) if not place[0] >> k & 1]
        self.search.limit -= len(steps)
        if self.search.limit < 0 or not steps:
            return {}
        after = self.search.apply(
            [level[place].state for place, _ in steps], [updates[k] for _, k in steps]
        )
        grown: Level = {}
        for (place, k), state in zip(steps, after, strict=True):
            grown.setdefault((place[0] | 1 << k, _key(state)), Reached(state, place, k))
        return grown


def _key(state: Numbers) -> tuple[Any, ...]:
    return tuple(map(key, state))


def _order(levels: list[Level], state: Numbers) -> list[int]:
    """Return the numbers of the updates that lead to a state, in their order."""
    order, place = [], next(place for place, reached in levels[-1].items() if reached.state is state)
    for level in levels[:0:-1]:
        order.append(level[place].update)
        place = level[place].before
    return order[::-1]
