"""Complex numbers: formulas over the real and imaginary parts, in which each real operation rounds once."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isinf, isnan, nan

from spec.formats import round_to
from spec.meaning import numbers
from spec.meaning.numbers import sort_key
from spec.meaning.transcendental import root
from spec.types import ElementType, complex_part


def add(x: complex, y: complex, type: ElementType) -> complex:
    part = complex_part(type)
    return complex(numbers.add(x.real, y.real, part), numbers.add(x.imag, y.imag, part))


def subtract(x: complex, y: complex, type: ElementType) -> complex:
    part = complex_part(type)
    return complex(numbers.subtract(x.real, y.real, part), numbers.subtract(x.imag, y.imag, part))


def multiply(x: complex, y: complex, type: ElementType) -> complex:
    """(a + bi) (c + di) = (ac - bd) + (ad + bc) i"""
    part = complex_part(type)
    ac, bd = numbers.multiply(x.real, y.real, part), numbers.multiply(x.imag, y.imag, part)
    ad, bc = numbers.multiply(x.real, y.imag, part), numbers.multiply(x.imag, y.real, part)
    return complex(numbers.subtract(ac, bd, part), numbers.add(ad, bc, part))


def divide(x: complex, y: complex, type: ElementType) -> complex:
    """x / y = x * conjugate(y) / (y * conjugate(y))"""
    part = complex_part(type)
    numerator = multiply(x, y.conjugate(), type)
    norm = multiply(y, y.conjugate(), type).real
    return complex(numbers.divide(numerator.real, norm, part), numbers.divide(numerator.imag, norm, part))


def negate(x: complex, type: ElementType) -> complex:
    return complex(-x.real, -x.imag)


def absolute(x: complex, type: ElementType) -> float:
    """Return the modulus, rounded once."""
    if isinf(x.real) or isinf(x.imag):
        return inf
    if is_nan(x) or x == 0:
        return nan if is_nan(x) else 0.0
    return round_to(root(Fraction(x.real) ** 2 + Fraction(x.imag) ** 2, 2), complex_part(type))


def sign(x: complex, type: ElementType) -> complex:
    """divide(x, convert(abs(x), type(x))); zero is zero, and a NaN makes both parts NaN."""
    if is_nan(x) or x == 0:
        return complex(nan, nan) if is_nan(x) else 0j
    return divide(x, complex(absolute(x, type), 0.0), type)


def maximum(x: complex, y: complex, type: ElementType) -> complex:
    """Return the lexicographic maximum of the (real, imaginary) pairs, or a NaN if there is one."""
    return max(x, y, key=pair) if not is_nan(x) and not is_nan(y) else x if is_nan(x) else y


def minimum(x: complex, y: complex, type: ElementType) -> complex:
    """Return the lexicographic minimum of the (real, imaginary) pairs, or a NaN if there is one."""
    return min(x, y, key=pair) if not is_nan(x) and not is_nan(y) else x if is_nan(x) else y


def pair(x: complex) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return a sort key for complex numbers: lexicographic by parts."""
    return sort_key(x.real), sort_key(x.imag)


def is_nan(x: complex) -> bool:
    return isnan(x.real) or isnan(x.imag)
