"""Floats as MLIR prints them: with six digits, or as many as the format needs, or as bits."""

from __future__ import annotations

import struct
from fractions import Fraction
from math import isfinite

from spec.elements import ElementType
from spec.formats import rounded_to

_STRUCT = {"f16": ">e", "f32": ">f", "f64": ">d"}
_PADDING = 3  # zeros that LLVM writes next to the point before it turns to an exponent


def float_text(value: float, type: ElementType) -> str:
    """Return a value's text in that format: 0.1 in f64 is `1.000000e-01`, 0.3 + 0.6 `0.89999999999999991`."""
    if value == 0:
        return f"{value:.6e}"
    if isfinite(value):
        sign, magnitude = "-" * (value < 0), abs(value)
        digits, exponent = _decimal(magnitude, 6)
        short = f"{digits[0]}.{digits[1:]:0<6}e{exponent + len(digits) - 1:+03d}"
        if rounded_to(Fraction(short), type, type.mantissa) == Fraction(magnitude):
            return sign + short
        text = _default_text(magnitude, type)
        if "." in text:
            return sign + text
    return f"0x{struct.pack(_STRUCT.get(type.name, '>d'), value).hex().upper()}"


def float_of_bits(digits: str, type: ElementType) -> float | None:
    """Return the f32 with the bits `0x4996B438`, a form that MLIR prints but cannot read; None for others."""
    if type.name != "f32" or len(digits) != 8:
        return None
    (value,) = struct.unpack(">f", bytes.fromhex(digits))
    return value if float_text(value, type) == f"0x{digits.upper()}" else None


def _default_text(value: float, type: ElementType) -> str:
    """Return LLVM's default form: without an exponent if at most three zeros have to be added."""
    precision = 2 + type.precision * 59 // 196
    digits, exponent = _decimal(value, precision)
    top = exponent + len(digits) - 1
    if exponent > _PADDING or (exponent >= 0 and top >= precision) or top < -_PADDING:
        return f"{digits[0]}.{digits[1:] or '0'}E{top:+d}"
    if exponent >= 0:
        return digits + "0" * exponent
    digits = digits.rjust(1 - exponent, "0")
    return f"{digits[:exponent]}.{digits[exponent:]}"


def _decimal(value: float, precision: int) -> tuple[str, int]:
    """Return the digits d and the exponent e of d * 10**e.

    LLVM truncates before it rounds half up; 59/196 is its estimate of log10(2). Thus 0.998 gets six digits,
    and 0.997 does not.
    """
    numerator, denominator = value.as_integer_ratio()
    exponent = 1 - denominator.bit_length()
    significand = numerator * 5**-exponent
    cut = max(0, significand.bit_length() - (precision * 196 + 58) // 59) * 59 // 196
    significand //= 10**cut
    rest = max(0, len(str(significand)) - precision)
    significand = (significand + 10**rest // 2) // 10**rest
    digits = str(significand).rstrip("0")
    return digits, exponent + cut + rest + len(str(significand)) - len(digits)
