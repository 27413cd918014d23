"""Contractions whose sums are counted in a compiled loop, for listeners that need not see each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from interp.backends import Array
from interp.engine.evaluate import Context
from interp.engine.quant import Type, round_parameters
from interp.engine.stored import storage_range
from interp.engine.tally import Found
from interp.speed import counted_products
from interp.speed.counted_products import Held, largest, stays_finite
from interp.speed.problem import Problem
from interp.theory.factor_ranges import number_of_products
from spec.accumulator import Accumulator
from spec.ir import Op
from spec.schedule import LEFT
from spec.types import ElementType, QuantizedType

LOOP = "compiled loop"
IN_ORDER = "in order, every product and sum rounded"
COUNTED = f"{IN_ORDER}, events counted beside"
Otherwise = Callable[[], Array]


def are_unwatched(ctx: Context, op: Op, element: ElementType, factors: Sequence[Array] = ()) -> bool:
    """Return whether the sums of floats have no event that a listener wants to hear of.

    Without `inexact` these are NaN and infinities: factors exclude them if they, or their types, are small.
    """
    wanted = ctx.sums(op)
    kinds = frozenset({"inexact"}) if wanted is None else frozenset().union(*(each.kinds for each in wanted))
    if "inexact" in kinds or not kinds:
        return not kinds
    types = [value.type.element_type for value in op.operands]
    sizes = [largest(x) for x in factors] if factors else [_largest(type) for type in types]
    return stays_finite(sizes, number_of_products(op), element)


def _largest(type: Type) -> float:
    """Return a bound of the numbers of a quantized type, rounded or not; infinity for other types."""
    if not isinstance(type, QuantizedType):
        return inf
    ends = [[end - zero_point for end in storage_range(type)] for zero_point in type.zero_points]
    pairs = zip(ends, round_parameters(type).scales, strict=True)
    return max(2 * max(map(abs, both)) * scale for both, scale in pairs)


def counted_floats(
    ctx: Context, op: Op, problem: Problem, element: ElementType, otherwise: Otherwise
) -> Array:
    """Return ordered sums of floats, and tell which are not exact; `otherwise()` if that is not counted."""
    if not _suffices(ctx, op):
        return otherwise()
    return _tell(ctx, op, counted_products.sum_floats(problem, element), otherwise)


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
    return _tell(ctx, op, counted_products.sum_integers(problem, held, kind), otherwise)


def _suffices(ctx: Context, op: Op) -> bool:
    """Return whether a left fold may run in a loop that counts what all listeners want to know."""
    wanted = ctx.sums(op)
    counts = wanted is not None and all(sums.done for sums in wanted)
    return counts and ctx.schedule == LEFT and ctx.xp.in_place


def _tell(ctx: Context, op: Op, counted: tuple[Array, Found | None] | None, otherwise: Otherwise) -> Array:
    if counted is None:
        return otherwise()
    total, found = counted
    for listener in ctx.listeners:
        listener.on_fast_path(op, LOOP, COUNTED)
    for sums in ctx.sums(op) or ():
        if found and sums.done and found.kind in sums.kinds:
            sums.done(found)
    return total
