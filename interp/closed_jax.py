"""How closed forms run under XLA: sums of narrow integers in f32, steps by `scan`, decisions by `cond`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from interp.closed_left import FloatStep, IntegerStep, Step
from interp.namespace import Array, Namespace
from interp.quant import dequantize, to_destination_type

_IDENTITY = {"multiply": 1, "bitwise_and": -1, "bitwise_or": 0, "bitwise_xor": 0}


def combined(xp: Namespace, x: Array, dimensions: Sequence[int], combine: str, dtype: np.dtype) -> Array:
    """`x` combined along dimensions, in `dtype`."""
    if combine in ("maximum", "minimum"):
        return getattr(xp, combine[:3])(x, axis=tuple(dimensions))
    if combine == "add":
        for d in sorted(dimensions, reverse=True):
            x = _sum(xp, x, d, dtype)
        return x
    function = {"multiply": "mul"}.get(combine, combine)
    identity = np.asarray(_IDENTITY[combine]).astype(dtype)
    return xp.lax.reduce(x.astype(dtype), identity, getattr(xp.lax, function), tuple(dimensions))


def _sum(xp: Namespace, x: Array, dimension: int, dtype: np.dtype) -> Array:
    """THEOREM: f32 adds integers exactly up to 2^24, which so many narrow ones do not pass.

    XLA's CPU backend converts to f32 while it adds, and vectorizes; a sum of integers wider than the operand
    it converts before, into a new array.
    """
    if x.dtype.itemsize > 2:
        return x.sum(dimension, dtype=dtype)
    size, n = 1 << (24 - 8 * x.dtype.itemsize), x.shape[dimension]
    if n > size:
        x = xp.moveaxis(x, dimension, 0)
        whole = n // size * size
        blocks = _sum(xp, x[:whole].reshape(-1, size, *x.shape[1:]), 1, dtype).sum(0, dtype=dtype)
        return blocks + _sum(xp, x[whole:], 0, dtype) if n > whole else blocks
    return x.astype(np.float32).sum(dimension).astype(np.int32).astype(dtype)


def branch(xp: Namespace, holds: Any, closed: Callable[[], Array], otherwise: Callable[[], Array]) -> Array:
    """`closed()` where it holds, else `otherwise()`; both are compiled."""
    return xp.lax.cond(holds, closed, otherwise)


def steps(xp: Namespace, states: Array, leaves: Array, rank: int, step: Step) -> Array:
    """Stored `states`, the leaves' columns being their last dimensions, after one step for every leaf."""
    if isinstance(step, IntegerStep):
        at = (states.astype(np.int64) - step.zero_point).astype(step.dtype)
        at = _scan(xp, lambda at, leaf: _integer_step(xp, at, leaf, step), at, leaves, rank)
        return (at.astype(np.int64) + step.zero_point).astype(states.dtype)
    real = dequantize(xp, states, step.accumulation).astype(np.float32)
    start = real, xp.zeros_like(real)
    scale = xp.lax.optimization_barrier(xp.full(real.shape, step.accumulation.scale, np.float32))
    run = lambda state, leaf: _float_step(xp, state, leaf, scale, step)
    _, whole = _scan(xp, run, start, leaves, rank)
    low, high = float(step.accumulation.storage_min), float(step.accumulation.storage_max)
    return xp.minimum(xp.maximum(whole.astype(np.float64), low), high).astype(states.dtype)


def _scan(xp: Namespace, step: Callable[[Any, Array], Any], state: Any, leaves: Array, rank: int) -> Any:
    if rank > 1:
        within = step
        step = lambda state, part: _scan(xp, within, state, part, rank - 1)
    return xp.lax.scan(lambda state, leaf: (step(state, leaf), None), state, leaves)[0]


def _integer_step(xp: Namespace, at: Array, leaf: Array, step: IntegerStep) -> Array:
    moved = at + (leaf.astype(step.dtype) + np.asarray(step.offset, step.dtype))
    low, high = (np.asarray(bound, step.dtype) for bound in (step.low, step.high))
    return xp.minimum(xp.maximum(moved, low), high)


def _float_step(
    xp: Namespace, state: tuple[Array, Array], leaf: Array, scale: Array, step: FloatStep
) -> tuple[Array, Array]:
    """Products are kept from the sums behind them: XLA would contract the two, rounding once."""
    type, f32 = step.accumulation, np.float32
    value = dequantize(xp, to_destination_type(xp, leaf, step.source, type), type).astype(f32)
    total = state[0] + xp.lax.optimization_barrier(value)
    moved = total / scale + f32(type.zero_point)
    whole = xp.rint(xp.minimum(xp.maximum(moved, f32(type.storage_min)), f32(type.storage_max)))
    return (whole - f32(type.zero_point)) * scale, whole
