"""Elementary functions rounded correctly: where f64 cannot decide, and as many digits as decide."""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Decimal, getcontext, localcontext
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np

from interp.backends.base import Array, Namespace
from spec.types import ElementType

# Elementary functions with as many digits as correct rounding needs, for results that f64 cannot decide.
#
# A number that is rounded to odd is the exact one, truncated to some bits, with the last bit set where
# digits were cut off. Rounding it to a format of at least two bits less has the same result as rounding the
# exact number.

DIGITS = (40, 80, 160, 320, 640, 1280)
BEYOND = 330  # powers of ten: every format has overflowed, or has underflowed
LARGEST = Fraction(2) ** 1000  # beyond every format that is narrower than f64; its reciprocal is below


class Function(NamedTuple):
    """A function in the decimal context's precision; `solves(y, *x)` tests a value that may be rational."""

    approximate: Callable[..., Decimal]
    solves: Callable[..., bool] | None = None


def rounded_to_odd(name: str, *operands: float) -> float:
    """Return the function `name` of finite numbers, rounded to odd in f64; its exact value must be finite."""
    y = to_odd(name, 53, *operands)
    size = float(min(max(abs(y), 1 / LARGEST), LARGEST)) if y else 0.0
    return -size if y < 0 else size


def correctly_rounded(name: str, *operands: float) -> float:
    """Return the function `name` of finite numbers, rounded to f64; its exact value must be finite."""
    y = to_odd(name, 64, *operands)
    try:
        return float(y)
    except OverflowError:
        return -inf if y < 0 else inf


@lru_cache(maxsize=1 << 16)  # squares of short numbers are often midway between two others
def to_odd(name: str, bits: int, *operands: float) -> Fraction:
    """Return the function `name` of finite numbers, rounded to odd; its exact value must be finite."""
    approximate, solves = FUNCTIONS[name]
    exact = [Decimal(x) for x in operands]
    spare = 40 + 2 * sum(abs(x.adjusted()) for x in exact if x)
    for digits in DIGITS:
        with localcontext(prec=digits + spare, Emin=MIN_EMIN, Emax=MAX_EMAX):
            y = approximate(*exact)
            if y == 0 or abs(y.adjusted()) > BEYOND:
                return Fraction(y)
            error, sign = abs(y).scaleb(-digits), -1 if y < 0 else 1
            low, high = (_truncate(Fraction(end), bits) for end in (abs(y) - error, abs(y) + error))
        candidate = sign * high[0] * Fraction(2) ** high[1]
        if low == high:
            return sign * (high[0] | 1) * Fraction(2) ** high[1]
        if solves is not None and solves(candidate, *map(Fraction, operands)):
            break
    return candidate  # transcendental functions have such values at trivial operands only


def _truncate(y: Fraction, bits: int) -> tuple[int, int]:
    """Return the first `bits` bits of a positive number as an integer, and the exponent of the last one."""
    exponent = y.numerator.bit_length() - y.denominator.bit_length() - bits
    while y >= Fraction(2) ** (exponent + bits):
        exponent += 1
    return int(y / Fraction(2) ** exponent), exponent


def _exp(x: Decimal) -> Decimal:
    """Return e**x, with x clamped to -2000 and 2000: the result is beyond every format there."""
    return min(max(x, Decimal(-2000)), Decimal(2000)).exp()


def _expm1(x: Decimal) -> Decimal:
    return _exp(x) - 1


def _tanh(x: Decimal) -> Decimal:
    square = _exp(2 * x)
    return (square - 1) / (square + 1)


def _power(x: Decimal, y: Decimal) -> Decimal:
    """Return x**y for x != 0; a negative x has a result only if y is an integer."""
    size = _exp(y * abs(x).ln())
    return -size if x < 0 and abs(y % 2) == 1 else size


def _is_power(z: Fraction, x: Fraction, y: Fraction) -> bool:
    """Return whether z = x**y exactly; since z and x have few bits, y must be a small fraction."""
    n, root = y.numerator, y.denominator
    return root <= 32 and abs(n) <= 4096 and z**root == x**n


def _cbrt(x: Decimal) -> Decimal:
    return _exp(abs(x).ln() / 3).copy_sign(x)


def _sin_cos(x: Decimal) -> tuple[Decimal, Decimal]:
    """Return the sine and cosine of a small number: a series for x / 1024, and then ten doublings."""
    part = x / 1024
    sine, cosine, term, k = Decimal(0), Decimal(0), Decimal(1), 0
    while sine + term != sine or cosine + term != cosine or k < 2:
        if k % 2:
            sine += term if k % 4 == 1 else -term
        else:
            cosine += term if k % 4 == 0 else -term
        k += 1
        term *= part / k
    for _ in range(10):
        sine, cosine = 2 * sine * cosine, (cosine - sine) * (cosine + sine)
    return sine, cosine


