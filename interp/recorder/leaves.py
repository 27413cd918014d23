"""The leaves of result elements with the same number of leaves, those of collectives among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from interp.backends import Array, State
from interp.engine.fold import Leaves
from interp.engine.work import beat
from interp.loading.source import RESERVED
from spec.ir import Op, Value
from spec.types import TensorType

CELLS = 1 << 19  # of a block of leaves, which a cache holds
FEW = 1024  # columns


class Part(NamedTuple):
    """The leaves of the result elements `columns`, flat indices; arrays have one entry for each of them."""

    leaves: Leaves
    columns: Array

    @property
    def n(self) -> int:
        return self.leaves.n

    def blocks(self, k: int = 0) -> Iterator[tuple[Array, Array | None]]:
        """Yield blocks of the leaves of operand k without the init, `[leaves, columns]`, and their presence.

        Presence None means that no leaf is ever absent. A block has at most `CELLS` elements, or is one leaf.
        """
        size = max(1, CELLS // max(1, len(self.columns)))
        whole = self._stack(k) if self.n and len(self.columns) <= FEW else None
        for first in range(0, self.n, size):
            beat("leaves", first, self.n)
            last = min(first + size, self.n)
            if whole is None:
                yield self._rows(k, range(first, last))
            else:
                values, present = whole
                yield values[first:last], None if present is None else present[first:last]

    def flat(self, f: Callable[[Array], Array]) -> Leaves:
        """Return the leaves `f(leaf)` of operand 0, flattened to one axis of columns."""
        leaves, size = self.leaves, len(self.columns)
        present, stacked = leaves.present, leaves.stack_present
        return Leaves(
            leaves.n,
            lambda i: (f(leaves.at(i)[0].reshape(size)),),
            lambda: (f(leaves.stack()[0].reshape(leaves.n, size)),),
            present and (lambda i: present(i).reshape(size)),
            stacked and (lambda: stacked().reshape(leaves.n, size)),
        )

    def with_init(self, init: Array) -> Leaves:
        """Return the init values, as leaf 0, followed by the leaves of operand 0; none is ever absent."""
        values = np.concatenate([init[None], *(values for values, _ in self.blocks())])
        return Leaves(len(values), lambda i: (values[i],), lambda: (values,))

    def _stack(self, k: int) -> tuple[Array, Array | None]:
        """Return all leaves at once, for few columns, which may have many leaves."""
        here = self.leaves.stack_present() if self.leaves.stack_present else None
        shape = self.n, len(self.columns)
        return self.leaves.stack()[k].reshape(shape), None if here is None else here.reshape(shape)

    def _rows(self, k: int, rows: range) -> tuple[Array, Array | None]:
        """Return some leaves, taken one after another, for many columns."""
        values = np.stack([np.ravel(self.leaves.at(i)[k]) for i in rows])
        present = self.leaves.present
        return values, None if present is None else np.stack([np.ravel(present(i)) for i in rows])

    def column(self, at: int) -> tuple[list[State], list[bool]]:
        """Return the leaves of the element `columns[at]` as Python numbers, and which are present."""
        present = self.leaves.present
        rows = [
            tuple(x.reshape(-1)[at].item() for x in map(np.asarray, self.leaves.at(i))) for i in range(self.n)
        ]
        return rows, [present is None or bool(np.ravel(present(i))[at]) for i in range(self.n)]


# A collective as a reduction: elements of a group's processes, folded in the order of the group.
#
# There is no init value. The first process's element is leaf 0 in its place, which no schedule repeats.


class Group(NamedTuple):
    """The processes whose elements of `operand` are folded, and its index that becomes result index 0."""

    processes: tuple[tuple[int, int], ...]
    operand: str
    first: tuple[int, ...]

    def origin(self, number: int, index: tuple[int, ...]) -> str:
        """Return the place of leaf `number` of a result element: `%x [0, 1] of process (1, 0)`."""
        place = [i + start for i, start in zip(index, self.first or (0,) * len(index), strict=True)]
        return f"{self.operand} {place} of process {self.processes[number]}"


@dataclass
class Collected:
    """The operands that a collective folds now, before and after conversion, in the order of the group."""

    op: Op
    processes: tuple[tuple[int, int], ...]
    first: tuple[int, ...]
    before: list[Array] = field(default_factory=list)
    after: list[Array] = field(default_factory=list)

    @property
    def group(self) -> Group:
        return Group(self.processes, self.op.operands[0].name, self.first)


def as_fold(op: Op, n: int) -> Op:
    """Return the fold of n processes' operands as a `reduce` of all but the first, which is its init.

    It is not a valid operation, because its init has the shape of the result.
    """
    source, result = op.operands[0].type.element_type, op.results[0]
    others = Value(f"%others{RESERVED}", TensorType((n - 1, *result.type.shape), source))
    first = Value(f"%first{RESERVED}", TensorType(result.type.shape, source))
    return Op(
        "stablehlo.reduce", (others, first), (result,), {"dimensions": (0,)}, op.regions, location=op.location
    )


def as_collective(op: Op, fold: Op) -> Op:
    """Return the collective that `as_fold` turns into this fold, perhaps on other types than its own."""
    value, (_, first) = op.operands[0], fold.operands
    operand = replace(value, type=replace(value.type, element_type=first.type.element_type))
    return replace(op, operands=(operand,), results=fold.results, regions=fold.regions)


def stack_rows(rows: list[Array]) -> tuple[Array, Array]:
    """Return the elements of all processes but the first along a new first axis, and those of the first."""
    first = np.asarray(rows[0])
    return np.stack(rows[1:]) if len(rows) > 1 else np.zeros((0, *first.shape), first.dtype), first


def part_of(others: Array) -> Part:
    """Return the elements of all processes but the first as leaves."""
    leaves = Leaves(len(others), lambda i: (others[i],), lambda: (others,), in_memory=True)
    return Part(leaves, np.arange(int(np.prod(others.shape[1:], dtype=int))))
