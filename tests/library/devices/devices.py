"""Made-up devices with one deviation each: programs, inputs, and results by loops without the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

F32, F16, BF16 = np.float32, np.float16, ml_dtypes.bfloat16
Add = Callable[[Any, Any], Any]


class Device(NamedTuple):
    """A device: the deviation's name, a program, its arguments, and the results that it gives for them."""

    deviation: str
    program: str
    args: tuple[np.ndarray, ...]
    results: np.ndarray


def dot(left: str, right: str, result: str) -> str:
    return f"""func.func @main(%x: tensor<{left}>, %w: tensor<{right}>) -> tensor<{result}> {{
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<{left}>, tensor<{right}>) -> tensor<{result}>
      return %y : tensor<{result}>
    }}"""


def sum_of(operand: str, element: str, result: str) -> str:
    return f"""func.func @main(%x: tensor<{operand}>, %init: tensor<{element}>) -> tensor<{result}> {{
      %y = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1]
        : (tensor<{operand}>, tensor<{element}>) -> tensor<{result}>
      return %y : tensor<{result}>
    }}"""


def multiplied(x: np.ndarray, w: np.ndarray, of_row: Callable[[Any, Any], Any], dtype: Any) -> np.ndarray:
    """Return `of_row(row, column)` for each row of x and each column of w."""
    rows = [[of_row(x[i], w[:, j]) for j in range(w.shape[1])] for i in range(len(x))]
    return np.array(rows).astype(dtype)


def drawn(seed: int, *shapes: tuple[int, ...], low: int = -128, high: int = 128) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.integers(low, high, shape).astype(np.int8) for shape in shapes]


def reals(seed: int, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape).astype(F32) for shape in shapes]


def in_turn(add: Add, start: Any, values: Any) -> Any:
    total = start
    for value in values:
        total = add(total, value)
    return total


def integer_accumulators(name: str, keep: Callable[[int], int]) -> Device:
    x, w = drawn(1, (4, 96), (96, 3))
    of_row = lambda a, b: in_turn(
        lambda t, p: keep(t + p), 0, [int(u) * int(v) for u, v in zip(a, b, strict=True)]
    )
    program = dot("4x96xi8", "96x3xi8", "4x3xi32")
    return Device(name, program, (x, w), multiplied(x, w, of_row, np.int32))


def wrapping() -> Device:
    return integer_accumulators("accumulator i16 wrap", lambda n: (n + 32768) % 65536 - 32768)


def saturating() -> Device:
    return integer_accumulators("accumulator i16 saturate", lambda n: min(max(n, -32768), 32767))


def float_accumulators(name: str, dtype: Any) -> Device:
    x, w = reals(2, (4, 50), (50, 3))
    of_row = lambda a, b: in_turn(lambda t, p: dtype(F32(t) + F32(dtype(p))), dtype(0), a * b)
    return Device(name, dot("4x50xf32", "50x3xf32", "4x3xf32"), (x, w), multiplied(x, w, of_row, F32))


def half_accumulators() -> Device:
    return float_accumulators("accumulator f16", F16)


def bfloat_accumulators() -> Device:
    return float_accumulators("accumulator bf16", BF16)


def wide_accumulators() -> Device:
    """A reduction in bf16 that a device sums in f32."""
    (x,) = reals(3, (6, 80))
    x, init = x.astype(BF16), np.array(0, BF16)
    out = np.array([in_turn(lambda t, v: F32(t + F32(v)), F32(0), row) for row in x], F32).astype(BF16)
    return Device("accumulator f32", sum_of("6x80xbf16", "bf16", "6xbf16"), (x, init), out)


def of_floats(name: str, fold: Callable[[Any, Any], Any], init: float) -> Device:
    (x,) = reals(4, (6, 100))
    start = np.array(init, F32)
    out = np.array([fold(start[()], row) for row in x], F32)
    return Device(name, sum_of("6x100xf32", "f32", "6xf32"), (x, start), out)


def plus(a: Any, b: Any) -> Any:
    return F32(a + b)


def in_blocks() -> Device:
    def fold(init: Any, row: Any) -> Any:
        parts = [in_turn(plus, F32(0), row[k : k + 32]) for k in range(0, len(row), 32)]
        return in_turn(plus, parts[0], parts[1:])

    return of_floats("blocks(32)", fold, 0.0)


