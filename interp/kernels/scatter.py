"""scatter: rows of inputs, each folded with the rows of updates that land on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.fold import Leaves, Node
from interp.kernels.landing import Rows, ascending, keys, rows_of
from interp.kernels.reduce import Kernel, fold_leaves, results, to_body
from interp.kernels.traced_scatter import fold_places
from interp.speed.integer_bodies import body_of
from interp.speed.scattering import combine_updates, landing_of
from spec.ir import Op

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
