"""Values with a bound on their distance from the float reference, for the rules of `error_bound`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.comparison.roundoff import flushing, magnitude, quantization, real, requantization, rounding
from interp.engine.bodies import code_of
from interp.engine.clipping import ends_at_zero, is_at_zero, may_clip
from interp.engine.evaluate import Context
from interp.engine.quant import Type
from interp.recorder.detect import conversion_events, operation_events
from interp.recorder.judgement import Judgement
from interp.rewrite.float_reference_rules import plain
from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType


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
    return _mask_saturations(conversion_events(source, destination, y, after, lossless=False), after, destination, clips)


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
