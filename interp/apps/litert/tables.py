"""Operators on single elements: of integers, tables of all results; of floats, the operation itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import erf

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert.node import F32, Build, Node
from interp.backends import NUMPY
from interp.engine.recipes import alone
from interp.engine.recipes import doubly_rounded as double
from spec.ir import Value
from spec.types import QuantizedType

Array = np.ndarray
Function = Callable[[Array], Array]  # of numbers of f64
LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1


def is_float(n: Node) -> bool:
    return n.tensor(0).element == F32


def by_float(function: Function, n: Node) -> Value:
    """Return a function of f32 of each element, in the result's units: half away, then the zero point."""
    source, type = n.quantized_type(0), n.result()
    if source.storage_type.bits != 8:
        raise n.unsupported_error(f"{n.content.operator} of {source!r}", "expected 8 bits")
    inverse = np.float32(1) / np.float32(type.scale)

    def results(q: Array) -> Array:
        x = np.float32(source.scale) * (q - source.zero_point).astype(np.float32)
        with np.errstate(all="ignore"):
            y = function(x.astype(np.float64)).astype(np.float32)
            steps = fixed.half_away(y * inverse)
        return np.nan_to_num(np.clip(steps, -1e9, 1e9), nan=-1e9).astype(np.int64) + type.zero_point

    return fixed.tabulate(n, results)


def logistic(n: Node) -> Value:
    if is_float(n):
        one = n.b.full(1.0, F32)
        power = n.b.unary("exponential", n.b.unary("negate", n.value(0)))
        return n.b.binary("divide", one, n.b.binary("add", one, power))
    if n.result().storage_type.bits == 16:
        return fixed.tabulate(n, lambda q: sigmoid16(q, n.quantized_type(0).scale))
    return by_float(_sigmoid, n)


def _sigmoid(x: Array) -> Array:
    """Return the sigmoid with every step rounded to f32."""
    whole = np.exp(-x).astype(np.float32) + np.ones((), np.float32)
    return np.ones((), np.float32) / whole


def tanh(n: Node) -> Value:
    if is_float(n):
        return n.b.unary("tanh", n.value(0))
    if n.result().storage_type.bits == 16:
        return fixed.tabulate(n, lambda q: tanh16(q, n.quantized_type(0).scale))
    return by_float(np.tanh, n)


def multiplier16(scale: float) -> tuple[int, int]:
    """Return the multiplier and shift that bring i16 to units of 1 / (3 * 4096).

    A scale near 2^-12 or 2^-11 is taken for that power of two.
    """
    power = fixed.nearest_power(scale)
    if power in (-12, -11):
        return 3 << (power + 12), 0
    real, shift = float(np.float32(scale)) * 4096.0 * 3.0, 0
    while real <= 32767.0 / 2.0 and shift <= 30:
        real, shift = real * 2.0, shift + 1
    return int(real), shift


# The sigmoid of k / 24, in units of 2^-16; LiteRT's table is one above the nearest number at these places.
SIGMOID = np.rint(65536.0 / (1.0 + np.exp(-np.arange(256) / 24.0))).clip(0, 65535).astype(np.int64)
ABOVE = """4 8 12 14 15 16 17 19 20 21 22 25 27 28 29 30 31 33 34 35 37 39 40 41 43 44 45 46 49 50 54 62 63 64
66 82 86 93 100 103 112 116 135 255"""
SIGMOID[[int(k) for k in ABOVE.split()]] += 1


def rescale16(q: Array, scale: float) -> Array:
    """Return i16 in units of 1 / (3 * 4096)."""
    multiplier, shift = multiplier16(scale)
    return (q * multiplier + ((1 << (shift - 1)) if shift > 0 else 0)) >> shift


def interpolate(size: Array, bits: int, most: int) -> Array:
    """Return the sigmoid between the numbers of the table; `bits` are the fraction."""
    place = np.minimum(size >> bits, 254)
    low, high = SIGMOID[place], SIGMOID[place + 1]
    inside = (low << bits) + (size & ((1 << bits) - 1)) * (high - low)
    return np.where(size >> bits >= 255, most, inside)


def sigmoid16(q: Array, scale: float) -> Array:
    x = rescale16(q, scale)
    y = interpolate(np.abs(x), 9, 0x7FFF << 10)
    return np.where(x >= 0, y + (1 << 9), (1 << 25) - y + (1 << 9) - 1) >> 10


def tanh16(q: Array, scale: float) -> Array:
    x = rescale16(q, scale)
    y = interpolate(np.abs(x), 8, 0xFFFF << 8) - (1 << 23)
    return np.where(x >= 0, y + (1 << 7), -y + (1 << 7) - 1) >> 8


