"""Leaves that are products: leaf number i has a digit per dimension, and lies at a row of a table in each.

See `interp.windows`: `tables[d][k]` are the indices along dimension d of the leaves that have digit k there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import Any

from interp import windows
from interp.fold import Leaves
from interp.namespace import Array, Namespace, State


def leaves(xp: Namespace, arrays: State, tables: Sequence[windows.Table]) -> Leaves:
    """Leaves of arrays: views, where a leaf's number is known and the rows are slices."""
    radices = [len(table) for table in tables]
    rows = [[windows.progression(row) for row in table] for table in tables]

    def at(i: Any) -> State:
        parts = [_row(xp, *each) for each in zip(windows.digits(i, radices), rows, tables, strict=True)]
        return tuple(_indexed(xp, x, parts) for x in arrays)

    return Leaves(prod(radices), at, lambda: tuple(_stacked(xp, x, tables) for x in arrays))


def _row(xp: Namespace, digit: Any, rows: Sequence[Any], table: windows.Table) -> Any:
    return rows[digit] if isinstance(digit, int) else xp.asarray(table)[digit]


def _indexed(xp: Namespace, x: Array, parts: Sequence[Any]) -> Array:
    """One index or slice per dimension."""
    x = x[(*(part if isinstance(part, slice) else slice(None) for part in parts), ...)]
    for axis, part in enumerate(parts):
        if not isinstance(part, slice):
            x = xp.take(x, part, axis=axis, mode="clip")
    return x


def _stacked(xp: Namespace, x: Array, tables: Sequence[windows.Table]) -> Array:
    """All leaves, along a new first axis."""
    rank = len(tables)
    for axis in reversed(range(rank)):
        x = x[(*[slice(None)] * axis, xp.asarray(tables[axis]))]
    x = xp.transpose(x, [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)])
    return x.reshape(prod(x.shape[:rank]), *x.shape[rank:])


def combined(
    xp: Namespace, combine: Callable[[Array, Array], Array], tables: Sequence[windows.Table], i: Any
) -> Array:
    """What the tables have for leaf number i, or for several along a first axis, combined over dimensions.

    It broadcasts against a leaf.
    """
    radices, rank = [len(table) for table in tables], len(tables)
    rows = []
    for axis, (digit, table) in enumerate(zip(windows.digits(i, radices), tables, strict=True)):
        row = xp.asarray(table)[digit]
        rows.append(row.reshape(*row.shape[:-1], *[-1 if d == axis else 1 for d in range(rank)]))
    return reduce(combine, rows) if rows else xp.asarray(0)
