"""Recipes of requantization, literally: fixed-point arithmetic, and one integer to the stored result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import floor, frexp, inf, isnan, prod
from typing import NamedTuple

from spec import multipliers
from spec.elements import ELEMENT_TYPES, ElementType, integer
from spec.formats import round_to, wrap
from spec.meaning.notation import quantize_element
from spec.meaning.numbers import divide, multiply, rne
from spec.quantized import QuantizedType
from spec.recipes import (
    EXACT,
    FLOAT,
    GEMMLOWP,
    IN_F32,
    NARROW,
    ONNX,
    ONNXRUNTIME,
    QWIX,
    SPECIFICATION,
    TFLITE_DOUBLE,
    TFLITE_SINGLE,
    TOSA,
    WIDE,
    beyond,
)

# The fixed-point arithmetic of LiteRT, gemmlowp and TOSA on single integers, literally.

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


F32, F64 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["f64"]


def times(m: int, multiplier: int, shift: int, rounding: str) -> int:
    """Return m * multiplier * 2^(shift - 31) by a rounding that a program names."""
    if rounding == multipliers.F64:
        real = multiply(round_to(m, F64), round_to(multiplier * Fraction(2) ** (shift - 31), F64), F64)
        return half_away(real)
    return {multipliers.DOUBLE: doubly_rounded, multipliers.SINGLE: singly_rounded}[rounding](
        m, multiplier, shift
    )


def half_away(real: float) -> int:
    """Return a number rounded to an integer, half away from zero."""
    whole = floor(abs(Fraction(real)) + Fraction(1, 2))
    return whole if real >= 0 else -whole


class Rescaling(NamedTuple):
    """An integer in units of a scale, or of a product of two, and where it goes.

    bits: the width of the accumulator that holds the integer. kernel: the operation whose kernel this is.
    """

    m: int
    sources: tuple[Fraction, ...]
    target: Fraction
    zero_point: int
    element: QuantizedType
    bits: int
    kernel: str = ""


def specification(x: Rescaling) -> int:
    """quantize(fl(fl(m) * fl(s_l * s_r)))"""
    T = x.element.expressed_type
    real = multiply(round_to(x.m, T), round_to(prod(x.sources), T), T)
    return quantize_element(real, x.element, float(x.target), x.zero_point)


def exact(x: Rescaling) -> int:
    """rne(m * s_l * s_r / s_y) + zero_point"""
    return rne(x.m * prod(x.sources) / x.target) + x.zero_point


def qwix(x: Rescaling) -> int:
    """quantize(fl(fl(fl(m) * s_l) * s_r))"""
    T = x.element.expressed_type
    return quantize_element(times_scales(x.m, x.sources, T), x.element, float(x.target), x.zero_point)


def times_scales(m: float | int | Fraction, scales: Iterable[Fraction], T: ElementType) -> float:
    """Return fl(fl(fl(m) * s_l) * s_r)."""
    product = round_to(m, T)
    for scale in scales:
        product = multiply(product, float(scale), T)
    return product


def single_multiplier(x: Rescaling) -> int:
    """rne(f32(f32(m) * f32(s_l * s_r / s_y))) + zero_point"""
    return whole(multiply(round_to(x.m, F32), multiplier_of_f32(x.sources, x.target), F32)) + x.zero_point


def onnx(x: Rescaling) -> int:
    """rne(f32(f32(m) * f32(f32(s_l * s_r) / s_y))) + zero_point; one scale: dequantized, then quantized."""
    m, target = round_to(x.m, F32), in_f32(x.target)
    if len(x.sources) == 1:
        real = multiply(m, in_f32(x.sources[0]), F32)
        return whole(divide(real, target, F32)) + x.zero_point
    return whole(multiply(m, multiplier_in_f32(x.sources, x.target), F32)) + x.zero_point


def tflite(rounded: Callable[[int, int, int], int]) -> Callable[[Rescaling], int]:
    """Return MultiplyByQuantizedMultiplier by one or two roundings; MUL and ABS have multipliers of f32."""

    def rescale(x: Rescaling) -> int:
        _refuse_wide(x)
        scales = tuple(Fraction(in_f32(s)) for s in x.sources), Fraction(in_f32(x.target))
        real = (multiplier_in_f32 if x.kernel in IN_F32 else real_multiplier)(*scales)
        function = rounded if x.bits <= NARROW else apply_narrow
        return function(x.m, *quantized_multiplier(real)) + x.zero_point

    return rescale


def gemmlowp(x: Rescaling) -> int:
    """RoundingDivideByPOT(SaturatingRoundingDoublingHighMul(m, M), -e) + zero_point"""
    if x.bits > NARROW:
        raise beyond(f"the accumulator has {x.bits} bits", f"at most {NARROW}")
    if len(x.sources) == 1:
        raise beyond("one scale", "the scales of two factors: gemmlowp multiplies matrices")
    return doubly_rounded(x.m, *below_one(multiplier_in_f32(x.sources, x.target))) + x.zero_point


def tosa(x: Rescaling) -> int:
    """apply_scale(m, M, shift) + zero_point"""
    _refuse_wide(x)
    bits = 31 if x.bits <= NARROW else 15
    multiplier, shift = multiplier_and_shift(real_multiplier(x.sources, x.target), bits)
    return apply_scale(x.m, multiplier, shift, bits) + x.zero_point


def real_multiplier(sources: Sequence[Fraction], target: Fraction) -> float:
    """Return s_l * s_r / s_y in f64, every operation rounded."""
    first, *others = map(float, sources)
    product = multiply(first, others[0], F64) if others else first
    return _finite(divide(product, float(target), F64))


def multiplier_of_f32(sources: Sequence[Fraction], target: Fraction) -> float:
    """Return s_l * s_r / s_y, computed in f64, in f32."""
    return _finite(round_to(real_multiplier(sources, target), F32))


def multiplier_in_f32(sources: Sequence[Fraction], target: Fraction) -> float:
    """Return s_l * s_r / s_y in f32, every operation rounded."""
    first, *others = map(in_f32, sources)
    product = _finite(multiply(first, others[0], F32) if others else first)
    return _finite(divide(product, in_f32(target), F32))


def in_f32(scale: Fraction) -> float:
    """Return a scale that f32 holds."""
    if Fraction(round_to(scale, F32)) != scale:
        raise beyond(f"the scale {float(scale)!r} is not a number of f32", "scales of f32")
    return float(scale)


def _finite(real: float) -> float:
    if abs(real) == inf or isnan(real):
        raise beyond(f"the multiplier is {real!r}", "a finite number")
    return real


def _refuse_wide(x: Rescaling) -> None:
    if x.bits > WIDE:
        raise beyond(f"the accumulator has {x.bits} bits", f"at most {WIDE}")


def whole(real: float) -> int:
    """Return a float rounded to an integer, half to even; an infinity as a number beyond every storage."""
    return rne(real) if abs(real) < inf else (1 << 80 if real > 0 else -(1 << 80))


ARITHMETIC: dict[str, Callable[[Rescaling], int]] = {
    SPECIFICATION: specification,
    EXACT: exact,
    FLOAT: single_multiplier,
    ONNX: onnx,
    ONNXRUNTIME: onnx,
    TFLITE_SINGLE: tflite(singly_rounded),
    TFLITE_DOUBLE: tflite(doubly_rounded),
    GEMMLOWP: gemmlowp,
    QWIX: qwix,
    TOSA: tosa,
}


def requantize(recipe: str, x: Rescaling) -> int:
    """Return the stored element by a recipe; it saturates."""
    return min(max(ARITHMETIC[recipe](x), x.element.storage_min), x.element.storage_max)
