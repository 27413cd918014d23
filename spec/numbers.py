"""Floating-point numbers: one rounding to any format of the table, and IEEE-754 arithmetic on Python floats.

A binary64 holds every value of every format, so an element is a Python float. Finite results are computed as
fractions and rounded once; Python's own operators decide infinities, NaNs and the signs of zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, copysign, floor, inf, isfinite, isinf, isnan, ldexp, nan, trunc

from spec.elements import ElementType

HALF = Fraction(1, 2)


def rne(value: Fraction | float) -> int:
    """Return the nearest integer, ties to even."""
    return round(Fraction(value))


def exponent_of(value: Fraction | float) -> int:
    """Return the e with 2**e <= |value| < 2**(e+1)."""
    n, d = value.as_integer_ratio()
    n = abs(n)
    e = n.bit_length() - d.bit_length()
    return e if n << max(-e, 0) >= d << max(e, 0) else e - 1


def power_of_two(e: int) -> Fraction:
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def least_exponent(type: ElementType) -> int:
    """Return the exponent of the least normal number. f8E8M0FNU spends no code on zero and subnormals."""
    return -type.bias if type.special == "fnu" else 1 - type.bias


@lru_cache
def largest(type: ElementType) -> float:
    """Return the largest finite value of a format, which depends on the meaning of the all-ones exponent."""
    top = (1 << type.exponent) - 1 - type.bias
    exponent = top - 1 if type.special in ("ieee", "fnu") else top
    missing = 2 if type.special == "fn" else 1  # the all-ones code is fn's one NaN
    return float((2 - missing * power_of_two(-type.mantissa)) * power_of_two(exponent))


def round_to(value: Fraction | float, type: ElementType) -> float:
    """Return fl(value): an exact value rounded once, to nearest even, to a floating-point format.

    Overflow gives an infinity, or NaN in a format without infinities, or the largest value in a format
    without either. NaN becomes -0 in a format without NaN; zeros and negative numbers become NaN in
    f8E8M0FNU, as in ml_dtypes.
    """
    if isinstance(value, float) and not isfinite(value):
        return _not_finite(value, type)
    if value == 0:
        return {"fnuz": 0.0, "fnu": nan}.get(type.special, copysign(0.0, value))
    sign = -1.0 if value < 0 else 1.0
    nearest, e = _in_units(value, type, type.mantissa)
    try:
        rounded = ldexp(abs(nearest), e)
    except OverflowError:
        rounded = inf
    if rounded > largest(type):
        return _not_finite(sign * inf, type)
    if type.special == "fnu":
        return nan if sign < 0 else max(rounded, 2.0**-type.bias)
    return sign * rounded if rounded else round_to(sign * 0.0, type)


def rounded_to(exact: Fraction, type: ElementType, mantissa: int) -> Fraction:
    """Return `exact` rounded to `mantissa` bits, ties to even, however large it is."""
    nearest, e = _in_units(exact, type, mantissa)
    return Fraction(nearest << max(e, 0), 1 << max(-e, 0))


def _in_units(exact: Fraction | float, type: ElementType, mantissa: int) -> tuple[int, int]:
    """Return n and e such that n * 2**e is `exact` rounded to `mantissa` bits, ties to even."""
    e = max(exponent_of(exact), least_exponent(type)) - mantissa
    n, d = exact.as_integer_ratio()
    d <<= max(e, 0)
    below, rest = divmod(n << max(-e, 0), d)
    return below + (2 * rest > d or (2 * rest == d and below % 2)), e


def _not_finite(value: float, type: ElementType) -> float:
    """Return an infinity or a NaN in a format."""
    if type.special == "ieee":
        return value
    if type.special == "finite":
        return -0.0 if isnan(value) else copysign(largest(type), value)
    return nan


def add(x: float, y: float, type: ElementType) -> float:
    """`addition` from IEEE-754."""
    exact = isfinite(x) and isfinite(y) and x != -y
    return round_to(Fraction(x) + Fraction(y) if exact else x + y, type)


def subtract(x: float, y: float, type: ElementType) -> float:
    """`subtraction` from IEEE-754."""
    return add(x, -y, type)


def multiply(x: float, y: float, type: ElementType) -> float:
    """`multiplication` from IEEE-754."""
    exact = isfinite(x) and isfinite(y) and x != 0 and y != 0
    return round_to(Fraction(x) * Fraction(y) if exact else x * y, type)


def divide(x: float, y: float, type: ElementType) -> float:
    """`division` from IEEE-754: x / 0 is an infinity, but NaN for x = 0."""
    if y == 0:
        sign = copysign(1.0, x) * copysign(1.0, y)
        return round_to(nan if x == 0 or isnan(x) else sign * inf, type)
    exact = isfinite(x) and isfinite(y) and x != 0
    return round_to(Fraction(x) / Fraction(y) if exact else x / y, type)


def remainder(x: float, y: float, type: ElementType) -> float:
    """Return lhs - d * rhs with d = division(lhs, rhs) rounded toward zero; the sign of the dividend."""
    if isnan(x) or isnan(y) or isinf(x) or y == 0:
        return round_to(nan, type)
    if isinf(y):
        return x
    exact = Fraction(x) - trunc(Fraction(x) / Fraction(y)) * Fraction(y)
    return round_to(copysign(float(exact), x), type)


def negate(x: float, type: ElementType) -> float:
    """`negate` from IEEE-754."""
    return round_to(-x, type)


def absolute(x: float, type: ElementType) -> float:
    """`abs` from IEEE-754."""
    return round_to(abs(x), type)


def sign(x: float, type: ElementType) -> float:
    """Return -1 or 1, or x itself if it is a zero or NaN."""
    return x if x == 0 or isnan(x) else round_to(copysign(1.0, x), type)


def maximum(x: float, y: float, type: ElementType) -> float:
    """`maximum` from IEEE-754: NaN if either is NaN, and -0 < +0."""
    return round_to(nan, type) if isnan(x) or isnan(y) else max(x, y, key=signed)


def minimum(x: float, y: float, type: ElementType) -> float:
    """`minimum` from IEEE-754: NaN if either is NaN, and -0 < +0."""
    return round_to(nan, type) if isnan(x) or isnan(y) else min(x, y, key=signed)


def signed(x: float) -> tuple[float, float]:
    """Return a sort key of numbers in which -0 < +0."""
    return x, copysign(1.0, x)


def total_order(x: float) -> tuple[float, float, float]:
    """Return a sort key for `totalOrder` of IEEE-754: -NaN, -inf, numbers with -0 < +0, inf, NaN."""
    return (copysign(2.0, x), 0.0, 0.0) if isnan(x) else (0.0, *signed(x))


def integral(to_integer: Callable[[Fraction], int]) -> Callable[[float, ElementType], float]:
    """`roundToIntegral...` from IEEE-754, which keeps the sign of a zero."""

    def rounded(x: float, type: ElementType) -> float:
        return round_to(copysign(float(to_integer(Fraction(x))), x), type) if isfinite(x) else x

    return rounded


round_toward_negative = integral(floor)
round_toward_positive = integral(ceil)
round_ties_to_even = integral(rne)
round_ties_to_away = integral(lambda x: floor(abs(x) + HALF))


def reduce_precision(x: float, exponent_bits: int, mantissa_bits: int, type: ElementType) -> float:
    """Round the mantissa to `mantissa_bits`; beyond the range of `exponent_bits`, give infinity or zero.

    Subnormals of the narrower range become zero, as the specification says. Without mantissa bits there is no
    NaN, which becomes infinity (erratum E27).
    """
    if isnan(x) and mantissa_bits == 0 < type.mantissa:
        return round_to(inf, type)
    if not isfinite(x) or x == 0:
        return x
    rounded = rounded_to(Fraction(x), type, min(mantissa_bits, type.mantissa))
    if exponent_bits < type.exponent and rounded != 0:
        bias = (1 << (exponent_bits - 1)) - 1
        if exponent_of(rounded) > bias:
            return round_to(copysign(inf, x), type)
        if exponent_of(rounded) < 1 - bias:
            rounded = Fraction(0)
    return round_to(rounded or copysign(0.0, x), type)
