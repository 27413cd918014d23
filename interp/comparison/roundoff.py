"""Bounds of rounding errors, in real units, and values that carry such a bound."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State, fl, max_finite
from interp.engine.bodies import code_of
from interp.engine.evaluate import Context
from interp.engine.quant import Type, quantize, round_parameters, spread
from interp.engine.storage import ends_at_zero, is_at_zero, may_clip, stored_numbers, to_reals
from interp.recorder.batch import Judgement
from interp.recorder.detect import conversion_events, operation_events
from interp.recorder.exact import rounding_error
from interp.rewrite.float_reference_rules import plain
from interp.theory.quantized_arithmetic import pair_sums
from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType

# Bounds of rounding errors, in real units: pure functions on f64 arrays.
#
# u = 2^-precision is the unit roundoff of a type. An error is a number; it is infinite if nothing is known,
# and NaN if something saturated on the way.

NumpyArray = np.ndarray
# Absorbs products of roundings, and that bounds are computed in f64.
SLACK = 1 + 2.0**-5
F64 = 53  # bits of the whole numbers that f64 has


def real(x: NumpyArray, type: Type) -> NumpyArray:
    """Return the real numbers that a carrier represents, in f64."""
    return np.asarray(to_reals(x, type), np.float64)


def deviation(x: NumpyArray, type: Type) -> NumpyArray:
    """Return the distance of `dequantize` from the exact `(q - zero_point) * scale`."""
    if not isinstance(type, QuantizedType):
        return np.zeros(x.shape)
    whole = x.astype(np.float64) - _zero_points(type, x)
    return np.abs(rounding_error("multiply", whole, _scales(type, x), real(x, type)))


def magnitude(x: NumpyArray) -> NumpyArray:
    """Return absolute values; infinite for NaN."""
    return np.where(np.isfinite(x), np.abs(x), np.inf)


def rounding(type: ElementType, size: NumpyArray, count: float) -> NumpyArray:
    """Bound `count` roundings of numbers of at most `size`: u relative, or the loss by flushing to zero.

    The bound is infinite if a number may overflow by these roundings.
    """
    if type.special != "ieee":
        return np.full(np.shape(size), np.inf)
    least = least_normal(type) if _flushes(type) else least_subnormal(type)
    relative = count * SLACK * 2.0**-type.precision
    return np.where(size * (1 + relative) > max_finite(type), np.inf, relative * size + count * SLACK * least)


def least_normal(type: ElementType) -> float:
    return float(2.0 ** (1 - type.bias))


def least_subnormal(type: ElementType) -> float:
    return float(2.0 ** (1 - type.bias - type.mantissa))


def _flushes(type: ElementType) -> bool:
    """Return whether XLA flushes subnormals of the type. It computes f16 in f32, where they are normal."""
    return type.exponent >= 8


def flushing(type: ElementType, x: NumpyArray) -> NumpyArray:
    """Bound the loss by flushing x to zero: |x| if it is subnormal, or was so before rounding."""
    size = np.abs(x)
    return np.where(size <= least_normal(type) if _flushes(type) else False, size, 0)


def quantum(x: NumpyArray, axis: int | None = None) -> NumpyArray:
    """Return the largest power of two that divides every element; infinite for zeros, 0 if not all finite."""
    mantissa, exponent = np.frexp(np.where(np.isfinite(x), x, 0))
    whole = (mantissa * 2.0**53).astype(np.int64)
    powers = np.where(x == 0, np.inf, np.ldexp((whole & -whole).astype(np.float64), exponent - 53))
    return np.where(np.isfinite(x), powers, 0).min(axis, initial=np.inf)


def holds_sums(type: ElementType, step: NumpyArray, total: NumpyArray) -> NumpyArray:
    """Return whether every sum of multiples of `step` up to `total` is exact in the type.

    `total` is added in f64, which may round a sum of more than 2^53 steps down to 2^53 of them, not below.
    """
    small = (total <= max_finite(type)) & (total <= 2.0**type.precision * step)
    return small & (total < 2.0**F64 * step) & (step >= least_normal(type))


# Quantizing.


def quantization(type: QuantizedType, y: NumpyArray, stored: NumpyArray, wanted: NumpyArray) -> NumpyArray:
    """Bound |x - y| for the number x that `stored`, the quantized y, represents: half a step and roundings.

    If every `wanted` y is a multiple of the type's scale, as sums and products of integers are, only the
    roundings count.
    """
    scale, zero_point = _scales(type, stored), _zero_points(type, stored)
    size = magnitude(y) / scale + np.abs(zero_point)
    moved = magnitude(y / scale + zero_point) + 2 * SLACK * 2.0**-type.expressed_type.precision * size
    largest = np.maximum(np.maximum(magnitude(y / scale), np.abs(zero_point)), moved)
    roundings = scale * _in_steps(type, size, largest, 2)
    roundings = roundings + scale * least_normal(type.expressed_type) + deviation(stored, type)
    distance = magnitude(real(stored, type) - y)
    known = np.isfinite(roundings)
    if (distance <= roundings)[wanted & known].all():
        return np.where(known, distance, np.inf)
    return np.where(known, 0.5 * scale + roundings, np.inf)


def _in_steps(type: QuantizedType, size: NumpyArray, largest: NumpyArray, count: float) -> NumpyArray:
    """Bound, in steps, `count` roundings of numbers, in steps, that add up to at most `size`.

    `quantize` computes in steps: `x / scale`, the zero point and their sum are numbers of the expressed type.
    The bound is infinite if the largest of them may overflow, however small x itself is.
    """
    fits = np.isfinite(rounding(type.expressed_type, largest, count))
    small = rounding(type.expressed_type, np.zeros(()), count)
    return np.where(fits, small + count * SLACK * 2.0**-type.expressed_type.precision * size, np.inf)


@cache
def requantization(source: QuantizedType, destination: QuantizedType) -> float | None:
    """Return the largest change by `quantize(dequantize(q))`, by trying all up to 16 bits; else None.

    Numbers that saturate do not count.
    """
    if source.storage_type.bits > 16 or not (source.is_per_tensor and destination.is_per_tensor):
        return None
    with np.errstate(all="ignore"):
        before = real(stored_numbers(source), source)
        expressed = NUMPY.round_to(before, destination.expressed_type)
        after = quantize(NUMPY, expressed, destination)
        moved = before / fl(destination.scale, destination.expressed_type) + destination.zero_point
        inside = (moved >= destination.storage_min - 0.5) & (moved <= destination.storage_max + 0.5)
        return float(np.abs(real(after, destination) - before)[inside].max(initial=0.0))


@cache
def addition(type: QuantizedType) -> float | None:
    """Return the largest error of `add` over all pairs that do not saturate, up to 8 bits; else None."""
    if type.storage_type.bits > 8:
        return None
    found, exact = pair_sums(type)
    wrong = np.abs(found.astype(np.int64) - exact)
    inside = (exact >= type.storage_min) & (exact <= type.storage_max)
    return float(wrong[inside].max(initial=0)) * fl(type.scale, type.expressed_type)


def steps_on_integers(type: QuantizedType, n: int, size: NumpyArray, each: float | None) -> NumpyArray:
    """Return the error that n quantized steps on one type add: 0 where they are integer operations.

    `size` bounds the sum of all magnitudes; `each` is the largest error of a step, if all pairs were tried.
    Otherwise steps are exact up to 2^(precision - 4), or 2^precision if the scale is a power of two
    (`integer_bound`). Beyond, each step adds half a step and roundings of the accumulator with its error so
    far: two for dequantizing both operands, one for the operation, two for quantizing; for such a scale one,
    one and one. There is no bound if a storage bound is NaN in the expressed type, since everything then
    clamps to 0, nor if a sum may overflow that type, as a real number or as a number of steps.
    """
    if each is not None:
        return np.full(size.shape, n * each)
    if np.isnan(round_parameters(type).bounds).any():
        return np.full(size.shape, np.inf)
    expressed = type.expressed_type
    scale, offset = fl(type.scale, expressed), abs(type.zero_point)
    dyadic = bool(np.frexp(scale)[0] == 0.5) and scale >= least_normal(expressed)
    limit = 2.0 ** (expressed.precision if dyadic else expressed.precision - 4)
    steps = size / scale + offset
    integral = (steps <= limit) & (steps < 2.0**F64) & (scale * 2 * limit <= max_finite(expressed))
    count = 3 if dyadic else 5
    first = scale / 2 + rounding(expressed, size + scale * offset, count)
    rate = float(rounding(expressed, np.ones(()), count))  # error[k + 1] = (1 + rate) error[k] + first
    error = first * np.expm1(n * np.log1p(rate)) / rate
    largest = np.maximum((size + error) / scale + offset, size + error)
    fits = np.isfinite(rounding(expressed, largest, count))
    return np.where(integral, 0, np.where(fits, error, np.inf))


def _scales(type: QuantizedType, x: NumpyArray) -> NumpyArray:
    rounded = tuple(fl(scale, type.expressed_type) for scale in type.scales)
    return np.asarray(spread(NUMPY, rounded, np.float64, type, x.shape))


def _zero_points(type: QuantizedType, x: NumpyArray) -> NumpyArray:
    return np.asarray(spread(NUMPY, type.zero_points, np.float64, type, x.shape))


# Values with a bound on their distance from the float reference, for the rules of `error_bound`.


class Bounded(NamedTuple):
    """A value (a carrier), and a bound of the same shape on its distance from the reference in real units."""

    value: Array
    error: Array


Rule = Callable[..., tuple[Bounded, ...]]


def bound_input(value: Array, type: TensorType) -> Bounded:
    """Return a value that equals the reference's, except for flushed subnormals."""
    element = plain(type).storage_type
    if element.kind != "float":
        return Bounded(value, np.zeros(np.shape(value)))
    return Bounded(value, flushing(element, real(value, type.element_type)))


