"""Fast paths under XLA: sums of narrow integers in f32, steps by `scan`, decisions by `cond`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from interp.backends import Array, Namespace
from interp.engine.quant import dequantize, to_destination_type
from interp.speed.saturating_fold import FEW, FloatStep, IntegerStep, Shift, Step, Stored
from interp.theory.quantized_arithmetic import TABLE_BITS, real_ends, real_leaves
from spec.types import ElementType

BOX = 128  # leaves
ROWS = 8  # leaves that are added as integers before their sum becomes a float
LANES = 32  # of a vector, about
_IDENTITY = {"multiply": 1, "bitwise_and": -1, "bitwise_or": 0, "bitwise_xor": 0}


def combine_along(xp: Namespace, x: Array, dimensions: Sequence[int], combine: str, dtype: np.dtype) -> Array:
    """Combine `x` along dimensions, in `dtype`."""
    if combine in ("maximum", "minimum"):
        return getattr(xp, combine[:3])(x, axis=tuple(dimensions))
    if combine == "add":
        for d in sorted(dimensions, reverse=True):
            x = _sum(xp, x, d, dtype)
        return x.astype(dtype)
    function = {"multiply": "mul"}.get(combine, combine)
    identity = np.asarray(_IDENTITY[combine]).astype(dtype)
    return xp.lax.reduce(x.astype(dtype), identity, getattr(xp.lax, function), tuple(dimensions))


def _sum(xp: Namespace, x: Array, dimension: int, dtype: np.dtype) -> Array:
    """Sum integers along dimensions; narrow ones in f32.

    THEOREM: f32 adds integers exactly up to 2^24, which the sum of few enough narrow ones does not exceed.
    XLA's CPU backend converts to f32 while it adds, and vectorizes; to sum in integers wider than the operand
    it first converts the whole operand into a new array.
    """
    if x.dtype.itemsize > 2:
        return x.sum(dimension, dtype=dtype)
    size, n = 1 << (24 - 8 * x.dtype.itemsize), x.shape[dimension]
    if n > size:
        x = xp.moveaxis(x, dimension, 0)
        whole = n // size * size
        blocks = _sum(xp, x[:whole].reshape(-1, size, *x.shape[1:]), 1, dtype).sum(0, dtype=dtype)
        return blocks + _sum(xp, x[whole:], 0, dtype) if n > whole else blocks
    return _in_f32(xp, x, dimension).astype(np.int32).astype(dtype)


def _in_f32(xp: Namespace, x: Array, dimension: int) -> Array:
    """Sum along a dimension in f32, with an eighth of the conversions.

    THEOREM: `ROWS` narrow integers are added exactly in integers of twice the width. Many such sums run side
    by side: in other columns, or, if a column's leaves are adjacent in memory, in `LANES` parts of it.
    """
    n, lanes = x.shape[dimension], LANES if dimension == x.ndim - 1 else 1
    whole = n // (ROWS * lanes) * (ROWS * lanes)
    part = lambda first, end: xp.lax.slice_in_dim(x, first, end, axis=dimension)
    if not whole:
        return x.astype(np.float32).sum(dimension)
    twice, around = np.dtype(f"int{16 * x.dtype.itemsize}"), (x.shape[:dimension], x.shape[dimension + 1 :])
    rows = part(0, whole).reshape(*around[0], whole // (ROWS * lanes), ROWS, lanes, *around[1])
    sums = rows.astype(twice).sum(dimension + 1, dtype=twice)
    total = sums.astype(np.float32).sum((dimension, dimension + 1))
    return total if whole == n else total + part(whole, n).astype(np.float32).sum(dimension)


def branch(
    xp: Namespace,
    holds: Any,
    fast: Callable[[], Array],
    otherwise: Callable[[], Array],
    element: ElementType | None = None,
) -> Array:
    """Return `fast()` where the condition holds, else `otherwise()`; both are compiled.

    element: their type if known. f32 leaves the branches as stored, so that `quantize` need not widen it.
    """
    if element is None or element.name != "f32":
        return xp.lax.cond(holds, fast, otherwise)

    def store(f: Callable[[], Array]) -> Array:
        found = f()
        kept = xp.storage(found)
        return xp.encode(found, element) if kept is None or kept.dtype != np.float32 else kept

    return xp.decode(xp.lax.cond(holds, lambda: store(fast), lambda: store(otherwise)), element)


def composes(fold: Stored) -> bool:
    """Return whether composing parts of a fold pays: it does not if many columns already run side by side."""
    return prod(fold.leaves.shape[fold.rank :]) < FEW


def parts(n: int) -> int:
    """Return how many parts to split the `n` leaves of a composition into."""
    return FEW if n >= FEW else 0


def shifts(fold: Stored, step: IntegerStep) -> Shift:
    """Return each column's leaves as one shift, from their sum and from steps that start at both ends."""
    xp, reduced, kept = fold.xp, fold.order[: fold.rank], fold.order[fold.rank :]
    sums = combine_along(xp, fold.x, reduced, "add", np.dtype(np.int64))
    sums = xp.transpose(sums, [sorted(kept).index(d) for d in kept])
    ends = (end.astype(np.int64) for end in fold.from_both_ends(step))
    return Shift(sums + prod(fold.leaves.shape[: fold.rank]) * step.offset, *ends)


