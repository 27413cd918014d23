"""ResNet-18 twice: as MLIR text, and in NumPy's int64 and Python's integers, which share no code with interp.

Each step writes a line and computes what it must give in the integer reading: products and sums of
`q - zero_point` are int64; the recipe `exact` multiplies by a fraction of scales and rounds once, half to even;
results saturate.
Activations are i8 with a zero point, weights i8 with a scale for each channel, accumulators i32.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

Array = np.ndarray
STAGES = ((1, 1), (2, 2), (4, 2), (8, 2))  # channels, in those of the first stage, and the first stride


class Type(NamedTuple):
    """Parameters of a quantized value: f32 scales, a zero point, the bits of its storage, an axis or None."""

    scales: tuple[float, ...]
    zero_point: int = 0
    bits: int = 8
    axis: int | None = None

    def text(self, shape: Sequence[int]) -> str:
        axis = "" if self.axis is None else f":{self.axis}"
        scales = [f"{scale:.17e}" for scale in self.scales]
        several = f"{{{','.join(scales)}}}"
        parameters = f"{scales[0]}:{self.zero_point}" if self.axis is None else several
        sizes = "".join(f"{n}x" for n in shape)
        return f"tensor<{sizes}!quant.uniform<i{self.bits}:f32{axis}, {parameters}>>"

    @property
    def exact(self) -> Array:
        return np.array([Fraction(scale) for scale in self.scales], object)


class Value(NamedTuple):
    """A value of the program: its name, what it stores, its type."""

    name: str
    stored: Array
    type: Type

    @property
    def text(self) -> str:
        return self.type.text(self.stored.shape)

    @property
    def integers(self) -> Array:
        return self.stored.astype(np.int64) - self.type.zero_point


def f32(x: float) -> float:
    return float(np.float32(x))


def rescaled(m: Array, quotients: Array) -> Array:
    """Return m times fractions along the last axis, rounded to integers, half to even."""
    top = np.array([q.numerator for q in quotients], object)
    bottom = np.array([q.denominator for q in quotients], object)
    product = m.astype(object) * top
    whole = product // bottom
    rest = product - whole * bottom
    up = (2 * rest > bottom) | ((2 * rest == bottom) & (whole % 2 == 1))
    return (whole + up.astype(object)).astype(np.int64)


def saturated(m: Array, type: Type) -> Array:
    """Return what is stored for integers of a type."""
    half = 1 << (type.bits - 1)
    return np.clip(m + type.zero_point, -half, half - 1).astype(f"int{type.bits}")


def sums(x: Array, w: Array, stride: int, pad: int, groups: int = 1) -> Array:
    """Return the int64 sums of products of a convolution, [b, y, x, f] by [y, x, i, o]."""
    window = w.shape[0]
    padded = np.pad(x, [(0, 0), (pad, pad), (pad, pad), (0, 0)])
    side = (padded.shape[1] - window) // stride + 1
    total = np.zeros((1, side, side, w.shape[3]), np.int64)
    for row in range(window):
        for column in range(window):
            end = stride * (side - 1) + 1
            part = padded[:, row : row + end : stride, column : column + end : stride]
            total += part * w[row, column, 0] if groups > 1 else part @ w[row, column]
    return total


class Network:
    """The lines written so far, the arguments, and the accumulators."""

    def __init__(self, side: int, channels: int, classes: int, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.lines: list[str] = []
        self.arguments: list[Value] = []
        self.accumulators: list[Value] = []
        x = self.argument((1, side, side, 3), Type((f32(0.0173),), -11), 128)
        x = self.greatest(self.positive(self.convolved(x, channels, 7, 2)))
        for times, stride in STAGES:
            x = self.block(self.block(x, channels * times, stride), channels * times, 1)
        self.logits = self.classified(self.average(x), classes)

    def argument(self, shape: Sequence[int], type: Type, most: int = 128) -> Value:
        """Return a new argument of random numbers from -most (or so) to most - 1."""
        stored = self.rng.integers(1 - most if type.axis is not None else -most, most, shape).astype(np.int8)
        self.arguments.append(Value(f"%a{len(self.arguments)}", stored, type))
        return self.arguments[-1]

    def add(self, text: str, stored: Array, type: Type) -> Value:
        value = Value(f"%{len(self.lines)}", stored, type)
        self.lines.append(f"{value.name} = {text} -> {value.text}")
        return value

    def finished(self, text: str, x: Value, w: Value, totals: Array) -> Value:
        """Add a contraction twice: its accumulators, stored as they are, and its result in i8."""
        products = tuple(f32(x.type.scales[0] * s) for s in w.type.scales)
        held = totals.astype(np.int32)  # wraps, as an accumulator of 32 bits does
        axis = totals.ndim - 1
        self.accumulators.append(self.add(text, held, Type(products, 0, 32, axis)))
        spread = float(totals.std()) or 1.0
        result = Type((f32(np.mean(products) * spread / 50 * 1.037),), int(self.rng.integers(-20, 20)))
        quotients = x.type.exact[0] * w.type.exact / result.exact[0]
        m = rescaled(held.astype(np.int64), quotients)
        return self.add(text, saturated(m, result), result)

    def weights(self, shape: Sequence[int]) -> Value:
        scales = tuple(f32(s) for s in self.rng.uniform(0.003, 0.011, shape[-1]))
        return self.argument(shape, Type(scales, 0, 8, len(shape) - 1))

    def convolved(self, x: Value, channels: int, window: int, stride: int) -> Value:
        w = self.weights((window, window, x.stored.shape[3], channels))
        return self.convolution(x, w, stride, window // 2)

    def convolution(self, x: Value, w: Value, stride: int, pad: int, groups: int = 1) -> Value:
        text = (
            f"stablehlo.convolution({x.name}, {w.name}) "
            "dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
            f"window = {{stride = [{stride}, {stride}], pad = [[{pad}, {pad}], [{pad}, {pad}]]}} "
            f"{{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({x.text}, {w.text})"
        )
        return self.finished(text, x, w, sums(x.integers, w.integers, stride, pad, groups))

    def positive(self, x: Value) -> Value:
        zero = f"%{len(self.lines)}"
        plain = f"tensor<{'x'.join(map(str, x.stored.shape))}xi8>"
        value = f"dense<{x.type.zero_point}> : {plain}"
        self.lines.append(f'{zero} = "stablehlo.constant"() {{value = {value}}} : () -> {x.text}')
        text = f'"stablehlo.maximum"({x.name}, {zero}) : ({x.text}, {x.text})'
        return self.add(text, saturated(np.maximum(x.integers, 0), x.type), x.type)

    def greatest(self, x: Value) -> Value:
        """Add a pooling of 3 x 3, stride 2, padded by the least number."""
        least, scalar = f"%{len(self.lines)}", x.type.text(())
        self.lines.append(
            f'{least} = "stablehlo.constant"() {{value = dense<-128> : tensor<i8>}} : () -> {scalar}'
        )
        m = np.pad(x.stored, [(0, 0), (1, 1), (1, 1), (0, 0)], constant_values=-128)
        end = x.stored.shape[1] + x.stored.shape[1] % 2
        parts = [
            m[:, row : row + end : 2, column : column + end : 2] for row in range(3) for column in range(3)
        ]
        text = f""""stablehlo.reduce_window"({x.name}, {least}) ({{
          ^body(%l: {scalar}, %r: {scalar}):
            %m = stablehlo.maximum %l, %r : {scalar}
            stablehlo.return %m : {scalar}
          }}) {{window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>,
                padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}}
            : ({x.text}, {scalar})"""
        return self.add(text, np.max(parts, axis=0), x.type)

    def block(self, x: Value, channels: int, stride: int) -> Value:
        inner = self.convolved(self.positive(self.convolved(x, channels, 3, stride)), channels, 3, 1)
        if x.stored.shape != inner.stored.shape:
            x = self.convolved(x, channels, 1, stride)
        scale = f32(1.21 * max(x.type.scales[0], inner.type.scales[0]))
        result = Type((scale,), int(self.rng.integers(-20, 20)))
        m = sum(rescaled(v.integers, v.type.exact / result.exact) for v in (inner, x))
        text = f'"stablehlo.add"({inner.name}, {x.name}) : ({inner.text}, {x.text})'
        return self.positive(self.add(text, saturated(m, result), result))

    def average(self, x: Value) -> Value:
        """Add the mean of each channel, a convolution of its own with ones of the scale 1 / n."""
        side, channels = x.stored.shape[1:3][0], x.stored.shape[3]
        ones = self.argument((side, side, 1, channels), Type((f32(1 / side**2),) * channels, 0, 8, 3))
        ones.stored[...] = 1
        return self.convolution(x, ones, 1, 0, channels)

    def classified(self, x: Value, classes: int) -> Value:
        text = f"stablehlo.reshape {x.name} : ({x.text})"
        flat = self.add(text, x.stored.reshape(1, -1), x.type)
        w = self.weights((flat.stored.shape[1], classes))
        text = (
            f"stablehlo.dot_general {flat.name}, {w.name}, contracting_dims = [1] x [0] "
            f": ({flat.text}, {w.text})"
        )
        return self.finished(text, flat, w, flat.integers @ w.integers)

    @property
    def outputs(self) -> list[Value]:
        """The accumulators in their order, and the logits."""
        return [*self.accumulators, self.logits]

    @property
    def text(self) -> str:
        inputs = ", ".join(f"{v.name}: {v.text}" for v in self.arguments)
        types = ", ".join(v.text for v in self.outputs)
        names = ", ".join(v.name for v in self.outputs)
        lines = "\n  ".join([*self.lines, f"return {names} : {types}"])
        return f"func.func @main({inputs}) -> ({types}) {{\n  {lines}\n}}"
