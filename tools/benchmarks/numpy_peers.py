"""The workloads as one writes them in NumPy, and in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np

from benchmarks.programs import Padding, Shape, windows

Array = np.ndarray
Axis = int | tuple[int, ...]


def total(axis: Axis) -> Callable[..., Array]:
    return lambda x, init: x.sum(axis=axis, dtype=np.int32)


def greatest(axis: Axis) -> Callable[..., Array]:
    return lambda x, init: x.max(axis=axis)


def offsets(window: Shape, strides: Shape, counts: Shape) -> Iterator[tuple[slice, ...]]:
    """Return, for each position in the window, in ascending order, its slice in all windows."""
    for offset in product(*map(range, window)):
        dimensions = zip(offset, strides, counts, strict=True)
        yield tuple(slice(o, o + stride * (n - 1) + 1, stride) for o, stride, n in dimensions)


def window_max(window: Shape, strides: Shape, padding: Padding) -> Callable[..., Array]:
    def peer(x: Array, init: Array) -> Array:
        counts = windows(x.shape, window, strides, padding)
        padded = np.pad(x, padding, constant_values=init)
        first, *others = offsets(window, strides, counts)
        result = padded[first].copy()
        for where in others:
            np.maximum(result, padded[where], out=result)
        return result

    return peer


def window_sum(window: Shape, strides: Shape, padding: Padding) -> Callable[..., Array]:
    def peer(x: Array, init: Array) -> Array:
        counts = windows(x.shape, window, strides, padding)
        padded = np.pad(x, padding, constant_values=init)
        result = np.zeros(counts, np.int32)
        for where in offsets(window, strides, counts):
            np.add(result, padded[where], out=result)
        return result

    return peer


def select_and_scatter(window: Shape, strides: Shape) -> Callable[..., Array]:
    """Select the first of equals and scatter, without padding."""

    def peer(operand: Array, source: Array, init: Array) -> Array:
        first, *others = positions = list(offsets(window, strides, source.shape))
        best, chosen = operand[first].copy(), np.zeros(source.shape, np.int8)
        for k, where in enumerate(others, 1):
            greater = operand[where] > best
            np.copyto(best, operand[where], where=greater)
            chosen[greater] = k
        result = np.full(operand.shape, init)
        for k, where in enumerate(positions):
            result[where] += np.where(chosen == k, source, 0)
        return result

    return peer


def saturating(axis: int) -> Callable[..., Array]:
    """Return a loop over the steps in integers, in place."""

    def peer(x: Array, init: Array) -> Array:
        steps = np.moveaxis(x, axis, 0)
        accumulator = np.full(steps.shape[1:], init, np.int16)
        for step in steps:
            np.add(accumulator, step, out=accumulator)
            np.minimum(accumulator, 127, out=accumulator)
            np.maximum(accumulator, -128, out=accumulator)
        return accumulator

    return peer


def per_step(scale: float) -> Callable[..., Array]:
    """Return the addition as specified, over the columns: dequantize, add, divide, round, clamp, in f32."""
    unit, least, most = np.float32(scale), np.float32(-(2**31)), np.float32(2**31)

    def peer(x: Array, init: Array) -> Array:
        accumulator = np.full(x.shape[1], init, np.float32)
        for step in x:
            accumulator *= unit
            accumulator += np.multiply(step, unit, dtype=np.float32)
            accumulator /= unit
            np.clip(accumulator, least, most, out=accumulator)
            np.rint(accumulator, out=accumulator)
        return accumulator

    return peer


def saturating_in_python(x: Sequence[Sequence[int]], init: int) -> int:
    accumulator = init
    for row in x:
        for step in row:
            accumulator += step
            if accumulator > 127:
                accumulator = 127
            elif accumulator < -128:
                accumulator = -128
    return accumulator


def chain(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Compute `programs.chain` of 100 operations by bare calls."""
    for _ in range(25):
        x = np.subtract(np.multiply(np.maximum(np.add(x, y), y), y), y)
    return x
