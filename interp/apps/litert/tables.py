"""Operators on single elements: of integers, tables of all results; of floats, the operation itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import erfc

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert import gemmlowp, softmax
from interp.apps.litert.node import F32, I1, I32, Build, Node
from interp.backends import NUMPY
from interp.engine.recipes import alone
from interp.engine.recipes import doubly_rounded as double
from interp.loading.build import expand_chlo
from spec.ir import Value
from spec.types import QuantizedType, TensorType

Array = np.ndarray
Function = Callable[[Array], Array]
ROOT_BITS = 20  # of fraction of an inverse square root
TWO_BY_PI, ROOT_HALF = np.float32((2 / np.pi) ** 0.5), np.float32(0.5**0.5)


def is_float(n: Node) -> bool:
    return n.tensor(0).element == F32


def in_f64(function: Function) -> Function:
    """Return a function of f32 that computes in f64."""
    return lambda x: function(x.astype(np.float64)).astype(np.float32)


def by_float(function: Function, n: Node) -> Value:
    """Return a function of f32 of each element, in the result's units: half away, then the zero point.

    Of 16 bits, the kernel interpolates between 513 numbers.
    """
    source, type = n.quantized_type(0), n.result()
    if source.storage_type.bits == 16:
        return by_float_16(function, n)
    inverse = np.float32(1) / np.float32(type.scale)

    def results(q: Array) -> Array:
        x = np.float32(source.scale) * (q - source.zero_point).astype(np.float32)
        with np.errstate(all="ignore"):
            steps = fixed.half_away(function(x) * inverse)
        return np.nan_to_num(np.clip(steps, -1e9, 1e9), nan=-1e9).astype(np.int64) + type.zero_point

    return fixed.tabulate(n, results)


def by_float_16(function: Function, n: Node) -> Value:
    source, type = n.quantized_type(0), n.result()
    if source.zero_point or type.zero_point or type.storage_type.bits != 16:
        raise n.unsupported_error(f"{source!r} to {type!r}", "expected 16 bits and zero points 0")
    low, high = (float(np.float32(source.scale) * np.float32(end)) for end in (-32768, 32767))
    span = np.float32(type.scale) * np.asarray([32767, -32768], np.float32)
    steps = float(np.float32(65536) / (span[0] - span[1]))
    with np.errstate(all="ignore"):
        table = softmax.table_of(function, low, high, steps, np.float32)
    return fixed.tabulate(n, lambda q: softmax.look_up_16(q, table))


def logistic(n: Node) -> Value:
    if is_float(n):
        one = n.b.full(1.0, F32)
        power = n.b.unary("exponential", n.b.unary("negate", n.value(0)))
        return n.b.binary("divide", one, n.b.binary("add", one, power))
    if n.result().storage_type.bits == 16:
        return fixed.tabulate(n, lambda q: sigmoid16(q, n.quantized_type(0).scale))
    unit, exponential = np.float32(1), in_f64(lambda x: np.exp(-x))
    return by_float(lambda x: unit / (unit + exponential(x)), n)


def tanh(n: Node) -> Value:
    if is_float(n):
        return n.b.unary("tanh", n.value(0))
    if n.result().storage_type.bits == 16:
        return fixed.tabulate(n, lambda q: tanh16(q, n.quantized_type(0).scale))
    return by_float(in_f64(np.tanh), n)


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
    return gemmlowp.divide(gemmlowp.high(left, multiplier), max(-shift, 0))


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
        out = gemmlowp.high(m, to16(to_result), 16)
        gate = m
        if to_relu[1] > 0:
            gate = gemmlowp.saturate(gate << (to_relu[1] - 1), 16)
        gate = gemmlowp.high(gate, to16(to_relu), 16)
        if to_relu[1] > 0:
            gate = gemmlowp.saturate(gate << 1, 16)
        if to_relu[1] < 0:
            gate = gemmlowp.divide(gate, -to_relu[1])
        gate = (gate + (1 << 15)) >> 1
        product = (gate * out) >> 15  # SaturatingDoublingHighMul, without rounding
        product = np.where(gate * out < 0, -((-gate * out) >> 15), product)
        shifted = gemmlowp.divide(product, -to_result[1]) if to_result[1] < 0 else product << to_result[1]
        return shifted + type.zero_point

    return fixed.tabulate(n, results)


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
    if type.storage_type.bits == 16:
        most = np.float32(32767) * np.float32(type.scale)
        return by_float(lambda x: np.where(x > 0, np.float32(1) / np.sqrt(x), most), n)
    real = 1.0 / float(np.sqrt(np.float32(source.scale)) * np.float32(type.scale))
    unit, b = fixed.quantize_multiplier(n, real), n.b
    q = np.arange(source.storage_type.min_value, source.storage_type.max_value + 1)
    m = np.maximum(q - source.zero_point, 1)
    multiplier, right = gemmlowp.inverse_root(b, b.array(m, I32))
    shift = b.binary("subtract", b.full(ROOT_BITS, I32), right)
    wide = gemmlowp.scale_by(b, b.full(1, TensorType(m.shape, I32)), multiplier, shift)
    roots = fixed.doubly_rounded(b, wide, (unit[0], unit[1] - ROOT_BITS))
    results = fixed.store(b, roots, type)
    positive = b.array(q > source.zero_point, I1)
    ends = b.broadcast(b.full(type.storage_max, TensorType((), type)), m.shape)
    results = b.select(positive, results, ends)
    places = b.binary_scalar("subtract", b.convert(n.storage(0), I32), int(q[0]))
    return b.gather(results, places, 0)


def gelu(n: Node) -> Value:
    """Return GELU; of floats, LiteRT has approximations of erf and tanh that are not ours."""
    approximate, half = n.option("approximate"), np.float32(0.5)
    if is_float(n):
        b, x = n.b, n.value(0)
        if approximate:
            cube = b.binary("multiply", b.binary("multiply", x, x), x)
            inner = b.binary("add", x, b.binary_scalar("multiply", cube, 0.044715))
            wave = b.unary("tanh", b.binary_scalar("multiply", inner, float(TWO_BY_PI)))
            factor = b.binary_scalar("add", wave, 1.0)
        else:
            factor = expand_chlo(b, "erfc", b.binary_scalar("multiply", x, float(-ROOT_HALF)))
        return b.binary("multiply", b.binary_scalar("multiply", x, 0.5), factor)

    def smooth(x: Array) -> Array:
        inner = x + np.float32(0.044715) * x * x * x
        return half * x * (np.float32(1) + in_f64(np.tanh)(TWO_BY_PI * inner))

    complement = np.vectorize(erfc, otypes=[np.float64])
    return by_float(smooth if approximate else lambda x: half * x * in_f64(complement)(x * -ROOT_HALF), n)


def exponential(n: Node) -> Value:
    return n.b.unary("exponential", n.value(0)) if is_float(n) else by_float(in_f64(np.exp), n)


def logarithm(n: Node) -> Value:
    """Return log(x); of integers that are not positive, the least result."""
    if is_float(n):
        return n.b.unary("log", n.value(0))
    type = n.result()
    least = np.float32(type.storage_min - type.zero_point) * np.float32(type.scale)
    return by_float(lambda x: np.where(x > 0, in_f64(np.log)(x), least), n)


def function(name: str, n: Node) -> Value:
    """Return a function of floats that StableHLO has."""
    if not is_float(n):
        raise n.unsupported_error(f"{n.content.operator} of {n.type(0)!r}", "expected f32")
    return n.b.unary(name, n.value(0))


def elu(n: Node) -> Value:
    if is_float(n):
        b, x = n.b, n.value(0)
        return b.select(b.compare("LT", x, b.full(0.0, F32)), b.unary("exponential_minus_one", x), x)
    if n.quantized_type(0).storage_type.bits != 8:
        raise n.unsupported_error(f"ELU of {n.type(0)!r}", "expected 8 bits")
    return by_float(lambda x: np.where(x < 0, in_f64(np.expm1)(x), x), n)


TABLE: dict[str, Build] = {
    "ABS": absolute,
    "COS": partial(function, "cosine"),
    "ELU": elu,
    "EXP": exponential,
    "GELU": gelu,
    "HARD_SWISH": hard_swish,
    "LEAKY_RELU": leaky_relu,
    "LOG": logarithm,
    "LOGISTIC": logistic,
    "NEG": negate,
    "RELU": partial(relu, "RELU"),
    "RELU6": partial(relu, "RELU6"),
    "RELU_0_TO_1": partial(relu, "RELU_0_TO_1"),
    "RELU_N1_TO_1": partial(relu, "RELU_N1_TO_1"),
    "RSQRT": inverse_square_root,
    "SIGN": partial(function, "sign"),
    "SIN": partial(function, "sine"),
    "SQRT": partial(function, "sqrt"),
    "TANH": tanh,
}
