"""Elementwise functions of integers and booleans over carriers: `f(xp, type, *values)`, two's complement.

What the specification leaves open is as XLA does.
"""

from __future__ import annotations

from collections.abc import Callable

from interp.namespace import Array, Namespace
from interp.quant import wrap
from spec.types import ElementType

Function = Callable[..., Array]


def _divide(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Toward zero; by zero all bits set; the least value by -1 itself."""
    quotient = _quotient(xp, type, a, b)
    return xp.where(b == 0, xp.asarray(-1 if type.kind == "signed" else type.max_value, a.dtype), quotient)


def _quotient(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    if type.kind == "unsigned":
        return a // xp.where(b == 0, xp.ones_like(b), b)
    minus_one = b == -1
    safe = xp.where((b == 0) | minus_one, xp.ones_like(b), b)
    floored = a // safe
    inexact = floored * safe != a
    toward_zero = floored + (inexact & ((a < 0) != (safe < 0))).astype(a.dtype)
    return xp.where(minus_one, wrap(xp, xp.negative(a), type), toward_zero)


def _remainder(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """With the dividend's sign; by zero the dividend; the least value by -1 gives 0."""
    return xp.where(b == 0, a, wrap(xp, a - _quotient(xp, type, a, b) * b, type))


def _power(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Wrapping power by squaring; a negative exponent leaves 1 and -1 their powers, and 0 of the others."""
    y, square, exponent = xp.ones_like(a), a, b
    for _ in range(type.bits):
        y = wrap(xp, xp.where(exponent & 1 != 0, y * square, y), type)
        square, exponent = wrap(xp, square * square, type), exponent >> 1
    if type.kind == "unsigned":
        return y
    of_one = xp.where(a == 1, a, xp.where(a == -1, xp.where(b & 1 != 0, a, -a), xp.zeros_like(a)))
    return xp.where(b < 0, of_one, y)


def _unsigned(xp: Namespace, type: ElementType, x: Array) -> Array:
    """The bits read as an unsigned number, in the unsigned container of the same size."""
    mask = (1 << type.bits) - 1
    unsigned = x.astype(f"uint{x.dtype.itemsize * 8}")
    return unsigned & xp.asarray(mask, unsigned.dtype)


def _shift(kind: str) -> Function:
    def shift(xp: Namespace, type: ElementType, x: Array, amount: Array) -> Array:
        by = _unsigned(xp, type, amount)
        beyond = by >= type.bits
        by = xp.where(beyond, xp.zeros_like(by), by)
        if kind == "left":
            y = (_unsigned(xp, type, x) << by).astype(x.dtype)
        elif kind == "logical":
            y = (_unsigned(xp, type, x) >> by).astype(x.dtype)
        else:
            y = x >> xp.where(beyond, xp.asarray(type.bits - 1, by.dtype), by).astype(x.dtype)
            signed = type.kind == "signed"
            return y if signed else _arithmetic_of_unsigned(xp, type, x, by, beyond)
        return wrap(xp, xp.where(beyond, xp.zeros_like(y), y), type)

    return shift


def _arithmetic_of_unsigned(xp: Namespace, type: ElementType, x: Array, by: Array, beyond: Array) -> Array:
    """The top bit is the sign, whatever the type calls it."""
    spare = x.dtype.itemsize * 8 - type.bits
    signed = (x << spare).astype(f"int{x.dtype.itemsize * 8}") >> spare
    by = xp.where(beyond, xp.asarray(type.bits - 1, by.dtype), by).astype(signed.dtype)
    return _unsigned(xp, type, signed >> by)


def _bits_below(xp: Namespace, type: ElementType, x: Array) -> Array:
    """x with every bit below its highest one set, unsigned."""
    u = _unsigned(xp, type, x)
    for step in (1, 2, 4, 8, 16, 32):
        if step < type.bits:
            u = u | (u >> step)
    return u


def _leading_zeros(xp: Namespace, type: ElementType, x: Array) -> Array:
    return wrap(xp, (type.bits - _popcnt(xp, type, _bits_below(xp, type, x))).astype(x.dtype), type)


def _popcnt(xp: Namespace, type: ElementType, u: Array) -> Array:
    u = _unsigned(xp, type, u)
    return sum(((u >> k) & 1 for k in range(type.bits)), xp.zeros_like(u))


INTEGER: dict[str, Function] = {
    "abs": lambda xp, t, x: wrap(xp, xp.abs(x), t),
    "add": lambda xp, t, a, b: wrap(xp, xp.add(a, b), t),
    "and": lambda xp, t, a, b: a & b,
    "clamp": lambda xp, t, low, x, high: xp.minimum(xp.maximum(x, low), high),
    "count_leading_zeros": _leading_zeros,
    "divide": _divide,
    "maximum": lambda xp, t, a, b: xp.maximum(a, b),
    "minimum": lambda xp, t, a, b: xp.minimum(a, b),
    "multiply": lambda xp, t, a, b: wrap(xp, xp.multiply(a, b), t),
    "negate": lambda xp, t, x: wrap(xp, xp.negative(x), t),
    "not": lambda xp, t, x: wrap(xp, ~x, t),
    "or": lambda xp, t, a, b: a | b,
    "popcnt": lambda xp, t, x: wrap(xp, _popcnt(xp, t, x).astype(x.dtype), t),
    "power": _power,
    "remainder": _remainder,
    "shift_left": _shift("left"),
    "shift_right_arithmetic": _shift("arithmetic"),
    "shift_right_logical": _shift("logical"),
    "sign": lambda xp, t, x: xp.sign(x),
    "subtract": lambda xp, t, a, b: wrap(xp, xp.subtract(a, b), t),
    "xor": lambda xp, t, a, b: a ^ b,
}

BOOLEAN: dict[str, Function] = {
    "add": lambda xp, t, a, b: a | b,
    "and": lambda xp, t, a, b: a & b,
    "clamp": lambda xp, t, low, x, high: (x | low) & high,
    "maximum": lambda xp, t, a, b: a | b,
    "minimum": lambda xp, t, a, b: a & b,
    "multiply": lambda xp, t, a, b: a & b,
    "not": lambda xp, t, x: ~x,
    "or": lambda xp, t, a, b: a | b,
    "xor": lambda xp, t, a, b: a ^ b,
}
