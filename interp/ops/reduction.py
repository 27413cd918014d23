"""reduce, reduce_window, select_and_scatter: static geometry that builds leaves, then one fold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from interp import closed_reduce, windows
from interp.evaluate import Context
from interp.fold import EXTENSIBLE, Body, Leaves, fold
from interp.namespace import Array, Namespace, State
from interp.ops.structure import pad_array
from interp.quant import to_destination_type
from spec.ir import Op

Kernel = Callable[..., State]


def reduce(ctx: Context, op: Op, *operands: Array) -> State:
    """`results...[j] = fold(body, [init] + inputs...[j, :])`, the slices being along `dimensions`."""

    def plain() -> State:
        inputs, init = _converted(ctx, op, operands)
        seed = tuple(ctx.xp.broadcast_to(x, op.results[0].type.shape) for x in init)
        return _folded(ctx, op, 0, ctx.body(op, 0), seed, slices(ctx.xp, op, inputs))[0]

    accumulators = closed_reduce.accumulators(ctx, op, operands, plain)
    return _results(ctx, op, accumulators, [v.type.element_type for v in op.regions[0].returns])


def slices(xp: Namespace, op: Op, inputs: State) -> Leaves:
    """The leaves of a `reduce`."""
    dimensions = sorted(op["dimensions"])
    order = [*dimensions, *(d for d in range(inputs[0].ndim) if d not in dimensions)]
    n = prod(inputs[0].shape[d] for d in dimensions)
    shape = op.results[0].type.shape
    stacked = tuple(xp.transpose(x, order).reshape(n, *shape) for x in inputs)
    return Leaves(n, lambda i: tuple(x[i] for x in stacked), lambda: stacked)


def reduce_window(ctx: Context, op: Op, *operands: Array) -> State:
    """`results...[result_index] = reduce(windows, init_values, axes(inputs...), body)`, padded with init."""
    inputs, init = _converted(ctx, op, operands)
    return _reduced(ctx, op, init, windowed(ctx.xp, op, inputs, init))


def windowed(xp: Namespace, op: Op, inputs: State, init: State) -> Leaves:
    """The leaves of a `reduce_window`."""
    edges = [(*edge, d - 1) for edge, d in zip(op["padding"], op["base_dilations"], strict=True)]
    padded = tuple(pad_array(xp, x, i, edges) for x, i in zip(inputs, init, strict=True))
    geometry = windows.of_windows(
        padded[0].shape,
        op["window_dimensions"],
        op["window_strides"],
        op["window_dilations"],
        op.results[0].type.shape,
    )
    return _gathered(xp, padded, geometry)


def select_and_scatter(ctx: Context, op: Op, operand: Array, source: Array, init: Array) -> State:
    """`result[i] = fold(scatter, [init] + source...)` over the windows in which `select` chose i."""
    xp = ctx.xp
    (source, init), (element,) = _to_body(ctx, op, (source, init), 1, first=1)
    selected, found = _selected(ctx, op, operand)
    table, count = windows.of_scatter(
        operand.shape, op["window_dimensions"], op["window_strides"], op["padding"], source.shape
    )
    table, count = table.reshape(table.shape[0], operand.size), count.reshape(-1)
    groups, order = windows.by_count(count, ctx.schedule.name in EXTENSIBLE)
    parts = []
    for columns in groups:
        most = count[columns].max(initial=0)
        leaves = _scattered(
            ctx, source.reshape(-1), selected, found, table[:most, columns], count[columns], columns
        )
        seed = (xp.broadcast_to(init, columns.shape),)
        (part,), _ = _folded(ctx, op, 1, ctx.body(op, 1, columns), seed, leaves, columns)
        parts.append(part)
    whole = xp.concatenate(parts)[xp.asarray(order)].reshape(operand.shape)
    return _results(ctx, op, (whole,), (element,))


def _selected(ctx: Context, op: Op, operand: Array) -> tuple[Array, Array]:
    """Per window: the flat operand index that survives `select`, and whether there was any to choose."""
    xp, rank, shape = ctx.xp, operand.ndim, op.operands[1].type.shape
    edges = [(*edge, 0) for edge in op["padding"]]
    index = xp.arange(operand.size).reshape(operand.shape)
    padded = tuple(pad_array(xp, x, xp.zeros((), x.dtype), edges) for x in (operand, index))
    geometry = windows.of_windows(
        padded[0].shape, op["window_dimensions"], op["window_strides"], [1] * rank, shape
    )
    if prod(shape) == 0:
        return xp.zeros(0, index.dtype), xp.zeros(0, bool)
    inside = xp.asarray(windows.inside(operand.shape, edges, geometry))
    leaves = _gathered(xp, padded, geometry)._replace(
        present=lambda i: inside[i], stack_present=lambda: inside
    )
    select = ctx.body(op, 0)

    def survivor(lhs: State, rhs: State, node: Any) -> State:
        (first,) = select(lhs[:1], rhs[:1], node)
        return tuple(xp.where(first, a, b) for a, b in zip(lhs, rhs, strict=True))

    (_, chosen), present = _folded(ctx, op, 0, survivor, None, leaves)
    found = xp.asarray(present)
    for listener in ctx.listeners:
        listener.on_empty_window(op, ~found)
    return chosen.reshape(-1), found.reshape(-1)


def _scattered(
    ctx: Context, flat: Array, selected: Array, found: Array, table: Array, count: Array, columns: Array
) -> Leaves:
    """Candidate sources per operand index (a column), present where they selected it."""
    xp = ctx.xp
    sources, counts, own = xp.asarray(table), xp.asarray(count), xp.asarray(columns)

    def present(i: Array) -> Array:
        return (i < counts) & found[sources[i]] & (selected[sources[i]] == own)

    def all_present() -> Array:
        rank = xp.arange(table.shape[0])[:, None]
        return (rank < counts) & found[sources] & (selected[sources] == own)

    return Leaves(
        table.shape[0], lambda i: (flat[sources[i]],), lambda: (flat[sources],), present, all_present
    )


def _gathered(xp: Namespace, padded: State, geometry: windows.Geometry) -> Leaves:
    """Leaves of windows over padded operands."""
    flat = tuple(x.reshape(-1) for x in padded)
    base, offset = xp.asarray(geometry.base), xp.asarray(geometry.offset)
    column = offset.reshape(-1, *[1] * base.ndim)
    return Leaves(
        offset.shape[0],
        lambda i: tuple(x[base + offset[i]] for x in flat),
        lambda: tuple(x[base + column] for x in flat),
    )


def _to_body(ctx: Context, op: Op, operands: State, region: int, first: int = 0) -> tuple[State, list[Any]]:
    """Operands, from number `first` on, in the types of the body's arguments, each from its own (E12)."""
    arguments = [value.type.element_type for value in op.regions[region].arguments]
    converted = []
    for k, x in enumerate(operands):
        source = op.operands[first + k].type.element_type
        after = to_destination_type(ctx.xp, x, source, arguments[k])
        for listener in ctx.listeners:
            listener.on_convert(op, first + k, x, after)
        converted.append(after)
    return tuple(converted), arguments[: len(arguments) // 2]


def _converted(ctx: Context, op: Op, operands: State) -> tuple[State, State]:
    """`inputs` and `init_values` in the accumulation types."""
    converted, _ = _to_body(ctx, op, operands, 0)
    half = len(converted) // 2
    return converted[:half], converted[half:]


def _reduced(ctx: Context, op: Op, init: State, leaves: Leaves) -> State:
    """The fold over `[init] + leaves`, and the conversion of accumulators to results."""
    seed = tuple(ctx.xp.broadcast_to(x, op.results[0].type.shape) for x in init)
    accumulators, _ = _folded(ctx, op, 0, ctx.body(op, 0), seed, leaves)
    return _results(ctx, op, accumulators, [v.type.element_type for v in op.regions[0].returns])


def _folded(
    ctx: Context,
    op: Op,
    region: int,
    body: Body,
    init: State | None,
    leaves: Leaves,
    columns: Array | None = None,
) -> tuple[State, Array | None]:
    """The fold, announced to who listens."""
    for listener in ctx.listeners:
        listener.on_fold(op, region, init, leaves, columns)
    return fold(ctx.xp, body, init, leaves, ctx.schedule)


def _results(ctx: Context, op: Op, accumulators: State, types: Sequence[Any]) -> State:
    """Accumulators of these types as results, which may have others (E7, E14)."""
    results = []
    for k, (before, source) in enumerate(zip(accumulators, types, strict=True)):
        after = to_destination_type(ctx.xp, before, source, op.results[k].type.element_type)
        for listener in ctx.listeners:
            listener.on_result(op, k, before, after)
        results.append(after)
    return tuple(results)


KERNELS: dict[str, Kernel] = {
    "stablehlo.reduce": reduce,
    "stablehlo.reduce_window": reduce_window,
    "stablehlo.select_and_scatter": select_and_scatter,
}
