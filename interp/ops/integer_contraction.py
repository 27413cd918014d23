"""Contractions in the integer reading: sums of products of `q - zero_point`, held by an accumulator."""

from __future__ import annotations

from interp.backends import Array
from interp.engine.evaluate import Context
from interp.engine.in_integers import held, integers
from interp.fastpaths.contraction_choice import ANY_ORDER, integer_sums
from interp.fastpaths.exact_contraction import INTEGERS
from interp.fastpaths.problem import Geometry
from interp.ops.integer_reading import requantized
from interp.ops.product_fold import folded, product_leaves
from interp.ops.wide_integers import is_wide, saturating_sums
from spec.integer_reading import in_integers
from spec.ir import Op
from spec.types import ELEMENT_TYPES

WIDE = ELEMENT_TYPES["i64"]  # in which sums are computed and accumulators kept


def reads_integers(ctx: Context, op: Op) -> bool:
    """Return whether a contraction is one of integers in this reading."""
    return ctx.reading.is_integer and in_integers(op)


def sums(ctx: Context, op: Op, geometry: Geometry, lhs: Array, rhs: Array) -> Array:
    """Return what the accumulators hold at the end, as int64.

    THEOREM: an accumulator that wraps is the ring of integers modulo 2^width, so that sums in any order, in
    any wider one, wrapped at the end, give its bits.
    """
    xp, accumulator = ctx.xp, ctx.reading.accumulator
    if ctx.watched or accumulator.saturates:
        pairs = zip((lhs, rhs), op.operands[:2], strict=True)
        factors = [integers(xp, x, value.type.quantized_element_type) for x, value in pairs]
        if is_wide(op, accumulator):
            return saturating_sums(ctx, op, geometry, *factors)
        add = lambda a, b: held(xp, a + b, accumulator)
        return folded(ctx, op, product_leaves(xp, geometry, lambda a, b: a * b, *factors), WIDE, add)
    for listener in ctx.listeners:
        listener.on_fast_path(op, INTEGERS, ANY_ORDER)
    dtype = xp.int32 if accumulator.bits <= 32 else xp.int64
    return held(xp, integer_sums(xp, op, geometry, lhs, rhs, dtype).astype(xp.int64), accumulator)


def finished(ctx: Context, op: Op, sums: Array) -> Array:
    """Return the stored results."""
    return requantized(ctx.xp, op, sums, ctx.reading.accumulator)