def run_op(ctx: Context, op: Op, operands: Sequence[Bounded]) -> State:
    """Return the engine's results for one operation."""
    return ctx.run(code_of(op), [x.value for x in operands])


class Saturations(NamedTuple):
    """Elements that saturated, and elements that were clipped at the zero point where the reference clips.

    THEOREM: let the reference clip at zero, too (`float_reference_clips`), or be on that side of zero anyway.
    If the number y that was clipped is within e of the number r that the reference clips, the results are
    within e: ours is 0, y is negative (at the least end), and max(r, 0) <= max(y + e, 0) <= e.
    """

    lost: Array
    clipped: Array


# Whether the reference clips where the theorem of `Saturations` needs it.
_CLIPS: ContextVar[bool] = ContextVar("_CLIPS", default=True)


@contextmanager
def clipping(clips: bool) -> Iterator[None]:
    """Bound errors against a reference that clips at zero points, or against one that may not."""
    token = _CLIPS.set(clips)
    try:
        yield
    finally:
        _CLIPS.reset(token)


def _mask_saturations(judgements: Iterable[Judgement], result: Array, type: Any, clips: bool) -> Saturations:
    lost, clipped = np.zeros(result.shape, bool), np.zeros(result.shape, bool)
    for found in judgements:
        if found.kind == "saturate":
            lost.flat[found.at] = True
            if clips and _CLIPS.get():
                clipped.flat[found.at] = is_at_zero(type, result, result.shape, found.at)
    return Saturations(lost & ~clipped, clipped)