def multiply_by(n: Node, q: Array, real: float) -> Array:
    """Return integers times a number, rounded twice, as arrays."""
    multiplier, shift = fixed.quantize_multiplier(n, real)
    sign = -1 if multiplier < 0 else 1
    if sign > 0:
        return double(NUMPY, q.astype(np.int64), alone((multiplier, shift)))
    return _multiply_by_negative(q.astype(np.int64), multiplier, shift)


def _multiply_by_negative(x: Array, multiplier: int, shift: int) -> Array:
    """Return the same for a multiplier that is negative."""
    left = ((x << max(shift, 0)) << 32) >> 32
    product = left * multiplier
    nudged = product + np.where(product >= 0, fixed.HALF, 1 - fixed.HALF)
    high = np.where(nudged < 0, -((-nudged) >> 31), nudged >> 31)
    e = max(-shift, 0)
    rest, mask = high & ((1 << e) - 1), (1 << e) - 1
    return (high >> e) + (rest > (mask >> 1) + (high < 0))


def leaky_relu(n: Node) -> Value:
    alpha = np.float32(n.option("alpha"))
    if is_float(n):
        x = n.value(0)
        product = n.b.binary_scalar("multiply", x, float(alpha))
        return n.b.select(n.b.compare("GT", x, n.b.full(0.0, F32)), x, product)
    source, type = n.quantized_type(0), n.result()

    def results(q: Array) -> Array:
        m = q - source.zero_point
        same = multiply_by(n, m, fixed.ratio32(source.scale, type.scale))
        other = multiply_by(n, m, fixed.ratio32(source.scale, float(alpha), type.scale))
        return np.where(m >= 0, same, other) + type.zero_point

    return fixed.tabulate(n, results)


def relu(name: str, n: Node) -> Value:
    """Return a rectifier: requantized, then clamped."""
    if not isinstance(n.out().element, QuantizedType):
        return fixed.activate_by(n, n.value(0), name)
    type = n.result()
    by = fixed.multipliers_of(n, [fixed.ratio32(n.quantized_type(0).scale, type.scale)], None)
    return fixed.activate_by(n, fixed.requantize(n.b, n.value(0), type, by), name)


def hard_swish(n: Node) -> Value:
    """Return x * relu6(x + 3) / 6, of integers in saturating steps of 16 bits."""
    if is_float(n):
        b, x = n.b, n.value(0)
        inner = b.clamp(0.0, b.binary_scalar("add", x, 3.0), 6.0)
        return b.binary_scalar("divide", b.binary("multiply", x, inner), 6.0)
    source, type = n.quantized_type(0), n.result()
    finer = np.float32(1.0 / 128.0) * np.float32(source.scale)
    to_result = fixed.quantize_multiplier(n, float(finer / np.float32(type.scale)))
    to_relu = fixed.quantize_multiplier(n, float(finer / (np.float32(3.0) / np.float32(32768.0))))

    def to16(pair: tuple[int, int]) -> int:
        return min((pair[0] + (1 << 15)) >> 16, 32767)

    def results(q: Array) -> Array:
        m = (q - source.zero_point) << 7
        out = high16(m, to16(to_result))
        gate = m
        if to_relu[1] > 0:
            gate = saturate16(gate << (to_relu[1] - 1))
        gate = high16(gate, to16(to_relu))
        if to_relu[1] > 0:
            gate = saturate16(gate << 1)
        if to_relu[1] < 0:
            gate = shift_right(gate, -to_relu[1])
        gate = (gate + (1 << 15)) >> 1
        product = (gate * out) >> 15  # SaturatingDoublingHighMul, without rounding
        product = np.where(gate * out < 0, -((-gate * out) >> 15), product)
        shifted = shift_right(product, -to_result[1]) if to_result[1] < 0 else product << to_result[1]
        return shifted + type.zero_point

    return fixed.tabulate(n, results)


def saturate16(x: Array) -> Array:
    return np.clip(x, -32768, 32767)


def high16(x: Array, y: int) -> Array:
    """Return SaturatingRoundingDoublingHighMul of 16 bits."""
    product = x * y
    nudged = product + np.where(product >= 0, 1 << 14, 1 - (1 << 14))
    return saturate16(np.where(nudged < 0, -((-nudged) >> 15), nudged >> 15))


def shift_right(x: Array, e: int) -> Array:
    """Return x / 2^e, rounded half away from zero."""
    mask = (1 << e) - 1
    return (x >> e) + ((x & mask) > (mask >> 1) + (x < 0))


def absolute(n: Node) -> Value:
    """Return |x|: of integers, by a multiplier unless the scales are equal."""
    if not isinstance(n.out().element, QuantizedType):
        return n.b.unary("abs", n.value(0))
    source, type = n.quantized_type(0), n.result()

    def results(q: Array) -> Array:
        m = np.abs(q - source.zero_point)
        return multiply_by(n, m, fixed.ratio32(source.scale, type.scale)) + type.zero_point

    same = source.scale == type.scale
    return fixed.tabulate(n, (lambda q: np.abs(q - source.zero_point) + type.zero_point) if same else results)


