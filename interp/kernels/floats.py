"""Elementwise functions of floats: `f(xp, type)(*values)` on carriers, before the one rounding."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from interp.backends import Array, Namespace
from interp.engine.facts import ELEMENTWISE
from spec.types import ElementType

Function = Callable[..., Array]
Prepared = Callable[[Namespace, ElementType], Function]


def curry(f: Function) -> Prepared:
    """Return `f(xp, type, *values)` as a function of (xp, type) that returns a function of values."""
    return lambda xp, type: partial(f, xp, type)


def _round_away(xp: Namespace, type: ElementType, x: Array) -> Array:
    whole = xp.trunc(x)
    return xp.where(xp.abs(x - whole) >= 0.5, whole + xp.copysign(xp.ones_like(x), x), whole)


def _sign(xp: Namespace, type: ElementType, x: Array) -> Array:
    return xp.where(xp.isnan(x) | (x == 0), x, xp.copysign(xp.ones_like(x), x))


# Their results are exact, or rounded as the carrier's arithmetic does.
EXACT: dict[str, Prepared] = {
    "abs": lambda xp, t: xp.abs,
    "add": lambda xp, t: xp.plus,
    "ceil": lambda xp, t: xp.ceil,
    "divide": lambda xp, t: xp.divide_exactly,
    "floor": lambda xp, t: xp.floor,
    "imag": lambda xp, t: xp.zeros_like,
    "maximum": lambda xp, t: xp.float_maximum,
    "minimum": lambda xp, t: xp.float_minimum,
    "multiply": lambda xp, t: xp.multiply,
    "negate": lambda xp, t: xp.negative,
    "real": lambda xp, t: lambda x: x,
    "remainder": lambda xp, t: xp.fmod,
    "round_nearest_afz": curry(_round_away),
    "round_nearest_even": lambda xp, t: xp.rint,
    "sign": curry(_sign),
    "sqrt": lambda xp, t: xp.sqrt,
    "subtract": lambda xp, t: xp.minus,
}

# Their results are operands, which need no rounding.
CHOOSING = {"real"} | {name for name, row in ELEMENTWISE.items() if row.clips}

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


def _widen(name: str) -> Prepared:
    def prepare(xp: Namespace, type: ElementType) -> Function:
        f, wide = _IN_F64[name], xp.float64

        def apply(*values: Array) -> Array:
            operands = tuple([x.astype(wide) for x in values])
            return xp.certain(name, f(xp, *operands), type, operands)

        return apply

    return prepare


FLOAT: dict[str, Prepared] = {**EXACT, **{name: _widen(name) for name in _IN_F64}}
