"""Roots, exponentials, logarithms, powers and angles, correctly rounded to any format of the table.

An approximation with a known relative error is refined until both ends of its interval round to the same
number (Ziv). That ends: a value midway between two numbers is rational, and those are computed as such.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Decimal, getcontext, localcontext
from fractions import Fraction
from functools import lru_cache
from math import copysign, inf, isfinite, isinf, isnan, log2, nan

from spec.formats import exponent_of, power_of_two, round_to
from spec.types import ElementType

# Digits that cancellation may cost: no binary64 but 0 is within 1e-19 of a multiple of pi/2.
LOST = 30
# exp(x) is beyond every format for |x| above this, and tanh(x) is 1 in all of them.
BEYOND = 1000.0


def nearest(approximate: Callable[..., Decimal], type: ElementType, *operands: float) -> float:
    """Return fl(approximate(operands)), computed with more and more digits until the rounding is certain."""
    if any(map(isnan, operands)):
        return round_to(nan, type)
    exact = [Decimal(x) for x in operands]
    cost = LOST + sum(abs(x.adjusted()) for x in exact)
    digits = 30
    while True:
        with localcontext(prec=digits + cost, Emin=MIN_EMIN, Emax=MAX_EMAX):
            value = Fraction(approximate(*exact))
        error = abs(value) / 10**digits
        low, high = round_to(value - error, type), round_to(value + error, type)
        if repr(low) == repr(high):  # two zeros differ, two NaNs do not
            return low
        digits *= 2


def exponential(x: float, type: ElementType) -> float:
    """`exp` from IEEE-754."""
    return nearest(Decimal.exp, type, clip(x))


def exponential_minus_one(x: float, type: ElementType) -> float:
    """`expm1` from IEEE-754."""
    return x if x == 0 else nearest(expm1, type, clip(x))


def logistic(x: float, type: ElementType) -> float:
    """division(1, addition(1, exp(-x))), rounded once."""
    return nearest(lambda x: 1 / (1 + (-x).exp()), type, clip(x))


def tanh(x: float, type: ElementType) -> float:
    """`tanh` from IEEE-754."""
    return x if x == 0 else nearest(lambda x: expm1(2 * x) / (expm1(2 * x) + 2), type, clip(x))


def log(x: float, type: ElementType) -> float:
    """`log` from IEEE-754."""
    if x <= 0 or x == inf:
        return round_to(nan if x < 0 else -inf if x == 0 else inf, type)
    return nearest(Decimal.ln, type, x)


def log_plus_one(x: float, type: ElementType) -> float:
    """`logp1` from IEEE-754."""
    if x <= -1 or x == inf:
        return log(x + 1, type)
    return x if x == 0 else nearest(lambda x: (1 + x).ln(), type, x)


def clip(x: float) -> float:
    return x if isnan(x) else min(max(x, -BEYOND), BEYOND)


def expm1(x: Decimal) -> Decimal:
    return x.exp() - 1


def sqrt(x: float, type: ElementType) -> float:
    """`squareRoot` from IEEE-754."""
    if x == 0 or x == inf or isnan(x):
        return x
    return round_to(nan if x < 0 else root(Fraction(x), 2), type)


def rsqrt(x: float, type: ElementType) -> float:
    """`rSqrt` from IEEE-754."""
    if x == 0 or not isfinite(x):
        return round_to(copysign(inf, x) if x == 0 else 0.0 if x == inf else nan, type)
    return round_to(nan if x < 0 else root(1 / Fraction(x), 2), type)


def cbrt(x: float, type: ElementType) -> float:
    """`rootn(x, 3)` from IEEE-754."""
    if x == 0 or not isfinite(x):
        return x
    magnitude = root(abs(Fraction(x)), 3)
    return round_to(magnitude if x > 0 else -magnitude, type)


def root(value: Fraction, n: int) -> Fraction:
    """Return the n-th root to 64 bits; if it is inexact, the last bit is set, so that it rounds correctly."""
    shift = 64 - exponent_of(value) // n
    scaled = value * power_of_two(shift * n)
    whole = integer_root(scaled.numerator // scaled.denominator, n)
    return (2 * whole + (whole**n != scaled)) * power_of_two(-shift - 1)


def integer_root(value: int, n: int) -> int:
    """Return the largest integer whose n-th power is at most `value`, by Newton's method from above."""
    x = 1 << -(-value.bit_length() // n)
    while (better := ((n - 1) * x + value // x ** (n - 1)) // n) < x:
        x = better
    return x


def power(x: float, y: float, type: ElementType) -> float:
    """`pow` from IEEE-754."""
    if y == 0 or x == 1:
        return round_to(1.0, type)
    fractional = isfinite(y) and y % 1 != 0
    if isnan(x) or isnan(y) or (x < 0 and isfinite(x) and fractional):
        return round_to(nan, type)
    magnitude = abs(x)
    if magnitude == 1:
        result = 1.0
    elif magnitude == 0 or isinf(magnitude) or isinf(y):
        result = inf if (magnitude > 1) == (y > 0) else 0.0
    else:
        result = positive_power(magnitude, y, type)
    is_odd = isfinite(y) and y % 2 == 1
    return round_to(copysign(result, x) if is_odd else result, type)


def positive_power(x: float, y: float, type: ElementType) -> float:
    """Return x**y for x > 0, x != 1: it is rational only if exact square roots of x make y an integer."""
    if abs(y * log2(x)) > 1200:
        return round_to(inf if (y > 0) == (x > 1) else power_of_two(-1200), type)
    base, exponent = Fraction(x), Fraction(y)
    while exponent.denominator > 1 and (half := exact_square_root(base)) is not None:
        base, exponent = half, exponent * 2
    if exponent.denominator == 1 and abs(exponent) <= 1200:  # beyond, too many digits to lie midway
        return round_to(base**exponent.numerator, type)
    return nearest(lambda x, y: (y * x.ln()).exp(), type, x, y)


def exact_square_root(value: Fraction) -> Fraction | None:
    candidate = Fraction(integer_root(value.numerator, 2), integer_root(value.denominator, 2))
    return candidate if candidate**2 == value else None


def sine(x: float, type: ElementType) -> float:
    """`sin` from IEEE-754."""
    return x if x == 0 else circular(lambda x: sin_cos(x)[0], x, type)


def cosine(x: float, type: ElementType) -> float:
    """`cos` from IEEE-754."""
    return circular(lambda x: sin_cos(x)[1], x, type)


def tan(x: float, type: ElementType) -> float:
    """`tan` from IEEE-754."""
    return x if x == 0 else circular(lambda x: sin_cos(x)[0] / sin_cos(x)[1], x, type)


def circular(approximate: Callable[[Decimal], Decimal], x: float, type: ElementType) -> float:
    return round_to(nan, type) if isinf(x) else nearest(approximate, type, x)


def sin_cos(x: Decimal) -> tuple[Decimal, Decimal]:
    """Return the sine and the cosine of x, by those of r = x - n * pi/2, |r| <= pi/4, and n quarter turns."""
    n = (x / (pi() / 2)).to_integral_value()
    r = x - n * (pi() / 2)
    sin, cos = alternating(r, r, 2), alternating(Decimal(1), r, 1)
    return ((sin, cos), (cos, -sin), (-sin, -cos), (-cos, sin))[int(n) % 4]


def alternating(term: Decimal, r: Decimal, k: int) -> Decimal:
    """Return term * (1 - r**2 / (k (k+1)) * (1 - r**2 / ((k+2) (k+3)) * ...)): for sine and cosine."""
    total, following = Decimal(0), term
    while total != total + following:
        total += following
        following *= -r * r / (k * (k + 1))
        k += 2
    return total


def atan2(y: float, x: float, type: ElementType) -> float:
    """`atan2` from IEEE-754."""
    if isnan(x) or isnan(y):
        return round_to(nan, type)
    if isinf(x) or isinf(y):
        y, x = (copysign(1.0 if isinf(v) else 0.0, v) for v in (y, x))
    if y == 0 and copysign(1.0, x) > 0:
        return y
    magnitude = nearest(angle, type, abs(y), x) if y else nearest(pi, type)
    return round_to(copysign(magnitude, y), type)


def angle(y: Decimal, x: Decimal) -> Decimal:
    """Return the angle of the point (x, y), y > 0, between 0 and pi."""
    acute = arctan(y / abs(x)) if y <= abs(x) else pi() / 2 - arctan(abs(x) / y)
    return acute if x >= 0 else pi() - acute


def arctan(t: Decimal) -> Decimal:
    """arctan(t) = 2 arctan(t / (1 + sqrt(1 + t**2))), three times, then its series; 0 <= t <= 1."""
    for _ in range(3):
        t /= 1 + (1 + t * t).sqrt()
    total, term, k = Decimal(0), t, 1
    while total != total + term / k:
        total += term / k
        term *= -t * t
        k += 2
    return 8 * total


def pi() -> Decimal:
    """Return pi to the precision of the context."""
    return +_pi(getcontext().prec + 5)


@lru_cache
def _pi(digits: int) -> Decimal:
    """Return 16 arccot(5) - 4 arccot(239), in integers."""
    one = 10 ** (digits + 5)

    def arccot(n: int) -> int:
        total, term, k = 0, one // n, 1
        while term:
            total += term // k if k % 4 == 1 else -(term // k)
            term //= n * n
            k += 2
        return total

    return Decimal(16 * arccot(5) - 4 * arccot(239)).scaleb(-digits - 5)
