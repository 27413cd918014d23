"""Sums in the accumulators of hardware, one Python integer after the other, and products to sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

DOT = """
func.func @main(%x: tensor<2x6x{left}>, %w: tensor<6x3x{right}>) -> tensor<2x3x{result}> {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x6x{left}>, tensor<6x3x{right}>) -> tensor<2x3x{result}>
  return %0 : tensor<2x3x{result}>
}}"""
Add = Callable[[Any, Any], Any]


def wrapping(bits: int) -> Add:
    return lambda a, b: (a + b + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def saturating(bits: int) -> Add:
    return lambda a, b: max(-(1 << (bits - 1)), min(a + b, (1 << (bits - 1)) - 1))


def left(add: Add, numbers: Sequence[Any], start: Any = 0) -> Any:
    total = start
    for x in numbers:
        total = add(total, x)
    return total


def in_blocks(size: int, inner: Add, outer: Add, numbers: Sequence[Any]) -> Any:
    parts = [left(inner, numbers[i : i + size]) for i in range(0, len(numbers), size)]
    return left(outer, parts)


def split(size: int, inner: Add, outer: Add, numbers: Sequence[Any]) -> Any:
    return left(outer, [left(inner, numbers[i::size]) for i in range(size)])


BY_HAND: dict[str, Callable[[Sequence[int]], int]] = {
    "i16": lambda x: left(wrapping(16), x),
    "i16 wrap": lambda x: left(wrapping(16), x),
    "i16 saturate": lambda x: left(saturating(16), x),
    "i12 saturate": lambda x: left(saturating(12), x),
    "i20 saturate": lambda x: left(saturating(20), x),
    "i16 blocks(4) i32": lambda x: in_blocks(4, wrapping(16), wrapping(32), x),
    "i12 saturate split(4) i32": lambda x: split(4, saturating(12), wrapping(32), x),
    "maddubs": lambda x: in_blocks(2, saturating(16), wrapping(32), x),
}


def products(x: np.ndarray, w: np.ndarray) -> list[list[list[int]]]:
    """Return the products of each row and column, as Python integers."""
    return [[[int(a) * int(b) for a, b in zip(row, column, strict=True)] for column in w.T] for row in x]


def integers(seed: int, *shape: int) -> np.ndarray:
    """Return integers of i8, half of them near its ends, so that sums leave 16 bits."""
    rng = np.random.default_rng(seed)
    near = rng.choice([-128, -127, 126, 127], shape)
    return np.where(rng.random(shape) < 0.5, near, rng.integers(-128, 128, shape)).astype(np.int8)
