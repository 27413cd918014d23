"""Elementwise functions of integers and booleans over carriers: `f(xp, type, *values)`, two's complement.

Where the specification leaves a value open, it is the one that XLA gives.
"""

from __future__ import annotations

from collections.abc import Callable

from interp.backends import Array, Namespace
from interp.engine.quant import wrap
from spec.types import ElementType

Function = Callable[..., Array]


def _divide(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Divide toward zero; by zero all bits set; the least value by -1 gives the least value."""
    toward_zero = (a - xp.fmod(a, b)) // b
    return wrap(xp, xp.where(b == 0, ~xp.zeros_like(toward_zero), toward_zero), type)


def _remainder(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Return the remainder, with the dividend's sign; by zero the dividend; of the least value by -1, 0."""
    return xp.where(b == 0, a, xp.fmod(a, b))


def _power(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Raise to a power by squaring, wrapping; a negative exponent leaves the powers of 1 and -1, else 0."""
    y, square, exponent = xp.ones_like(a), a, b
    for _ in range(type.bits):
        y = wrap(xp, xp.where(exponent & 1 != 0, y * square, y), type)
        square, exponent = wrap(xp, square * square, type), exponent >> 1
    return xp.where((b < 0) & (xp.abs(a) != 1), xp.zeros_like(y), y)


def _shift_right(kind: str) -> Function:
    """Shift right: as "int", the sign fills the free bits; as "uint", zeros do.

    NumPy and XLA read a negative amount as a large one, and shift everything out by a large one.
    """

    def shift(xp: Namespace, type: ElementType, x: Array, amount: Array) -> Array:
        dtype = f"{kind}{x.dtype.itemsize * 8}"
        y = wrap(xp, x.astype(dtype), type) >> amount.astype(dtype)
        return wrap(xp, y.astype(x.dtype), type)

    return shift


def _leading_zeros(xp: Namespace, type: ElementType, x: Array) -> Array:
    return wrap(xp, sum((x >> k == 0 for k in range(type.bits)), xp.zeros_like(x)), type)


def _popcnt(xp: Namespace, type: ElementType, x: Array) -> Array:
    return wrap(xp, sum(((x >> k) & 1 for k in range(type.bits)), xp.zeros_like(x)), type)


INTEGER: dict[str, Function] = {
    "abs": lambda xp, t, x: wrap(xp, xp.abs(x), t),
    "add": lambda xp, t, a, b: wrap(xp, xp.add(a, b), t),
    "and": lambda xp, t, a, b: a & b,
    "count_leading_zeros": _leading_zeros,
    "divide": _divide,
    "maximum": lambda xp, t, a, b: xp.maximum(a, b),
    "minimum": lambda xp, t, a, b: xp.minimum(a, b),
    "multiply": lambda xp, t, a, b: wrap(xp, xp.multiply(a, b), t),
    "negate": lambda xp, t, x: wrap(xp, xp.negative(x), t),
    "not": lambda xp, t, x: wrap(xp, ~x, t),
    "or": lambda xp, t, a, b: a | b,
    "popcnt": _popcnt,
    "power": _power,
    "remainder": _remainder,
    "shift_left": lambda xp, t, x, amount: wrap(xp, x << amount, t),
    "shift_right_arithmetic": _shift_right("int"),
    "shift_right_logical": _shift_right("uint"),
    "sign": lambda xp, t, x: xp.sign(x),
    "subtract": lambda xp, t, a, b: wrap(xp, xp.subtract(a, b), t),
    "xor": lambda xp, t, a, b: a ^ b,
}

BOOLEAN: dict[str, Function] = {
    "add": lambda xp, t, a, b: a | b,
    "and": lambda xp, t, a, b: a & b,
    "maximum": lambda xp, t, a, b: a | b,
    "minimum": lambda xp, t, a, b: a & b,
    "multiply": lambda xp, t, a, b: a & b,
    "not": lambda xp, t, x: ~x,
    "or": lambda xp, t, a, b: a | b,
    "xor": lambda xp, t, a, b: a ^ b,
}
