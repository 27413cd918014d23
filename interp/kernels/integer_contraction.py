"""Contractions in the integer reading: sums of products of `q - zero_point` in an accumulator."""

from __future__ import annotations

from interp.backends import Array, State
from interp.engine.evaluate import Context
from interp.engine.in_integers import hold_sum, integers
from interp.kernels.integer_reading import requantize_sums
from interp.kernels.product_fold import fold_products, product_leaves
from interp.kernels.wide_integers import is_wide, saturating_sums
from interp.speed.contraction_choice import ANY_ORDER, integer_sums, stay_within
from interp.speed.counted_sums import counted_integers
from interp.speed.exact_contraction import INTEGERS, most_product
from interp.speed.problem import Geometry
from interp.theory.factor_ranges import number_of_products
from spec.integer_reading import in_integers
from spec.ir import Op
from spec.types import ELEMENT_TYPES

WIDE = ELEMENT_TYPES["i64"]  # in which sums are computed and accumulators kept


def reads_integers(ctx: Context, op: Op) -> bool:
    """Return whether this run's reading computes a contraction with integers."""
    return ctx.reading.is_integer and in_integers(op)


def sums(ctx: Context, op: Op, geometry: Geometry, lhs: Array, rhs: Array) -> Array:
    """Return the final values of the accumulators, as int64.

    THEOREM: an accumulator that wraps is the ring of integers modulo 2^width, so that sums in any order, in
    any wider one, wrapped at the end, give its bits. Where no sum of |products| leaves its range, it neither
    wraps nor saturates, in any order.
    """
    xp, accumulator, wanted = ctx.xp, ctx.reading.accumulator, ctx.sums(op)
    if wanted is not None and (not (wanted or accumulator.saturates) or _never_leaves(ctx, op, lhs, rhs)):
        for listener in ctx.listeners:
            listener.on_fast_path(op, INTEGERS, ANY_ORDER)
        dtype = xp.int32 if accumulator.bits <= 32 else xp.int64
        return hold_sum(xp, integer_sums(xp, op, geometry, lhs, rhs, dtype).astype(xp.int64), accumulator)
    sides = factors(ctx, op, lhs, rhs)
    if is_wide(op, accumulator):
        return saturating_sums(ctx, op, geometry, *sides)

    def fold() -> Array:
        add = lambda a, b: hold_sum(xp, a + b, accumulator)
        return fold_products(ctx, op, product_leaves(xp, geometry, lambda a, b: a * b, *sides), WIDE, add)

    return counted_integers(ctx, op, geometry.of(*sides), accumulator, False, fold).astype(xp.int64)


def _never_leaves(ctx: Context, op: Op, lhs: Array, rhs: Array) -> bool:
    """Return whether no sum of |products| leaves the range of the accumulator, by types or by the data."""
    most = number_of_products(op) * most_product(op)
    type = ctx.reading.accumulator.type
    return most <= type.max_value or stay_within(ctx, op, factors(ctx, op, lhs, rhs), type)


def factors(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    pairs = zip((lhs, rhs), op.operands[:2], strict=True)
    return tuple(integers(ctx.xp, x, value.type.quantized_element_type) for x, value in pairs)


def finish(ctx: Context, op: Op, sums: Array) -> Array:
    """Return the stored results for the accumulators."""
    return requantize_sums(ctx, op, sums, number_of_products(op))
