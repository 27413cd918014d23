"""Spans of elementwise operations and conversions, by interval arithmetic rounded outward."""

from __future__ import annotations

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.facts import facts
from interp.engine.quant import float_to_integer, spread, to_destination_type
from interp.engine.quant import round_parameters as in_expressed
from interp.engine.storage import storage_range
from interp.questions.permitted.any_order import down, up
from interp.questions.permitted.spans import clear, exact, flush, has_order, nothing, round_span
from interp.recorder.event import short
from interp.recorder.exact import FORMULAS
from interp.theory.ranges import exact_bracket, extremes
from interp.theory.sums import Ends
from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType


def arithmetic_span(op: Op, type: ElementType, operands: list[Ends]) -> Ends:
    """Return the span of an operation of `BRACKETS` that is computed in a float type."""
    with np.errstate(all="ignore"):
        ends = exact(short(op), *operands)
        known = np.logical_and.reduce([np.broadcast_to(x.finite, op.result.type.shape) for x in operands])
        low, high = (np.broadcast_to(end, op.result.type.shape) for end in ends)
    found = Ends(np.where(known, low, -np.inf), np.where(known, high, np.inf))
    return clear(round_span(type, found))


def requantization_span(op: Op, operands: list[Ends]) -> Ends | None:
    """Return the span of an operation on quantized elements: on the numbers that they represent."""
    result, n = op.result.type.element_type, op.name == "stablehlo.select"
    types = [v.type.element_type for v in op.operands[n:]]
    if not isinstance(result, QuantizedType) or not has_numbers(result):
        return None
    reals = []
    for type, x in zip(types, operands[n:], strict=True):
        if not isinstance(type, QuantizedType) or not has_numbers(type):
            return None
        if type.expressed_type != result.expressed_type:
            return None
        reals.append(dequantized_span(type, x))
    real = selection_span(op, operands[0], *reals) if n else arithmetic_span(op, result.expressed_type, reals)
    return quantized_span(result, real)


def selection_span(op: Op, pred: Ends, x: Ends, y: Ends) -> Ends:
    """Return the chosen span of each element, or both where the choice is not known."""
    return extremes(facts(op), exact_bracket(FORMULAS["select"]), (pred, x, y))


def comparison_span(op: Op, x: Ends, y: Ends) -> Ends:
    """Return the span of a comparison: False to True where the operands' spans overlap."""
    known = np.ones((), bool)
    if op.operands[0].type.storage_type.kind == "float":
        known = x.finite & y.finite
        if op.attributes.get("compare_type") == "TOTALORDER":  # tells -0 from +0
            known = known & ~((x.least <= 0) & (x.greatest >= 0) & (y.least <= 0) & (y.greatest >= 0))
    less, greater = (
        (x.greatest < y.least, x.least >= y.greatest),
        (x.least > y.greatest, x.greatest <= y.least),
    )
    same = (x.least == x.greatest) & (y.least == y.greatest) & (x.least == y.least)
    apart = less[0] | greater[0]
    true, false = {
        "EQ": (same, apart),
        "NE": (apart, same),
        "LT": less,
        "GE": less[::-1],
        "GT": greater,
        "LE": greater[::-1],
    }[op["comparison_direction"]]
    return Ends(known & true, ~(known & false))


def conversion_span(source: TensorType, destination: TensorType, x: Ends) -> Ends | None:
    """Return the span of a conversion, which keeps order; an unknown float gives anything."""
    before, after = source.element_type, destination.element_type
    unknown = nothing(destination)
    if unknown is None or not has_order(source) or before == after:
        return unknown if before != after else x
    if isinstance(before, ElementType) and isinstance(after, ElementType):
        return _plain(before, after, x, unknown)
    if any(isinstance(t, QuantizedType) and not has_numbers(t) for t in (before, after)):
        return unknown
    if isinstance(before, QuantizedType):
        x, before = dequantized_span(before, x), before.expressed_type
    if isinstance(after, QuantizedType):
        return quantized_span(after, x) if before == after.expressed_type else unknown
    return x if before == after else unknown


