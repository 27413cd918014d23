"""Elementwise functions of floats over carriers: `f(xp, type, *values)`, before the one rounding."""

from __future__ import annotations

from collections.abc import Callable

from interp.backends import Array, Namespace
from spec.types import ElementType

Function = Callable[..., Array]


def maximum(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Return the maximum: NaN propagates, -0 < +0."""
    y = xp.where((a > b) | ((a == b) & ~xp.signbit(a)), a, b)
    return xp.where(xp.isnan(a) | xp.isnan(b), xp.nan, y)


def minimum(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    y = xp.where((a < b) | ((a == b) & xp.signbit(a)), a, b)
    return xp.where(xp.isnan(a) | xp.isnan(b), xp.nan, y)


def _round_away(xp: Namespace, type: ElementType, x: Array) -> Array:
    whole = xp.trunc(x)
    return xp.where(xp.abs(x - whole) >= 0.5, whole + xp.copysign(xp.ones_like(x), x), whole)


def _sign(xp: Namespace, type: ElementType, x: Array) -> Array:
    return xp.where(xp.isnan(x) | (x == 0), x, xp.copysign(xp.ones_like(x), x))


_EXACT: dict[str, Function] = {
    "abs": lambda xp, t, x: xp.abs(x),
    "add": lambda xp, t, a, b: xp.plus(a, b),
    "ceil": lambda xp, t, x: xp.ceil(x),
    "divide": lambda xp, t, a, b: xp.divide_exactly(a, b),
    "floor": lambda xp, t, x: xp.floor(x),
    "imag": lambda xp, t, x: xp.zeros_like(x),
    "maximum": maximum,
    "minimum": minimum,
    "multiply": lambda xp, t, a, b: xp.multiply(a, b),
    "negate": lambda xp, t, x: xp.negative(x),
    "real": lambda xp, t, x: x,
    "remainder": lambda xp, t, a, b: xp.fmod(a, b),
    "round_nearest_afz": _round_away,
    "round_nearest_even": lambda xp, t, x: xp.rint(x),
    "sign": _sign,
    "sqrt": lambda xp, t, x: xp.sqrt(x),
    "subtract": lambda xp, t, a, b: xp.minus(a, b),
}

# The correctly rounded result is meant: computed in f64, by `certain` anew where that is too near to a tie,
# then rounded once.
_IN_F64: dict[str, Function] = {
    "atan2": lambda xp, y, x: xp.arctan2(y, x),
    "cbrt": lambda xp, x: xp.cbrt(x),
    "cosine": lambda xp, x: xp.cos(x),
    "exponential": lambda xp, x: xp.exp(x),
    "exponential_minus_one": lambda xp, x: xp.expm1(x),
    "log": lambda xp, x: xp.log(x),
    "log_plus_one": lambda xp, x: xp.log1p(x),
    "logistic": lambda xp, x: 1 / (1 + xp.exp(-x)),
    "power": lambda xp, a, b: xp.power(a, b),
    "rsqrt": lambda xp, x: 1 / xp.sqrt(x),
    "sine": lambda xp, x: xp.sin(x),
    "tan": lambda xp, x: xp.tan(x),
    "tanh": lambda xp, x: xp.tanh(x),
}


def _widened(name: str) -> Function:
    def f(xp: Namespace, type: ElementType, *values: Array) -> Array:
        wide = tuple(x.astype(xp.float64) for x in values)
        return xp.certain(name, _IN_F64[name](xp, *wide), type, wide)

    return f


FLOAT: dict[str, Function] = {**_EXACT, **{name: _widened(name) for name in _IN_F64}}
