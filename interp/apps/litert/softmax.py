"""SOFTMAX and LOG_SOFTMAX: of integers in fixed point, by tables of exponentials and plain integers.

Of 8 bits: exponentials in Q0.31, their sum in Q12.19, its reciprocal by three Newton steps. Of 16 bits:
tables of 513 numbers, between which the kernel interpolates.
"""

from __future__ import annotations

from math import exp

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert.node import F32, I32, I64, Build, Node
from interp.backends import NUMPY
from interp.engine.recipes import alone
from interp.engine.recipes import doubly_rounded as double
from interp.loading.build import Folds
from spec.ir import Value
from spec.types import TensorType

Array = np.ndarray
INTEGER_BITS, SUM_BITS = 5, 12
HIGHEST = (1 << 31) - 1
SUM_LIMIT = 512  # from which on LiteRT aborts
STEEPEST = 1 << 30  # a multiplier from which on only the largest elements of a row count
# Barrel-shifter constants of gemmlowp: exp(-2^k) in Q0.31, for k from -2 on.
POWERS = (1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242)


def high(x: Array, y: Array | int) -> Array:
    """Return SaturatingRoundingDoublingHighMul of arrays of int64 that hold 32 bits."""
    product = x * y
    nudged = product + np.where(product >= 0, fixed.HALF, 1 - fixed.HALF)
    return np.where(nudged < 0, -((-nudged) >> 31), nudged >> 31)


def divide(x: Array, e: int) -> Array:
    """Return x / 2^e, rounded half away from zero."""
    mask = (1 << e) - 1
    return (x >> e) + ((x & mask) > (mask >> 1) + (x < 0))


def exponential(a: Array) -> Array:
    """Return exp(a) in Q0.31 of numbers that are not positive, with 5 integer bits."""
    quarter = 1 << (31 - INTEGER_BITS - 2)
    part = (a & (quarter - 1)) - quarter
    found = _between(np.clip(part << INTEGER_BITS, -(1 << 31), HIGHEST))
    rest = part - a
    for k, factor in enumerate(POWERS):
        exponent = k - 2
        if exponent < INTEGER_BITS:
            bit = 31 - INTEGER_BITS + exponent
            found = np.where((rest >> bit) & 1, high(found, factor), found)
    return np.where(a == 0, HIGHEST, found)


def _between(a: Array) -> Array:
    """Return exp(a) in Q0.31 of numbers in [-1/4, 0)."""
    term, third = 1895147668, 715827883
    x = np.clip(a + (1 << 28), -(1 << 31), HIGHEST)
    square = high(x, x)
    cube = high(square, x)
    fourth = high(square, square)
    inner = divide(high(divide(fourth, 2) + cube, third) + square, 1)
    return np.clip(term + high(np.asarray(term), x + inner), -(1 << 31), HIGHEST)


def softmax(n: Node) -> Value:
    if n.tensor(0).element == F32:
        return softmax_of_floats(n)
    bits = n.quantized_type(0).storage_type.bits, n.result().storage_type.bits
    if bits == (8, 8):
        return softmax_8(n)
    if bits == (16, 16):
        return softmax_16(n)
    raise n.unsupported_error(f"{n.type(0)!r} to {n.out().type!r}", "expected 8 or 16 bits in both")


def softmax_of_floats(n: Node) -> Value:
    """Return exp(x - maximum) / sum, each element divided by the sum."""
    b, x = n.b, n.value(0)
    last, beta = x.type.rank - 1, np.float32(n.option("beta"))
    lowest = b.full(-np.inf, TensorType((), F32))
    difference = b.binary("subtract", x, keep(b, b.reduce(x, lowest, "maximum", [last]), x))
    powers = b.unary("exponential", b.binary_scalar("multiply", difference, float(beta)))
    total = b.reduce(powers, b.full(0.0, TensorType((), F32)), "add", [last])
    return b.binary("divide", powers, keep(b, total, x))


def keep(b: Folds, row: Value, x: Value) -> Value:
    """Return a number for each row of x, for all elements of the row."""
    return b.place(row, x.type.shape, range(x.type.rank - 1))


