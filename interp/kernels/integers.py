"""Elementwise functions of integers and booleans: `f(xp, type)(*values)` on carriers, two's complement.

Where the specification leaves a value open, it is the one that XLA gives. An operation whose exact result is
an integer is the formula of its row of facts, wrapped; those whose result is rounded or made of bits stand
here.
"""

from __future__ import annotations

import operator

from interp.backends import Array, Namespace
from interp.engine.facts import ELEMENTWISE, Facts
from interp.engine.quant import wrap
from interp.kernels.floats import Function, Prepared, curry
from spec.types import ElementType


def _exact(row: Facts) -> Prepared:
    """Return the formula of an operation, its result wrapped to the type's width."""
    assert row.formula is not None
    formula = row.formula

    def prepare(xp: Namespace, type: ElementType) -> Function:
        f = formula(xp)
        whole = not row.wraps or type.bits == 8 * xp.carrier(type).itemsize
        return f if whole else lambda *values: wrap(xp, f(*values), type)

    return prepare


def _divide(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Divide toward zero; by zero gives all bits set, and the least value by -1 gives the least value."""
    toward_zero = (a - xp.fmod(a, b)) // b
    return wrap(xp, xp.where(b == 0, ~xp.zeros_like(toward_zero), toward_zero), type)


def _remainder(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Return the remainder with the dividend's sign; by 0 the dividend, and 0 for the least value by -1."""
    return xp.where(b == 0, a, xp.fmod(a, b))


def _power(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Raise to a power by squaring, wrapping; a negative exponent gives 0 unless the base is 1 or -1."""
    y, square, exponent = xp.ones_like(a), a, b
    for _ in range(type.bits):
        y = wrap(xp, xp.where(exponent & 1 != 0, y * square, y), type)
        square, exponent = wrap(xp, square * square, type), exponent >> 1
    return xp.where((b < 0) & (xp.abs(a) != 1), xp.zeros_like(y), y)


def _shift_right(kind: str) -> Function:
    """Return a shift to the right; for "int" the sign fills the free bits, for "uint" zeros do.

    NumPy and XLA take a negative amount for a large one, which shifts everything out.
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


INTEGER: dict[str, Prepared] = {
    **{name: _exact(row) for name, row in ELEMENTWISE.items() if row.is_whole and row.error != "selected"},
    "and": lambda xp, t: operator.and_,
    "count_leading_zeros": curry(_leading_zeros),
    "divide": curry(_divide),
    "not": lambda xp, t: lambda x: wrap(xp, ~x, t),
    "or": lambda xp, t: operator.or_,
    "popcnt": curry(_popcnt),
    "power": curry(_power),
    "remainder": curry(_remainder),
    "shift_left": lambda xp, t: lambda x, amount: wrap(xp, x << amount, t),
    "shift_right_arithmetic": curry(_shift_right("int")),
    "shift_right_logical": curry(_shift_right("uint")),
    "sign": lambda xp, t: xp.sign,
    "xor": lambda xp, t: operator.xor,
}

BOOLEAN: dict[str, Prepared] = {
    "add": lambda xp, t: operator.or_,
    "and": lambda xp, t: operator.and_,
    "maximum": lambda xp, t: operator.or_,
    "minimum": lambda xp, t: operator.and_,
    "multiply": lambda xp, t: operator.and_,
    "not": lambda xp, t: operator.invert,
    "or": lambda xp, t: operator.or_,
    "xor": lambda xp, t: operator.xor,
}
