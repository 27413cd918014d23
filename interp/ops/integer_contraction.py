"""Contractions in the integer reading: sums of products of `q - zero_point`, held by an accumulator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.in_integers import held, integers
from interp.engine.memo import once
from interp.ops.integer_reading import refuse_products, requantized
from spec.accumulator import LITERAL
from spec.integer_reading import in_integers
from spec.ir import Op, Value
from spec.types import ELEMENT_TYPES, ElementType, TensorType

Kernel = Callable[..., State]
WIDE = ELEMENT_TYPES["i64"]  # in which sums are computed and accumulators kept


def reads_integers(ctx: Context, op: Op) -> bool:
    """Return whether a contraction is one of integers in this reading."""
    return ctx.reading.is_integer and in_integers(op)


def is_ring(ctx: Context, op: Op) -> bool:
    """Return whether a contraction of integers is one of plain integers, which has theorems of its own.

    THEOREM: an accumulator that wraps is the ring of integers modulo 2^width, so that sums in any schedule,
    in any wider one, wrapped at the end, give its bits. Where somebody listens, every sum is to be heard.
    """
    return reads_integers(ctx, op) and not ctx.listeners and not ctx.reading.accumulator.saturates


def in_ring(ctx: Context, op: Op, kernel: Kernel, lhs: Array, rhs: Array) -> State:
    """Contract plain integers by the kernel, and requantize the sums."""
    xp, accumulator = ctx.xp, ctx.reading.accumulator
    element = ELEMENT_TYPES["i32"] if accumulator.bits <= 32 else WIDE
    factors = (x.astype(xp.carrier(element)) for x in _integers(xp, op, lhs, rhs))
    (sums,) = kernel(ctx._replace(reading=LITERAL), plain_integers(op, element), *factors)
    return (requantized(xp, op, held(xp, sums.astype(xp.int64), accumulator), accumulator),)


@once
def plain_integers(op: Op, element: ElementType) -> Op:
    """Return the contraction on tensors of plain integers."""
    retyped = lambda value: Value(value.name, TensorType(value.type.shape, element))
    operands = (*map(retyped, op.operands[:2]), *op.operands[2:])
    return replace(op, operands=operands, results=(retyped(op.result),))


def factors(ctx: Context, op: Op, lhs: Array, rhs: Array) -> tuple[Array, Array, Callable[..., Array]]:
    """Return the operands as int64, and the exact product."""
    refuse_products(op, ctx.reading.accumulator)
    x, y = _integers(ctx.xp, op, lhs, rhs)
    return x, y, lambda a, b: a * b


def _integers(xp: Namespace, op: Op, *operands: Array) -> list[Array]:
    pairs = zip(operands, op.operands[:2], strict=True)
    return [integers(xp, x, value.type.quantized_element_type) for x, value in pairs]


def addition(ctx: Context) -> Callable[..., Array]:
    """Return the addition of an accumulator: every sum wraps, or is clamped."""
    return lambda a, b: held(ctx.xp, a + b, ctx.reading.accumulator)


def finished(ctx: Context, op: Op, sums: Array) -> Array:
    """Return the stored results."""
    return requantized(ctx.xp, op, sums, ctx.reading.accumulator)
