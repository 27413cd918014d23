"""Sums of floats that are rounded once: exact sums in f64 with their errors, and the rounding to a type.

A sum that f64 does not hold is its rounded value and the sign of the error, which decide the rounding to any
narrower type.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import fsum, inf

import numpy as np

from interp.backends import NUMPY, Array
from interp.backends.dtypes import numpy_dtype
from spec.trees import Arithmetic
from spec.types import ElementType

MOST = 53  # bits of f64


def is_rounded_twice(arithmetic: Arithmetic, type: ElementType) -> bool:
    """Return whether sums of two may be rounded to f64, and then to the type.

    THEOREM: a sum of two numbers of p bits, rounded to nearest to the 53 of f64 and then to p bits, is the
    sum rounded once, where 53 >= 2 p + 2; to f64 there is one rounding.
    """
    narrow = 2 * type.precision + 2 <= MOST or type.name == "f64"
    return narrow and arithmetic.kind == "plain" and not (arithmetic.rounding or arithmetic.products)


def in_f64(x: Array) -> Array:
    """Return integers in f64, rounded to odd where it does not hold them."""
    numbers = np.asarray(x).astype(np.float64)
    far = np.abs(numbers) >= 2.0**MOST
    if far.any():
        exact = np.asarray(x)[far].astype(object)
        error = [float(int(a) - int(b)) for a, b in zip(exact, numbers[far], strict=True)]
        numbers[far] = to_odd(numbers[far], np.asarray(error))
    return numbers


def sum_of_two(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the sum in f64 and its error, a number of f64 (TwoSum); of an overflow, the error's sign."""
    total = a + b
    part = total - a
    error = (a - (total - part)) + (b - part)
    error = np.where(np.isfinite(total) & np.isfinite(error), error, 0.0)
    overflows = np.isinf(total) & np.isfinite(a) & np.isfinite(b)
    return total, np.where(overflows, -np.sign(total), error)


def product_to_odd(whole: Array, factor: Array) -> Array:
    """Return int64 times numbers of f64, rounded to odd: f64 products and their errors (TwoProduct).

    Factors and products are normal, far from the ends of f64.
    """
    a, b = np.broadcast_arrays(np.asarray(whole, np.float64), factor)
    total = a * b
    (high, low), (upper, lower) = _halves(a), _halves(b)
    error = ((high * upper - total) + high * lower + low * upper) + low * lower
    result = np.asarray(to_odd(total, error))
    for place in zip(*np.nonzero(np.abs(a) >= 2.0**MOST), strict=True):
        exact = Fraction(int(np.broadcast_to(whole, a.shape)[place])) * Fraction(float(b[place]))
        nearest = float(exact)
        sign = float((exact > nearest) - (exact < nearest))
        result[place] = to_odd(np.asarray([nearest]), np.asarray([sign]))[0]
    return result


def _halves(x: Array) -> tuple[Array, Array]:
    """Return two numbers of 26 bits whose sum is x (Veltkamp)."""
    moved = x * float((1 << 27) + 1)
    high = moved - (moved - x)
    return high, x - high


def sum_of_many(entries: Sequence[Array]) -> tuple[Array, Array]:
    """Return exact sums, rounded to f64, and the sign of their errors."""
    rows = np.stack(np.broadcast_arrays(*entries)).astype(np.float64)
    flat = rows.reshape(len(rows), -1)
    totals = np.where(np.isfinite(flat), 0.0, flat).sum(axis=0)  # infinities and NaN
    errors = np.zeros(flat.shape[1])
    for column in np.flatnonzero(np.isfinite(flat).all(axis=0)):
        numbers = flat[:, column].tolist()
        try:
            total = fsum(numbers)
            error = fsum([*numbers, -total])
        except OverflowError:
            total, error = _beyond_fsum(numbers)
        negative = total == 0 and bool(np.signbit(flat[:, column]).all())
        totals[column], errors[column] = (-0.0 if negative else total), np.sign(error)
    return totals.reshape(rows.shape[1:]), errors.reshape(rows.shape[1:])