def steps(fold: Stored, states: Array, step: Step) -> Array:
    """Return `Stored.steps` on XLA."""
    if isinstance(step, IntegerStep):
        return _integer_steps(fold, states, step)
    return _float_steps(fold, states, step)


def _integer_steps(fold: Stored, states: Array, step: IntegerStep) -> Array:
    xp = fold.xp
    low, high, offset = (np.asarray(number, step.dtype) for number in (step.low, step.high, step.offset))

    def add(at: Array, leaf: Array) -> Array:
        return xp.minimum(xp.maximum(at + (leaf.astype(step.dtype) + offset), low), high)

    at = (states.astype(np.int64) - step.zero_point).astype(step.dtype)
    if fold.rank == 1 and fold.order == tuple(range(fold.x.ndim)):  # leaf after leaf already
        at, _ = xp.lax.scan(lambda at, leaf: (add(at, leaf), None), at, fold.x)
    else:
        at = _left(fold, add, lambda box: box, at)
    return (at.astype(np.int64) + step.zero_point).astype(states.dtype)


def _float_steps(fold: Stored, states: Array, step: FloatStep) -> Array:
    """Return the stored numbers after one step in f32 per leaf; the rounded float is not clamped itself.

    THEOREM: its dequantized value may be clamped instead, since dequantize never decreases. The clamp then
    stands between the product and the sum, which XLA would otherwise fuse.
    """
    xp, type, zero_point = fold.xp, step.accumulation, np.float32(step.accumulation.zero_point)
    low, high = real_ends(type)
    scale = xp.full(states.shape, type.scale, np.float32)

    def add(whole: Array, value: Array) -> Array:
        real = (whole - zero_point) * scale
        real = xp.where(real > low, real, low)  # XLA's own clamp costs more, for the sake of NaN
        real = xp.where(real < high, real, high)
        return xp.rint(xp.divide_exactly(real + value, scale) + zero_point)

    whole = _left(fold, add, lambda box: _dequantize_box(xp, box, step), states.astype(np.float32))
    whole = xp.minimum(xp.maximum(whole, np.float32(type.storage_min)), np.float32(type.storage_max))
    exact = xp.minimum(xp.maximum(whole.astype(np.float64), type.storage_min), type.storage_max)
    return exact.astype(states.dtype)


def _left(
    fold: Stored, add: Callable[[Any, Array], Any], prepared: Callable[[Array], Array], state: Any
) -> Any:
    """Fold from the left, leaf after leaf, on copies of blocks that fit a cache, leaves outermost.

    Blocks are cut from the array as stored: XLA would copy all of a transposed array before the loop.
    """
    (axis, *others), x, lax = fold.order, fold.x, fold.xp.lax
    if fold.rank > 1:
        inner = tuple(d - (d > axis) for d in others)

        def within(i: Array, state: Any) -> Any:
            part = lax.dynamic_index_in_dim(x, i, axis, keepdims=False)
            return _left(fold._replace(x=part, order=inner, rank=fold.rank - 1), add, prepared, state)

        return lax.fori_loop(0, x.shape[axis], within, state)

    def through(state: Any, start: Any, size: int) -> Any:
        box = fold.xp.transpose(lax.dynamic_slice_in_dim(x, start, size, axis), fold.order)
        numbers = lax.optimization_barrier(prepared(box))
        return lax.scan(lambda state, number: (add(state, number), None), state, numbers)[0]

    whole, rest = divmod(x.shape[axis], BOX)
    if whole:
        state = lax.fori_loop(0, whole, lambda i, state: through(state, i * BOX, BOX), state)
    return through(state, whole * BOX, rest) if rest else state


def _dequantize_box(xp: Namespace, box: Array, step: FloatStep) -> Array:
    """Return the real values of the converted leaves, by the formula or, for narrow storage, from a table."""
    source, type = step.source, step.accumulation
    if step.keeps_leaves:
        real = (box.astype(np.float32) - np.float32(source.zero_point)) * np.float32(source.scale)
        return xp.prevent_contraction(real)  # XLA would add it in the same loop, where that has one step
    if source.storage_type.bits > TABLE_BITS:
        return dequantize(xp, to_destination_type(xp, box, source, type), type).astype(np.float32)
    return xp.asarray(real_leaves(source, type))[box.astype(np.int32) - source.storage_min]