def _circular(x: Decimal) -> tuple[Decimal, Decimal]:
    """Return the sine and the cosine of any number, which is reduced by quarter turns first."""
    with localcontext(prec=getcontext().prec + 40):
        quarters = int((2 * x / _pi()).to_integral_value())
        sine, cosine = _sin_cos(x - quarters * _pi() / 2)
    for _ in range(quarters % 4):
        sine, cosine = cosine, -sine
    return sine, cosine


def _tan(x: Decimal) -> Decimal:
    sine, cosine = _circular(x)
    return sine / cosine


def _atan2(y: Decimal, x: Decimal) -> Decimal:
    """Return the angle of (x, y) by Newton's method, in which each step adds the sine of the error."""
    size = (x * x + y * y).sqrt()
    sine, cosine = y / size, x / size
    if cosine < 0:  # the half turn less the angle of (-x, y), for y >= 0
        return _pi().copy_sign(y) - _atan2(y, -x)
    angle, step = Decimal(0), sine
    while angle + step != angle and step:
        angle += step
        s, c = _sin_cos(angle)
        step = sine * c - cosine * s
        if abs(step) < abs(angle).scaleb(5 - getcontext().prec):
            break
    return angle


def _pi() -> Decimal:
    return +_pi_to(getcontext().prec + 10)


@lru_cache
def _pi_to(digits: int) -> Decimal:
    """Return pi by the arithmetic-geometric mean."""
    with localcontext(prec=digits + 10):
        a, b, t, p = Decimal(1), 1 / Decimal(2).sqrt(), Decimal("0.25"), 1
        while abs(a - b) > Decimal(10) ** -digits:
            mean = (a + b) / 2
            a, b, t, p = mean, (a * b).sqrt(), t - p * (a - mean) ** 2, 2 * p
        return (a + b) ** 2 / (4 * t)


# By the name of the operation; `hypot` is the modulus of a complex number.
FUNCTIONS: dict[str, Function] = {
    "atan2": Function(_atan2),
    "cbrt": Function(_cbrt, lambda y, x: y**3 == x),
    "cosine": Function(lambda x: _circular(x)[1]),
    "exponential": Function(_exp),
    "exponential_minus_one": Function(_expm1),
    "hypot": Function(lambda x, y: (x * x + y * y).sqrt(), lambda z, x, y: z * z == x * x + y * y),
    "log": Function(Decimal.ln),
    "log_plus_one": Function(lambda x: (1 + x).ln()),
    "logistic": Function(lambda x: 1 / (1 + _exp(-x))),
    "power": Function(_power, _is_power),
    "rsqrt": Function(lambda x: 1 / x.sqrt(), lambda y, x: y * y * x == 1),
    "sine": Function(lambda x: _circular(x)[0]),
    "tan": Function(_tan),
    "tanh": Function(_tanh),
}


# Search for results in f64 that lie too near to a tie of a narrower format to be rounded safely.

# Relative: NumPy's functions of f64 are off by less than 2^-50, and the oracle confirms 2^-51.
DOUBT_BITS = 42
LOST_BITS = 52 - DOUBT_BITS + 1  # of an f64's mantissa, that many may be wrong


def unsure(xp: Namespace, y: Array, type: ElementType) -> Array:
    """Return the flat positions of finite f64 numbers that a relative change of 2^-42 may round otherwise."""
    flat = np.ascontiguousarray(y).reshape(-1)
    maybe = np.flatnonzero(_near_the_middle(flat, type) | _below_the_normal(flat, type))
    few = flat[maybe]
    low, high = (xp.round_to(few * end, type) for end in (1 - 2.0**-DOUBT_BITS, 1 + 2.0**-DOUBT_BITS))
    differ = (low != high) & np.isfinite(few)
    return maybe[differ]


def _near_the_middle(y: Array, type: ElementType) -> Array:
    """Return where rounding to a normal number drops bits that are near to those of a tie, 1000...0."""
    dropped = np.uint64((1 << (52 - type.mantissa)) - 1)
    first = np.uint64((1 << (51 - type.mantissa)) - (1 << LOST_BITS))
    return ((y.view(np.uint64) - first) & dropped) <= np.uint64(2 << LOST_BITS)


def _below_the_normal(y: Array, type: ElementType) -> Array:
    """Return where a number is subnormal in the type; zero counts only if the type lacks it."""
    size = np.abs(y)
    return (size < 2.0 ** (1 - type.bias)) & ((size > 0) | (type.special == "fnu"))
