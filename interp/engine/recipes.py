"""Recipes of requantization over an array namespace, with the fixed-point arithmetic that they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import frexp, isfinite, prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends import Array, Namespace, fl
from interp.engine.in_integers import ratios, rescale, store
from interp.engine.quant import quantize
from spec import multipliers
from spec.errors import UNKNOWN, Location
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
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType

# Fixed-point arithmetic of LiteRT, gemmlowp and TOSA over an array namespace, in int64.
#
# Multipliers and exponents are tables of int64 that broadcast against the integers. Integers have at most
# 32 bits, and multipliers 31, so that no product, rounded, leaves 64 bits; or 48 and 15 bits.

HALF = 1 << 30


class Multiplier(NamedTuple):
    """Tables of multipliers M and exponents e: `M * 2^(e - 31)`, or shifts s: `M * 2^-s`."""

    factor: np.ndarray
    exponent: np.ndarray


def tables(pairs: Any) -> Multiplier:
    """Return the tables for an array of pairs of integers."""
    shape = np.shape(pairs)
    flat = np.asarray(pairs, object).reshape(-1)
    columns = ([pair[k] for pair in flat] for k in (0, 1))
    factor, exponent = (np.array(column, np.int64).reshape(shape) for column in columns)
    return Multiplier(factor, exponent)


def alone(pair: tuple[int, int]) -> Multiplier:
    """Return the tables of one multiplier."""
    return Multiplier(*(np.asarray(number, np.int64) for number in pair))


def normalize(real: float, bits: int) -> tuple[int, int]:
    """Return (M, e) with `M * 2^(e - bits)` the nearest to a positive number, M of `bits` bits."""
    fraction, e = frexp(real)
    whole = int(fraction * 2**53)
    rounded = (whole + (1 << (52 - bits))) >> (53 - bits)
    return (rounded >> 1, e + 1) if rounded >> bits else (rounded, e)


def quantize_multiplier(real: float, most: int, where: Location) -> tuple[int, int]:
    """Return LiteRT's multiplier of 31 bits and exponent; numbers below 2^-32 become 0."""
    if real == 0:
        return 0, 0
    multiplier, e = normalize(real, 31)
    if e > most:
        raise beyond(f"the multiplier {real!r} has the exponent {e}", f"at most {most}", where)
    return (multiplier, e) if e >= -31 else (0, 0)


def below_one(real: float, where: Location) -> tuple[int, int]:
    """Return LiteRT's multiplier and exponent of a number that is below 1, also when rounded."""
    if not 0 < real < 1 or normalize(real, 31)[1] > 0:
        raise beyond(f"the multiplier is {real!r}", "above 0 and, when rounded, below 1", where)
    return quantize_multiplier(real, 0, where)


def with_shift(real: float, bits: int, where: Location) -> tuple[int, int]:
    """Return TOSA's multiplier of `bits` bits and shift."""
    multiplier, e = normalize(real, bits) if real else (0, 0)
    shift = bits - e
    if shift > 62:
        multiplier, shift = multiplier >> min(31, shift - 62), 62
    if shift < 2:
        raise beyond(f"RESCALE by {real!r} has the shift {shift}", "2 to 62", where)
    return multiplier, shift


def doubly_rounded(xp: Namespace, x: Array, by: Multiplier) -> Array:
    """Return the high half of the doubled product, then its shift to the right, each rounded."""
    left, right = (xp.asarray(np.maximum(e, 0)) for e in (by.exponent, -by.exponent))
    product = (((x << left) << 32) >> 32) * xp.asarray(by.factor)
    nudged = product + xp.where(product >= 0, HALF, 1 - HALF)
    high = xp.where(nudged < 0, -((-nudged) >> 31), nudged >> 31)
    mask = xp.asarray((1 << np.maximum(-by.exponent, 0)) - 1)
    up = (high & mask) > (mask >> 1) + (high < 0)
    return (high >> right) + up.astype(xp.int64)


