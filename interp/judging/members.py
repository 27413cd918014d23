"""Whether elements of a reduction are what some schedule gives: theorems, bounds, and the exact set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from interp.evaluate import Context
from interp.fold import Node
from interp.judging.anatomy import Leaves, pushed
from interp.judging.extremes import Combine, agreed, extremes
from interp.judging.given import equal
from interp.judging.monotone import may_be_monotone
from interp.judging.reproduction import Program, one_element
from interp.namespace import NUMPY, State
from interp.run import run
from spec.errors import Bug
from spec.permitted import Membership, membership, text
from spec.permitted import State as Numbers
from spec.schedule import LEFT, Schedule, tree
from spec.types import QuantizedType
from spec.values import Values, key

LEAVES = 1024  # beyond these the extremes take too long
CELLS = 1 << 22  # of the tables of extremes, at a time
WORK = 1 << 28  # applications of the body for extremes


class Members:
    """Judges elements of one reduction, called columns: flat indices of its results."""

    def __init__(
        self,
        leaves: Leaves,
        given: Sequence[np.ndarray],
        places: Mapping[int, Sequence[int]],
        any_number_of_inits: bool,
        limit: int,
        most: int,
    ) -> None:
        self.leaves, self.whole, self.given, self.places = leaves, leaves.whole, given, places
        self.any, self.most = any_number_of_inits, most
        self.values = Values(self._bodies, limit)
        self.types = [value.type.storage_type for value in self.whole.body.returns]
        self.is_direct = self.whole.is_direct
        self.work = WORK
        ctx = Context(NUMPY, self.whole.module, LEFT)
        self.body = ctx.body(self.whole.op, len(self.whole.op.regions) - 1)

    def judged(self) -> Iterator[tuple[int, Membership, Program]]:
        """Every wanted column, its verdict and the program of its leaves alone."""
        for numbers, stacked in self.leaves.batches():
            same = self._agreed(stacked)
            bounds = self._bounds(stacked)
            for at, number in enumerate(numbers):
                column = int(self.leaves.wanted[number])
                own = tuple(x[:, at] for x in stacked)
                program = one_element(self.whole, own, self.given_to(column) if self.is_direct else ())
                if same is not None and same[at]:
                    member = self._of_few(column, own)
                else:
                    member = self._of_many(column, own, bounds.get(at))
                if member.schedule and member.kind == "permitted":
                    self._replay(column, program, member.schedule)
                yield column, member, program

    def _agreed(self, stacked: State) -> np.ndarray | None:
        return agreed(self.whole.body, stacked[0], self.any) if len(stacked) == 1 else None

    def _of_few(self, column: int, leaves: State) -> Membership:
        """Where all schedules give one result, or two: with the init and without."""
        states = [self._left(leaves)]
        if self.any and len(leaves[0]) > 1:
            states.append(self._left(tuple(x[1:] for x in leaves)))
        state = self._which(column, states)
        if state is None:
            return Membership("not permitted", f"every schedule gives {_text(states)}")
        return given_by(LEFT if state is states[0] else without_init(len(leaves[0])))  # 0.0 == -0.0

    def _left(self, leaves: State) -> Numbers:
        state = tuple(x[:1] for x in leaves)
        for k in range(1, len(leaves[0])):
            state = self._apply(state, tuple(x[k : k + 1] for x in leaves))
        return tuple(x[0].item() for x in state)

    def _of_many(self, column: int, leaves: State, bounds: tuple[Numbers, Numbers] | None) -> Membership:
        inside = ""
        if bounds:
            inside = "[{}, {}], the least and the greatest permitted".format(*map(text, bounds))
            ends = zip(bounds[0], self._target(column), bounds[1], strict=True)
            if not all(least <= given <= greatest for least, given, greatest in ends):
                return Membership("not permitted", f"outside {inside}")
        if self.most <= 0:
            return Membership("unknown", "not searched for: see `most`")
        self.most -= 1
        found = self._searched(column, leaves)
        if inside and found.kind == "unknown":
            return found._replace(reason=f"{found.reason}; it lies in {inside}")
        return found

    def _searched(self, column: int, leaves: State) -> Membership:
        """By the exact set; where that is too large, at least among the trees of one init or of none."""
        rows = list(zip(*(x.tolist() for x in leaves), strict=True))
        if self.any and len(rows) > 1 and self._which(column, [self._left(tuple(x[1:] for x in leaves))]):
            return given_by(without_init(len(rows)))
        given = lambda states: self._which(column, states)
        found = membership(given, self.values, rows, self.any)
        if self.any and found.kind == "unknown":
            one = membership(given, self.values, rows)
            return one if one.kind == "permitted" else found
        return found

    def _which(self, column: int, states: Sequence[Numbers]) -> Numbers | None:
        """The one of several accumulated states from which the given results follow."""
        if self.is_direct:
            target = tuple(map(key, self._target(column)))
            return next((state for state in states if tuple(map(key, state)) == target), None)
        return next((state for state in states if self._follows(column, state)), None)

    def _target(self, column: int) -> Numbers:
        return tuple(
            NUMPY.decode(x, type).item() if x.dtype.kind not in "iu" else x.item()
            for x, type in zip(self.given_to(column), self.types, strict=True)
        )

    def given_to(self, column: int) -> list[np.ndarray]:
        """The given results' elements at a column."""
        return [x.reshape(-1)[column] for x in self.given]

    def _follows(self, column: int, state: Numbers) -> bool:
        changed = [x.copy() for x in self.leaves.accumulators]
        for x, value in zip(changed, state, strict=True):
            x.reshape(-1)[column] = value
        outs = pushed(self.leaves, tuple(changed))
        same = np.concatenate([equal(x, y).ravel() for x, y in zip(self.given, outs, strict=True)])
        return bool(same[self.places[column]].all())

    def _apply(self, lhs: State, rhs: State) -> State:
        with np.errstate(all="ignore"):
            return self.body(lhs, rhs, Node(0, 0, None, False))

    def _bodies(self, lhs: Sequence[Numbers], rhs: Sequence[Numbers]) -> list[Numbers]:
        """The body on many pairs at once."""
        carriers = [NUMPY.carrier(type) for type in self.types]
        sides = [
            tuple(np.array(x, dtype) for x, dtype in zip(zip(*side, strict=True), carriers, strict=True))
            for side in (lhs, rhs)
        ]
        return list(zip(*(x.tolist() for x in self._apply(*sides)), strict=True))

    def _bounds(self, stacked: State) -> dict[int, tuple[Numbers, Numbers]]:
        """The least and the greatest permitted result of as many elements as there is time for."""
        n, columns = stacked[0].shape
        if not (self.is_direct and may_be_monotone(self.whole.body) and n <= LEAVES):
            return {}
        bounds = {}
        combine = self._combine()
        chunk = max(1, CELLS // (n + 1) ** 2)
        for start in range(0, columns, chunk):
            part = tuple(x[:, start : start + chunk] for x in stacked)
            self.work -= n**3 * part[0].shape[1] // 3
            if self.work < 0:
                break
            with np.errstate(all="ignore"):
                ends = extremes(self.whole.body, part, combine, self.any)
            for k in ends.hold.nonzero()[0] if ends else ():
                least, greatest = (tuple(x[k].item() for x in end) for end in (ends.least, ends.greatest))
                bounds[start + int(k)] = least, greatest
        return bounds

    def _combine(self) -> Combine:
        """The body; of one operand of up to 8 bits of storage by table."""
        type = self.whole.body.arguments[0].type.element_type
        if len(self.types) > 1 or not isinstance(type, QuantizedType) or type.storage_type.bits > 8:
            return self._apply
        low = type.storage_min
        stored = np.arange(low, type.storage_max + 1).astype(NUMPY.carrier(type.storage_type))
        grid = np.meshgrid(stored, stored, indexing="ij")
        (table,) = self._apply((grid[0],), (grid[1],))
        return lambda a, b: (table[a[0].astype(int) - low, b[0].astype(int) - low],)

    def _replay(self, column: int, program: Program, schedule: Schedule) -> None:
        """Run the witness."""
        outs = run(program.module, *program.args, schedule=schedule)
        state = tuple(NUMPY.decode(x.storage, x.type.storage_type).item() for x in outs)
        if self._which(column, [state]) is None:
            raise Bug(f"{schedule!r} does not give what was found for it", repr(state))


def given_by(schedule: Schedule) -> Membership:
    return Membership("permitted", f"{schedule!r} gives it", schedule)


def without_init(n: int) -> Schedule:
    """A left fold of n leaves but for the init."""
    return tree([(n + k - 1 if k else 1, k + 2) for k in range(n - 2)])


def _text(states: Sequence[Numbers]) -> str:
    texts = dict.fromkeys(repr(state[0]) if len(state) == 1 else repr(state) for state in states)
    return " or, without an init value, ".join(texts)
