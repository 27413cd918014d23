"""Integers of any width: arithmetic that wraps, with a choice where the specification leaves a value open."""

from __future__ import annotations

from math import isinf, isnan, trunc

from spec.elements import ElementType
from spec.formats import wrap


def pattern(value: int, type: ElementType) -> int:
    """Return the bits of an integer, read as an unsigned number."""
    return value % (1 << type.bits)


def saturate(value: float, type: ElementType) -> int:
    """Convert a float to an integer, truncating toward zero and clamping to the bounds; NaN gives 0."""
    if isnan(value):
        return 0
    if isinf(value):
        return type.max_value if value > 0 else type.min_value
    return min(max(trunc(value), type.min_value), type.max_value)


def add(x: int, y: int, type: ElementType) -> int:
    return wrap(x + y, type)


def subtract(x: int, y: int, type: ElementType) -> int:
    return wrap(x - y, type)


def multiply(x: int, y: int, type: ElementType) -> int:
    return wrap(x * y, type)


def negate(x: int, type: ElementType) -> int:
    return wrap(-x, type)


def absolute(x: int, type: ElementType) -> int:
    return wrap(abs(x), type)


def sign(x: int, type: ElementType) -> int:
    return (x > 0) - (x < 0)


def divide(x: int, y: int, type: ElementType) -> int:
    """Return the quotient without its fraction; division by zero sets all bits, and least / -1 is least."""
    if y == 0:
        return wrap(-1, type)
    quotient = abs(x) // abs(y)
    return wrap(quotient if (x < 0) == (y < 0) else -quotient, type)


def remainder(x: int, y: int, type: ElementType) -> int:
    """Return `lhs - divide(lhs, rhs) * rhs`, with the sign of the dividend; for rhs 0, the dividend."""
    return x if y == 0 else wrap(x - divide(x, y, type) * y, type)


def power(x: int, y: int, type: ElementType) -> int:
    """Return the integer power; a negative exponent gives the integer part of the quotient: 1, -1 or 0."""
    if y >= 0:
        return wrap(pow(x, y, 1 << type.bits), type)
    return x ** (y % 2) if x in (1, -1) else 0


def maximum(x: int, y: int, type: ElementType) -> int:
    return max(x, y)


def minimum(x: int, y: int, type: ElementType) -> int:
    return min(x, y)


def both(x: int, y: int, type: ElementType) -> int:
    return x & y


def either(x: int, y: int, type: ElementType) -> int:
    return x | y


def differ(x: int, y: int, type: ElementType) -> int:
    return x ^ y


def complement(x: int, type: ElementType) -> int:
    return wrap(~x, type)


def count_leading_zeros(x: int, type: ElementType) -> int:
    return wrap(type.bits - pattern(x, type).bit_length(), type)


def popcnt(x: int, type: ElementType) -> int:
    return wrap(pattern(x, type).bit_count(), type)


def shift_left(x: int, y: int, type: ElementType) -> int:
    """Shift left by an unsigned amount; an amount of at least the width gives 0."""
    amount = pattern(y, type)
    return wrap(x << amount, type) if amount < type.bits else 0


def shift_right_logical(x: int, y: int, type: ElementType) -> int:
    """Shift right, with zeros from the left."""
    amount = pattern(y, type)
    return wrap(pattern(x, type) >> amount, type) if amount < type.bits else 0


def shift_right_arithmetic(x: int, y: int, type: ElementType) -> int:
    """Shift right, with copies of the highest bit from the left, in unsigned types too."""
    bits = pattern(x, type)
    top = bits >> (type.bits - 1)
    return wrap((bits - (top << type.bits)) >> min(pattern(y, type), type.bits - 1), type)
