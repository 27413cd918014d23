"""Made-up devices with one deviation each: programs, inputs, and results by loops without the engine."""

from __future__ import annotations

from collections.abc import Callable
from math import floor
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


def requantized(
    name: str,
    recipe: Callable[[int], int],
    scales: tuple[float, float, float] = (0.0078125, 0.01171875, 0.0390625),
    shape: tuple[int, int, int] = (4, 64, 5),
    stored: str = "i8",
) -> Device:
    """A product whose integer sums become results by a function of the sum; the zero point 3 follows."""
    m, k, n = shape
    x, w = drawn(7, (m, k), (k, n))
    least, most = np.iinfo(stored.replace("i", "int")).min, np.iinfo(stored.replace("i", "int")).max
    of_row = lambda a, b: min(max(recipe(int(a.astype(int) @ b.astype(int))) + 3, least), most)
    program = dot(
        f"{m}x{k}x!quant.uniform<i8:f32, {scales[0]}>",
        f"{k}x{n}x!quant.uniform<i8:f32, {scales[1]}>",
        f"{m}x{n}x!quant.uniform<{stored}:f32, {scales[2]}:3>",
    )
    return Device(name, program, (x, w), multiplied(x, w, of_row, stored.replace("i", "int")))


def multiplier(real: float) -> tuple[int, int]:
    """Return (M, e) with `real = M * 2^(e - 31)` and M of 31 bits."""
    fraction, exponent = np.frexp(np.float64(real))
    m = floor(float(fraction) * 2**31 + 0.5)
    return (m, int(exponent)) if m < 2**31 else (m // 2, int(exponent) + 1)


def doubly_rounded(total: int, m: int, e: int) -> int:
    """Return gemmlowp's SaturatingRoundingDoublingHighMul, and RoundingDivideByPOT of that."""
    product = total * m
    nudged = product + (2**30 if product >= 0 else 1 - 2**30)
    high = abs(nudged) // 2**31 * (1 if nudged >= 0 else -1)
    mask = (1 << -e) - 1
    threshold = (mask >> 1) + (high < 0)
    return (high >> -e) + ((high & mask) > threshold)


def tflite() -> Device:
    """Scales that are powers of two, so that many quotients are half way between two integers."""
    recipe = lambda n: doubly_rounded(n, *multiplier(2.0**-6))
    return requantized("recipe tflite_double", recipe, (0.125, 0.125, 1.0), (30, 3, 20))


def gemmlowp() -> Device:
    """Results of 16 bits, in which the multiplier's rounding to f32 shows."""
    scales = (0.0111, 0.0164, 0.0005)
    real = F32(F32(scales[0]) * F32(scales[1])) / F32(scales[2])
    recipe = lambda n: doubly_rounded(n, *multiplier(float(real)))
    return requantized("recipe gemmlowp", recipe, scales, (60, 16, 50), "i16")


def truncating() -> Device:
    return requantized("rounding toward zero", lambda n: int(n * 0.00234375))


def wrapping_results() -> Device:
    """A device whose results wrap when they are stored."""
    device = requantized("results wrap", lambda n: 0, (0.5, 0.5, 4.0))
    x, w = device.args
    whole = np.rint(x.astype(int) @ w.astype(int) / 16 + 3).astype(int)
    return device._replace(results=((whole + 128) % 256 - 128).astype(np.int8))


def reading_integers() -> Device:
    """A sum that rescales its operands to integers of the result's scale, each rounded."""
    x, y = drawn(8, (40,), (40,))
    types = [f"tensor<40x!quant.uniform<i8:f32, {scale}>>" for scale in (0.375, 0.3125, 1.0)]
    program = f"""func.func @main(%x: {types[0]}, %y: {types[1]}) -> {types[2]} {{
      %s = stablehlo.add %x, %y : ({types[0]}, {types[1]}) -> {types[2]}
      return %s : {types[2]}
    }}"""
    out = [round(int(a) * 0.375) + round(int(b) * 0.3125) for a, b in zip(x, y, strict=True)]
    return Device("reading integer", program, (x, y), np.array(out, np.int8))


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


DEVICES = [
    wrapping,
    saturating,
    half_accumulators,
    bfloat_accumulators,
    wide_accumulators,
    in_blocks,
    in_pairs,
    backwards,
    in_lanes,
    init_per_block,
    tflite,
    gemmlowp,
    truncating,
    wrapping_results,
    reading_integers,
    half_products,
    bfloat_factors,
    fused,
    flushing,
    clamped_once,
    pooling,
    convolving,
]


NETWORK = """func.func @main(
    %x: tensor<6x40x!quant.uniform<i8:f32, 0.02>>, %w: tensor<40x24x!quant.uniform<i8:f32, 0.011>>,
    %v: tensor<24x10x!quant.uniform<i8:f32, 0.013>>) -> tensor<6x10x!quant.uniform<i8:f32, 0.5:2>> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<6x40x!quant.uniform<i8:f32, 0.02>>, tensor<40x24x!quant.uniform<i8:f32, 0.011>>)
    -> tensor<6x24x!quant.uniform<i8:f32, 0.05:-3>>
  %zero = stablehlo.constant() <{value = dense<-3> : tensor<6x24xi8>}>
    : () -> tensor<6x24x!quant.uniform<i8:f32, 0.05:-3>>
  %relu = stablehlo.maximum %h, %zero : tensor<6x24x!quant.uniform<i8:f32, 0.05:-3>>
  %y = stablehlo.dot_general %relu, %v, contracting_dims = [1] x [0]
    : (tensor<6x24x!quant.uniform<i8:f32, 0.05:-3>>, tensor<24x10x!quant.uniform<i8:f32, 0.013>>)
    -> tensor<6x10x!quant.uniform<i8:f32, 0.5:2>>
  return %y : tensor<6x10x!quant.uniform<i8:f32, 0.5:2>>
}"""


class Layer(NamedTuple):
    """What one of the network's two products does: after each addition, and to the quotient."""

    keep: Callable[[np.ndarray], np.ndarray] = lambda total: total
    rounded: Callable[[np.ndarray], np.ndarray] = np.rint

    def of(self, x: np.ndarray, zero: int, w: np.ndarray, real: float, zero_point: int) -> np.ndarray:
        total = np.zeros((len(x), w.shape[1]), int)
        for k in range(len(w)):
            total = self.keep(total + np.outer(x[:, k].astype(int) - zero, w[k].astype(int)))
        return np.clip(self.rounded(total * real) + zero_point, -128, 127).astype(np.int8)


def clamped(total: np.ndarray) -> np.ndarray:
    return np.clip(total, -32768, 32767)


def network(first: Layer, second: Layer) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
    """Return arguments of the network, and all values of a device with these layers."""
    x, w, v = drawn(5, (6, 40), (40, 24), (24, 10))
    h = first.of(x, 0, w, 0.02 * 0.011 / 0.05, -3)
    relu = np.maximum(h, -3)
    return [x, w, v], {"h": h, "relu": relu, "y": second.of(relu, -3, v, 0.05 * 0.013 / 0.5, 2)}
