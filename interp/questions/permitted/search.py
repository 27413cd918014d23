"""Search for a schedule that gives a result, or for the exact set of results, in batches of elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, State
from interp.engine.evaluate import Context
from interp.engine.fold import Leaves as Folded
from interp.engine.fold import Node, fold
from interp.engine.quant import Type
from interp.engine.storage import expressed_type, stored_numbers
from interp.kernels import OPERATIONS
from interp.questions.permitted.selection import Combine
from spec.ir import Module, Op, Region
from spec.permitted import Membership, Values, membership
from spec.permitted import State as Numbers
from spec.schedule import BALANCED, LEFT, Schedule, blocks, random, tree, windows
from spec.types import QuantizedType

# Batches of result elements with the same number of leaves, and the body that combines them.

FAST = ("f32", "f64")  # rounded to by the machine itself


class Batch(NamedTuple):
    """Result elements at the flat indices `columns`, with the same number of `leaves`, `[leaves, columns]`.

    `states` has, per column, the results of the schedules that were tried.
    """

    columns: Sequence[int]
    leaves: State
    states: Sequence[Sequence[Numbers]]

    @property
    def n(self) -> int:
        """Return the number of leaves of each element, the init included."""
        return len(self.leaves[0])

    def only(self, some: Sequence[int]) -> Batch:
        """Return the part of the batch with these elements only."""
        leaves = tuple(x[:, list(some)] for x in self.leaves)
        return Batch([self.columns[at] for at in some], leaves, [self.states[at] for at in some])

    def rows(self, at: int) -> list[Numbers]:
        """Return the leaves of one element."""
        return list(zip(*(x[:, at].tolist() for x in self.leaves), strict=True))


def combination(module: Module, body: Region) -> Combine:
    """Return a body as a function of arrays; it uses a table for one operand of up to 8 bits of storage."""
    op = Op("stablehlo.reduce", (), (), {}, (body,))
    apply = Context(NUMPY, module, LEFT, OPERATIONS).body(op, 0)

    def combine(lhs: State, rhs: State) -> State:
        with np.errstate(all="ignore"):
            return apply(lhs, rhs, Node(0, 0, None, False))

    type = body.arguments[0].type.element_type
    if len(body.returns) > 1 or not isinstance(type, QuantizedType) or type.storage_type.bits > 8:
        return combine
    low, stored = type.storage_min, stored_numbers(type)
    grid = np.meshgrid(stored, stored, indexing="ij")
    (table,) = combine((grid[0],), (grid[1],))
    return lambda a, b: (table[a[0].astype(int) - low, b[0].astype(int) - low],)


def weight(body: Region) -> int:
    """Estimate the time of one application of a body, in applications of plain integer operations."""
    types = ([v.type.element_type for v in (*op.operands, *op.results)] for op in body.ops[:-1])
    return 1 + sum(max(map(_weight, own)) for own in types)


def _weight(type: Type) -> int:
    computed = expressed_type(type)
    if computed.kind != "float" or (computed is type and computed.name in FAST):
        return 1
    return 8 if computed.name in (*FAST, "f16") else 64


def fold_leaves(combine: Combine, leaves: State, schedule: Schedule) -> State:
    """Fold `[leaves, elements]` by a schedule, leaf 0 being the init value."""
    rest = tuple(x[1:] for x in leaves)
    own = Folded(len(rest[0]), lambda i: tuple(x[i] for x in rest), lambda: rest)
    body = lambda lhs, rhs, node: combine(lhs, rhs)
    return fold(NUMPY, body, tuple(x[0] for x in leaves), own, schedule)[0]


OTHERS = (BALANCED, *(random(seed) for seed in range(4)))  # schedules of one init
REPEATING = tuple(schedule(1 << k) for k in (1, 2, 3, 4, 6, 7, 8) for schedule in (blocks, windows))
STEPS = 1 << 14  # nodes of such trees
WIDE = 8  # bits of storage up to which elements share what is known of the body

SHOWN = 32  # nodes of a tree that is written out

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
        """Judge each element within its share of the limit, then half the rest."""
        count = min(len(batch.columns), max(self.most, 0))
        self.most -= count
        unsearched = Membership("unknown", "not searched for: see `most`")
        found = dict.fromkeys(range(len(batch.columns)), unsearched)
        found.update((at, self._exact(batch, at, self.limit // (2 * count))) for at in range(count))
        for at in range(count):
            if found[at].kind == "unknown":
                found[at] = self._exact(batch, at, self.limit // 2)
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

    def others(self, batch: Batch) -> dict[int, Membership]:
        """Return the elements that one of some further schedules has as its result."""
        found, unknown = dict[int, Membership](), range(min(len(batch.columns), max(self.most, 0)))
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
    return Membership("permitted", f"{text_of(schedule)} gives it", schedule)


def text_of(schedule: Schedule) -> str:
    """Return the text of a schedule; a long tree is not written out."""
    steps = schedule.argument
    if not isinstance(steps, tuple) or len(steps) <= SHOWN:
        return repr(schedule)
    return f"a tree of {len(steps):,} nodes"
