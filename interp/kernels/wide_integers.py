"""Integers beyond 64 bits, for saturating sums of products of two 32-bit storages: pairs of int64.

A pair (high, low) is `high * 2^32 + low`, with `0 <= low < 2^32`. Differences `q - zero_point` have at most
32 bits and a sign, so that products stay below 2^64 and every sum of two of them below 2^66.
"""

from __future__ import annotations

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context, Place
from interp.engine.fold import Leaves, Node, fold
from interp.kernels.product_fold import product_leaves
from interp.speed.problem import Geometry
from spec.accumulator import Accumulator
from spec.ir import Op

LOW = (1 << 32) - 1
HALF = (1 << 16) - 1


def is_wide(op: Op, accumulator: Accumulator) -> bool:
    """Return whether a sum of products, before it is clamped, may need more than 64 bits."""
    bits = sum(value.type.quantized_element_type.storage_type.bits for value in op.operands[:2])
    return accumulator.saturates and max(bits, accumulator.bits) > 62


def product(x: Array, y: Array) -> State:
    """Return `x * y` as a pair: y in two halves of 16 bits, so that no partial product overflows."""
    upper, lower = x * (y >> 16), x * (y & HALF)
    rest = ((upper & HALF) << 16) + lower
    return (upper >> 16) + (rest >> 32), rest & LOW


def plus(x: State, y: State) -> State:
    low = x[1] + y[1]
    return x[0] + y[0] + (low >> 32), low & LOW


def clamp(xp: Namespace, x: State, accumulator: Accumulator) -> State:
    """Return a pair within the range of an accumulator."""
    type = accumulator.type
    for bound, beyond in ((type.min_value, _less), (type.max_value, lambda a, b: _less(b, a))):
        ends = xp.asarray(bound >> 32, xp.int64), xp.asarray(bound & LOW, xp.int64)
        outside = beyond(x, ends)
        x = xp.where(outside, ends[0], x[0]), xp.where(outside, ends[1], x[1])
    return x


def _less(x: State, y: State) -> Array:
    return (x[0] < y[0]) | ((x[0] == y[0]) & (x[1] < y[1]))


def narrow(x: State) -> Array:
    """Return a pair as int64; it must fit an accumulator of at most 64 bits."""
    return (x[0] << 32) | x[1]


def whole(x: State) -> Array:
    """Return a pair as Python's integers, for listeners."""
    return (x[0].astype(object) << 32) + x[1].astype(object)


def saturating_sums(ctx: Context, op: Op, geometry: Geometry, lhs: Array, rhs: Array) -> Array:
    """Return `fold(add, [0] + products)` in the schedule, every sum clamped, as int64."""
    xp, accumulator = ctx.xp, ctx.reading.accumulator
    parts = [product_leaves(xp, geometry, lambda x, y, k=k: product(x, y)[k], lhs, rhs) for k in (0, 1)]

    def body(a: State, b: State, node: Node) -> State:
        total = clamp(xp, plus(a, b), accumulator)
        for listener in ctx.listeners:
            listener.on_node(Place(op, 0, node), *((whole(x),) for x in (a, b, total)))
        return total

    zero = (xp.zeros(parts[0].shape, xp.int64),) * 2
    leaves = Leaves(
        parts[0].n,
        lambda i: tuple(part.at(i) for part in parts),
        lambda: tuple(part.at(slice(None)) for part in parts),
    )
    for listener in ctx.listeners:
        listener.on_fold(op, 0, (whole(zero),), _whole_leaves(leaves), None)
    total, _ = fold(xp, body, zero, leaves, ctx.schedule)
    return narrow(total).reshape(parts[0].result)


def _whole_leaves(leaves: Leaves) -> Leaves:
    """Return leaves as listeners take them: one array of Python's integers."""
    return Leaves(leaves.n, lambda i: (whole(leaves.at(i)),), lambda: (whole(leaves.stack()),))
