"""The fixed-point arithmetic of LiteRT, gemmlowp and TOSA on single integers, literally."""

from __future__ import annotations

from fractions import Fraction
from math import floor, frexp

from spec.elements import integer
from spec.formats import wrap
from spec.recipes import beyond

I32 = integer(32, True)
HALF = 1 << 30


def quantized_multiplier(real: float) -> tuple[int, int]:
    """Return (M, e) with M / 2^31 * 2^e nearly `real`, M in [2^30, 2^31); (0, 0) for numbers below 2^-32."""
    if real == 0:
        return 0, 0
    fraction, e = frexp(real)
    multiplier = floor(Fraction(fraction) * 2**31 + Fraction(1, 2))
    if multiplier == 1 << 31:
        multiplier, e = multiplier // 2, e + 1
    return (multiplier, e) if e >= -31 else (0, 0)


def below_one(real: float) -> tuple[int, int]:
    """Return the quantized multiplier of a number below 1."""
    multiplier, e = quantized_multiplier(real)
    if not 0 < real < 1 or e > 0:
        raise beyond(f"the multiplier is {real!r}", "above 0 and, when rounded, below 1")
    return multiplier, e


def saturating_rounding_doubling_high_mul(a: int, b: int) -> int:
    """Return trunc((a * b + nudge) / 2^31), nudge = 2^30 where the product is not negative, else 1 - 2^30."""
    product = a * b
    nudged = product + (HALF if product >= 0 else 1 - HALF)
    return nudged // 2**31 if nudged >= 0 else -(-nudged // 2**31)


def rounding_divide_by_power_of_two(x: int, exponent: int) -> int:
    """Return x / 2^exponent, rounded half away from zero."""
    mask = (1 << exponent) - 1
    threshold = (mask >> 1) + (x < 0)
    return (x >> exponent) + ((x & mask) > threshold)


def doubly_rounded(x: int, multiplier: int, e: int) -> int:
    """Return x * multiplier / 2^31 * 2^e, rounded twice; x, shifted to the left, wraps to 32 bits."""
    if e > 30:
        raise beyond(f"the multiplier has the exponent {e}", "at most 30")
    high = saturating_rounding_doubling_high_mul(wrap(x << max(e, 0), I32), multiplier)
    return rounding_divide_by_power_of_two(high, max(-e, 0))


def singly_rounded(x: int, multiplier: int, e: int) -> int:
    """Return x * multiplier / 2^31 * 2^e, rounded half up once."""
    if e > 30:
        raise beyond(f"the multiplier has the exponent {e}", "at most 30")
    return (x * multiplier + (1 << (30 - e))) >> (31 - e)


def apply_narrow(x: int, multiplier: int, e: int) -> int:
    """Return x, of up to 48 bits, times a multiplier that is reduced to 15 bits, rounded half up once."""
    if e > 7:
        raise beyond(f"the multiplier has the exponent {e}", "at most 7 for accumulators beyond 32 bits")
    narrow = (multiplier + (1 << 15)) >> 16 if multiplier < 0x7FFF0000 else 0x7FFF
    return (x * narrow + (1 << (14 - e))) >> (15 - e)


def multiplier_and_shift(real: float, bits: int) -> tuple[int, int]:
    """Return (M, shift) with M / 2^shift nearly `real`, M of `bits` bits, as lowerings to TOSA do."""
    fraction, e = frexp(real)
    multiplier = floor(Fraction(fraction) * 2**bits + Fraction(1, 2))
    if multiplier == 1 << bits:
        multiplier, e = multiplier // 2, e + 1
    shift = bits - e
    if shift > 62:
        multiplier, shift = multiplier >> min(31, shift - 62), 62
    if shift < 2:
        raise beyond(f"RESCALE has the shift {shift}", "2 to 62")
    return multiplier, shift


def apply_scale(value: int, multiplier: int, shift: int, bits: int) -> int:
    """apply_scale_32 with one rounding (bits = 31), apply_scale_16 (bits = 15)."""
    if bits == 31 and not -(1 << (shift - 1)) <= value < 1 << (shift - 1):
        raise beyond(f"RESCALE of {value} with the shift {shift}", f"a value of {shift} bits")
    result = (value * multiplier + (1 << (shift - 1))) >> shift
    if not I32.min_value <= result <= I32.max_value:
        raise beyond(f"RESCALE gives {result}", "a result of 32 bits")
    return result
