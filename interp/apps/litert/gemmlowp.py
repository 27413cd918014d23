"""Fixed-point functions of gemmlowp on arrays of int64 that hold integers of 16 or 32 bits.

Numbers in [-1, 1) have all bits but the sign as their fraction; an argument has some integer bits.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray
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