def distance(n: Node) -> Value:
    """Return how far each element is below the largest of its row, as i32."""
    b, x = n.b, n.b.convert(n.storage(0), I32)
    least = b.full(I32.min_value, TensorType((), I32))
    top = b.reduce(x, least, "maximum", [x.type.rank - 1])
    return b.binary("subtract", keep(b, top, x), x)


def look_up(n: Node, table: Array, places: Value) -> Value:
    return n.b.gather(n.b.array(np.asarray(table, np.int32), I32), places, 0)


def softmax_8(n: Node) -> Value:
    b, type = n.b, n.result()
    real = min(float(np.float32(n.option("beta"))) * n.quantized_type(0).scale * (1 << 26), 2.0**31 - 1)
    multiplier, shift = fixed.quantize_multiplier(n, min(real, float(STEEPEST - 1)))
    least = -int(np.floor(31 * (1 << 26) / 2.0**shift)) if shift > 0 else -255
    least = 0 if real >= STEEPEST else least
    differences = -np.arange(256, dtype=np.int64)
    scaled = double(NUMPY, np.maximum(differences, least), alone((multiplier, shift)))
    powers = np.where(differences >= least, exponential(scaled), 0)
    away = distance(n)
    shown = look_up(n, powers, away)
    parts = look_up(n, divide(powers, SUM_BITS), away)
    total = add_up(n, parts)
    scale, more = reciprocal(b, total)
    product = fixed.high_product(b, keep(b, scale, shown), shown)
    exponent = b.binary_scalar("add", keep(b, more, shown), 31 - 8)
    if shown.type.shape[-1] * 2 >= SUM_LIMIT:  # exponents of 31 and more
        product, exponent = b.convert(product, I64), b.convert(exponent, I64)
    quotient = b.convert(fixed.divide_by_power(b, product, exponent), I32)
    point = type.storage_type.min_value
    return fixed.store(b, b.binary_scalar("add", quotient, point - type.zero_point), type)


def add_up(n: Node, parts: Value) -> Value:
    """Return the sums of rows in Q12.19, in i32; of those beyond the largest, all results are 0, too."""
    b, last = n.b, parts.type.rank - 1
    count = parts.type.shape[last]
    if count < SUM_LIMIT:
        return b.reduce(parts, b.full(0, TensorType((), I32)), "add", [last])
    total = b.reduce(b.convert(parts, I64), b.full(0, TensorType((), I64)), "add", [last])
    n.compare_at_fault(
        f"LiteRT stops where the sum of exponentials reaches {SUM_LIMIT}, in units of 2^-{31 - SUM_BITS}",
        "GE",
        total,
        b.broadcast(b.full(SUM_LIMIT << (31 - SUM_BITS), I64), total.type.shape),
    )
    return b.convert(b.binary_scalar("minimum", total, HIGHEST), I32)


def reciprocal(b: Folds, x: Value) -> tuple[Value, Value]:
    """Return 1 / x of sums in Q12.19: the number in Q0.31, and how far to shift it to the right."""
    zeros = b.unary("count_leading_zeros", x)
    more = b.binary("subtract", b.full(SUM_BITS, I32), zeros)
    moved = b.binary("shift_left", x, zeros)  # of u32, whose highest bit is set
    half = b.binary_scalar("xor", moved, -(1 << 31))  # less 1, in Q0.31
    # half_denominator = RoundingHalfSum(half, 1) in Q0.31
    wide = b.convert(half, I64)
    sum_ = b.binary_scalar("add", wide, HIGHEST)
    halved = b.convert(b.binary_scalar("divide", b.binary_scalar("add", sum_, 1), 2), I32)
    # Newton-Raphson with 2 integer bits
    y = b.binary_scalar("add", fixed.high_product(b, halved, b.full(-1010580540, I32)), 1515870810)
    for _ in range(3):
        product = fixed.high_product(b, halved, y)
        rest = b.binary("subtract", b.full(1 << 29, I32), product)
        step = saturating_shift(b, fixed.high_product(b, y, rest), 2)
        y = b.binary("add", y, step)
    return saturating_shift(b, y, 1), more


