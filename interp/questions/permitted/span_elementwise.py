"""Spans of elementwise operations and conversions, by interval arithmetic rounded outward."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.quant import float_to_integer, to_destination_type
from interp.engine.stored import storage_range
from interp.questions.permitted.any_order import down, up
from interp.questions.permitted.span_quantized import dequantized_span, has_numbers, quantized_span
from interp.questions.permitted.spans import (
    Span,
    added,
    clear,
    divided,
    has_order,
    is_short,
    multiplied,
    nothing,
    rounded,
)
from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType


def _negated(x: Span) -> Span:
    return Span(-x.high, -x.low)


def _magnitude(x: Span) -> Span:
    least = np.minimum(np.abs(x.low), np.abs(x.high))
    return Span(np.where((x.low <= 0) & (x.high >= 0), 0.0, least), x.size)


def _root(x: Span) -> Span:
    known = x.low >= 0
    low, high = (np.sqrt(np.where(known, end, 0)) for end in x)
    exact = [is_short(end) & (end * end == own) for end, own in zip((low, high), x, strict=True)]
    low, high = np.where(exact[0], low, np.maximum(down(low), 0)), np.where(exact[1], high, up(high))
    return Span(np.where(known, low, -np.inf), np.where(known, high, np.inf))


def _monotone(f: Callable[[Array], Array]) -> Callable[[Span], Span]:
    return lambda x: Span(f(x.low), f(x.high))


ARITHMETIC: dict[str, Callable[..., Span]] = {
    "stablehlo.abs": _magnitude,
    "stablehlo.add": added,
    "stablehlo.ceil": _monotone(np.ceil),
    "stablehlo.clamp": lambda a, x, b: Span(
        *(np.minimum(np.maximum(*p[:2]), p[2]) for p in zip(a, x, b, strict=True))
    ),
    "stablehlo.divide": divided,
    "stablehlo.floor": _monotone(np.floor),
    "stablehlo.maximum": lambda x, y: Span(np.maximum(x.low, y.low), np.maximum(x.high, y.high)),
    "stablehlo.minimum": lambda x, y: Span(np.minimum(x.low, y.low), np.minimum(x.high, y.high)),
    "stablehlo.multiply": multiplied,
    "stablehlo.negate": _negated,
    "stablehlo.round_nearest_even": _monotone(np.rint),
    "stablehlo.sign": _monotone(np.sign),
    "stablehlo.sqrt": _root,
    "stablehlo.subtract": lambda x, y: added(x, _negated(y)),
}


def arithmetic(op: Op, operands: list[Span]) -> Span:
    """Return the span of an operation of `ARITHMETIC` on floats of the result's type."""
    return computed(op, op.result.type.storage_type, operands)


def computed(op: Op, type: ElementType, operands: list[Span]) -> Span:
    """Return the span of an operation of `ARITHMETIC` that is computed in a float type."""
    with np.errstate(all="ignore"):
        exact = ARITHMETIC[op.name](*operands)
        known = np.logical_and.reduce([np.broadcast_to(x.known, op.result.type.shape) for x in operands])
        low, high = (np.broadcast_to(end, op.result.type.shape) for end in exact)
    found = Span(np.where(known, low, -np.inf), np.where(known, high, np.inf))
    return clear(rounded(type, found))


def requantized(op: Op, operands: list[Span]) -> Span | None:
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
    real = selected(op, operands[0], *reals) if n else computed(op, result.expressed_type, reals)
    return quantized_span(result, real)


def selected(op: Op, pred: Span, x: Span, y: Span) -> Span:
    """Return the chosen span of each element, or both where the choice is not known."""
    sure, possible = (np.broadcast_to(end, op.result.type.shape) for end in pred)
    low = np.where(sure, x.low, np.where(possible, np.minimum(x.low, y.low), y.low))
    high = np.where(sure, x.high, np.where(possible, np.maximum(x.high, y.high), y.high))
    return Span(low, high)


def compared(op: Op, x: Span, y: Span) -> Span:
    """Return the span of a comparison: False to True where the operands' spans overlap."""
    known = np.ones((), bool)
    if op.operands[0].type.storage_type.kind == "float":
        known = x.known & y.known
        if op.attributes.get("compare_type") == "TOTALORDER":  # tells -0 from +0
            known = known & ~((x.low <= 0) & (x.high >= 0) & (y.low <= 0) & (y.high >= 0))
    less, greater = (x.high < y.low, x.low >= y.high), (x.low > y.high, x.high <= y.low)
    same = (x.low == x.high) & (y.low == y.high) & (x.low == y.low)
    apart = less[0] | greater[0]
    true, false = {
        "EQ": (same, apart),
        "NE": (apart, same),
        "LT": less,
        "GE": less[::-1],
        "GT": greater,
        "LE": greater[::-1],
    }[op["comparison_direction"]]
    return Span(known & true, ~(known & false))


def converted(source: TensorType, destination: TensorType, x: Span) -> Span | None:
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


def _plain(before: ElementType, after: ElementType, x: Span, unknown: Span) -> Span:
    if before.kind == "float" and after.kind == "float":
        return clear(rounded(after, clear(x)))
    if before.kind == "float" and after.is_integer:
        with np.errstate(all="ignore"):
            ends = [float_to_integer(NUMPY, np.asarray(end, np.float64), after) for end in x]
        return Span(*(np.where(x.known, end, none) for end, none in zip(ends, unknown, strict=True)))
    if after.kind == "float":
        wide = [np.asarray(end).astype(np.float64) for end in x]
        if before.bits > 52:  # which f64 may have rounded
            wide = [
                np.where(np.abs(wide[0]) < 2.0**52, wide[0], down(wide[0])),
                np.where(np.abs(wide[1]) < 2.0**52, wide[1], up(wide[1])),
            ]
        return rounded(after, Span(*wide))
    least, most = storage_range(after) if after.is_integer else (1, 0)
    if np.all(x.low >= least) and np.all(x.high <= most):
        return Span(*(to_destination_type(NUMPY, end, before, after) for end in x))
    if np.array_equal(*x):
        end = to_destination_type(NUMPY, x.low, before, after)
        return Span(end, end)
    return unknown
