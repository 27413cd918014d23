"""Fixed-point functions of gemmlowp: on arrays, and by Newton's steps on values of a program.

Arrays of int64 hold integers of 16 or 32 bits, and values are of i32. Numbers in [-1, 1) have all bits but
the sign as their fraction; an argument has some integer bits.
"""

from __future__ import annotations

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert.node import I32, I64
from interp.loading.build import Folds
from spec.ir import Value

Array = np.ndarray
HIGHEST = (1 << 31) - 1
SUM_BITS = 12  # integer bits of sums of exponentials
ROOT_HALF, ROOT_ROOT_HALF, LOG_2 = 1518500250, 1805811301, 1488522236
# Barrel-shifter constants: exp(-2^k) of 32 bits, for k from -2 on.
POWERS = (1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242)


def one(bits: int) -> int:
    """Return the largest number, which stands for 1."""
    return (1 << (bits - 1)) - 1


def saturate(x: Array, bits: int) -> Array:
    return np.clip(x, -one(bits) - 1, one(bits))


def high(x: Array, y: Array | int, bits: int = 32) -> Array:
    """Return SaturatingRoundingDoublingHighMul."""
    product, half = x * y, 1 << (bits - 2)
    nudged = product + np.where(product >= 0, half, 1 - half)
    whole = np.where(nudged < 0, -((-nudged) >> (bits - 1)), nudged >> (bits - 1))
    return saturate(whole, bits)


def divide(x: Array, e: int) -> Array:
    """Return x / 2^e, rounded half away from zero."""
    mask = (1 << e) - 1
    return (x >> e) + ((x & mask) > (mask >> 1) + (x < 0))


def constant(number: int, bits: int) -> int:
    """Return a constant of 32 bits with fewer bits."""
    return int(divide(np.asarray(number), 32 - bits))


def exponential(a: Array, integer_bits: int = 5, bits: int = 32) -> Array:
    """Return exp(a) of numbers that are not positive."""
    fraction = bits - 1 - integer_bits
    quarter = 1 << (fraction - 2)
    part = (a & (quarter - 1)) - quarter
    power = _between(saturate(part << integer_bits, bits), bits)
    rest = part - a
    for k, factor in enumerate(POWERS[: integer_bits + 2]):
        power = np.where((rest >> (fraction + k - 2)) & 1, high(power, constant(factor, bits), bits), power)
    if integer_bits > 5:
        power = np.where(a < constant(-(1 << (36 - integer_bits)), bits), 0, power)
    return np.where(a == 0, one(bits), power)


def _between(a: Array, bits: int) -> Array:
    """Return exp(a) of numbers in [-1/4, 0)."""
    term, third = constant(1895147668, bits), constant(715827883, bits)
    x = saturate(a + (1 << (bits - 4)), bits)
    square = high(x, x, bits)
    cube = high(square, x, bits)
    fourth = high(square, square, bits)
    inner = divide(high(divide(fourth, 2) + cube, third, bits) + square, 1)
    return saturate(term + high(np.asarray(term), x + inner, bits), bits)


def _newton(a: Array, bits: int) -> Array:
    """Return 2 / (1 + a) with 2 integer bits, of numbers in [0, 1)."""
    half = (a + one(bits) + 1) >> 1
    x = constant(1515870810, bits) + high(half, constant(-1010580540, bits), bits)
    for _ in range(3):
        rest = (1 << (bits - 3)) - high(half, x, bits)
        x = x + saturate(high(x, rest, bits) << 2, bits)
    return x


def logistic(a: Array, integer_bits: int, bits: int) -> Array:
    """Return the sigmoid of numbers with some integer bits."""
    upper = saturate(_newton(exponential(-np.abs(a), integer_bits, bits), bits) << 1, bits)
    return np.where(a == 0, constant(1 << 30, bits), np.where(a > 0, upper, one(bits) - upper))


def tanh(a: Array, integer_bits: int, bits: int) -> Array:
    """Return tanh of numbers with some integer bits."""
    y = _newton(exponential(-np.abs(a), integer_bits + 1, bits), bits)
    upper = saturate((y - (1 << (bits - 3))) << 2, bits)
    return np.where(a == 0, 0, np.where(a > 0, upper, -upper))


# On values of a program


def saturating_shift(b: Folds, x: Value, e: int | Value) -> Value:
    """Return x * 2^e, saturated to 32 bits."""
    wide = b.convert(x, I64)
    if isinstance(e, int):
        wide = b.binary_scalar("multiply", wide, 1 << e)
    else:
        wide = b.binary("shift_left", wide, b.convert(e, I64))
    return b.convert(b.clamp(I32.min_value, wide, I32.max_value), I32)


def high_half(b: Folds, x: Value, y: Value | int) -> Value:
    return fixed.high_product(b, x, b.full(y, I32) if isinstance(y, int) else y)


def half_sum(b: Folds, x: Value, number: int) -> Value:
    """Return (x + number) / 2, rounded up, of sums that are not negative."""
    wide = b.binary_scalar("add", b.convert(x, I64), number + 1)
    return b.convert(b.binary_scalar("divide", wide, 2), I32)


