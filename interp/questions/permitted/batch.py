"""Batches of result elements with the same number of leaves, and the body that combines them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, State
from interp.engine.evaluate import Context
from interp.engine.fold import Leaves as Folded
from interp.engine.fold import Node, fold
from interp.engine.quant import Type
from interp.engine.stored import expressed_type, stored_numbers
from interp.kernels import OPERATIONS
from interp.questions.permitted.selection import Combine
from spec.ir import Module, Op, Region
from spec.schedule import LEFT, Schedule
from spec.types import QuantizedType
from spec.values import State as Numbers

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
