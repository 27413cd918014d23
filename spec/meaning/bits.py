"""Bits of elements as unsigned numbers, which bitcast_convert and quant.scast reinterpret (E17)."""

from __future__ import annotations

from fractions import Fraction
from math import copysign, inf, isinf, isnan, nan
from typing import Any

from spec.formats import exponent_of, least_exponent, power_of_two, wrap
from spec.meaning.integers import pattern
from spec.types import ElementType, complex_part


def to_bits(element: Any, type: ElementType) -> int:
    """Return the bit pattern of an element; the real part of a complex number is the lower half."""
    if type.kind == "complex":
        part = complex_part(type)
        return to_bits(element.real, part) | to_bits(element.imag, part) << part.bits
    return _float_bits(element, type) if type.kind == "float" else pattern(int(element), type)


def from_bits(bits: int, type: ElementType) -> Any:
    """Return the element of a bit pattern; the payload of a NaN is lost."""
    if type.kind == "complex":
        part = complex_part(type)
        return complex(from_bits(bits % (1 << part.bits), part), from_bits(bits >> part.bits, part))
    if type.kind == "float":
        return _float(bits, type)
    return bool(bits) if type.kind == "boolean" else wrap(bits, type)


def nan_bits(type: ElementType) -> int:
    """Return the bits of the quiet NaN with a clear sign bit, or of the only NaN of a format."""
    ones = (1 << (type.exponent + type.mantissa)) - 1
    if type.special == "ieee":
        return ones ^ ((1 << (type.mantissa - 1)) - 1)
    return ones + 1 if type.special == "fnuz" else ones


def _float_bits(x: float, type: ElementType) -> int:
    if isnan(x):
        return nan_bits(type)
    sign = (copysign(1.0, x) < 0) << (type.exponent + type.mantissa)
    if isinf(x):
        return sign | (((1 << type.exponent) - 1) << type.mantissa)
    if x == 0:
        return sign
    exponent = max(exponent_of(Fraction(x)), least_exponent(type))
    significand = int(abs(Fraction(x)) / power_of_two(exponent - type.mantissa))
    if type.special == "fnu":
        return exponent + type.bias
    return sign | (significand + ((exponent - least_exponent(type)) << type.mantissa))


def _float(bits: int, type: ElementType) -> float:
    magnitude = bits % (1 << (type.exponent + type.mantissa))
    if _is_nan(bits, magnitude, type):
        return nan
    field, mantissa = divmod(magnitude, 1 << type.mantissa)
    sign = -1.0 if bits > magnitude else 1.0
    if type.special == "ieee" and field == (1 << type.exponent) - 1:
        return sign * inf
    hidden = 1 if field or type.special == "fnu" else 0
    exponent = field - type.bias if hidden else least_exponent(type)
    return sign * float((mantissa + (hidden << type.mantissa)) * power_of_two(exponent - type.mantissa))


def _is_nan(bits: int, magnitude: int, type: ElementType) -> bool:
    if type.special in ("fn", "fnu"):
        return magnitude == nan_bits(type)
    if type.special == "fnuz":
        return bits == nan_bits(type)
    return type.special == "ieee" and magnitude > ((1 << type.exponent) - 1) << type.mantissa
