"""reduce, and the parts common to all reductions: conversion of operands and results, and listeners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.entering import entering
from interp.engine.evaluate import Context
from interp.engine.fold import Body, Leaves, fold
from interp.kernels.loops import in_loop
from interp.speed import choice
from interp.speed.integer_bodies import body_of
from spec.ir import Op

Kernel = Callable[..., State]


def reduce(ctx: Context, op: Op, *operands: Array) -> State:
    """`results...[j] = fold(body, [init] + inputs...[j, :])`, the slices being along `dimensions`."""

    looped = lambda: in_loop(ctx, op, operands, lambda inputs: slices(ctx.xp, op, inputs))

    def plain() -> State:
        if (accumulators := looped()) is not None:
            return accumulators
        inputs, init = convert_operands(ctx, op, operands)
        seed = tuple(ctx.xp.broadcast_to(x, op.results[0].type.shape) for x in init)
        return fold_leaves(ctx, op, 0, body_of(ctx, op, 0), seed, slices(ctx.xp, op, inputs))[0]

    accumulators = choice.accumulators(ctx, op, operands, plain, looped)
    return results(ctx, op, accumulators, [v.type.element_type for v in op.regions[0].returns])


def slices(xp: Namespace, op: Op, inputs: State) -> Leaves:
    """Return the leaves of a `reduce`."""
    dimensions = sorted(op["dimensions"])
    order = [*dimensions, *(d for d in range(inputs[0].ndim) if d not in dimensions)]
    n = prod(inputs[0].shape[d] for d in dimensions)
    shape = op.results[0].type.shape
    stacked = tuple(xp.transpose(x, order).reshape(n, *shape) for x in inputs)
    return Leaves(n, lambda i: tuple(x[i] for x in stacked), lambda: stacked, in_memory=True)


def to_body(ctx: Context, op: Op, operands: State, region: int, first: int = 0) -> tuple[State, list[Any]]:
    """Convert operands, from number `first` on, to the types of the body's arguments (erratum E12)."""
    arguments = [value.type.element_type for value in op.regions[region].arguments]
    converted = []
    for k, x in enumerate(operands):
        source = op.operands[first + k].type.element_type
        after = entering(ctx, x, source, arguments[k])
        for listener in ctx.listeners:
            listener.on_convert(op, first + k, x, after)
        converted.append(after)
    return tuple(converted), arguments[: len(arguments) // 2]


def convert_operands(ctx: Context, op: Op, operands: State) -> tuple[State, State]:
    """Return `inputs` and `init_values` in the accumulation types."""
    converted, _ = to_body(ctx, op, operands, 0)
    half = len(converted) // 2
    return converted[:half], converted[half:]


def fold_leaves(
    ctx: Context,
    op: Op,
    region: int,
    body: Body,
    init: State | None,
    leaves: Leaves,
    columns: Array | None = None,
) -> tuple[State, Array | None]:
    """Tell the listeners of the fold, and fold the leaves."""
    for listener in ctx.listeners:
        listener.on_fold(op, region, init, leaves, columns)
    if ctx.along is not None:
        return ctx.along(ctx, op, region, body, init, leaves, columns)
    return fold(ctx.xp, body, init, leaves, ctx.schedule)


def results(ctx: Context, op: Op, accumulators: State, types: Sequence[Any]) -> State:
    """Convert accumulators of these types to the result types, which may be others (E7, E14)."""
    results = []
    for k, (before, source) in enumerate(zip(accumulators, types, strict=True)):
        after = entering(ctx, before, source, op.results[k].type.element_type)
        for listener in ctx.listeners:
            listener.on_result(op, k, before, after)
        results.append(after)
    return tuple(results)


KERNELS: dict[str, Kernel] = {
    "stablehlo.reduce": reduce,
}
