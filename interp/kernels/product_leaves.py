"""Leaves that form a product: leaf number i has one digit per dimension, which selects a row of a table.

See `interp.backends.windows`: `tables[d][k]` are the indices, along dimension d, of the leaves whose digit
there is k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import Any

from interp.backends import Array, Namespace, State, windows
from interp.backends.windows import Inside, Steps, Table
from interp.engine.fold import Leaves
from interp.engine.limits import INDEX, Size, memory, refuse_size
from spec.errors import UNKNOWN, Location

CELLS = 1 << 20  # of a table that are compared at once


def leaves(
    xp: Namespace, arrays: State, tables: Sequence[Steps | Table], where: Location = UNKNOWN
) -> Leaves:
    """Return leaves of arrays; a leaf is a view if its number is known and the rows are slices."""
    radices, rows = [len(table) for table in tables], [_rows(xp, table) for table in tables]

    def at(i: Any) -> State:
        parts = [row(digit) for digit, row in zip(windows.digits(i, radices), rows, strict=True)]
        return tuple(_index(xp, x, parts) for x in arrays)

    def stack() -> State:
        _refuse(arrays, tables, where)
        whole = [table.whole() if isinstance(table, Steps) else table for table in tables]
        return tuple(_stack_leaves(xp, x, whole) for x in arrays)

    return Leaves(prod(radices), at, stack)


def _refuse(arrays: State, tables: Sequence[Steps | Table], where: Location) -> None:
    """Raise `Unsupported` if all leaves of these arrays, with their positions, do not fit into memory."""
    shapes = [(len(table), len(_row(table))) for table in tables]
    leaves = [Size([size for shape in shapes for size in shape], x.dtype.itemsize) for x in arrays]
    indices = [Size(shape, INDEX) for shape in shapes]
    refuse_size("a schedule that takes all leaves at once", [*leaves, *indices], memory(), where)


def _row(table: Steps | Table) -> Array:
    """Return the first row, or an empty array like it if the table has no rows."""
    return table.first if isinstance(table, Steps) else table[:1].reshape(table.shape[1])


def _rows(xp: Namespace, table: Steps | Table) -> Callable[[Any], Any]:
    """Return a function from a digit to its row: a slice if the digit is known and the row can be one.

    If each row is the one before it plus a constant, rows are computed only when needed.
    """
    shift = table.step if isinstance(table, Steps) else _shift(table)
    if shift is None:
        assert not isinstance(table, Steps)
        known = [windows.progression(row) for row in table]
        return lambda digit: known[digit] if isinstance(digit, int) else xp.asarray(table)[digit]
    first = windows.progression(_row(table))

    def row(digit: Any) -> Any:
        if isinstance(digit, int) and isinstance(first, slice):
            return slice(first.start + digit * shift, first.stop + digit * shift, first.step)
        return xp.asarray(_row(table)) + digit * shift

    return row


def _shift(table: Table) -> int | None:
    """Return the constant difference of neighbouring rows; None if it varies or there is no row."""
    if not len(table):
        return None
    step = int((table[1:2] - table[:1]).ravel()[:1].sum())
    rows = max(1, CELLS // max(1, table.shape[1]))
    parts = (table[k : k + rows + 1] for k in range(0, len(table) - 1, rows))
    return step if all((part[1:] - part[:-1] == step).all() for part in parts) else None


def _index(xp: Namespace, x: Array, parts: Sequence[Any]) -> Array:
    """Return the array at one index or slice per dimension."""
    x = x[(*(part if isinstance(part, slice) else slice(None) for part in parts), ...)]
    for axis, part in enumerate(parts):
        if not isinstance(part, slice):
            x = xp.take(x, part, axis=axis, mode="clip")
    return x


def _stack_leaves(xp: Namespace, x: Array, tables: Sequence[Table]) -> Array:
    """Return all leaves, stacked along a new first axis."""
    rank = len(tables)
    for axis in reversed(range(rank)):
        x = x[(*[slice(None)] * axis, xp.asarray(tables[axis]))]
    x = xp.transpose(x, [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)])
    return x.reshape(prod(x.shape[:rank]), *x.shape[rank:])


def combine_rows(
    xp: Namespace,
    combine: Callable[[Array, Array], Array],
    tables: Sequence[Inside | Table],
    i: Any,
) -> Array:
    """Combine, over all dimensions, the table rows for leaf number i (or for several, along a first axis).

    The result broadcasts against a leaf.
    """
    radices, rank = [len(table) for table in tables], len(tables)
    rows = []
    for axis, (digit, table) in enumerate(zip(windows.digits(i, radices), tables, strict=True)):
        row = _inside(xp, table, digit) if isinstance(table, Inside) else xp.asarray(table)[digit]
        rows.append(row.reshape(*row.shape[:-1], *[-1 if d == axis else 1 for d in range(rank)]))
    return reduce(combine, rows) if rows else xp.asarray(0)


def _inside(xp: Namespace, table: Inside, digit: Any) -> Array:
    """Return the row of a digit, or the rows of several along a first axis."""
    row = xp.asarray(table.indices.first) + xp.asarray(digit)[..., None] * table.indices.step
    return (row >= table.low) & (row < table.high)
