"""Ordered sums of products, compiled by numba: products and sums rounded, from the left, none fused.

A block of sums is in registers from its first product to its last; vectors are of results. numba neither
reorders nor contracts floats unless `fastmath` asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np

from interp.backends.compiling import OPTIONS, compiled
from interp.fastpaths.register_block import BYTES, ROWS, block_of

Array = np.ndarray
Accumulate = Callable[[Array, Array, Array], None]
one, two = block_of("f32", 1), block_of("f32", 2)  # other types have others: `accumulation`
callable_too: Any = numba.njit(**OPTIONS)  # by Python, as functions that are `inlined` are not
f32, u32 = np.float32, np.uint32
LEAST_POWER, MOST_POWER = u32(0x38800000), u32(0x47800000)  # the bits of 2^-14 and 2^16


def _accumulate(totals: Array, left: Array, right: Array) -> None:
    """Add products of left [m, k] and right [k, n] to totals [m, n], k after k; m is a multiple of `ROWS`."""
    n, columns, size = len(right), right.shape[1], right.itemsize
    strides = totals.strides[0], left.strides[0], right.strides[0]
    whole, half = columns // (2 * BYTES // size) * (2 * BYTES), columns // (BYTES // size) * BYTES
    for i in range(0, len(left), ROWS):
        sums, factors = totals.ctypes.data + i * strides[0], left.ctypes.data + i * strides[1]
        for j in range(0, whole, 2 * BYTES):
            two(sums + j, strides[0], factors, strides[1], right.ctypes.data + j, strides[2], n)
        for j in range(whole, half, BYTES):
            one(sums + j, strides[0], factors, strides[1], right.ctypes.data + j, strides[2], n)
        if half < columns * size:
            for row in range(i, i + ROWS):
                for k in range(n):
                    for j in range(half // size, columns):
                        totals[row, j] = fl(totals[row, j] + fl(left[row, k] * right[k, j]))


@callable_too
def fl(x: Any) -> Any:
    """Return a float of the carrier, which hardware has rounded; narrower types have another `fl`."""
    return x


@callable_too
def _to_bf16(x: Any) -> Any:
    """Round an f32 to bf16, the upper half of its bits, nearest even; a NaN of bf16 stays what it is."""
    bits = f32(x).view(u32)
    return u32((bits + u32(0x7FFF) + ((bits >> u32(16)) & u32(1))) & u32(0xFFFF0000)).view(f32)


@callable_too
def _to_f16(x: Any) -> Any:
    """Round an f32 to f16 by adding, then subtracting, a number whose last place is that of the result.

    From 2^16 on a product with 2^112 is infinite. A zero may lose its sign, which no sum keeps.
    """
    power = f32(x).view(u32) & u32(0x7F800000)
    power = min(max(power, LEAST_POWER), MOST_POWER)
    away = u32(power).view(f32) * f32(3 * 2**12)
    return (((x + away) - away) * f32(2.0**112)) * f32(2.0**-112)


ROUNDING = {"f32": fl, "f64": fl, "bf16": _to_bf16, "f16": _to_f16}


@cache
def accumulation(name: str) -> Accumulate:
    """Return the compiled loop for sums of a float type, in its carrier: f64, or f32 for narrower ones."""
    blocks = {"one": block_of(name, 1), "two": block_of(name, 2)}
    return variant_of(_accumulate, name, {"fl": ROUNDING[name], **blocks})


def variant_of(function: Any, name: str, names: dict[str, Any], compiler: Any = compiled) -> Any:
    """Return a function compiled with other meanings of some of its global names.

    Its name tells compiled code on disk apart, as all of that name have the same meanings here.
    """
    variant = FunctionType(
        function.__code__, {**function.__globals__, **names}, f"{function.__code__.co_name}_{name}"
    )
    variant.__module__, variant.__qualname__ = function.__module__, variant.__name__
    return compiler(variant, f"{variant.__name__} {text()}")


@cache
def text() -> str:
    """Return the source of all modules that a loop may call into: those beside this one."""
    return "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py")))
