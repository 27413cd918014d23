"""Sums of floats that are rounded once: exact sums in f64 with their errors, and the rounding to a type.

A sum that f64 does not hold is its rounded value and the sign of the error, which decide the rounding to any
narrower type.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import fsum, inf

import numpy as np

from interp.backends import NUMPY, Array, Namespace
from interp.backends.dtypes import numpy_dtype
from spec.trees import Arithmetic
from spec.types import ELEMENT_TYPES, ElementType

MOST = 53  # bits of f64
LONG = 53  # bits of integers that are scaled in f64
F64 = ELEMENT_TYPES["f64"]
LOW, SHIFT = -400, 800  # products below 2^LOW are multiplied by 2^SHIFT
LEAST = -1140  # products below 2^LEAST are less than half of every number of f64
FAR = 2.0**480  # factors beyond it are multiplied as fractions


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


def scale_exactly(
    xp: Namespace, whole: Array, scale: Array, element: ElementType, bits: int, digits: int
) -> Array:
    """Return integers times positive numbers of f64, each rounded once to a type up to f32, in its carrier.

    whole: integers of at most so many `bits`. scale: of at most so many significant `digits`, and 48.
    Factors and products are normal, far from the ends of f64.
    """
    a = whole.astype(xp.float64)
    if bits + digits <= MOST:
        product = a * scale
    elif bits > LONG:
        product = _long_products(whole, scale)
    elif xp.in_place:
        product = _away_from_ties(a, scale, element)
    elif 2 * bits + digits <= 2 * MOST:
        product = _odd_sum_of_parts(xp, a, scale, MOST - bits)
    else:
        product = product_to_odd(xp, a, scale)
    return xp.round_to(product, element).astype(xp.carrier(element), copy=False)


def _away_from_ties(a: Array, b: Array, element: ElementType) -> Array:
    """Return products rounded to f64; to odd where it counts.

    THEOREM: two roundings to nearest, to 53 bits and to p, are one unless the first gives a tie of the
    second: half of the last place of a normal number of p bits. Subnormal numbers have fewer bits.
    """
    product = np.asarray(a * b)
    lost = MOST - element.precision
    tie = (product.view(np.int64) & ((1 << lost) - 1)) == 1 << (lost - 1)
    least = 2.0 ** least_exponent(element)
    if b.min(initial=np.inf) < least:
        tie |= np.abs(product) < least
    if tie.any():
        a, b = np.broadcast_arrays(a, b)
        product[tie] = product_to_odd(NUMPY, a[tie], b[tie])
    return product


def _odd_sum_of_parts(xp: Namespace, a: Array, b: Array, bits: int) -> Array:
    """Return products rounded to odd, of numbers so short that both parts of b have exact products with them.

    THEOREM (Dekker): the first so many bits of b make the larger product, so that `larger - sum + smaller` is
    the error of the rounded sum.
    """
    high, low = _parts(xp, b, bits)
    larger, smaller = xp.round_to(a * high, F64), xp.round_to(a * low, F64)
    total = xp.round_to(larger + smaller, F64)
    return _odd(xp, total, (larger - total) + smaller)


def product_to_odd(xp: Namespace, a: Array, b: Array) -> Array:
    """Return products rounded to odd.

    THEOREM (Dekker): halves of 26 bits and the rest have exact products, and the error of the whole product
    is their sum, in which nothing rounds. The rounded product is hidden from a compiler that would fuse it.
    """
    product = xp.round_to(a * b, F64)
    (high, low), (upper, lower) = _parts(xp, a, 26), _parts(xp, b, 26)
    error = ((high * upper - product) + high * lower + low * upper) + low * lower
    return _odd(xp, product, error)


def _odd(xp: Namespace, total: Array, error: Array) -> Array:
    """Return rounded numbers, where they are not exact, with an odd last bit."""
    bits = xp.bits_of(total, xp.int64)
    away = xp.where((error > 0) == (total > 0), 1, -1)
    odd = xp.where((error != 0) & (bits & 1 == 0), bits + away, bits)
    return xp.bits_of(odd, xp.float64)


def _parts(xp: Namespace, x: Array, bits: int) -> tuple[Array, Array]:
    """Return the first so many bits of numbers, and the rest."""
    high = xp.bits_of(xp.bits_of(x, xp.int64) & -(1 << (MOST - bits)), xp.float64)
    return high, x - high


def _long_products(whole: Array, factor: Array) -> Array:
    """Return integers times numbers of f64, rounded to odd, as fractions."""
    whole, factor = np.broadcast_arrays(whole, factor)
    exact = [Fraction(int(x)) * Fraction(float(y)) for x, y in zip(whole.flat, factor.flat, strict=True)]
    nearest = np.array([float(x) for x in exact])
    errors = np.array([float((x > y) - (x < y)) for x, y in zip(exact, nearest.tolist(), strict=True)])
    return to_odd(nearest, errors).reshape(whole.shape)


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


def multiply_and_add(a: Array, b: Array, c: Array) -> tuple[Array, Array]:
    """Return `a * b + c`, rounded once to f64, and the sign of the error.

    THEOREM (Boldo and Melquiond): with p + e the product, v + r = p + (c + e rounded), and the rest rounded
    to odd, v plus the rest is the sum rounded once, if e is a number of f64. Numbers whose product may be
    subnormal are multiplied by 2^SHIFT first, and those that are too far from 1 are added as fractions.
    """
    a, b, c = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (a, b, c)))
    usual, zero, sign = _special_product(a, b) + c, a * b, np.sign(a) * np.sign(b)
    finite, present = np.isfinite(a) & np.isfinite(b) & np.isfinite(c), (a != 0) & (b != 0)
    power = np.frexp(a)[1] + np.frexp(b)[1]
    is_low = finite & present & (power < LOW)
    is_alone = is_low & ((power < LEAST) | ((c != 0) & (np.frexp(c)[1] > power + 160)))  # c is the result
    scale = np.where(is_low & ~is_alone, SHIFT, 0)
    first, second = a, b
    far = finite & present & (np.maximum(np.abs(a), np.abs(b)) > FAR)
    far |= finite & present & (power > -LOW)
    safe = finite & present & ~is_alone & ~far
    a, b = (np.where(safe, x, 0.0) for x in (a, b))
    is_first = np.abs(a) < np.abs(b)
    x, y = np.ldexp(np.where(is_first, a, b), scale), np.where(is_first, b, a)
    total, error = _multiply_and_add_safely(x, y, np.ldexp(np.where(safe, c, 0.0), scale))
    total, error = _descend(total, error, scale)
    total, error = np.where(safe, total, usual), np.where(safe, error, 0.0)
    total = np.where(is_alone, np.where(c != 0, c, zero), total)
    error = np.where(is_alone, sign, error)
    for at in np.argwhere(far):
        where = tuple(at)
        exact = Fraction(first[where]) * Fraction(second[where]) + Fraction(c[where])
        total[where], error[where] = _round_fraction(exact) if exact else (0.0, 0.0)
    return total, np.sign(error)


def _special_product(a: Array, b: Array) -> Array:
    """Return products; those of finite numbers beyond f64 as 1 or -1, so that an infinity may be added."""
    product = a * b
    return np.where(np.isinf(product) & np.isfinite(a) & np.isfinite(b), np.sign(product), product)


def _multiply_and_add_safely(a: Array, b: Array, c: Array) -> tuple[Array, Array]:
    product = a * b
    halves = [(x * 134217729.0) - (x * 134217729.0 - x) for x in (a, b)]
    low = [x - h for x, h in zip((a, b), halves, strict=True)]
    cross = halves[0] * low[1] + low[0] * halves[1]
    error = ((halves[0] * halves[1] - product) + cross) + low[0] * low[1]
    first, rest = sum_of_two(c, error)
    high, between = sum_of_two(product, first)
    odd = to_odd(*sum_of_two(between, rest))
    total, left = sum_of_two(high, odd)
    return total, np.where(left != 0, left, sum_of_two(between, rest)[1])


def _descend(total: Array, error: Array, scale: Array) -> tuple[Array, Array]:
    """Return sums divided by powers of two, rounded once: subnormal ones have fewer bits."""
    small = (scale > 0) & (np.abs(total) < np.ldexp(1.0, scale - 1022))
    units = np.ldexp(np.where(small, total, 0.0), 1074 - scale)  # of the least subnormal number
    floor = np.floor(units)
    part = units - floor
    up = (part > 0.5) | ((part == 0.5) & ((error > 0) | ((error == 0) & (floor % 2 == 1))))
    whole = floor + up
    left = np.where(units != whole, units - whole, error)
    down = np.where(small, np.copysign(np.ldexp(whole, -1074), total), np.ldexp(total, -scale))
    return down, np.where(small, left, error)


def _round_fraction(exact: Fraction) -> tuple[float, float]:
    """Return an exact number, rounded to f64, and the sign of the error."""
    sign = 1.0 if exact > 0 else -1.0
    try:
        total = float(exact)
    except OverflowError:
        return sign * inf, -sign
    return total, float((exact > total) - (exact < total))


def sum_products(factors: Sequence[tuple[Array, Array]], others: Sequence[Array]) -> tuple[Array, Array]:
    """Return exact sums of products and other numbers, rounded to f64, and the sign of their errors."""
    flat = [np.asarray(x, np.float64) for pair in factors for x in pair] + [
        np.asarray(x, np.float64) for x in others
    ]
    arrays = np.broadcast_arrays(*flat)
    m = len(factors)
    products = [
        _special_product(a, b) for a, b in zip(arrays[: 2 * m : 2], arrays[1 : 2 * m : 2], strict=True)
    ]
    entries = [*products, *arrays[2 * m :]]
    total = np.array(sum(np.where(np.isfinite(x), 0.0, x) for x in entries))  # infinities and NaN
    error = np.zeros(np.shape(total))
    for at in np.argwhere(np.logical_and.reduce([np.isfinite(x) for x in arrays])):
        where = tuple(at)
        numbers = [Fraction(float(x[where])) for x in arrays]
        exact = sum((numbers[2 * k] * numbers[2 * k + 1] for k in range(m)), Fraction(0))
        exact += sum(numbers[2 * m :], Fraction(0))
        if exact:
            total[where], error[where] = _round_fraction(exact)
        else:
            terms = [float(x[where]) for x in entries]
            is_negative = all(x == 0 and np.signbit(x) for x in terms)
            total[where] = -0.0 if is_negative else 0.0
    return total, error


def _beyond_fsum(numbers: Sequence[float]) -> tuple[float, float]:
    """Return an exact sum, rounded to f64, and the sign of its error, where partial sums overflow."""
    return _round_fraction(sum(map(Fraction, numbers), Fraction(0)))


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
