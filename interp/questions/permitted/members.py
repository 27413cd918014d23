"""Membership of an element, of a scatter too, in the permitted results: theorems, bounds, the exact set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.evaluate import Context, Place
from interp.execute.run import run
from interp.kernels import OPERATIONS
from interp.kernels.scatter import BROKEN, breaks_a_promise
from interp.questions.permitted import sufficient_schedules
from interp.questions.permitted.dataflow import Leaves
from interp.questions.permitted.extremes import extremes, may_be_monotone
from interp.questions.permitted.results import Program, equal, one_element
from interp.questions.permitted.search import Batch, Search, combination, fold_leaves, given_by, weight
from interp.questions.permitted.sufficient_schedules import CELLS, Work, few_schedules, few_suffice, unanimous
from interp.questions.permitted.targets import Part, Refutation, Targets, parts, restrict
from interp.questions.permitted.witness import ROUNDS, Round, witnesses
from interp.speed.scattering import LAST, landing_of
from spec.errors import Bug
from spec.permitted import Membership, key
from spec.permitted import State as Numbers
from spec.schedule import LEFT, Schedule

LEAVES = 1024  # beyond these the extremes take too long
WORK = 1 << 31  # of a few nanoseconds each
FEW = 128  # leaves beyond which the extremes take longer than the search for a tree
AT_ONCE = 1 << 8  # applications to arrays for one that is made alone
PUSHED = 64  # states that are pushed through the operations after the reduction
NOT_PERMITTED = Membership("not permitted", "see `Members.refutations`")

Verdicts = dict[int, Membership]  # by number in a batch


class Members:
    """Judge of the elements of one reduction, which are given by columns: flat indices of its results."""

    def __init__(
        self,
        leaves: Leaves,
        given: Sequence[np.ndarray],
        places: Mapping[int, Sequence[int]],
        any_number_of_inits: bool,
        limit: int,
        most: int,
    ) -> None:
        self.leaves, self.whole, self.any = leaves, leaves.whole, any_number_of_inits
        self.targets = Targets(leaves, given, places)
        self.refutations: dict[int, Refutation] = {}
        self.types = [value.type.storage_type for value in self.whole.body.returns]
        self.combine = combination(self.whole.module, self.whole.body)
        self.search = Search(
            self.whole.body, self.combine, self.targets.which, any_number_of_inits, limit, most
        )
        self.work = Work(WORK // weight(self.whole.body))

    def judge(self) -> Iterator[tuple[int, Membership, Program | None]]:
        """Yield every column of `places`, its verdict, and a program that reduces its leaves alone, or None.

        `refutations` has the reasons why a column is "not permitted".
        """
        for numbers, every in self.leaves.batches():
            kept = [
                k
                for k, number in enumerate(numbers)
                if int(self.leaves.wanted[number]) in self.targets.places
            ]
            columns = [int(self.leaves.wanted[numbers[k]]) for k in kept]
            stacked = tuple(x[:, kept] for x in every)
            found = self._verdicts(columns, stacked) if columns else {}
            for at, column in enumerate(columns):
                program = self._program(column, tuple(x[:, at] for x in stacked))
                if program:
                    self._replay(column, program, found[at].schedule)
                yield column, found[at], program

    def _program(self, column: int, leaves: State) -> Program | None:
        """Return a program that reduces the leaves of one column, or None if there is none."""
        given = self.targets.results.row(column) if self.targets.is_direct else ()
        return one_element(self.whole, leaves, given)

    def _verdicts(self, columns: list[int], leaves: State) -> Verdicts:
        """Return the verdicts; each step judges the elements that the steps before it left open."""
        schedules = few_schedules(len(leaves[0]), self.any)
        results = [fold_leaves(self.combine, leaves, schedule) for schedule in schedules]
        states = [[tuple(x[at].item() for x in result) for result in results] for at in range(len(columns))]
        whole = Batch(columns, leaves, states)
        found: Verdicts = {}
        early = 1 if whole.n <= FEW else len(ROUNDS)
        steps = (
            self._by_few_schedules,
            self._by_parts,
            self.search.others,
            partial(self._by_witnesses, ROUNDS[:early]),
            self._by_bounds,
            self._by_every_tree,
            self._as_unanimous,
            partial(self._by_witnesses, ROUNDS[early:]),
            self.search.verdicts,
        )
        for step in (lambda batch: self._as_folded(batch, schedules), *steps):
            rest = [at for at in range(len(columns)) if at not in found]
            if rest:
                found.update((rest[at], member) for at, member in step(whole.only(rest)).items())
        for at, column in enumerate(columns):
            if found[at].kind == "not permitted" and column not in self.refutations:
                self._refute(column, found[at].states)
        return found

    def _as_folded(self, batch: Batch, schedules: Sequence[Schedule]) -> Verdicts:
        """Return "permitted" where one of these schedules has the element as its result."""
        found = {}
        for at, column in enumerate(batch.columns):
            state = self.targets.which(column, batch.states[at])
            if state is not None:
                pairs = zip(schedules, batch.states[at], strict=True)
                found[at] = given_by(next(schedule for schedule, other in pairs if other is state))
        return found

    def _by_few_schedules(self, batch: Batch) -> Verdicts:
        """Return "not permitted" where `few_schedules`, which do not give the element, have all results."""
        known, among = few_suffice(self.whole.body, batch.leaves, self.combine, self.any, self.work)
        columns = batch.columns
        found = {at: self._refute(columns[at], batch.states[at]) for at in known.nonzero()[0].tolist()}
        for at in among.keys() - found.keys():
            cheap = self.targets.is_direct or len(among[at]) <= PUSHED
            if cheap and self.targets.which(columns[at], among[at]) is None:
                found[at] = self._refute(columns[at], among[at], exact=False)
        return found

    def _as_unanimous(self, batch: Batch) -> Verdicts:
        """Return "not permitted" where every interval of the leaves has only one value."""
        if batch.n == 1:
            return {}
        alike = unanimous(self.whole.body, batch.leaves, self.combine, self.any, self.work)
        return {at: self._refute(batch.columns[at], batch.states[at]) for at in alike.nonzero()[0].tolist()}

    def _by_parts(self, batch: Batch) -> Verdicts:
        """Return "not permitted" where some operands, which do not depend on the others, prove it."""
        found: Verdicts = {}
        for part in parts(self.whole.body) if self.targets.is_direct else ():
            body = restrict(self.whole.body, part)
            leaves = tuple(batch.leaves[k] for k in part)
            judged = [at for at, column in enumerate(batch.columns) if self.targets.judges(column, part)]
            differs = [at for at in judged if not self._has(batch, at, part)]
            if differs and len(part) < len(self.types):
                own = tuple(x[:, differs] for x in leaves)
                known, among = few_suffice(
                    body, own, combination(self.whole.module, body), self.any, self.work
                )
                for k, at in enumerate(differs):
                    if known[k]:
                        states = [tuple(state[j] for j in part) for state in batch.states[at]]
                        found[at] = self._refute(batch.columns[at], states, part)
                    elif k in among and not self._is_among(batch.columns[at], among[k], part):
                        found[at] = self._refute(batch.columns[at], among[k], part, exact=False)
        return found

    def _has(self, batch: Batch, at: int, part: Part) -> bool:
        """Return whether the given result, restricted to a part, is among the batch's states."""
        states = [tuple(state[k] for k in part) for state in batch.states[at]]
        return self._is_among(batch.columns[at], states, part)

    def _is_among(self, column: int, states: Sequence[Numbers], part: Part) -> bool:
        target = tuple(key(self.targets.target(column)[k]) for k in part)
        return any(tuple(map(key, state)) == target for state in states)

    def _by_bounds(self, batch: Batch) -> Verdicts:
        """Return "not permitted" where the element lies outside the least and the greatest result."""
        found: Verdicts = {}
        for part in parts(self.whole.body) if self.targets.is_direct else ():
            for at, (least, greatest) in self._bounds(batch, part).items():
                column = batch.columns[at]
                target = tuple(self.targets.target(column)[k] for k in part)
                ends = zip(least, target, greatest, strict=True)
                if self.targets.judges(column, part) and not all(low <= x <= high for low, x, high in ends):
                    places = self.targets.places_of(column, part)
                    self.refutations[column] = Refutation(places, target, ends=(least, greatest))
                    found[at] = NOT_PERMITTED
        return found

    def _bounds(self, batch: Batch, part: Part) -> dict[int, tuple[Numbers, Numbers]]:
        """Return the least and the greatest permitted result, of as many elements as the work left allows."""
        n, body = batch.n, restrict(self.whole.body, part)
        if not (may_be_monotone(body) and n <= LEAVES):
            return {}
        bounds, combine = {}, combination(self.whole.module, body)
        chunk = max(1, CELLS // (n + 1) ** 2)
        for start in range(0, len(batch.columns), chunk):
            leaves = tuple(batch.leaves[k][:, start : start + chunk] for k in part)
            if not self.work.take(n**3 * leaves[0].shape[1] // 3):
                break
            with np.errstate(all="ignore"):
                ends = extremes(body, leaves, combine, self.any)
            if ends is None:
                continue
            for k in ends.hold.nonzero()[0].tolist():
                least, greatest = (tuple(x[k].item() for x in end) for end in (ends.least, ends.greatest))
                bounds[start + k] = least, greatest
        return bounds

    def _by_every_tree(self, batch: Batch) -> Verdicts:
        """Judge elements whose leaves are so few that all trees with exactly one init can be tried."""
        found: Verdicts = {}
        elementwise = Context(NUMPY, self.whole.module, LEFT, OPERATIONS).is_elementwise(self.whole.body)
        if self.any or batch.n > sufficient_schedules.LEAVES or not (self.targets.is_direct and elementwise):
            return found
        chunk = CELLS // sufficient_schedules.APPLICATIONS
        for start in range(0, len(batch.columns), chunk):
            numbers = range(start, min(start + chunk, len(batch.columns)))
            if not self.work.take(sufficient_schedules.APPLICATIONS * len(numbers)):
                break
            trees = sufficient_schedules.every_tree(batch.only(numbers).leaves, self.combine)
            for k, at in enumerate(numbers):
                found[at] = self._among(trees, k, batch.columns[at])
        return found

    def _by_witnesses(self, rounds: Sequence[Round], batch: Batch) -> Verdicts:
        """Return "permitted" where a tree is found by values of intervals of the leaves."""
        count, room = min(len(batch.columns), max(self.search.most, 0)), Work(self.search.limit * AT_ONCE)
        if len(batch.leaves) > 1 or not count or batch.leaves[0].dtype.kind not in "fiu":
            return {}
        reaches = [partial(self.targets.which, column) for column in batch.columns[:count]]
        leaves, direct = batch.leaves[0][:, :count], self.targets.is_direct
        found = witnesses(self.combine, leaves, reaches, room.take, direct, rounds)
        return {at: given_by(schedule) for at, schedule in found}

    def _among(self, trees: sufficient_schedules.Trees, k: int, column: int) -> Membership:
        same = [equal(trees.results[j][:, k], x) for j, x in self.targets.carriers(column)]
        hits = np.logical_and.reduce(same).nonzero()[0]
        if len(hits):
            return given_by(trees.schedule(int(hits[0])))
        return self._refute(column, list(zip(*(x[:, k].tolist() for x in trees.results), strict=True)))

    def _refute(
        self, column: int, states: Sequence[Numbers], part: Part | None = None, exact: bool = True
    ) -> Membership:
        self.refutations[column] = self.targets.refutation(column, states, part, exact)
        return NOT_PERMITTED

    def _replay(self, column: int, program: Program, schedule: Schedule | None) -> None:
        """Run the schedule that was found, and raise `Bug` if it does not give the result."""
        if schedule is None:
            return
        outs = run(program.module, *program.args, schedule=schedule)
        state = tuple(NUMPY.decode(x.storage, x.type.storage_type).item() for x in outs)
        if self.targets.which(column, [state]) is None:
            raise Bug(f"{schedule!r} does not give the result for which it was found", repr(state))


# scatter: the results of an element under all permutations of the updates that land on it.

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
        after = self.search.apply([level[place].state for place, _ in steps], [updates[k] for _, k in steps])
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
