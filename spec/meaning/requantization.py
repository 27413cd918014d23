"""Recipes of requantization, literally: one integer, the exact scales, the stored result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf, isnan, prod
from typing import NamedTuple

from spec.elements import ELEMENT_TYPES
from spec.formats import round_to
from spec.meaning import fixed_point as fixed
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
    SPECIFICATION,
    TFLITE_DOUBLE,
    TFLITE_SINGLE,
    TOSA,
    WIDE,
    beyond,
)

F32, F64 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["f64"]


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
        function = rounded if x.bits <= NARROW else fixed.apply_narrow
        return function(x.m, *fixed.quantized_multiplier(real)) + x.zero_point

    return rescale


def gemmlowp(x: Rescaling) -> int:
    """RoundingDivideByPOT(SaturatingRoundingDoublingHighMul(m, M), -e) + zero_point"""
    if x.bits > NARROW:
        raise beyond(f"the accumulator has {x.bits} bits", f"at most {NARROW}")
    if len(x.sources) == 1:
        raise beyond("one scale", "the scales of two factors: gemmlowp multiplies matrices")
    return fixed.doubly_rounded(x.m, *fixed.below_one(multiplier_in_f32(x.sources, x.target))) + x.zero_point


def tosa(x: Rescaling) -> int:
    """apply_scale(m, M, shift) + zero_point"""
    _refuse_wide(x)
    bits = 31 if x.bits <= NARROW else 15
    multiplier, shift = fixed.multiplier_and_shift(real_multiplier(x.sources, x.target), bits)
    return fixed.apply_scale(x.m, multiplier, shift, bits) + x.zero_point


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
    TFLITE_SINGLE: tflite(fixed.singly_rounded),
    TFLITE_DOUBLE: tflite(fixed.doubly_rounded),
    GEMMLOWP: gemmlowp,
    TOSA: tosa,
}


def requantize(recipe: str, x: Rescaling) -> int:
    """Return the stored element by a recipe; it saturates."""
    return min(max(ARITHMETIC[recipe](x), x.element.storage_min), x.element.storage_max)
