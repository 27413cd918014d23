"""Detection of events of the integer reading and of sums along an accumulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from interp.backends import NUMPY
from interp.engine.additions import Addition
from interp.engine.float_sums import sum_of_many, sum_of_two
from interp.engine.in_integers import integers, rescale
from interp.engine.quant import spread
from interp.engine.requantizing import multipliers
from interp.recorder.batch import Judgement, mask_events, no_value
from interp.recorder.exact import Array, Steps, formula, steps
from spec.accumulator import Accumulator
from spec.ir import Op
from spec.types import QuantizedType


def elementwise_events(
    op: Op, operands: Sequence[Array], result: Array, accumulator: Accumulator
) -> Iterator[Judgement]:
    """Yield the events of an elementwise operation, on stored operands and its stored result."""
    element = op.result.type.element_type
    if not isinstance(element, QuantizedType):
        return
    types = [value.type.element_type for value in op.operands]
    s = steps(formula(op), types, element, operands, result)
    wrong = s.is_misrounded()
    if formula(op) == "multiply":
        held = _beyond(op, operands, accumulator, result.shape)
        yield from mask_events(kind_of(accumulator), held, s.difference, s.value)
        wrong = wrong & ~held
    yield from _saturated_or_inexact(s, wrong)


def _saturated_or_inexact(s: Steps, wrong: Array) -> Iterator[Judgement]:
    saturated = wrong & s.is_saturated()
    yield from mask_events("saturate", saturated, s.difference, s.value)
    yield from mask_events("inexact", wrong & ~saturated, s.difference, s.value)


def kind_of(accumulator: Accumulator) -> str:
    """Return the event of an accumulator that cannot hold a number."""
    return "saturate" if accumulator.saturates else "wrap"


def _beyond(op: Op, operands: Sequence[Array], accumulator: Accumulator, shape: tuple[int, ...]) -> Array:
    """Return where a product leaves the range of its accumulator."""
    lhs, rhs = (
        integers(NUMPY, x, value.type.quantized_element_type)
        for x, value in zip(operands, op.operands, strict=True)
    )
    lhs, rhs = np.broadcast_arrays(lhs, rhs)
    product, type = lhs * rhs, accumulator.type
    inside = np.array((product >= type.min_value) & (product <= type.max_value))
    wraps = np.abs(lhs.astype(np.float64) * rhs.astype(np.float64)) >= 2.0**62  # perhaps, in int64
    if wraps.any():
        exact = lhs[wraps].astype(object) * rhs[wraps].astype(object)
        inside[wraps] = (exact >= type.min_value) & (exact <= type.max_value)
    return np.broadcast_to(~inside, shape)


def accumulation_events(
    accumulator: Accumulator, operands: Sequence[Array], total: Array
) -> Iterator[Judgement]:
    """Yield where the accumulator does not hold the exact sum of its int64 operands."""
    a, b = (np.broadcast_to(x, total.shape) for x in operands)
    error = a.astype(np.float64) + b.astype(np.float64) - total.astype(np.float64)
    beyond = (a + b != total) | (np.abs(error) >= 2.0 ** (accumulator.bits - 1))
    exact = lambda at: int(a.flat[at]) + int(b.flat[at])
    yield from mask_events(kind_of(accumulator), beyond, error, exact)


def contraction_result_events(
    op: Op, accumulator: Accumulator, sums: Array, stored: Array
) -> Iterator[Judgement]:
    """Yield where a contraction's result saturates."""
    quotients, shape = multipliers(op, accumulator)
    type = op.result.type.quantized_element_type
    zero_points = spread(NUMPY, type.zero_points, np.int64, type, stored.shape)
    whole = rescale(NUMPY, sums, quotients, shape, accumulator.bits - 1) + zero_points
    table = np.broadcast_to(np.asarray(quotients, object).reshape(shape), stored.shape)
    points = np.broadcast_to(zero_points, stored.shape)
    exact = lambda at: Fraction(int(sums.flat[at])) * table.flat[at] + int(points.flat[at])
    yield from mask_events("saturate", whole != stored, whole - stored, exact)


def requantization_events(
    source: QuantizedType, destination: QuantizedType, before: Array, after: Array, lossless: bool
) -> Iterator[Judgement]:
    """Yield the events of a conversion in a reduction; if `lossless`, every change of a value is an event."""
    if source == destination:
        return
    s = steps("convert", [source], destination, [before], after)
    wrong = s.is_misrounded()
    saturated = wrong & s.is_saturated()
    yield from mask_events("saturate", saturated, s.difference, s.value)
    if lossless:
        yield from mask_events("lossy_convert", s.is_changed() & ~saturated, s.difference, s.value)


def scaled_events(sums: Array, scales: Array, result: Array) -> Iterator[Judgement]:
    """Yield where the sum of a block times its scales is infinite."""
    beyond = np.isinf(result) & np.isfinite(sums)
    if beyond.any():
        whole, scale = np.broadcast_to(sums, result.shape), np.broadcast_to(scales, result.shape)
        exact = lambda at: Fraction(whole.flat[at].item()) * Fraction(scale.flat[at].item())
        yield from mask_events("inf", beyond, result, exact)


# Events of sums along an accumulation: where the result of a node is not the sum of what entered it.


def addition_events(addition: Addition) -> Iterator[Judgement]:
    """Yield where integers wrap or saturate, and where a sum of floats is rounded, infinite or NaN."""
    entries = [np.broadcast_to(x, addition.total.shape) for x in addition.entries]
    if addition.type.is_integer:
        yield from _integer_addition_events(addition, entries)
        return
    total, inside = addition.total, np.all([np.isfinite(x) for x in entries], axis=0)
    known = ~np.any([np.isnan(x) for x in entries], axis=0)
    yield from mask_events("nan", np.isnan(total) & known, np.full(total.shape, np.nan), no_value)
    given = [np.broadcast_to(x, total.shape) for x in addition.given]
    finite = np.all([np.isfinite(x) for x in given], axis=0)  # one may be infinite as it enters
    yield from mask_events("inf", np.isinf(total) & finite, total, _exactly(given))
    with np.errstate(invalid="ignore"):  # of infinities, which are not inside
        exact, error = sum_of_two(*entries) if len(entries) == 2 else sum_of_many(entries)
        difference = np.where(exact != total, exact - total, error)
    differs = inside & np.isfinite(total) & ((exact != total) | (error != 0))
    yield from mask_events("inexact", differs, difference, _exactly(entries))


def _integer_addition_events(addition: Addition, entries: list[Array]) -> Iterator[Judgement]:
    """Yield where an accumulator of integers does not hold the sum.

    A sum of int64 that wraps there is off by 2^64, which f64 tells from 0.
    """
    kind = "saturate" if addition.saturates else "wrap"
    with np.errstate(over="ignore"):
        whole = sum(entries[1:], entries[0])
    error = sum(x.astype(np.float64) for x in entries) - addition.total.astype(np.float64)
    beyond = (whole != addition.total) | (np.abs(error) >= 2.0 ** (addition.type.bits - 1))
    yield from mask_events(kind, beyond, np.asarray(error), lambda at: sum(int(x.flat[at]) for x in entries))


def _exactly(entries: list[Array]) -> Callable[[int], Fraction]:
    return lambda at: sum((Fraction(float(x.flat[at])) for x in entries), Fraction(0))
