"""The workloads as JAX functions: XLA's own op, and the best formulations found for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.numpy_peers import Axis, offsets
from benchmarks.programs import Padding, Shape, windows

Array = jax.Array


def total(axis: Axis, dtype: type) -> Callable[..., Array]:
    """Convert, then use XLA's own sum."""
    return lambda x, init: jnp.sum(x.astype(dtype), axis=axis)


def total_of_rows(x: Array, init: Array) -> Array:
    """Sum f32 within rows, exact up to 131,072 i8, and i32 over them: so the conversion is fused."""
    return jnp.sum(x.astype(jnp.float32), axis=1).astype(jnp.int32).sum()


def greatest(axis: Axis) -> Callable[..., Array]:
    return lambda x, init: jnp.max(x, axis=axis)


def strided_window(
    body: Callable, window: Shape, strides: Shape, padding: Padding, dtype: type
) -> Callable[..., Array]:
    """Return one strided slice for each position in the window."""

    def peer(x: Array, init: Array) -> Array:
        counts = windows(x.shape, window, strides, padding)
        padded = lax.pad(x, init, [(*pads, 0) for pads in padding])
        return reduce(body, [padded[where].astype(dtype) for where in offsets(window, strides, counts)])

    return peer


def strided_select_and_scatter(window: Shape, strides: Shape) -> Callable[..., Array]:
    """Select by slices as windows, and add by the transposed slice; without padding."""

    def peer(operand: Array, source: Array, init: Array) -> Array:
        positions = list(offsets(window, strides, source.shape))
        best, chosen = operand[positions[0]], jnp.zeros(source.shape, jnp.int8)
        for k, where in enumerate(positions[1:], 1):
            greater = operand[where] > best
            best, chosen = jnp.where(greater, operand[where], best), jnp.where(greater, k, chosen)
        zero = jnp.zeros((), source.dtype)
        result = jnp.full(operand.shape, init)
        for k, where in enumerate(positions):
            spread = [
                (s.start, size - s.stop, s.step - 1) for s, size in zip(where, operand.shape, strict=True)
            ]
            result += lax.pad(jnp.where(chosen == k, source, zero), zero, spread)
        return result

    return peer


def disjoint_select_and_scatter(width: int) -> Callable[..., Array]:
    """Use square windows side by side as two further dimensions, so that nothing moves."""

    def peer(operand: Array, source: Array, init: Array) -> Array:
        n, height, _, channels = source.shape
        tiled = operand.reshape(n, height, width, -1, width, channels)
        position = jnp.arange(width * width, dtype=jnp.int8).reshape(1, 1, width, 1, width, 1)
        candidates = jnp.where(tiled == tiled.max((2, 4), keepdims=True), position, width * width)
        first = position == candidates.min((2, 4), keepdims=True)
        return jnp.where(first, source[:, :, None, :, None], init).reshape(operand.shape)

    return peer


def saturating_scan(axis: int) -> Callable[..., Array]:
    """Return a `lax.scan` over the steps in integers, after transposing them to the front."""

    def peer(x: Array, init: Array) -> Array:
        steps = jnp.moveaxis(x, axis, 0)
        start = jnp.full(steps.shape[1:], init, jnp.int16)
        return lax.scan(lambda a, q: (jnp.clip(a + q.astype(jnp.int16), -128, 127), None), start, steps)[0]

    return peer


def saturating_loop(x: Array, init: Array) -> Array:
    """Loop over one scalar, element by element."""
    flat = x.ravel()
    step = lambda i, a: jnp.clip(a + flat[i].astype(jnp.int32), -128, 127)
    return lax.fori_loop(0, flat.size, step, init.astype(jnp.int32))


def per_step_scan(scale: float) -> Callable[..., Array]:
    """Return the addition as specified, over the columns: dequantize, add, divide, round, clamp, in f32."""

    def peer(x: Array, init: Array) -> Array:
        add = _addition(scale, x[0])
        start = jnp.full(x.shape[1:], init, jnp.float32)
        return lax.scan(lambda a, q: (add(a, q), None), start, x)[0]

    return peer


def contracted_scan(scale: float) -> Callable[..., Array]:
    """Scan as one would write it: XLA fuses products into the sum, and uses the reciprocal."""

    def peer(x: Array, init: Array) -> Array:
        unit, start = jnp.float32(scale), jnp.full(x.shape[1:], init, jnp.float32)
        add = lambda a, q: _rounded((a * unit + q.astype(jnp.float32) * unit) / unit)
        return lax.scan(lambda a, q: (add(a, q), None), start, x)[0]

    return peer


def per_step_loop(scale: float) -> Callable[..., Array]:
    """Loop over one scalar as specified, element by element."""

    def peer(x: Array, init: Array) -> Array:
        flat, add = x.ravel(), _addition(scale, x[0, 0])
        return lax.fori_loop(0, flat.size, lambda i, a: add(a, flat[i]), init.astype(jnp.float32))

    return peer


def _addition(scale: float, like: Array) -> Callable[[Array, Array], Array]:
    """Return the addition with each operation rounded: nothing fused, no reciprocal."""
    unit = scale + 0 * like.astype(jnp.float32)  # XLA cannot see the value: 0 * NaN would not be 0

    def product(x: Array) -> Array:
        return jnp.where(jnp.isnan(x * unit), x, x * unit)

    return lambda a, q: _rounded((product(a) + product(q.astype(jnp.float32))) / unit)


def _rounded(x: Array) -> Array:
    return jnp.rint(jnp.clip(x, -(2.0**31), 2.0**31))
