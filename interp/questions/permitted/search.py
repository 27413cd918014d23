"""Search for a schedule that gives a result, or for the exact set of results, within limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from interp.backends import NUMPY
from interp.questions.permitted.batch import Batch, fold_leaves
from interp.questions.permitted.selection import Combine
from spec.ir import Region
from spec.permitted import Membership, membership
from spec.schedule import BALANCED, Schedule, blocks, random, tree, windows
from spec.values import State as Numbers
from spec.values import Values

OTHERS = (BALANCED, *(random(seed) for seed in range(4)))  # schedules of one init
REPEATING = tuple(schedule(1 << k) for k in (1, 2, 3, 4, 6, 7, 8) for schedule in (blocks, windows))
STEPS = 1 << 14  # nodes of such trees
WIDE = 8  # bits of storage up to which elements share what is known of the body

Given = Callable[[Sequence[Numbers]], Numbers | None]
Which = Callable[[int, Sequence[Numbers]], Numbers | None]


class Search:
    """Searcher for results of a body, with `limit` applications in total, for at most `most` elements."""

    def __init__(
        self, body: Region, combine: Combine, which: Which, inits: bool, limit: int, most: int
    ) -> None:
        self.body, self.combine, self.which, self.inits = body, combine, which, inits
        self.limit, self.most, self.steps = limit, most, STEPS
        self.carriers = [NUMPY.carrier(value.type.storage_type) for value in body.returns]
        narrow = [value.type.storage_type.bits <= WIDE for value in body.returns] == [True]
        self.shared = Values(self.apply) if narrow else None

    def verdicts(self, batch: Batch) -> dict[int, Membership]:
        """Judge each element within its share of the limit, then half the rest, then by other schedules."""
        count = min(len(batch.columns), max(self.most, 0))
        self.most -= count
        unsearched = Membership("unknown", "not searched for: see `most`")
        found = dict.fromkeys(range(len(batch.columns)), unsearched)
        found.update((at, self._exact(batch, at, self.limit // (2 * count))) for at in range(count))
        for at in range(count):
            if found[at].kind == "unknown":
                found[at] = self._exact(batch, at, self.limit // 2)
        unknown = [at for at in range(count) if found[at].kind == "unknown"]
        found.update(self._try_others(batch, unknown))
        return found

    def _exact(self, batch: Batch, at: int, limit: int) -> Membership:
        """Search the exact set; if it is too large, at least the trees with one init or with none."""
        rows, given = batch.rows(at), lambda states: self.which(batch.columns[at], states)
        found = self._among(rows, given, self.inits, limit)
        if found.kind != "unknown" or not self.inits:
            return found
        one = self._among(rows, given, False, limit // 4)
        if one.kind == "permitted" or len(rows) == 1:
            return one if one.kind == "permitted" else found
        none = self._among(rows[1:], given, False, limit // 4)
        if none.schedule:  # of the elements alone: its nodes are one further
            steps = [(lhs + 1, rhs + 1) for lhs, rhs in none.schedule.steps(len(rows) - 1, seeded=False)]
            return given_by(tree(steps))
        return found

    def _among(self, rows: list[Numbers], given: Given, inits: bool, limit: int) -> Membership:
        values = self.shared or Values(self.apply)
        values.limit, values.work = limit, 512 * limit
        found = membership(given, values, rows, inits)
        self.limit -= max(limit - values.limit, limit - values.work // 512)
        return found

    def _try_others(self, batch: Batch, unknown: list[int]) -> dict[int, Membership]:
        """Return the elements that one of some further schedules has as its result."""
        found: dict[int, Membership] = {}
        for schedule in (*OTHERS, *(REPEATING if self.inits else ())):
            rest = [at for at in unknown if at not in found]
            self.steps -= batch.n
            if not rest or self.steps < 0:
                break
            results = fold_leaves(self.combine, batch.only(rest).leaves, schedule)
            for k, at in enumerate(rest):
                state = tuple(x[k].item() for x in results)
                if self.which(batch.columns[at], [state]) is not None:
                    found[at] = given_by(schedule)
        return found

    def apply(self, lhs: Sequence[Numbers], rhs: Sequence[Numbers]) -> list[Numbers]:
        """Apply the body to many pairs at once."""
        sides = [
            tuple(np.array(x, dtype) for x, dtype in zip(zip(*side, strict=True), self.carriers, strict=True))
            for side in (lhs, rhs)
        ]
        return list(zip(*(x.tolist() for x in self.combine(*sides)), strict=True))


def given_by(schedule: Schedule) -> Membership:
    return Membership("permitted", f"{schedule!r} gives it", schedule)