def _beyond_fsum(numbers: Sequence[float]) -> tuple[float, float]:
    """Return an exact sum, rounded to f64, and the sign of its error, where partial sums overflow."""
    exact = sum(map(Fraction, numbers), Fraction(0))
    sign = 1.0 if exact > 0 else -1.0
    try:
        total = float(exact)
    except OverflowError:
        return sign * inf, -sign
    return total, float((exact > total) - (exact < total))


def fused_sum(
    entries: Sequence[Array], exponents: Sequence[Array], arithmetic: Arithmetic
) -> tuple[Array, Array]:
    """Return sums of the parts above the grid below the largest exponent; f64 holds them."""
    counts = [(x != 0) & np.isfinite(x) for x in entries]
    largest = np.stack(
        np.broadcast_arrays(*(np.where(c, e, -(1 << 20)) for c, e in zip(counts, exponents, strict=True)))
    ).max(axis=0)
    unit = np.where(largest == -(1 << 20), 0, largest) - arithmetic.bits
    to_integer = np.rint if arithmetic.nearest else np.trunc
    special = sum(np.where(np.isfinite(x), 0.0, x) for x in entries)
    finite = [np.where(c, x, 0.0) for c, x in zip(counts, entries, strict=True)]
    total = sum(to_integer(np.ldexp(x, -unit)).astype(np.int64) for x in finite).astype(np.float64)
    if arithmetic.cut is not None:
        step = np.maximum(np.frexp(total)[1] - 1 - arithmetic.cut, 0)
        total = np.ldexp(np.trunc(np.ldexp(total, -step)), step)
    scaled = np.ldexp(total, unit) + 0.0
    return np.where(np.isfinite(special), scaled, special), np.zeros(scaled.shape)


def exponents(x: Array, type: ElementType) -> Array:
    """Return the exponents of numbers; subnormal ones have the least of their type."""
    found = np.frexp(x)[1] - 1
    return found if type.is_integer else np.maximum(found, least_exponent(type))


def least_exponent(type: ElementType) -> int:
    """Return the exponent of the least normal number of a format."""
    return -type.bias if type.special == "fnu" else 1 - type.bias


def settle(total: Array, error: Array | None, type: ElementType, arithmetic: Arithmetic) -> Array:
    """Return `total + error` rounded to a type, in f64; only the error's sign counts.

    THEOREM: a sum that is rounded to odd in f64 rounds to a type of at most 51 bits, to nearest or toward
    zero, as the exact sum does.
    """
    total = np.asarray(total, np.float64)
    toward_zero = arithmetic.rounding == "toward zero"
    if type.name == "f64":
        if toward_zero and error is not None:
            away = (error != 0) & (np.sign(error) != np.sign(total))
            total = np.where(away, np.nextafter(total, 0.0), total)
        result = total
    else:
        odd = total if error is None else to_odd(total, error)
        result = chop(odd, type) if toward_zero else np.asarray(NUMPY.round_to(odd, type)).astype(np.float64)
    return flush(result, type) if arithmetic.flush else result


def to_odd(total: Array, error: Array) -> Array:
    """Return rounded numbers, where they are not exact, with an odd last bit."""
    even = np.ascontiguousarray(total).view(np.int64).reshape(np.shape(total)) & 1 == 0
    away = np.nextafter(total, np.copysign(np.inf, error))
    return np.where((error != 0) & (even | np.isinf(total)), away, total)


def chop(x: Array, type: ElementType) -> Array:
    """Return numbers rounded toward zero to a type; finite numbers stay finite."""
    finite = np.isfinite(x)
    unit = np.maximum(np.frexp(x)[1] - 1, least_exponent(type)) - type.mantissa
    whole = np.ldexp(np.trunc(np.ldexp(np.where(finite, x, 0.0), -unit)), unit)
    import ml_dtypes  # only where numbers are chopped

    most = float(ml_dtypes.finfo(numpy_dtype(type)).max)
    cut = np.where(finite, np.copysign(np.clip(whole, -most, most), x), x)
    return np.asarray(NUMPY.round_to(cut, type)).astype(np.float64)


def flush(x: Array, type: ElementType) -> Array:
    """Return zeros of the same sign in place of subnormal numbers."""
    return np.where(np.abs(x) < 2.0 ** least_exponent(type), np.copysign(0.0, x), x)