def _plain(before: ElementType, after: ElementType, x: Ends, unknown: Ends) -> Ends:
    if before.kind == "float" and after.kind == "float":
        return clear(round_span(after, clear(x)))
    if before.kind == "float" and after.is_integer:
        with np.errstate(all="ignore"):
            ends = [float_to_integer(NUMPY, np.asarray(end, np.float64), after) for end in x]
        return Ends(*(np.where(x.finite, end, none) for end, none in zip(ends, unknown, strict=True)))
    if after.kind == "float":
        wide = [np.asarray(end).astype(np.float64) for end in x]
        if before.bits > 52:  # which f64 may have rounded
            wide = [
                np.where(np.abs(wide[0]) < 2.0**52, wide[0], down(wide[0])),
                np.where(np.abs(wide[1]) < 2.0**52, wide[1], up(wide[1])),
            ]
        return round_span(after, Ends(*wide))
    least, most = storage_range(after) if after.is_integer else (1, 0)
    if np.all(x.least >= least) and np.all(x.greatest <= most):
        return Ends(*(to_destination_type(NUMPY, end, before, after) for end in x))
    if np.array_equal(*x):
        end = to_destination_type(NUMPY, x.least, before, after)
        return Ends(end, end)
    return unknown


# Quantizing and dequantizing: each of their float operations is exact, rounded, or kept wider.


def has_numbers(type: QuantizedType) -> bool:
    """Return whether f64 holds what is stored, and the scales and what is expressed are numbers."""
    storage, expressed = type.storage_type, type.expressed_type
    whole = storage.is_integer and storage.bits <= 32
    return whole and expressed.special == "ieee" and all(0 < s < np.inf for s in in_expressed(type).scales)


def dequantized_span(type: QuantizedType, x: Ends) -> Ends:
    """Return the span of the numbers that stored elements represent: the product, and the rounded one."""
    zero_points = spread(NUMPY, type.zero_points, np.float64, type, x.least.shape)
    moved = Ends(*(np.asarray(end).astype(np.float64) - zero_points for end in x))
    with np.errstate(all="ignore"):
        product = exact("multiply", round_span(type.expressed_type, moved), _scales(type, x.least.shape))
        return clear(round_span(type.expressed_type, product))


def quantized_span(type: QuantizedType, x: Ends) -> Ends:
    """Return the span of stored elements: of the quotient, moved, clamped and rounded to an integer."""
    expressed, shape = type.expressed_type, x.least.shape
    kinds = type.zero_points, in_expressed(type).zero_points
    zero_points = [spread(NUMPY, points, np.float64, type, shape) for points in kinds]
    moves = Ends(np.minimum(*zero_points), np.maximum(*zero_points))
    with np.errstate(all="ignore"):
        quotient = round_span(expressed, exact("divide", x, _scales(type, shape)))
        moved = clear(round_span(expressed, exact("add", quotient, moves)))
    own, held = (type.storage_min, type.storage_max), in_expressed(type).bounds
    within = [
        [np.clip(np.rint(np.clip(end, *bounds)), *own) for bounds in (own, held)]  # a bound may be rounded
        for end in moved
    ]
    carrier = NUMPY.carrier(type.storage_type)
    low, high = np.minimum(*within[0]), np.maximum(*within[1])
    ends = np.where(x.finite, low, own[0]), np.where(x.finite, high, own[1])
    return Ends(*(np.broadcast_to(end, shape).astype(carrier) for end in ends))


def _scales(type: QuantizedType, shape: tuple[int, ...]) -> Ends:
    scales: Array = np.asarray(spread(NUMPY, in_expressed(type).scales, np.float64, type, shape), np.float64)
    return flush(type.expressed_type, Ends(scales, scales))
