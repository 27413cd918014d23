"""IEEE-754 arithmetic on Python floats, in any format of the table.

A binary64 holds every value of every format, so an element is a Python float. Finite results are computed as
fractions and rounded once; Python's own operators decide infinities, NaNs and the signs of zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, copysign, floor, inf, isfinite, isinf, isnan, nan, trunc

from spec.elements import ElementType
from spec.formats import exponent_of, round_to, rounded_to

HALF = Fraction(1, 2)


def rne(value: Fraction | float) -> int:
    """Return the nearest integer, ties to even."""
    return round(Fraction(value))


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
    return round_to(nan, type) if isnan(x) or isnan(y) else max(x, y, key=sort_key)


def minimum(x: float, y: float, type: ElementType) -> float:
    """`minimum` from IEEE-754: NaN if either is NaN, and -0 < +0."""
    return round_to(nan, type) if isnan(x) or isnan(y) else min(x, y, key=sort_key)


def sort_key(x: float) -> tuple[float, float]:
    """Return a sort key of numbers in which -0 < +0."""
    return x, copysign(1.0, x)


def total_order(x: float) -> tuple[float, float, float]:
    """Return a sort key for `totalOrder` of IEEE-754: -NaN, -inf, numbers with -0 < +0, inf, NaN."""
    return (copysign(2.0, x), 0.0, 0.0) if isnan(x) else (0.0, *sort_key(x))


def integral(to_integer: Callable[[Fraction], int]) -> Callable[[float, ElementType], float]:
    """`roundToIntegral...` from IEEE-754, which keeps the sign of a zero."""

    def round_whole(x: float, type: ElementType) -> float:
        return round_to(copysign(float(to_integer(Fraction(x))), x), type) if isfinite(x) else x

    return round_whole


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