def singly_rounded(xp: Namespace, x: Array, by: Multiplier) -> Array:
    return _half_up(xp, x, by.factor, 31 - by.exponent)


def narrow_product(xp: Namespace, x: Array, by: Multiplier) -> Array:
    """Return the product with a multiplier of 15 bits."""
    narrow = np.where(by.factor < 0x7FFF0000, (by.factor + (1 << 15)) >> 16, 0x7FFF)
    return _half_up(xp, x, narrow, 15 - by.exponent)


def apply_scale(xp: Namespace, x: Array, by: Multiplier, bits: int, wide: bool, where: Location) -> Array:
    """Return TOSA's apply_scale_32, or apply_scale_16 if `wide`; `bits` as many as |x| may have.

    Integers that it does not define are an error; a compiler's trace knows only the bits.
    """
    result = _half_up(xp, x, by.factor, by.exponent)
    least = int(by.exponent.min(initial=62))
    if (bits - 16 < least) if wide else (bits < least):
        return result
    seen, limit = (result, 1 << 31) if wide else (x, np.asarray(1 << (by.exponent - 1)))
    known = xp.known_values(seen)
    if known is None or not ((-limit <= known) & (known < limit)).all():
        found = f"RESCALE with the shift {least} of integers of up to {bits} bits"
        raise beyond(
            found, "results of 32 bits" if wide else f"integers of {least} bits with the sign", where
        )
    return result


def _half_up(xp: Namespace, x: Array, factor: np.ndarray, shift: np.ndarray) -> Array:
    half = xp.asarray(np.int64(1) << (shift - 1))
    return (x * xp.asarray(factor) + half) >> xp.asarray(shift)


# Recipes of requantization over an array namespace: int64 in, stored elements out.
#
# A recipe is built once for an operation, from exact scales: whatever it does not define is an error then.

F32 = ELEMENT_TYPES["f32"]
FAR = float(1 << 60)  # beyond every storage
Requantize = Callable[[Namespace, Array], Array]
Table = np.ndarray  # exact scales, as fractions, that broadcast against the integers


class Rescaling(NamedTuple):
    """The exact scales of integers, or of two factors, those of the result, and its type.

    bits: of which |x| is at most 2^bits. width: bits of the accumulator. kernel: the operation.
    """

    sources: tuple[Table, ...]
    target: Table
    type: QuantizedType
    bits: int
    width: int
    kernel: str = ""
    where: Location = UNKNOWN


def requantization(recipe: str, by: Rescaling) -> Requantize:
    """Return the function from integers in units of the sources to stored elements, by a recipe."""
    return BUILDERS[recipe](by)


def _ending(by: Rescaling, rescale: Requantize) -> Requantize:
    """Return a function that adds the zero point to rescaled integers and saturates."""
    return lambda xp, x: store(xp, rescale(xp, x), by.type)


def specification(by: Rescaling) -> Requantize:
    """Return `quantize(fl(fl(m) * fl(s_l * s_r)))`."""
    type = by.type.expressed_type
    scales = _each(lambda *s: fl(float(prod(s)), type), *by.sources)

    def requantize(xp: Namespace, x: Array) -> Array:
        real = xp.integer_to_float(x, type)
        product = xp.round_to(xp.multiply(real, xp.asarray(scales, real.dtype)), type)
        return quantize(xp, product, by.type, computed=True)

    return requantize


def qwix(by: Rescaling) -> Requantize:
    """Return `quantize(fl(fl(fl(m) * s_l) * s_r))`."""
    tables = [_each(float, scale) for scale in by.sources]

    def requantize(xp: Namespace, x: Array) -> Array:
        product = times_scales(xp, x, tables, by.type.expressed_type)
        return quantize(xp, product, by.type, computed=True)

    return requantize


