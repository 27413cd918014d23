"""Formats of numbers: the values that an element type represents, the rounding to them, and their text."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import copysign, inf, isfinite, isnan, ldexp, nan

from spec.elements import ElementType

# Formats of numbers: the values that an element type can represent, and the one rounding to them.
#
# A binary64 holds every value of every floating-point format. Arithmetic is the oracle's (`spec.meaning`).


def wrap(value: int, type: ElementType) -> int:
    """Return the integer of that type which is congruent modulo 2**bits: two's complement."""
    return (value - type.min_value) % (1 << type.bits) + type.min_value


def exponent_of(value: Fraction | float) -> int:
    """Return the e with 2**e <= |value| < 2**(e+1)."""
    n, d = value.as_integer_ratio()
    n = abs(n)
    e = n.bit_length() - d.bit_length()
    return e if n << max(-e, 0) >= d << max(e, 0) else e - 1


def power_of_two(e: int) -> Fraction:
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def least_exponent(type: ElementType) -> int:
    """Return the exponent of the least normal number. f8E8M0FNU spends no code on zero and subnormals."""
    return -type.bias if type.special == "fnu" else 1 - type.bias


@lru_cache
def largest(type: ElementType) -> float:
    """Return the largest finite value of a format, which depends on the meaning of the all-ones exponent."""
    top = (1 << type.exponent) - 1 - type.bias
    exponent = top - 1 if type.special in ("ieee", "fnu") else top
    missing = 2 if type.special == "fn" else 1  # the all-ones code is fn's one NaN
    return float((2 - missing * power_of_two(-type.mantissa)) * power_of_two(exponent))


def round_to(value: Fraction | float, type: ElementType) -> float:
    """Return fl(value): an exact value rounded once, to nearest even, to a floating-point format.

    Overflow gives an infinity, or NaN in a format without infinities, or the largest value in a format
    without either. NaN becomes -0 in a format without NaN; zeros and negative numbers become NaN in
    f8E8M0FNU, as in ml_dtypes.
    """
    if isinstance(value, float) and not isfinite(value):
        return _not_finite(value, type)
    if value == 0:
        return {"fnuz": 0.0, "fnu": nan}.get(type.special, copysign(0.0, value))
    sign = -1.0 if value < 0 else 1.0
    nearest, e = _in_units(value, type, type.mantissa)
    try:
        rounded = ldexp(abs(nearest), e)
    except OverflowError:
        rounded = inf
    if rounded > largest(type):
        return _not_finite(sign * inf, type)
    if type.special == "fnu":
        return nan if sign < 0 else max(rounded, 2.0**-type.bias)
    return sign * rounded if rounded else round_to(sign * 0.0, type)


def round_all(values: Sequence[float], type: ElementType) -> tuple[float, ...]:
    """Return fl of each number; a conversion by the machine rounds long lists to f32 at once."""
    if type.name == "f32":
        return tuple(array("f", values).tolist())
    return tuple(round_to(value, type) for value in values)


def rounded_to(exact: Fraction, type: ElementType, mantissa: int) -> Fraction:
    """Return `exact` rounded to `mantissa` bits, ties to even, however large it is."""
    nearest, e = _in_units(exact, type, mantissa)
    return Fraction(nearest << max(e, 0), 1 << max(-e, 0))


def _in_units(exact: Fraction | float, type: ElementType, mantissa: int) -> tuple[int, int]:
    """Return n and e such that n * 2**e is `exact` rounded to `mantissa` bits, ties to even."""
    e = max(exponent_of(exact), least_exponent(type)) - mantissa
    n, d = exact.as_integer_ratio()
    d <<= max(e, 0)
    below, rest = divmod(n << max(-e, 0), d)
    return below + (2 * rest > d or (2 * rest == d and below % 2)), e


def _not_finite(value: float, type: ElementType) -> float:
    """Return an infinity or a NaN in a format."""
    if type.special == "ieee":
        return value
    if type.special == "finite":
        return -0.0 if isnan(value) else copysign(largest(type), value)
    return nan


# Floats as MLIR prints them: with six digits, or as many as the format needs, or as bits.

_STRUCT = {"f16": ">e", "f32": ">f", "f64": ">d"}
_PADDING = 3  # zeros that LLVM writes next to the point before it turns to an exponent


def float_text(value: float, type: ElementType) -> str:
    """Return a value's text in that format: 0.1 in f64 is `1.000000e-01`, 0.3 + 0.6 `0.89999999999999991`."""
    if value == 0:
        return f"{value:.6e}"
    if isfinite(value):
        sign, magnitude = "-" * (value < 0), abs(value)
        if _may_be_short(magnitude, type):
            digits, exponent = _decimal(magnitude, 6)
            short = f"{digits[0]}.{digits[1:]:0<6}e{exponent + len(digits) - 1:+03d}"
            if rounded_to(Fraction(short), type, type.mantissa) == Fraction(magnitude):
                return sign + short
        text = _default_text(magnitude, type)
        if "." in text:
            return sign + text
    return f"0x{struct.pack(_STRUCT.get(type.name, '>d'), value).hex().upper()}"


def _may_be_short(magnitude: float, type: ElementType) -> bool:
    """Return whether six digits may be enough: not if the nearest ones are more than a step of f32 away.

    Of a type of more steps than 10^6 only the nearest digits can be read back as the number.
    """
    if type.precision < 24 or magnitude < 1e-30:
        return True
    return abs(float(f"{magnitude:.5e}") - magnitude) <= magnitude * 2.0**-23


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
