"""scatter in compiled code, where keys are not known: the same folds, over places computed at run time."""

from __future__ import annotations

from typing import NamedTuple

from interp.backends import Array, State
from interp.engine.evaluate import Context
from interp.engine.fold import Body, Node
from interp.kernels.landing import Rows
from interp.speed.integer_bodies import body_of
from spec.ir import Op

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
