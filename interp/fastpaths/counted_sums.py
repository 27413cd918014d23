"""Contractions whose sums are counted in a compiled loop, for listeners that need not see each of them."""

from __future__ import annotations

from collections.abc import Callable

from interp.backends import Array
from interp.engine.evaluate import Context
from interp.engine.tally import Found
from interp.fastpaths import counted_products
from interp.fastpaths.counted_products import Held
from interp.fastpaths.problem import Problem
from spec.accumulator import Accumulator
from spec.ir import Op
from spec.schedule import LEFT
from spec.types import ElementType

LOOP = "compiled loop"
IN_ORDER = "in order, every product and sum rounded"
COUNTED = f"{IN_ORDER}, events counted beside"
Otherwise = Callable[[], Array]


def counted_floats(
    ctx: Context, op: Op, problem: Problem, element: ElementType, otherwise: Otherwise
) -> Array:
    """Return ordered sums of floats, and tell which are not exact; `otherwise()` if that is not counted."""
    if not _suffices(ctx, op):
        return otherwise()
    return _told(ctx, op, counted_products.rounded(problem, element), otherwise)


def counted_integers(
    ctx: Context,
    op: Op,
    problem: Problem,
    accumulator: Accumulator | ElementType,
    wraps_products: bool,
    otherwise: Otherwise,
) -> Array:
    """Return ordered sums of integers that wrap or saturate, and tell which do."""
    if not _suffices(ctx, op):
        return otherwise()
    saturates = isinstance(accumulator, Accumulator) and accumulator.saturates
    type = accumulator.type if isinstance(accumulator, Accumulator) else accumulator
    held = Held(type.min_value, type.max_value, saturates, wraps_products)
    kind = "saturate" if saturates else "wrap"
    return _told(ctx, op, counted_products.held(problem, held, kind), otherwise)


def _suffices(ctx: Context, op: Op) -> bool:
    """Return whether a left fold may run in a loop that counts what all listeners want to know."""
    wanted = ctx.sums(op)
    counts = wanted is not None and all(sums.done for sums in wanted)
    return counts and ctx.schedule == LEFT and ctx.xp.in_place


def _told(ctx: Context, op: Op, counted: tuple[Array, Found | None] | None, otherwise: Otherwise) -> Array:
    if counted is None:
        return otherwise()
    total, found = counted
    for listener in ctx.listeners:
        listener.on_fast_path(op, LOOP, COUNTED)
    for sums in ctx.sums(op) or ():
        if found and sums.done and found.kind in sums.kinds:
            sums.done(found)
    return total
