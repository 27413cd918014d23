"""select_and_scatter: `select` chooses a position in each window, to which its source is scattered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from operator import add, and_
from typing import Any

import interp.backends.windows as geometry
from interp.backends import Array, Namespace, State
from interp.backends.windows import Box, Table, Windows, every, inside_of
from interp.engine.evaluate import Context
from interp.engine.fold import Node
from interp.engine.limits import INDEX, Size, memory, refuse_size
from interp.kernels import product_leaves
from interp.kernels.reduce import Kernel, fold_leaves, results, to_body
from interp.speed.integer_bodies import body_of
from spec.ir import Op


def select_and_scatter(ctx: Context, op: Op, operand: Array, source: Array, init: Array) -> State:
    """`result[i] = fold(scatter, [init] + source...)` over the windows in which `select` chose i.

    The tree is over all sources whose window covers i. Elements that the same number of windows cover, in
    each dimension, are folded together. A left fold may skip missing sources, so it folds all elements
    together; or, if arrays can be written to, each source into the element that it goes to.
    """
    xp, shape = ctx.xp, operand.shape
    (source, init), (element,) = to_body(ctx, op, (source, init), 1, first=1)
    chosen, together = _select(ctx, op, operand), not ctx.listeners and ctx.schedule.name == "left"
    if together and xp.in_place:
        in_turn = lambda box: (_in_turn(ctx, op, source, chosen, init, box),)
        (total,) = xp.by_box(in_turn, shape, [1] * len(shape))
        return results(ctx, op, (total,), (element,))
    covering = _covering(op)

    def scatter_part(part: Sequence[Any]) -> Array:
        return _scatter(ctx, op, source, chosen, init, part, covering)

    if together:
        total = scatter_part(geometry.whole(shape))
    else:
        groups = [geometry.alike(number) for _, number in covering]
        total = _join(xp, [scatter_part(part) for part in product(*groups)], groups)
    return results(ctx, op, (total,), (element,))


def _select(ctx: Context, op: Op, operand: Array) -> Array:
    """Return, per window, the number of the position that `select` keeps; -1 if it is all padding."""
    xp, shape = ctx.xp, op.operands[1].type.shape
    windows = Windows(op["window_dimensions"], op["window_strides"], [1] * operand.ndim)
    numbers = xp.arange(windows.n).astype(_number(op))
    padded = xp.pad_with(operand, xp.zeros((), operand.dtype), [(*edge, 0) for edge in op["padding"]])
    select = body_of(ctx, op, 0)

    def survivor(lhs: State, rhs: State, node: Any) -> State:
        (first,) = select(lhs[:1], rhs[:1], node)
        return tuple(xp.where(first, a, b) for a, b in zip(lhs, rhs, strict=True))

    def select_box(box: Box) -> State:
        sizes = [part.stop - part.start for part in box]
        tables = windows.tables(box)
        elements = product_leaves.leaves(xp, (padded,), tables, op.location)
        column = numbers.reshape(-1, *[1] * len(sizes))
        leaves = elements._replace(
            at=lambda i: (*elements.at(i), xp.broadcast_to(numbers[i], sizes)),
            stack=lambda: (*elements.stack(), xp.broadcast_to(column, [windows.n, *sizes])),
        )
        inside = inside_of(tables, operand.shape, op["padding"])
        if not all(map(every, inside)):
            leaves = leaves._replace(
                present=lambda i: xp.broadcast_to(product_leaves.combine_rows(xp, and_, inside, i), sizes),
                stack_present=lambda: xp.broadcast_to(
                    product_leaves.combine_rows(xp, and_, inside, xp.arange(windows.n)), [windows.n, *sizes]
                ),
            )
        (_, number), found = fold_leaves(ctx, op, 0, survivor, None, leaves)
        return (number if found is None else xp.where(found, number, xp.asarray(-1, number.dtype)),)

    held = 1 if ctx.schedule.name == "left" else windows.n
    everywhere = geometry.whole(shape)
    (chosen,) = (
        select_box(everywhere) if ctx.is_watched else xp.by_box(select_box, shape, [1] * len(shape), held)
    )
    for listener in ctx.listeners:
        listener.on_empty_window(op, chosen < 0)
    return chosen


def _missing(op: Op) -> int:
    """Return the digit of a missing source; sums with it are below -1, so that they match no position."""
    return -prod(op["window_dimensions"]) - 1


def _number(op: Op) -> Any:
    """Return an integer dtype for positions and for sums of digits, even if all of them are missing."""
    return geometry.integer(-len(op["window_dimensions"]) * _missing(op))


def _covering(op: Op) -> list[tuple[Table, Table]]:
    """Return, per dimension, the sources whose windows cover an index, and the index's part of its number.

    The parts of all dimensions add up to the position's number, or to no such number if a source is missing.
    """
    window, dtype, lows = op["window_dimensions"], _number(op), [low for low, _ in op["padding"]]
    shapes = (value.type.shape for value in op.operands[:2])
    dimensions = list(zip(*shapes, window, op["window_strides"], lows, strict=True))
    sizes = [Size([geometry.most_covering(*each), each[0]], 2 * INDEX) for each in dimensions]
    refuse_size("the tables of what may select an element", sizes, memory(), op.location)
    tables = [geometry.covering(*each) for each in dimensions]
    return [
        (position, geometry.contributions(digit, step, _missing(op)).astype(dtype))
        for (position, digit), step in zip(tables, geometry.row_major(window), strict=True)
    ]


def _scatter(
    ctx: Context,
    op: Op,
    source: Array,
    chosen: Array,
    init: Array,
    part: Sequence[Any],
    covering: Sequence[tuple[Table, Table]],
) -> Array:
    """Fold, for each element of a product of result indices, the sources that chose it, ascending.

    A source is present if its window chose the position that the element has in that window.
    """
    xp = ctx.xp
    tables = [geometry.columns(*pair, index) for pair, index in zip(covering, part, strict=True)]
    positions, numbers = [p for p, _ in tables], [geometry.narrow(number) for _, number in tables]
    sizes = [position.shape[1] for position in positions]
    choices = product_leaves.leaves(xp, (chosen,), positions, op.location)
    leaves = product_leaves.leaves(xp, (source,), positions, op.location)
    leaves = leaves._replace(
        present=lambda i: choices.at(i)[0] == product_leaves.combine_rows(xp, add, numbers, i),
        stack_present=lambda: (
            choices.stack()[0] == product_leaves.combine_rows(xp, add, numbers, xp.arange(leaves.n))
        ),
    )
    columns = geometry.flat(part, op.operands[0].type.shape) if ctx.listeners else None
    seed = (xp.broadcast_to(init, sizes),)
    (total,), _ = fold_leaves(ctx, op, 1, body_of(ctx, op, 1, columns), seed, leaves, columns)
    return total


def _in_turn(ctx: Context, op: Op, source: Array, chosen: Array, init: Array, box: Box) -> Array:
    """Return the left fold of each result element of a box, in a new array.

    Among the windows that cover an element, a later one has it at an earlier position. So taking the
    positions from the last to the first brings each element its sources in order.
    """
    xp, window = ctx.xp, op["window_dimensions"]
    total = xp.full([part.stop - part.start for part in box], init)
    body = body_of(ctx, op, 1)
    for number, position in reversed(list(enumerate(product(*map(range, window))))):
        along = zip(box, source.shape, position, op["window_strides"], op["padding"], strict=True)
        met = [geometry.digit_slices(*each) for each in along]
        sources, places = tuple(leaves for leaves, _ in met), tuple(there for _, there in met)
        before = total[places]
        (after,) = body((before,), (source[sources],), Node(0, number + 1, None, False))
        total[places] = xp.where(chosen[sources] == number, after, before)
    return total


def _join(xp: Namespace, parts: Sequence[Array], groups: Sequence[Sequence[Any]]) -> Array:
    """Join the parts of an array; there is a part for each combination of groups of indices."""
    for axis, group in reversed(list(enumerate(groups))):
        starts = range(0, len(parts), len(group))
        order = xp.asarray(geometry.inverse(group))
        joined = [xp.concatenate(parts[k : k + len(group)], axis=axis) for k in starts]
        parts = [xp.take(part, order, axis=axis) for part in joined]
    return parts[0]


KERNELS: dict[str, Kernel] = {"stablehlo.select_and_scatter": select_and_scatter}