def saturations(op: Op, operands: Sequence[Array], result: Array, clips: bool = False) -> Saturations:
    """Return where an operation with a quantized result saturated; `clips`: the reference may clip there."""
    if not op.result.type.is_quantized:
        return Saturations(np.zeros(result.shape, bool), np.zeros(result.shape, bool))
    found = operation_events(op, operands, result, True)
    return _mask_saturations(found, result, op.result.type.element_type, clips and may_clip(op))


def quantization_saturations(
    y: Array, source: Type, after: Array, destination: QuantizedType, clips: bool = False
) -> Saturations:
    """Return where numbers saturated when they were quantized to `after`."""
    return _mask_saturations(
        conversion_events(source, destination, y, after, lossless=False), after, destination, clips
    )


def no_bound(errors: Sequence[Array], shape: tuple[int, ...]) -> Array:
    """Return errors without a bound (infinite), or NaN where something saturated."""
    total = sum(errors, np.zeros(()))
    return np.broadcast_to(np.where(np.isnan(total), np.nan, np.inf), shape)


def if_exact(errors: Sequence[Array], shape: tuple[int, ...]) -> Array:
    """Return the bound 0 where every operand is exactly the reference's, else no bound."""
    total = np.broadcast_to(sum(errors, np.zeros(())), shape)
    return np.where(total == 0, 0, no_bound([total], shape))


def bound_conversion(x: Bounded, after: Array, source: Type, destination: Type, clips: bool = False) -> Array:
    """Bound the error of `after`, which is `x` converted from one element type to another.

    clips: whether the reference clips where the destination's zero point is an end of its range.
    """
    if source == destination and (not isinstance(source, QuantizedType) or np.array_equal(x.value, after)):
        return x.error
    if "complex" in (getattr(source, "kind", ""), getattr(destination, "kind", "")):
        return no_bound([x.error], after.shape)
    if isinstance(destination, QuantizedType):
        return bound_quantization(x, after, source, destination, clips)
    if destination.kind != "float":
        return if_exact([x.error], after.shape)
    return _bound_rounding(x.error, destination, real(x.value, source), real(after, destination))


def _bound_rounding(error: Array, type: ElementType, before: Array, after: Array) -> Array:
    """Bound the rounding of a number to another float type, on both sides."""
    same = (error == 0) & (before == after)
    total = error + np.where(same, flushing(type, after), rounding(type, magnitude(before) + error, 2))
    return np.where(np.isfinite(after), total, no_bound([total], after.shape))


def bound_quantization(
    x: Bounded, after: Array, source: Type, destination: QuantizedType, clips: bool = False
) -> Array:
    """Bound the error of `after`, which is `x` quantized."""
    clips = clips and any(ends_at_zero(destination))
    saturated, clipped = quantization_saturations(x.value, source, after, destination, clips)
    before, expressed = real(x.value, source), destination.expressed_type
    y = real(NUMPY.round_to(before, expressed), expressed)
    kept = getattr(source, "expressed_type", source) == expressed  # then the reference does nothing
    error = x.error if kept else _bound_rounding(x.error, expressed, before, y)
    finite = np.isfinite(y)  # else the reference is infinite or NaN
    error = np.asarray(np.where(finite, error, no_bound([error], after.shape)))
    worst = requantization(source, destination) if isinstance(source, QuantizedType) else None
    wanted = finite & ~saturated & ~clipped
    rounded = np.asarray(quantization(destination, y, after, wanted) if worst is None else worst)
    return np.where(saturated, np.nan, error + np.where(clipped, 0, rounded))
