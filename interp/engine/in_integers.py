"""Arithmetic of the integer reading: stored elements minus zero points, and exact quotients."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, Namespace
from interp.engine.quant import round_parameters, spread, wrap_word
from spec.accumulator import Accumulator
from spec.types import ElementType, QuantizedType

WORD = 64  # bits of the integers of this reading
Ratios = tuple[tuple[Fraction, ...], tuple[int, ...]]  # numbers, and the shape in which they broadcast


def integers(xp: Namespace, x: Array, type: QuantizedType) -> Array:
    """Return `q - zero_point` as int64."""
    wide = x.astype(xp.int64)
    if type.is_per_tensor:
        return wide - type.zero_point if type.zero_point else wide
    return wide - spread(xp, type.zero_points, xp.int64, type, x.shape)


def store(xp: Namespace, m: Array, type: QuantizedType) -> Array:
    """Return the stored elements `q` of integers `q - zero_point`, saturated."""
    zero_points = spread(xp, type.zero_points, xp.int64, type, m.shape)
    q = xp.clip(m + zero_points, type.storage_min, type.storage_max)
    return q.astype(xp.carrier(type.storage_type))


def scales(type: QuantizedType, shape: Sequence[int]) -> np.ndarray:
    """Return the exact scales of a tensor as an array of fractions that broadcasts against its shape."""
    exact = tuple(map(Fraction, round_parameters(type).scales))
    return spread(NUMPY, exact, object, type, tuple(shape))


def ratios(quotients: Any) -> Ratios:
    """Return an array of fractions as the flat list and the shape that `rescaled` takes."""
    table = np.asarray(quotients, object)
    return tuple(table.reshape(-1).tolist()), table.shape


def hold_sum(xp: Namespace, total: Array, accumulator: Accumulator) -> Array:
    """Return a sum as an accumulator holds it: saturated, or wrapped to its width; both are int64."""
    return hold(xp, total, accumulator.type, accumulator.saturates)


def hold(xp: Namespace, total: Array, type: ElementType, saturates: bool) -> Array:
    """Return int64 numbers in an integer type, saturated or wrapped."""
    if saturates:
        return xp.clip(total, type.min_value, type.max_value)
    return total & ((1 << type.bits) - 1) if type.kind == "unsigned" else wrap_word(total, WORD, type)


# Exact quotients of integers and scales over an array namespace: `rne(x * ratio)`, without floats.
#
# THEOREM: for a = |x| below 2^64 and a ratio N / D in lowest terms, let M = ceil(N * 2^s / D) with 2^s > 2
# * D * a. Then floor(a * M / 2^s + 1/2) = floor(a * N / D + 1/2). For a * M / 2^s exceeds a * N / D by less
# than a / 2^s < 1 / (2 * D), and a * N / D is at least 1 / (2 * D) away from every whole number and a half
# that it does not equal. A tie occurs where D is even and a is an odd multiple of D / 2: there this result
# is the larger neighbour, and if that is odd, it is replaced by the even one below it.

DIGIT = 30  # bits: a product of two digits and a carry fit into 64
LIMIT = 1 << 59  # results are clamped to it
HIGH = (1 << (DIGIT - 1)) - 1  # the second digit of numbers below it
NONE = (1 << 64) - 1  # of which no magnitude is a multiple


class Factors(NamedTuple):
    """The digits of M, least significant first; s, counted in digits; and D / 2, or `NONE` without ties."""

    digits: tuple[Array, ...]
    shift: int
    half: Array


def rescale(xp: Namespace, x: Array, ratios: Sequence[Fraction], shape: Sequence[int], bits: int) -> Array:
    """Return `rne(x * ratio)` as int64, clamped to +-`LIMIT`.

    x: integers of magnitude at most 2^bits. ratios: one, or several that in `shape` broadcast against x.
    """
    if all(ratio == 1 for ratio in ratios):
        wide = x.astype(xp.int64)
        return wide if 1 << bits <= LIMIT else xp.clip(wide, -LIMIT, LIMIT)
    factors = _factors(tuple(ratios), bits)
    negative = x < 0
    wide = x.astype(xp.int64)
    a = xp.where(negative, -wide, wide).astype(xp.uint64)  # also right for the least number
    table = lambda numbers: xp.asarray(numbers.reshape(shape))
    sums = _product(xp, a, [table(digit) for digit in factors.digits], bits)
    rounded = _round(xp, sums, factors.shift)
    half = table(factors.half)
    multiple = a // half
    tie = (multiple * half == a) & (multiple % 2 == 1)
    whole = xp.where(tie & (rounded % 2 == 1), rounded - 1, rounded)
    return xp.where(negative, -whole, whole)


@cache
def _factors(ratios: tuple[Fraction, ...], bits: int) -> Factors:
    """Return the factors of each ratio for integers of `bits` bits."""
    usual = [_within(ratio, bits) for ratio in ratios]
    shift = max((2 * ratio.denominator << bits).bit_length() for ratio in usual)
    shift += -shift % DIGIT
    wide = [-(-(ratio.numerator << shift) // ratio.denominator) for ratio in usual]
    count = max(1, -(-max(map(int.bit_length, wide)) // DIGIT))
    mask = (1 << DIGIT) - 1
    digits = tuple(
        np.array([number >> (k * DIGIT) & mask for number in wide], np.uint64) for k in range(count)
    )
    halves = [ratio.denominator // 2 if ratio.denominator % 2 == 0 else NONE for ratio in usual]
    return Factors(digits, shift // DIGIT, np.array([min(half, NONE) for half in halves], np.uint64))


def _within(ratio: Fraction, bits: int) -> Fraction:
    """Return a ratio that gives the same results with the smallest numbers.

    If no product exceeds 1/2, every result is 0; and above 2 * LIMIT every result but 0 is clamped.
    """
    if ratio * (1 << bits) <= Fraction(1, 2):
        return Fraction(0)
    return min(ratio, Fraction(2 * LIMIT))


def _product(xp: Namespace, a: Array, digits: Sequence[Array], bits: int) -> list[Array]:
    """Return the digits of `a * M` before carrying: each is a sum of at most three products."""
    mask = xp.asarray((1 << DIGIT) - 1, xp.uint64)
    parts = [(a >> xp.asarray(k * DIGIT, xp.uint64)) & mask for k in range(-(-(bits + 1) // DIGIT))]
    sums: list[Any] = [None] * (len(parts) + len(digits) - 1)
    for i, part in enumerate(parts):
        for j, digit in enumerate(digits):
            product = part * digit
            sums[i + j] = product if sums[i + j] is None else sums[i + j] + product
    return sums


def _round(xp: Namespace, sums: list[Array], shift: int) -> Array:
    """Return `floor(sum / 2^s + 1/2)` as int64, at most `LIMIT`."""
    number = lambda n: xp.asarray(n, xp.uint64)
    carry, digits = number(0), []
    if shift > len(sums) + 1:  # the sum is below 2^(s - DIGIT)
        return xp.zeros_like(sums[0]).astype(xp.int64)
    if shift > len(sums):
        sums = [*sums, xp.zeros_like(sums[0])]
    for k, total in enumerate(sums):
        if k == shift - 1:
            total = total + number(1 << (DIGIT - 1))
        total = total + carry
        digits.append(total & number((1 << DIGIT) - 1))
        carry = total >> number(DIGIT)
    digits.append(carry)
    low, high, *rest = *digits[shift:], *[number(0)] * 2
    low, beyond = low + ((high & number(HIGH)) << number(DIGIT)), high > number(HIGH)
    for digit in rest:
        beyond = beyond | (digit != 0)
    return xp.where(beyond, number(LIMIT), low).astype(xp.int64)
