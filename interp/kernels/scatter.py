"""scatter: rows of inputs, each folded with the updates that land on it, also in compiled code."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

from interp.backends import Array, Namespace, State
from interp.backends.windows import row_major
from interp.engine.evaluate import Context
from interp.engine.fold import Body, Leaves, Node
from interp.kernels.reduce import Kernel, fold_leaves, results, to_body
from interp.speed.integer_bodies import body_of
from interp.speed.scattering import combine_updates, landing_of
from spec.ir import Op

# Positions on which the updates of a scatter land: one key per row of updates.
#
# A dimension of the inputs along which the start is always 0 is free: an update keeps its index there. So a
# row of updates, which spans the free dimensions, lands on a row of the inputs; the key is the number of
# that row.


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


# scatter in compiled code, where keys are not known: the same folds, over places computed at run time.

NODE = Node(0, 0, None, False)  # nobody observes a compiled program


class Places(NamedTuple):
    """Leaves of all rows in one array: for each row a segment, which is its value followed by its updates.

    `row` is the row of inputs to which a segment belongs, or beyond the last one.
    """

    values: State
    rank: Array  # of a place, in its segment
    left: Array  # places of the same segment from this one on
    first: Array  # the first place of a segment
    count: Array  # the number of places of a segment
    row: Array


def fold_places(ctx: Context, op: Op, rows: Rows, key: Array, inputs: State, updates: State) -> State:
    """Fold each row of inputs with the rows of updates whose key names it."""
    xp, body = ctx.xp, body_of(ctx, op, 0)
    places = _places(ctx, rows, key, inputs, updates)
    if ctx.schedule.name == "balanced":
        totals = _fold_balanced(ctx, body, places)
    else:
        size = ctx.schedule.argument if ctx.schedule.name == "blocks" else 1
        assert isinstance(size, int)
        size = min(size, len(key) + 1)
        every = xp.arange(len(places.rank))
        count = xp.where(places.rank % size == 0, xp.minimum(places.left, size), 1)
        blocks = places.values if size == 1 else _left(ctx, body, places.values, every, 1, count)
        totals = _left(ctx, body, blocks, places.first, size, -(-places.count // size))
    return tuple(xp.replace_at(x, places.row, total) for x, total in zip(inputs, totals, strict=True))


def _places(ctx: Context, rows: Rows, key: Array, inputs: State, updates: State) -> Places:
    """Sort the updates by their key; those out of bounds form a segment whose row is beyond the last one."""
    xp, n = ctx.xp, len(key)
    key = xp.where(key < 0, rows.rows, key)
    order = xp.argsort(key, stable=True)
    key = key[order]
    fresh = xp.concatenate([xp.ones(1, bool), key[1:] != key[:-1]])
    segment = xp.cumsum(fresh) - 1  # of an update
    number = xp.arange(min(rows.rows + 1, n))
    start, end = (xp.searchsorted(segment, number, side=side) for side in ("left", "right"))
    row = xp.where(start < n, key[xp.minimum(start, n - 1)], rows.rows)
    first = start + number
    size = n + len(number)
    of_update = xp.arange(n) + segment + 1
    owner = xp.searchsorted(first, xp.arange(size), side="right") - 1
    rank = xp.arange(size) - first[owner]
    known = xp.minimum(row, rows.rows - 1)
    empty = (xp.zeros((size, x.shape[1]), x.dtype) for x in inputs)
    values = tuple(
        xp.replace_at(xp.replace_at(place, of_update, y[order]), first, x[known])
        for place, x, y in zip(empty, inputs, updates, strict=True)
    )
    return Places(values, rank, (end - start + 1)[owner] - rank, first, end - start + 1, row)


def _left(ctx: Context, body: Body, values: State, first: Array, step: int, count: Array) -> State:
    """Fold from the left, for each place in `first`, the values at it and at every `step`-th place after."""
    xp, most = ctx.xp, count.max()
    start = tuple(x[first] for x in values)

    def more(state: State) -> Array:
        return state[0] < most

    def after(state: State) -> State:
        k, *totals = state
        place = xp.minimum(first + k * step, len(values[0]) - 1)
        both = body(tuple(totals), tuple(x[place] for x in values), NODE)
        here = (k < count)[:, None]
        return (k + 1, *(xp.where(here, a, b) for a, b in zip(both, totals, strict=True)))

    _, *totals = xp.while_loop(more, after, (xp.asarray(1, count.dtype), *start))
    return tuple(totals)


def _fold_balanced(ctx: Context, body: Body, places: Places) -> State:
    """Combine places that are 1, 2, 4, ... apart, which are the neighbours in the rounds of a segment."""
    xp, most = ctx.xp, places.count.max()
    every = xp.arange(len(places.rank))

    def more(state: State) -> Array:
        return state[0] < most

    def after(state: State) -> State:
        apart, *values = state
        partner = xp.minimum(every + apart, len(every) - 1)
        both = body(tuple(values), tuple(x[partner] for x in values), NODE)
        here = ((places.rank % (2 * apart) == 0) & (apart < places.left))[:, None]
        return (2 * apart, *(xp.where(here, a, b) for a, b in zip(both, values, strict=True)))

    _, *totals = xp.while_loop(more, after, (xp.asarray(1, places.count.dtype), *places.values))
    return tuple(x[places.first] for x in totals)


BROKEN = "the data breaks a promise of the scatter, so that its behavior is undefined"


class Segments(NamedTuple):
    """Rows of updates in the order of their keys: each segment lands on one row of the inputs."""

    order: Array  # the number of a row of updates, by its place; in a segment they ascend
    key: Array  # of a segment
    start: Array  # the first place of a segment
    count: Array  # the number of places of a segment


def scatter(ctx: Context, op: Op, *operands: Array) -> State:
    """`results...[i] = fold(update_computation, [inputs...[i]] + updates...)` of the updates landing on i.

    A schedule's tree is over the leaves of one element: its own value, once, then its updates, ascending.
    """
    xp, n, rows = ctx.xp, len(op.results), rows_of(op)
    inputs, types = to_body(ctx, op, operands[:n], 0)
    updates, _ = to_body(ctx, op, operands[n + 1 :], 0, first=n + 1)
    totals = inputs
    if inputs[0].size and (updates[0].size or ctx.listeners):
        key = keys(xp, op, rows, operands[n])
        if ctx.listeners and op["unique_indices"]:
            met = _meets_another(xp, key)[:, None]
            where = rows.to_updates(xp, xp.broadcast_to(met, (len(key), rows.row)), updates[0].shape)
            for listener in ctx.listeners:
                listener.on_equal_indices(op, where)
        before = tuple(rows.inputs(xp, x) for x in inputs)
        arriving = tuple(rows.updates(xp, x) for x in updates)
        after = _fold_rows(ctx, op, rows, key, before, arriving)
        totals = tuple(rows.replace_rows(xp, x, row) for x, row in zip(inputs, after, strict=True))
    return results(ctx, op, totals, types)


def _fold_rows(ctx: Context, op: Op, rows: Rows, key: Array, inputs: State, updates: State) -> State:
    """Fold each row of inputs with the updates that land on it."""
    landing = None if ctx.is_watched else landing_of(op, ctx.schedule)
    if landing and (ctx.xp.in_place or not landing.in_order):
        for listener in ctx.listeners:
            listener.on_fast_path(op, landing.theorem, landing.why)
        return combine_updates(ctx.xp, landing, key, inputs, updates)
    return (_eager if ctx.xp.in_place else fold_places)(ctx, op, rows, key, inputs, updates)


def _eager(ctx: Context, op: Op, rows: Rows, key: Array, inputs: State, updates: State) -> State:
    """Fold with known keys: in rounds, or rows with the same number of updates together."""
    segments = _segments(ctx.xp, key)
    if ctx.schedule.name == "left" and not ctx.listeners:
        return _in_rounds(ctx, op, segments, inputs, updates)
    return _in_groups(ctx, op, rows, segments, inputs, updates)


def _segments(xp: Namespace, key: Array) -> Segments:
    """Sort, by their keys, the rows of updates that land within the inputs."""
    order = xp.argsort(key, stable=True)
    order = order[int((key < 0).sum()) :]
    place = key[order]
    start = xp.flatnonzero(xp.concatenate([xp.ones(min(1, len(place)), bool), place[1:] != place[:-1]]))
    return Segments(order, place[start], start, xp.diff(start, append=len(place)))


def _meets_another(xp: Namespace, key: Array) -> Array:
    """Return which rows of updates land on the same row as an earlier one."""
    segments = _segments(xp, key)
    first = xp.replace_at(xp.zeros(len(key), bool), segments.order[segments.start], True)
    return (key >= 0) & ~first


def _in_rounds(ctx: Context, op: Op, segments: Segments, inputs: State, updates: State) -> State:
    """Fold from the left: round k takes the k-th update of every row that has one, in place."""
    xp, body = ctx.xp, body_of(ctx, op, 0)
    longest_first = xp.argsort(-segments.count, stable=True)
    key, start, count = (x[longest_first] for x in (segments.key, segments.start, segments.count))
    totals = [x[key] for x in inputs]
    for k in range(int(count.max(initial=0))):
        active = slice(int(xp.searchsorted(-count, -k)))
        landing = segments.order[start[active] + k]
        after = body(
            tuple(x[active] for x in totals), tuple(x[landing] for x in updates), Node(0, k + 1, None, False)
        )
        for total, x in zip(totals, after, strict=True):
            total[active] = x
    return tuple(xp.replace_at(x, key, total) for x, total in zip(inputs, totals, strict=True))


def _in_groups(ctx: Context, op: Op, rows: Rows, segments: Segments, inputs: State, updates: State) -> State:
    """Fold rows with the same number of updates together, by any schedule."""
    xp, results = ctx.xp, inputs
    for key, places in _groups(xp, rows.rows, segments):
        seed = tuple(x[key] for x in inputs)
        leaves = _leaves(xp, seed, tuple(x[places] for x in updates))
        columns = rows.columns(xp)[key].reshape(-1) if ctx.listeners else None
        after, _ = fold_leaves(ctx, op, 0, body_of(ctx, op, 0, columns), None, leaves, columns)
        results = tuple(xp.replace_at(x, key, row) for x, row in zip(results, after, strict=True))
    return results


def landing(xp: Namespace, op: Op, scatter_indices: Array) -> Iterator[tuple[Array, Array]]:
    """Yield flat result indices, and the ascending flat indices `[leaf, element]` of the updates on them.

    Result elements that no update can reach are left out.
    """
    rows, updates = rows_of(op), op.operands[len(op.results) + 1].type
    columns = rows.columns(xp)
    numbers = rows.updates(xp, xp.arange(updates.size).reshape(updates.shape))
    for key, places in _groups(xp, rows.rows, _segments(xp, keys(xp, op, rows, scatter_indices))):
        own = columns[key].reshape(-1)
        yield own, numbers[places].reshape(len(places), len(own))


def breaks_a_promise(xp: Namespace, op: Op, scatter_indices: Array) -> bool:
    """Return whether the data violates `unique_indices` or `indices_are_sorted`.

    Start indices are sorted if each, as a vector in the order of the dimensions, is at least the one before.
    """
    if op["unique_indices"] and bool(
        (_segments(xp, keys(xp, op, rows_of(op), scatter_indices)).count > 1).any()
    ):
        return True
    return op["indices_are_sorted"] and not ascending(xp, op, scatter_indices)


def _groups(xp: Namespace, count: int, segments: Segments) -> Iterator[tuple[Array, Array]]:
    """Yield the keys of rows with the same number of updates, and the updates' numbers `[leaf, row]`."""
    counts = xp.replace_at(xp.zeros(count, xp.int64), segments.key, segments.count)
    start = xp.replace_at(xp.zeros(count, xp.int64), segments.key, segments.start)
    for n in xp.unique(counts):
        key = xp.flatnonzero(counts == n)
        yield key, segments.order[start[key] + xp.arange(int(n))[:, None]]


def _leaves(xp: Namespace, seed: State, landing: State) -> Leaves:
    """Return the leaves of rows with the same number of updates; their own values are leaf 0."""
    stacked = tuple(xp.concatenate([x[None], y]) for x, y in zip(seed, landing, strict=True))
    return Leaves(len(stacked[0]), lambda i: tuple(x[i] for x in stacked), lambda: stacked)


KERNELS: dict[str, Kernel] = {"stablehlo.scatter": scatter}
