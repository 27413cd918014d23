"""Transcendental functions to sixty digits, as fractions; infinite values and NaN as floats."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import copysign, inf, isinf, isnan, nan
from typing import Any

DIGITS = 90


def _decimal(x: float | Fraction) -> Decimal:
    y = Fraction(x)
    return Decimal(y.numerator) / Decimal(y.denominator)


def finite(f: Callable[[Decimal], Decimal]) -> Callable[[float], Fraction]:
    """Return f of a finite float, to many digits."""

    def g(x: float) -> Fraction:
        with localcontext() as context:
            context.prec, context.Emax, context.Emin = DIGITS, 10**8, -(10**8)
            return Fraction(f(_decimal(x)))

    return g


def _series(x: Decimal, first: int, alternating: bool) -> Decimal:
    """Sum x^k / k! for k = first, first + 2, ..., with alternating signs if `alternating`."""
    term = x**first if first else Decimal(1)
    total, k = term, first
    while abs(term) > Decimal(10) ** -(DIGITS + 20):
        term = term * x * x / ((k + 1) * (k + 2)) * (-1 if alternating else 1)
        total, k = total + term, k + 2
    return total


def _atan(x: Decimal) -> Decimal:
    """Return the arctangent, halving the angle until its series converges."""
    if abs(x) > Decimal("0.05"):
        return 2 * _atan(x / (1 + (1 + x * x).sqrt()))
    total, term, k = x, x, 1
    while abs(term) > Decimal(10) ** -(DIGITS + 20):
        term = -term * x * x
        k += 2
        total += term / k
    return total


def _expm1(x: Decimal) -> Decimal:
    if abs(x) > Decimal("0.1"):
        return x.exp() - 1
    return _series(x, 1, False) + _series(x, 2, False)


def _log1p(x: Decimal) -> Decimal:
    if abs(x) > Decimal("1e-30"):
        return (1 + x).ln()
    return x - x * x / 2 + x**3 / 3


def at(limits: dict[float, float], f: Callable[[float], Fraction], domain: Any = None) -> Callable[..., Any]:
    """Return f with given values at some arguments, and NaN outside its domain."""

    def g(x: float) -> Any:
        if isnan(x):
            return nan
        for place, value in limits.items():
            if x == place:
                return copysign(0.0, x) if value is None else value
        return nan if domain and not domain(x) else f(x)

    return g


SAME_ZERO: Any = None
ONE = {0.0: 1.0}


def _power(a: float, b: float) -> Any:
    """Return the power if it is finite and exact: for a whole exponent, or a positive base."""
    if isnan(a) or isnan(b):
        return nan
    if isinf(a) or isinf(b) or a == 0:
        return float(a**b) if b != 0 else 1.0
    if b == int(b) and abs(b) < 2000:
        return Fraction(a) ** int(b)
    return nan if a < 0 else finite(lambda x: (x.ln() * _decimal(b)).exp())(a)


def _atan2(y: float, x: float) -> Any:
    if isnan(x) or isnan(y):
        return nan
    if y == 0 and (x > 0 or (x == 0 and copysign(1, x) > 0)):
        return y
    if isinf(x) or isinf(y) or x <= 0 or y == 0:
        raise ValueError("only the right half plane is needed")
    return finite(_atan)(Fraction(y) / Fraction(x))  # type: ignore[arg-type]


RSQRT = at({inf: 0.0}, finite(lambda x: 1 / x.sqrt()), lambda x: x > 0)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exponential": at({inf: inf, -inf: 0.0, **ONE}, finite(Decimal.exp)),
    "exponential_minus_one": at({inf: inf, -inf: -1.0, 0.0: SAME_ZERO}, finite(_expm1)),
    "log": at({inf: inf, 0.0: -inf, 1.0: 0.0}, finite(Decimal.ln), lambda x: x > 0),
    "log_plus_one": at({inf: inf, -1.0: -inf, 0.0: SAME_ZERO}, finite(_log1p), lambda x: x > -1),
    "logistic": at({inf: 1.0, -inf: 0.0}, finite(lambda x: 1 / (1 + (-x).exp()))),
    "tanh": at({inf: 1.0, -inf: -1.0, 0.0: SAME_ZERO}, finite(lambda x: 1 - 2 / ((2 * x).exp() + 1))),
    "sine": at({inf: nan, -inf: nan, 0.0: SAME_ZERO}, finite(lambda x: _series(x, 1, True))),
    "cosine": at({inf: nan, -inf: nan, **ONE}, finite(lambda x: _series(x, 0, True))),
    "tan": at(
        {inf: nan, -inf: nan, 0.0: SAME_ZERO}, finite(lambda x: _series(x, 1, True) / _series(x, 0, True))
    ),
    "rsqrt": lambda x: copysign(inf, x) if x == 0 else RSQRT(x),
    "cbrt": at(
        {inf: inf, -inf: -inf, 0.0: SAME_ZERO},
        finite(lambda x: ((abs(x).ln() / 3).exp()).copy_sign(x)),
    ),
    "power": _power,
    "atan2": _atan2,
}
