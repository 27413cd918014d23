"""A collective as a reduction: elements of a group's processes, folded in the order of the group.

There is no init value. The first process's element is leaf 0 in its place, which no schedule repeats.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from interp.backends import Array
from interp.engine.fold import Leaves
from interp.loading.names import RESERVED
from interp.recorder.part import Part
from spec.ir import Op, Value
from spec.types import TensorType


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
