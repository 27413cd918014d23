"""Floating-point formats: one rounding of an exact number, and the operations that are one rounding."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import copysign, inf, isinf, isnan, isqrt, ldexp, nan
from typing import Any, NamedTuple

from cases.exact.decimals import FUNCTIONS


class Unknown(Exception):
    """Exception: this evaluator has no rule."""


class Format(NamedTuple):
    """A float format: significant bits, exponents, greatest number, and whether larger ones become that."""

    precision: int
    least: int
    most: int
    greatest: Fraction
    infinite: bool = True
    saturates: bool = False


def _format(precision: int, most: int, least: int | None = None, fn: bool = False) -> Format:
    top = Fraction(2) ** (most + 1) - Fraction(2) ** (most - precision + 1) * (2 if fn else 1)
    return Format(precision, 1 - most if least is None else least, most, top, not fn)


def _finite(precision: int, most: int, least: int) -> Format:
    """Return a format of finite numbers alone, to the greatest of which larger ones are rounded."""
    return _format(precision, most, least)._replace(infinite=False, saturates=True)


FORMATS = {
    "f64": _format(53, 1023),
    "f32": _format(24, 127),
    "tf32": _format(11, 127),
    "bf16": _format(8, 127),
    "f16": _format(11, 15),
    "f8E5M2": _format(3, 15),
    "f8E4M3FN": _format(4, 8, -6, fn=True),
    "f6E2M3FN": _finite(4, 2, 0),
    "f6E3M2FN": _finite(3, 4, -2),
    "f4E2M1FN": _finite(2, 2, 0),
}
POWERS_OF_TWO = "f8E8M0FNU"  # and NaN: no zero, no sign


def binade(x: Fraction) -> int:
    """Return floor(log2(x)) of a positive number."""
    n, d = x.numerator, x.denominator
    e = n.bit_length() - d.bit_length()
    return e if d << max(e, 0) <= n << max(-e, 0) else e - 1


def nearest(x: Fraction, sign: float, name: str) -> float:
    """Return the number of a format nearest to x, ties to even; a zero takes the sign of `sign`."""
    if name == POWERS_OF_TWO:
        return power_of_two(x)
    f = FORMATS.get(name)
    if f is None:
        raise Unknown(name)
    if x == 0:
        return copysign(0.0, sign)
    size = abs(x)
    e = max(binade(size), f.least) - f.precision + 1  # of the last bit
    steps = round(Fraction(size.numerator << max(-e, 0), size.denominator << max(e, 0)))  # half to even
    beyond = inf if f.infinite else float(f.greatest) if f.saturates else nan
    y = beyond if Fraction(2) ** e * steps > f.greatest else ldexp(steps, e)
    return -y if x < 0 else y


def power_of_two(x: Fraction) -> float:
    """Return the nearest power of two from 2^-127 to 2^127, ties up; NaN of zero, below it and beyond."""
    if x <= 0:
        return nan
    e = binade(x)
    e += x >= Fraction(3, 2) * Fraction(2) ** e
    return nan if e > 127 else ldexp(1.0, max(e, -127))


def fl(x: Any, name: str) -> float:
    """Return a float, integer or fraction rounded to a format."""
    if isinstance(x, float):
        if isnan(x):
            return -0.0 if name in FORMATS and FORMATS[name].saturates else nan
        if isinf(x):
            return _beyond(x, name)
        return nearest(Fraction(x), x, name)
    return nearest(Fraction(x), 1.0, name)


def _beyond(x: float, name: str) -> float:
    """Return an infinity in a format."""
    if name == POWERS_OF_TWO:
        return nan
    f = FORMATS[name]
    return x if f.infinite else copysign(float(f.greatest), x) if f.saturates else nan


def add(a: float, b: float, t: str) -> float:
    if isnan(a) or isnan(b) or (isinf(a) and isinf(b) and a != b):
        return nan
    if isinf(a) or isinf(b):
        return fl(a if isinf(a) else b, t)
    total = Fraction(a) + Fraction(b)
    both_negative = copysign(1, a) < 0 and copysign(1, b) < 0
    return nearest(total, -1.0 if both_negative else 1.0, t)


def subtract(a: float, b: float, t: str) -> float:
    return add(a, -b, t)


def signs(a: float, b: float) -> float:
    return copysign(1.0, a) * copysign(1.0, b)


def multiply(a: float, b: float, t: str) -> float:
    if isnan(a) or isnan(b) or (isinf(a) and b == 0) or (isinf(b) and a == 0):
        return nan
    if isinf(a) or isinf(b):
        return fl(signs(a, b) * inf, t)
    return nearest(Fraction(a) * Fraction(b), signs(a, b), t)


def divide(a: float, b: float, t: str) -> float:
    if isnan(a) or isnan(b) or (isinf(a) and isinf(b)) or (a == 0 and b == 0):
        return nan
    if isinf(a) or b == 0:
        return fl(signs(a, b) * inf, t)
    if isinf(b):
        return signs(a, b) * 0.0
    return nearest(Fraction(a) / Fraction(b), signs(a, b), t)


def remainder(a: float, b: float, t: str) -> float:
    """Return a - b * trunc(a / b), with the sign of a."""
    if isnan(a) or isnan(b) or isinf(a) or b == 0:
        return nan
    if isinf(b):
        return a
    rest = abs(Fraction(a)) % abs(Fraction(b))
    return nearest(rest if a > 0 else -rest, a, t)


def larger(a: float, b: float, t: str = "") -> float:
    """Return the maximum: NaN wins, and +0 is above -0."""
    if isnan(a) or isnan(b):
        return nan
    if a == b:
        return a if copysign(1, a) > 0 else b
    return a if a > b else b


def smaller(a: float, b: float, t: str = "") -> float:
    return -larger(-a, -b)


def square_root(x: float, t: str) -> float:
    if isnan(x) or x < 0:
        return nan
    if x == 0 or isinf(x):
        return x
    y = Fraction(x)
    k = 4 ** (200 + max(0, -binade(y)))  # bits enough: the rest is told by one sticky bit
    whole = y * k
    floor_root = isqrt(whole.numerator // whole.denominator)
    sticky = Fraction(1, 2) if Fraction(floor_root) ** 2 != whole else 0
    return nearest((floor_root + sticky) / Fraction(isqrt(k)), 1.0, t)


def to_integral(rule: Callable[[Fraction], int]) -> Callable[[float, str], float]:
    def f(x: float, t: str) -> float:
        return x if isnan(x) or isinf(x) else nearest(Fraction(rule(Fraction(x))), x, t)

    return f


def away(x: Fraction) -> int:
    whole = int(abs(x) + Fraction(1, 2))
    return whole if x > 0 else -whole


def magnitude(x: float, t: str) -> float:
    return nan if isnan(x) else copysign(x, 1.0)


def sign(x: float, t: str) -> float:
    return x if isnan(x) or x == 0 else copysign(1.0, x)


def reduced(x: float, t: str, exponent: int, mantissa: int) -> float:
    """Return x in a format of that many exponent and mantissa bits: a small number becomes zero."""
    f = FORMATS[t]
    if isnan(x) and mantissa == 0 and f.infinite:  # erratum E27
        return inf
    if isnan(x) or isinf(x) or x == 0:
        return x
    step = Fraction(2) ** (max(binade(abs(Fraction(x))), f.least) - min(mantissa, f.precision - 1))
    y = round(abs(Fraction(x)) / step) * step
    bias = 2 ** (exponent - 1) - 1
    if bias <= -f.least:
        if y >= Fraction(2) ** (bias + 1):
            return copysign(inf, x)
        if y < Fraction(2) ** (1 - bias):
            return copysign(0.0, x)
    return copysign(inf if y > f.greatest else nearest(y, 1.0, t), x)


def approximate(name: str) -> Callable[..., float]:
    """Return a function that rounds the value, known to fifty digits, once."""

    def f(*values_and_type: Any) -> float:
        *values, t = values_and_type
        y = FUNCTIONS[name](*values)
        return fl(y, t) if isinstance(y, float) else nearest(y, 1.0, t)

    return f


OPERATIONS: dict[str, Callable[..., float]] = {
    "add": add,
    "subtract": subtract,
    "multiply": multiply,
    "divide": divide,
    "remainder": remainder,
    "maximum": larger,
    "minimum": smaller,
    "sqrt": square_root,
    "abs": magnitude,
    "negate": lambda x, t: nan if isnan(x) else -x,
    "sign": sign,
    "ceil": to_integral(lambda x: -((-x).__floor__())),
    "floor": to_integral(lambda x: x.__floor__()),
    "round_nearest_even": to_integral(round),
    "round_nearest_afz": to_integral(away),
    "clamp": lambda low, x, high, t: smaller(larger(low, x), high),
    **{name: approximate(name) for name in FUNCTIONS},
}
