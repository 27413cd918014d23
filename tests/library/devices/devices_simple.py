"""Made-up devices that take short cuts: no zero points, naive roundings, other widths and trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from tests.library.devices.devices import F32, Device, dot, drawn, multiplied, reals, sum_of

Q = "!quant.uniform<i8:f32, 0.0472:-7>"
SCALE, POINT = F32(0.0472), -7


def stored(whole: int) -> int:
    return min(max(whole, -128), 127)


def quantizing(name: str, x: np.ndarray, of: Callable[[Any], int]) -> Device:
    """A `uniform_quantize` whose stored numbers are a function of the real ones."""
    program = f"""func.func @main(%x: tensor<{len(x)}xf32>) -> tensor<{len(x)}x{Q}> {{
      %y = stablehlo.uniform_quantize %x : (tensor<{len(x)}xf32>) -> tensor<{len(x)}x{Q}>
      return %y : tensor<{len(x)}x{Q}>
    }}"""
    return Device(name, program, (x,), np.array([stored(of(v)) for v in x], np.int8))


def truncating_after_the_zero_point() -> Device:
    """`(int)(x / scale + zero_point)` in C."""
    (x,) = reals(1, (200,))
    after = lambda v: int(np.trunc(F32(v / SCALE) + F32(POINT)))
    return quantizing("rounding toward zero after the zero point", x, after)


def away_after_the_zero_point() -> Device:
    """`lroundf(x / scale + zero_point)` in C, on numbers half way between two steps."""
    x = ((np.arange(-60, 60) + F32(0.5)) * SCALE).astype(F32)

    def after(v: Any) -> int:
        moved = float(F32(F32(v / SCALE) + F32(POINT)))
        return int(np.copysign(np.floor(abs(moved) + 0.5), moved))

    return quantizing("rounding half away from zero after the zero point", x, after)


def multiplying_by_the_reciprocal() -> Device:
    x = ((np.arange(-120, 120) + F32(0.5)) * SCALE).astype(F32)
    inverse = F32(F32(1) / SCALE)
    return quantizing("reciprocal scale", x, lambda v: int(np.rint(F32(F32(v * inverse) + F32(POINT)))))


def quantizing_without_zero_point() -> Device:
    (x,) = reals(2, (50,))
    return quantizing("no zero point of the result", x, lambda v: int(np.rint(F32(v / SCALE))))


def dequantizing_without_zero_point() -> Device:
    (q,) = drawn(3, (50,))
    program = f"""func.func @main(%x: tensor<50x{Q}>) -> tensor<50xf32> {{
      %y = stablehlo.uniform_dequantize %x : (tensor<50x{Q}>) -> tensor<50xf32>
      return %y : tensor<50xf32>
    }}"""
    return Device(
        "no zero point of the first operand", program, (q,), np.array([F32(int(v)) * SCALE for v in q])
    )


def multiplying_without_zero_point() -> Device:
    """Products of stored numbers, the zero point of the left ones forgotten; sums are exact in f32."""
    x, w = drawn(4, (5, 32), (32, 4))

    def of_row(a: Any, b: Any) -> int:
        total = sum(int(u) * int(v) for u, v in zip(a, b, strict=True))
        return stored(int(np.rint(F32(F32(total) * F32(2**-9)))) + 5)

    program = dot(
        "5x32x!quant.uniform<i8:f32, 0.0625:-7>",
        "32x4x!quant.uniform<i8:f32, 0.03125>",
        "5x4x!quant.uniform<i8:f32, 1.0:5>",
    )
    return Device("no zero point of the first operand", program, (x, w), multiplied(x, w, of_row, np.int8))


def eighteen_bits() -> Device:
    x, w = drawn(5, (4, 300), (300, 3))
    limit = 1 << 17

    def of_row(a: Any, b: Any) -> int:
        total = 0
        for u, v in zip(a, b, strict=True):
            total = min(max(total + int(u) * int(v), -limit), limit - 1)
        return total

    program = dot("4x300xi8", "300x3xi8", "4x3xi32")
    return Device("accumulator i18 saturate", program, (x, w), multiplied(x, w, of_row, np.int32))


def in_halves() -> Device:
    """A recursive sum of both halves, to which the init is added."""
    (x,) = reals(6, (9, 61))

    def total(row: Any) -> Any:
        middle = len(row) // 2
        return row[0] if len(row) == 1 else F32(total(row[:middle]) + total(row[middle:]))

    init = F32(0.5)
    results = np.array([F32(total(row) + init) for row in x])
    return Device("init beside halves", sum_of("9x61xf32", "f32", "9xf32"), (x, init), results)


def counting_init_twice() -> Device:
    """The same as one more block would give, which is the less simple explanation."""
    (x,) = drawn(7, (5, 12), low=-9, high=9)
    x, init = x.astype(np.int32), np.int32(13)
    results = np.array([int(row.sum()) + 26 for row in x], np.int32)
    return Device("init twice", sum_of("5x12xi32", "i32", "5xi32"), (x, init), results)


def unsigned_sixteen_bits() -> Device:
    rng = np.random.default_rng(8)
    x, w = (rng.integers(0, 256, shape).astype(np.uint8) for shape in ((4, 30), (30, 3)))
    of_row = lambda a, b: min(sum(int(u) * int(v) for u, v in zip(a, b, strict=True)), 65535)
    program = dot("4x30xui8", "30x3xui8", "4x3xui32")
    x[0] = x[0] // 16  # of which the sums fit
    return Device("accumulator ui16 saturate", program, (x, w), multiplied(x, w, of_row, np.uint32))


def adding_modulo_256() -> Device:
    rng = np.random.default_rng(9)
    x, init = rng.integers(0, 256, (6, 9)).astype(np.uint32), np.uint32(3)
    results = ((x.sum(1) + 3) % 256).astype(np.uint32)
    return Device("accumulator ui8 wrap", sum_of("6x9xui32", "ui32", "6xui32"), (x, init), results)


def adding_wider_numbers() -> Device:
    """Sums in bf16 of products in f32: each addition is exact but for its rounding to bf16."""
    x, w = reals(10, (5, 40), (40, 4))

    def of_row(a: Any, b: Any) -> Any:
        total = ml_dtypes.bfloat16(0)
        for u, v in zip(a, b, strict=True):
            total = ml_dtypes.bfloat16(F32(total) + F32(u * v))
        return F32(total)

    program = dot("5x40xf32", "40x4xf32", "5x4xf32")
    return Device("accumulator bf16, terms in full", program, (x, w), multiplied(x, w, of_row, F32))