def times_scales(xp: Namespace, x: Array, scales: Sequence[Table], type: ElementType) -> Array:
    """Return `fl(fl(fl(x) * s_l) * s_r)` of integers, or of numbers of f64, in the carrier of a type."""
    product = xp.round_to(x, type) if x.dtype.kind == "f" else xp.integer_to_float(x, type)
    for scale in scales:
        product = xp.round_to(xp.multiply(product, xp.asarray(scale, product.dtype)), type)
    return product


def exact(by: Rescaling) -> Requantize:
    quotients = ratios(_product(by.sources) / by.target)
    return _ending(by, lambda xp, x: rescale(xp, x, *quotients, by.bits))


def single(by: Rescaling) -> Requantize:
    """Return the product with one multiplier of f32, rounded to f32 and to an integer."""
    return _ending(by, partial(in_f32, single_multipliers((*by.sources, by.target), by.where)))


def single_multipliers(scales: Sequence[Table], where: Location) -> Table:
    """Return `s_l * s_r / s_y`, or `s_x / s_y`, computed in f64, in f32."""
    return _each(partial(_f32_of_f64, where), *scales)


def in_f32(multipliers: Table, xp: Namespace, x: Array) -> Array:
    """Return `rne(f32(f32(x) * multiplier))` as int64."""
    real = xp.integer_to_float(x, F32).astype(xp.float64)
    return whole(xp, xp.round_to(xp.multiply(real, xp.asarray(multipliers)), F32))


def whole(xp: Namespace, real: Array) -> Array:
    """Return floats as integers, half to even; numbers beyond every storage stay there."""
    return xp.clip(xp.rint(real.astype(xp.float64)), -FAR, FAR).astype(xp.int64)


def onnx(by: Rescaling) -> Requantize:
    """Return QLinearMatMul's arithmetic for two scales; DequantizeLinear and QuantizeLinear for one."""
    if len(by.sources) > 1:
        return _ending(by, partial(in_f32, _each(partial(_all_f32, by.where), *by.sources, by.target)))
    leave = to_integers(by.target, by.where)
    enter = to_f32(by.sources[0], by.where)
    return _ending(by, lambda xp, x: leave(xp, enter(xp, x)))


def to_f32(scales: Table, where: Location) -> Requantize:
    """Return DequantizeLinear in f32, of integers `q - zero_point`; the numbers are held in f64."""
    factors = _each(partial(exact_f32, where), scales)

    def number(xp: Namespace, x: Array) -> Array:
        real = xp.integer_to_float(x, F32).astype(xp.float64)
        return xp.round_to(xp.multiply(real, xp.asarray(factors)), F32).astype(xp.float64)

    return number


def to_integers(scales: Table, where: Location) -> Requantize:
    """Return QuantizeLinear of numbers of f32, before its zero point is added."""
    divisors = _each(partial(exact_f32, where), scales)
    return lambda xp, x: whole(xp, xp.round_to(xp.divide_exactly(x, xp.asarray(divisors)), F32))


def tflite(rounded: Callable[..., Array], by: Rescaling) -> Requantize:
    """Return MultiplyByQuantizedMultiplier; MUL and ABS compute the real multiplier in f32."""
    _refuse_wide(by, WIDE)
    narrow = by.width <= NARROW
    real = partial(_all_f32 if by.kernel in IN_F32 else _f64_of_f32, by.where)
    most = 30 if narrow else 7
    multiplier = _tables(lambda *s: quantize_multiplier(real(*s), most, by.where), by)
    return _ending(by, lambda xp, x: (rounded if narrow else narrow_product)(xp, x, multiplier))


def gemmlowp(by: Rescaling) -> Requantize:
    _refuse_wide(by, NARROW)
    if len(by.sources) == 1:
        raise beyond("one scale", "the scales of two factors: gemmlowp multiplies matrices", by.where)
    multiplier = _tables(lambda *s: below_one(_all_f32(by.where, *s), by.where), by)
    return _ending(by, lambda xp, x: doubly_rounded(xp, x, multiplier))