def negate(n: Node) -> Value:
    if isinstance(n.out().element, QuantizedType):
        raise n.unsupported_error("NEG of quantized tensors")
    return n.b.unary("negate", n.value(0))


def inverse_square_root(n: Node) -> Value:
    """Return 1 / sqrt(x), of integers by five Newton steps in fixed point."""
    if is_float(n):
        return n.b.binary("divide", n.b.full(1.0, F32), n.b.unary("sqrt", n.value(0)))
    source, type = n.quantized_type(0), n.result()
    if type.storage_type.bits != 8:
        raise n.unsupported_error(f"RSQRT of {type!r}", "expected 8 bits")
    real = 1.0 / float(np.sqrt(np.float32(source.scale)) * np.float32(type.scale))
    unit = fixed.quantize_multiplier(n, real)
    return fixed.tabulate(n, lambda q: np.array([_root(int(x), unit, type, source) for x in q]))


def _root(q: int, unit: tuple[int, int], type: QuantizedType, source: QuantizedType) -> int:
    m, bits = q - source.zero_point, 20
    if m <= 0:
        return type.storage_max
    inverse, shift = inverse_root(m)
    wide = _times(1, inverse, shift + bits)
    return _times(wide, unit[0], unit[1] - bits) + type.zero_point


def _times(x: int, multiplier: int, shift: int) -> int:
    return int(double(NUMPY, np.array([x], np.int64), alone((multiplier, shift)))[0])


def inverse_root(m: int) -> tuple[int, int]:
    """Return the multiplier and the shift to the left of 1 / sqrt(m), by five Newton steps."""
    if m <= 1:
        return HIGHEST, 0
    shift = 11
    while m >= 1 << 29:
        m, shift = m // 4, shift + 1
    pairs = (32 - m.bit_length() - 1) // 2 - 1
    shift, m = shift - pairs, m << (2 * pairs)
    half_input = _half(m >> 1)
    x = 1 << 28  # 1, with 3 integer bits, as all that follows
    for _ in range(5):
        cube = _saturate(_high(_high(x, x), x) << 6)
        x = _saturate((_high((1 << 28) + (1 << 27), x) - _high(half_input, cube)) << 3)
    result = _high(x, 1518500250)  # sqrt(1 / 2)
    return (result << -shift, 0) if shift < 0 else (result, -shift)


def _half(x: int) -> int:
    """Return x / 2, rounded half away from zero."""
    return (x >> 1) + (x & 1)


def _saturate(x: int) -> int:
    return min(max(x, LOWEST), HIGHEST)


def _high(x: int, y: int) -> int:
    """Return SaturatingRoundingDoublingHighMul."""
    product = x * y
    nudged = product + (fixed.HALF if product >= 0 else 1 - fixed.HALF)
    return nudged >> 31 if nudged >= 0 else -((-nudged) >> 31)


def gelu(n: Node) -> Value:
    if is_float(n):
        raise n.unsupported_error("GELU of floats")
    if n.option("approximate"):
        inner = lambda x: np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
        return by_float(lambda x: 0.5 * x * (1 + np.tanh(inner(x))), n)
    return by_float(lambda x: 0.5 * x * (1 + np.vectorize(erf)(x * np.sqrt(0.5))), n)


def function(name: str, of_integers: Function | None, n: Node) -> Value:
    """Return a function that StableHLO has, of floats, and a table of integers where LiteRT has one."""
    if is_float(n):
        return n.b.unary(name, n.value(0))
    if of_integers is None:
        raise n.unsupported_error(f"{n.content.operator} of {n.type(0)!r}", "expected f32")
    return by_float(of_integers, n)


def elu(n: Node) -> Value:
    if is_float(n):
        b, x = n.b, n.value(0)
        return b.select(b.compare("LT", x, b.full(0.0, F32)), b.unary("exponential_minus_one", x), x)
    return by_float(lambda x: np.where(x < 0, np.expm1(x), x), n)


TABLE: dict[str, Build] = {
    "ABS": absolute,
    "COS": partial(function, "cosine", None),
    "ELU": elu,
    "EXP": partial(function, "exponential", np.exp),
    "GELU": gelu,
    "HARD_SWISH": hard_swish,
    "LEAKY_RELU": leaky_relu,
    "LOG": partial(function, "log", np.log),
    "LOGISTIC": logistic,
    "NEG": negate,
    "RELU": partial(relu, "RELU"),
    "RELU6": partial(relu, "RELU6"),
    "RELU_N1_TO_1": partial(relu, "RELU_N1_TO_1"),
    "RSQRT": inverse_square_root,
    "SIN": partial(function, "sine", None),
    "SQRT": partial(function, "sqrt", None),
    "TANH": tanh,
}