def in_pairs() -> Device:
    def fold(init: Any, row: Any) -> Any:
        level = [init, *row]
        while len(level) > 1:
            odd = level[len(level) // 2 * 2 :]
            level = [plus(level[2 * k], level[2 * k + 1]) for k in range(len(level) // 2)] + odd
        return level[0]

    return of_floats("balanced", fold, 0.0)


def backwards() -> Device:
    return of_floats("right to left", lambda init, row: in_turn(plus, init, row[::-1]), 0.5)


def in_lanes() -> Device:
    """Eight accumulators take turns in a product, as those of a vector register do."""
    x, w = reals(5, (4, 80), (80, 3))

    def of_row(a: Any, b: Any) -> Any:
        lanes = [in_turn(plus, F32(0), (a * b)[k::8]) for k in range(8)]
        return in_turn(plus, F32(0), lanes)

    program = dot("4x80xf32", "80x3xf32", "4x3xf32")
    return Device("lanes(8)", program, (x, w), multiplied(x, w, of_row, F32))


def init_per_block() -> Device:
    """A sum of integers that begins each block of 16 with its init value, 7."""
    (x,) = drawn(6, (5, 64))
    fold = lambda row: sum(7 + int(row[k : k + 16].sum()) for k in range(0, 64, 16))
    out = np.array([fold(row.astype(int)) for row in x], np.int32)
    x, init = x.astype(np.int32), np.array(7, np.int32)
    return Device("blocks(16)", sum_of("5x64xi32", "i32", "5xi32"), (x, init), out)


def half_products() -> Device:
    x, w = reals(9, (4, 50), (50, 3))
    of_row = lambda a, b: in_turn(plus, F32(0), [F32(F16(p)) for p in a * b])
    program = dot("4x50xf32", "50x3xf32", "4x3xf32")
    return Device("products f16", program, (x, w), multiplied(x, w, of_row, F32))


def bfloat_factors() -> Device:
    x, w = reals(10, (4, 50), (50, 3))
    of_row = lambda a, b: in_turn(plus, F32(0), a.astype(BF16).astype(F32) * b.astype(BF16).astype(F32))
    program = dot("4x50xf32", "50x3xf32", "4x3xf32")
    return Device("factors bf16", program, (x, w), multiplied(x, w, of_row, F32))


def fused() -> Device:
    """A product by fused multiply-add, in exact integers: every number is a multiple of 2^-12."""
    rng = np.random.default_rng(11)
    x, w = (rng.integers(-(2**15), 2**15, shape) for shape in ((4, 40), (40, 3)))

    def of_row(a: Any, b: Any) -> Any:
        total = 0  # in units of 2^-24; a sum of it and a product has at most 53 bits
        for u, v in zip(a.tolist(), b.tolist(), strict=True):
            total = int(F32(total + u * v))
        return total * 2.0**-24

    args = tuple((each * 2.0**-12).astype(F32) for each in (x, w))
    program = dot("4x40xf32", "40x3xf32", "4x3xf32")
    return Device("fused products", program, args, multiplied(x, w, of_row, F32))


def flushing() -> Device:
    rng = np.random.default_rng(12)
    x, y = ((rng.standard_normal(60) * 2.0**-126).astype(F32) for _ in range(2))
    program = """func.func @main(%x: tensor<60xf32>, %y: tensor<60xf32>) -> tensor<60xf32> {
      %s = stablehlo.add %x, %y : tensor<60xf32>
      return %s : tensor<60xf32>
    }"""
    flush = lambda a: np.where(np.abs(a) < F32(2.0**-126), np.copysign(F32(0), a), a)
    return Device("flush to zero", program, (x, y), flush(flush(x) + flush(y)))


def clamped_once() -> Device:
    """A sum in i8 that a device clamps at the end only."""
    (x,) = drawn(13, (12, 30))
    out = np.array([min(max(in_turn(int.__add__, 5, row.tolist()), -128), 127) for row in x], np.int8)
    type = "!quant.uniform<i8:f32, 0.5>"
    return Device("accumulator i32 wrap", sum_of(f"12x30x{type}", type, f"12x{type}"), (x, np.int8(5)), out)


def pooling() -> Device:
    """A window sum in bf16 whose accumulator is f32, rounded at the end."""
    (x,) = reals(14, (8, 40))
    x, init = x.astype(BF16), np.array(0.25, BF16)
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(F32), 12, 1)[:, ::4]
    out = np.array([[in_turn(plus, F32(0.25), window) for window in row] for row in windows]).astype(BF16)
    rows, columns = out.shape
    shape = f"{rows}x{columns}xbf16"
    program = f"""func.func @main(%x: tensor<8x40xbf16>, %init: tensor<bf16>) -> tensor<{shape}> {{
      %y = "stablehlo.reduce_window"(%x, %init) ({{
      ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
        %s = stablehlo.add %a, %b : tensor<bf16>
        stablehlo.return %s : tensor<bf16>
      }}) {{window_dimensions = array<i64: 1, 12>, window_strides = array<i64: 1, 4>}}
        : (tensor<8x40xbf16>, tensor<bf16>) -> tensor<{shape}>
      return %y : tensor<{shape}>
    }}"""
    return Device("accumulator f32", program, (x, init), out)


def convolving() -> Device:
    """A convolution of one image and channel whose sums of i8 products saturate in i16."""
    x, w = drawn(15, (6, 9), (3, 4), low=-30)
    rows = [[_window(x, w, i, j) for j in range(6)] for i in range(4)]
    program = """func.func @main(%x: tensor<1x6x9x1xi8>, %w: tensor<3x4x1x1xi8>) -> tensor<1x4x6x1xi32> {
      %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x6x9x1xi8>, tensor<3x4x1x1xi8>) -> tensor<1x4x6x1xi32>
      return %y : tensor<1x4x6x1xi32>
    }"""
    out = np.array(rows, np.int32).reshape(1, 4, 6, 1)
    args = x.reshape(1, 6, 9, 1), w.reshape(3, 4, 1, 1)
    return Device("accumulator i16 saturate", program, args, out)


def _window(x: np.ndarray, w: np.ndarray, i: int, j: int) -> int:
    """Return the sum of products at one place, clamped to 16 bits after each addition."""
    products = (x[i : i + 3, j : j + 4].astype(int) * w).ravel().tolist()
    return int(in_turn(lambda t, p: min(max(t + p, -32768), 32767), 0, products))
