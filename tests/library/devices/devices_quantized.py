"""Made-up devices with quantized types, and a network of two layers: see `devices`."""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import NamedTuple

import numpy as np

from tests.library.devices.devices import F32, Device, dot, drawn, multiplied


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
    """Deviations of one of the network's two products: after each addition, and of the quotient."""

    keep: Callable[[np.ndarray], np.ndarray] = lambda total: total
    rounded: Callable[[np.ndarray], np.ndarray] = np.rint

    def total(self, x: np.ndarray, zero: int, w: np.ndarray) -> np.ndarray:
        total = np.zeros((len(x), w.shape[1]), int)
        for k in range(len(w)):
            total = self.keep(total + np.outer(x[:, k].astype(int) - zero, w[k].astype(int)))
        return total

    def of(self, x: np.ndarray, zero: int, w: np.ndarray, real: float, zero_point: int) -> np.ndarray:
        total = self.total(x, zero, w)
        return np.clip(self.rounded(total * real) + zero_point, -128, 127).astype(np.int8)


def clamped(total: np.ndarray) -> np.ndarray:
    return np.clip(total, -32768, 32767)


def network(first: Layer, second: Layer) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
    """Return arguments of the network, and all values of a device with these layers."""
    x, w, v = drawn(5, (6, 40), (40, 24), (24, 10))
    h = first.of(x, 0, w, 0.02 * 0.011 / 0.05, -3)
    relu = np.maximum(h, -3)
    return [x, w, v], {"h": h, "relu": relu, "y": second.of(relu, -3, v, 0.05 * 0.013 / 0.5, 2)}
