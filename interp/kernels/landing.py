"""Positions on which the updates of a scatter land: one key per row of updates.

A dimension of the inputs along which the start is always 0 is free: an update keeps its index there. So a row
of updates, which spans the free dimensions, lands on a row of the inputs; the key is the number of that row.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from interp.backends import Array, Namespace
from interp.backends.windows import row_major
from spec.ir import Op


class Rows(NamedTuple):
    """The dimensions of inputs and updates: those that determine a row's key, and the free ones in a row."""

    shape: tuple[int, ...]  # of the inputs
    keyed: tuple[int, ...]
    free: tuple[int, ...]
    sizes: tuple[int, ...]  # of the updates along the free dimensions
    lead: tuple[int, ...]  # the dimensions of the updates outside of a row
    inside: tuple[int, ...]  # those inside of it
    window: dict[int, int]  # the dimension of the updates along the window, by that of the inputs

    @property
    def row(self) -> int:
        """Return the number of elements in a row of updates."""
        return prod(self.sizes)

    @property
    def rows(self) -> int:
        """Return the number of rows of the inputs."""
        return prod(self.shape[d] for d in self.keyed)

    def _box(self) -> tuple[slice, ...]:
        """Return the part of the inputs, keyed dimensions first, that updates may reach."""
        return (*[slice(None)] * len(self.keyed), *map(slice, self.sizes))

    def inputs(self, xp: Namespace, x: Array) -> Array:
        """Return the inputs as rows, without the elements that no update can reach."""
        return xp.transpose(x, (*self.keyed, *self.free))[self._box()].reshape(self.rows, self.row)

    def updates(self, xp: Namespace, x: Array) -> Array:
        """Return updates as rows, in ascending order of their index."""
        moved = xp.transpose(x, (*self.lead, *self.inside))
        return moved.reshape(prod(moved.shape[: len(self.lead)]), self.row)

    def to_updates(self, xp: Namespace, rows: Array, shape: tuple[int, ...]) -> Array:
        """Return rows of updates as a tensor of updates of this shape."""
        order = (*self.lead, *self.inside)
        moved = rows.reshape([shape[d] for d in order])
        return xp.transpose(moved, [order.index(d) for d in range(len(order))])

    def columns(self, xp: Namespace) -> Array:
        """Return the flat indices of the inputs as rows."""
        return self.inputs(xp, xp.arange(prod(self.shape)).reshape(self.shape))

    def replace_rows(self, xp: Namespace, x: Array, rows: Array) -> Array:
        """Return the inputs `x` with their rows replaced by these."""
        order = (*self.keyed, *self.free)
        moved = xp.transpose(x, order)
        rows = rows.reshape([moved.shape[k] for k in range(len(self.keyed))] + list(self.sizes))
        if rows.shape != moved.shape:
            rows = xp.replace_at(moved, self._box(), rows)
        return xp.transpose(rows, [order.index(d) for d in range(len(order))])


def rows_of(op: Op) -> Rows:
    """Return which dimensions of a scatter are keyed and which are free."""
    n = len(op.results)
    shape, updates = op.operands[0].type.shape, op.operands[n + 1].type.shape
    outside = {*op["inserted_window_dims"], *op["input_batching_dims"]}
    along = zip((d for d in range(len(shape)) if d not in outside), op["update_window_dims"], strict=True)
    window = dict(along)
    free = tuple(d for d in window if d not in op["scatter_dims_to_operand_dims"])
    inside = tuple(window[d] for d in free)
    return Rows(
        shape,
        tuple(d for d in range(len(shape)) if d not in free),
        free,
        tuple(updates[d] for d in inside),
        tuple(d for d in range(len(updates)) if d not in inside),
        inside,
        window,
    )


def keys(xp: Namespace, op: Op, rows: Rows, scatter_indices: Array) -> Array:
    """Return, for each row of updates, the number of the row on which it lands; -1 if out of bounds."""
    n, vector = len(op.results), op["index_vector_dim"]
    indices, updates = op.operands[n].type, op.operands[n + 1].type.shape
    lead = rows.lead
    scattered = [d for d in lead if d not in op["update_window_dims"]]
    batching_of = dict(zip(op["input_batching_dims"], op["scatter_indices_batching_dims"], strict=True))
    starts = (
        scatter_indices[..., None] if vector == indices.rank else xp.moveaxis(scatter_indices, vector, -1)
    )

    def along(d: int) -> Array:
        """Return 0, 1, ... along a dimension of the updates."""
        return xp.arange(updates[d]).reshape([-1 if k == d else 1 for k in lead])

    def index(d: int) -> Array:
        """Return the index in dimension d of the inputs, to be broadcast over the rows of updates."""
        total: Any = xp.zeros([1] * len(lead), xp.int64)
        if d in op["scatter_dims_to_operand_dims"]:
            start = starts[..., op["scatter_dims_to_operand_dims"].index(d)]
            wide = updates[rows.window[d]] if d in rows.window else 1
            near = _near(xp, start, indices.storage_type, -wide, rows.shape[d])
            total = total + near.reshape([updates[k] if k in scattered else 1 for k in lead])
        if d in batching_of:
            total = total + along(scattered[batching_of[d] - (batching_of[d] > vector)])
        return total + along(rows.window[d]) if d in rows.window else total

    shape = [updates[d] for d in lead]
    key, inside = xp.zeros(shape, xp.int64), xp.ones(shape, bool)
    sizes = [rows.shape[d] for d in rows.keyed]
    for d, size, stride in zip(rows.keyed, sizes, row_major(sizes), strict=True):
        there = index(d)
        key, inside = key + there * stride, inside & (there >= 0) & (there < size)
    return xp.where(inside, key, xp.asarray(-1, key.dtype)).reshape(-1)


def ascending(xp: Namespace, op: Op, scatter_indices: Array) -> bool:
    """Return whether start indices, which are vectors, ascend lexicographically."""
    vector = op["index_vector_dim"]
    whole = scatter_indices[..., None] if vector == scatter_indices.ndim else scatter_indices
    mapped = op["scatter_dims_to_operand_dims"]
    starts = xp.moveaxis(whole, vector, -1).reshape(-1, len(mapped))
    pairs = max(0, len(starts) - 1)
    less, same = xp.zeros(pairs, bool), xp.ones(pairs, bool)
    for d in sorted(mapped):
        before, after = starts[:-1, mapped.index(d)], starts[1:, mapped.index(d)]
        less, same = less | (same & (before < after)), same & (before == after)
    return bool((less | same).all())


def _near(xp: Namespace, start: Array, type: Any, low: int, high: int) -> Array:
    """Return start indices clipped to [low, high], whose ends are out of bounds too."""
    return xp.clip(start, max(low, type.min_value), min(high, type.max_value)).astype(xp.int64)