def tosa(by: Rescaling) -> Requantize:
    _refuse_wide(by, WIDE)
    wide = by.width > NARROW
    multiplier = _tables(lambda *s: with_shift(_f64(by.where, *s), 15 if wide else 31, by.where), by)
    rest = multiplier, by.bits, wide, by.where
    return _ending(by, lambda xp, x: apply_scale(xp, x, *rest))


def _product(tables: Sequence[Table]) -> Any:
    first, *others = tables
    return first * others[0] if others else first


def _each(function: Callable[..., Any], *tables: Table) -> Table:
    return np.asarray(np.frompyfunc(function, len(tables), 1)(*tables), np.float64)


def _tables(function: Callable[..., tuple[int, int]], by: Rescaling) -> Multiplier:
    scales = np.broadcast_arrays(*by.sources, by.target)
    pairs = np.empty(scales[0].shape, object)
    for index in np.ndindex(pairs.shape):
        pairs[index] = function(*(table[index] for table in scales))
    return tables(pairs)


def exact_f32(where: Location, scale: Any) -> np.float32:
    """Return a scale that f32 holds."""
    if float(np.float32(scale)) != float(scale):
        raise beyond(f"the scale {float(scale)!r} is not a number of f32", "scales of f32", where)
    return np.float32(scale)


def _f64(where: Location, *scales: Any) -> float:
    """Return `s_l * s_r / s_y` in f64."""
    *sources, target = map(float, scales)
    return _finite(where, prod(sources) / target)


def _f64_of_f32(where: Location, *scales: Any) -> float:
    return _f64(where, *(exact_f32(where, scale) for scale in scales))


def _f32_of_f64(where: Location, *scales: Any) -> float:
    """Return `s_l * s_r / s_y`, computed in f64, in f32."""
    with np.errstate(all="ignore"):
        return _finite(where, float(np.float32(_f64(where, *scales))))


def _all_f32(where: Location, *scales: Any) -> float:
    """Return `s_l * s_r / s_y` in f32."""
    *sources, target = (exact_f32(where, scale) for scale in scales)
    with np.errstate(all="ignore"):
        return _finite(where, float(np.prod(sources, dtype=np.float32) / target))


def _finite(where: Location, real: float) -> float:
    if not isfinite(real):
        raise beyond(f"the multiplier is {real!r}", "a finite number", where)
    return real


def _refuse_wide(by: Rescaling, most: int) -> None:
    if by.width > most:
        raise beyond(f"the accumulator has {by.width} bits", f"at most {most}", by.where)


BUILDERS: dict[str, Callable[[Rescaling], Requantize]] = {
    SPECIFICATION: specification,
    EXACT: exact,
    FLOAT: single,
    ONNX: onnx,
    ONNXRUNTIME: onnx,
    TFLITE_SINGLE: partial(tflite, singly_rounded),
    TFLITE_DOUBLE: partial(tflite, doubly_rounded),
    GEMMLOWP: gemmlowp,
    QWIX: qwix,
    TOSA: tosa,
}


# Requantization by multipliers that a program gives, by the name of the rounding.


def half_away(by: Multiplier) -> Requantize:
    """Return the product with a number of f64, `M * 2^(e - 31)`, rounded half away from zero."""
    reals = np.ldexp(by.factor.astype(np.float64), by.exponent - 31)

    def rescale(xp: Namespace, x: Array) -> Array:
        product = xp.multiply(x.astype(xp.float64), xp.asarray(reals))
        size = xp.abs(product)
        floor = xp.floor(size)
        whole = xp.clip(floor + xp.where(size - floor >= 0.5, 1.0, 0.0), 0.0, FAR).astype(xp.int64)
        return xp.where(product < 0, -whole, whole)

    return rescale


GIVEN: dict[str, Callable[[Multiplier], Requantize]] = {
    multipliers.DOUBLE: lambda by: lambda xp, x: doubly_rounded(xp, x, by),
    multipliers.SINGLE: lambda by: lambda xp, x: singly_rounded(xp, x, by),
    multipliers.F64: half_away,
}