def one_over_one_plus(b: Folds, x: Value) -> Value:
    """Return 1 / (1 + x) of numbers in [0, 1)."""
    half = half_sum(b, x, HIGHEST)
    y = b.binary_scalar("add", high_half(b, half, -1010580540), 1515870810)  # with 2 integer bits
    for _ in range(3):
        rest = b.binary("subtract", b.full(1 << 29, I32), high_half(b, half, y))
        y = b.binary("add", y, saturating_shift(b, high_half(b, y, rest), 2))
    return saturating_shift(b, y, 1)


def reciprocal(b: Folds, x: Value) -> tuple[Value, Value]:
    """Return 1 / x of sums with 12 integer bits: the number, and how far to shift it to the right."""
    zeros = b.unary("count_leading_zeros", x)
    more = b.binary("subtract", b.full(SUM_BITS, I32), zeros)
    moved = b.binary("shift_left", x, zeros)  # of u32, whose highest bit is set
    return one_over_one_plus(b, b.binary_scalar("xor", moved, -(1 << 31))), more


def inverse_root(b: Folds, x: Value) -> tuple[Value, Value]:
    """Return 1 / sqrt(x) of integers: a multiplier of 31 bits, and how far to shift it to the right.

    That of 0 is that of 1.
    """
    is_large = b.compare("GE", x, b.full(1 << 29, I32))
    m = b.select(is_large, b.binary_scalar("divide", x, 4), x)
    zeros = b.unary("count_leading_zeros", m)
    pairs = b.binary_scalar("add", b.binary_scalar("divide", b.binary_scalar("add", zeros, -1), 2), -1)
    m = b.binary("shift_left", m, b.binary_scalar("multiply", pairs, 2))
    shift = b.binary("subtract", b.select(is_large, b.full(12, I32), b.full(11, I32)), pairs)
    half = b.binary_scalar("divide", b.binary_scalar("add", b.binary_scalar("divide", m, 2), 1), 2)
    y = b.full(1 << 28, x.type.storage_type)  # 1, with 3 integer bits, as all that follows
    y = b.broadcast(y, x.type.shape)
    for _ in range(5):
        cube = saturating_shift(b, high_half(b, high_half(b, y, y), y), 6)
        step = b.binary("subtract", high_half(b, y, (1 << 28) + (1 << 27)), high_half(b, half, cube))
        y = saturating_shift(b, step, 3)
    result, left = high_half(b, y, ROOT_HALF), b.clamp(0, b.unary("negate", shift), 31)
    is_one = b.compare("LE", x, b.full(1, I32))
    multiplier = b.select(is_one, b.full(HIGHEST, I32), b.binary("shift_left", result, left))
    return multiplier, b.select(is_one, b.full(0, I32), b.clamp(0, shift, 31))


def scale_by(b: Folds, x: Value, multiplier: Value, shift: Value) -> Value:
    """Return x times a multiplier of 31 bits and 2^shift, rounded twice."""
    zero = b.full(0, I32)
    left, right = (b.binary("maximum", v, zero) for v in (shift, b.unary("negate", shift)))
    product = high_half(b, b.binary("shift_left", x, b.broadcast(left, x.type.shape)), multiplier)
    return fixed.divide_by_power(b, product, b.broadcast(right, x.type.shape))


def logarithm(b: Folds, x: Value) -> Value:
    """Return log(x), with 5 integer bits, of numbers from 1 on with 12 integer bits."""
    zeros = b.unary("count_leading_zeros", x)
    aligned = saturating_shift(b, x, b.binary_scalar("add", zeros, -1))
    first = saturating_shift(b, high_half(b, aligned, ROOT_HALF), 1)
    zeros_b = b.binary_scalar("add", b.unary("count_leading_zeros", high_half(b, x, ROOT_HALF)), -1)
    second = saturating_shift(b, x, zeros_b)
    exponents = [
        b.binary_scalar("add", saturating_shift(b, b.binary("subtract", b.full(SUM_BITS, I32), v), 25), more)
        for v, more in ((zeros, 1 << 23), (zeros_b, -(1 << 23)))
    ]
    r, exponent = b.binary("minimum", first, second), b.binary("maximum", *exponents)
    p = half_sum(b, r, ROOT_ROOT_HALF)
    q = b.binary_scalar("multiply", b.binary_scalar("add", r, -ROOT_ROOT_HALF), 2)
    square = high_half(b, q, q)
    numerator = b.binary("add", high_half(b, q, r), high_half(b, high_half(b, q, square), 117049297))
    inner = b.binary("add", b.binary_scalar("add", q, 1057819769), high_half(b, square, 127690142))
    denominator = b.binary("add", high_half(b, p, inner), high_half(b, q, 638450708))
    part = high_half(b, fixed.divide_by_power(b, numerator, 6), one_over_one_plus(b, denominator))
    return saturating_shift(b, b.binary("add", high_half(b, exponent, LOG_2), part), 1)