def saturating_shift(b: Folds, x: Value, e: int) -> Value:
    wide = b.binary_scalar("multiply", b.convert(x, I64), 1 << e)
    return b.convert(b.clamp(I32.min_value, wide, I32.max_value), I32)


# 16 bits


def table_of(function: object, low: float, high_: float) -> Array:
    """Return 513 numbers of i16 with the kernel's correction at the middle of each interval."""
    f = function
    assert callable(f)
    step, half = (high_ - low) / 512, (high_ - low) / 1024
    found = np.empty(513, np.int64)
    for k in range(512):
        value = f(low + k * step) * 32768.0
        middle = f(low + k * step + half) * 32768.0
        between = (f(low + (k + 1) * step) * 32768.0 + _half_away(value)) / 2.0
        bias = _half_away((_half_away(between) - _half_away(middle)) / 2.0)
        found[k] = min(max(int(_half_away(value) - bias), -32768), 32767)
    found[512] = min(max(int(_half_away(f(high_) * 32768.0)), -32768), 32767)
    return found


def _half_away(x: float) -> float:
    return float(fixed.half_away(np.float64(x)))


def look_up_16(x: Array, table: Array) -> Array:
    """Return a function of i16 between the numbers of its table."""
    place = 256 + (x >> 7)
    low, slope = table[place], table[np.minimum(place + 1, 512)] - table[place]
    return low + ((slope * (x & 0x7F) + (1 << 6)) >> 7)


def softmax_16(n: Node) -> Value:
    b, type = n.b, n.result()
    beta = float(np.float32(n.option("beta")))
    pair = fixed.quantize_multiplier(n, n.quantized_type(0).scale * beta / (10.0 / 65535.0))
    differences = -np.arange(65536, dtype=np.int64)
    scaled = double(NUMPY, differences, alone(pair))
    symmetric = np.clip(scaled + 32767, -32768, 32767)
    powers = look_up_16(symmetric, table_of(exp, -10.0, 0.0))
    inverse = look_up_16(np.arange(-32768, 32768), table_of(lambda x: 1.0 / (1.0 + x), 0.0, 1.0))
    shown = look_up(n, powers, distance(n))
    total = b.reduce(shown, b.full(0, TensorType((), I32)), "add", [shown.type.rank - 1])
    zeros = b.unary("count_leading_zeros", total)
    # the sum, less 1, with its highest bit at 2^14
    shift = b.binary_scalar("add", zeros, -15)
    left = b.binary("shift_left", total, b.clamp(0, shift, 31))
    right = b.clamp(0, b.unary("negate", shift), 31)
    half = b.binary("shift_right_logical", b.binary("shift_left", b.full(1, I32), right), b.full(1, I32))
    rounded = b.binary("shift_right_arithmetic", b.binary("add", total, half), right)
    moved = b.select(b.compare("GE", shift, b.full(0, I32)), left, rounded)
    place = b.clamp(-32768, b.binary_scalar("add", moved, -(1 << 16) - (1 << 15)), 32767)
    scale = look_up(n, inverse, b.binary_scalar("add", place, 32768))
    product = b.binary("multiply", shown, keep(b, scale, shown))
    exponent = b.binary("subtract", b.full(31, I32), keep(b, zeros, shown))
    bit = b.binary("shift_left", b.full(1, I32), b.binary_scalar("add", exponent, -1))
    quotient = b.binary("shift_right_arithmetic", b.binary("add", product, bit), exponent)
    return fixed.store(b, b.clamp(0, quotient, 32767), type)


def log_softmax(n: Node) -> Value:
    if n.tensor(0).element != F32:
        raise n.unsupported_error("LOG_SOFTMAX of integers")
    b, x = n.b, n.value(0)
    last = x.type.rank - 1
    lowest = b.full(-np.inf, TensorType((), F32))
    difference = b.binary("subtract", x, keep(b, b.reduce(x, lowest, "maximum", [last]), x))
    total = b.reduce(b.unary("exponential", difference), b.full(0.0, TensorType((), F32)), "add", [last])
    return b.binary("subtract", difference, keep(b, b.unary("log", total), x))


TABLE: dict[str, Build] = {"LOG_SOFTMAX": log_softmax, "SOFTMAX": softmax}
