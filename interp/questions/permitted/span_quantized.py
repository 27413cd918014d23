"""Spans of quantizing and dequantizing: each of their float operations is exact, rounded, or kept wider."""

from __future__ import annotations

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.quant import rounded as in_expressed
from interp.engine.quant import spread
from interp.questions.permitted.spans import Span, added, clear, divided, flushed, multiplied, rounded
from spec.types import QuantizedType


def has_numbers(type: QuantizedType) -> bool:
    """Return whether f64 holds what is stored, and the scales and what is expressed are numbers."""
    storage, expressed = type.storage_type, type.expressed_type
    whole = storage.is_integer and storage.bits <= 32
    return whole and expressed.special == "ieee" and all(0 < s < np.inf for s in in_expressed(type).scales)


def dequantized_span(type: QuantizedType, x: Span) -> Span:
    """Return the span of the numbers that stored elements represent: the product, and the rounded one."""
    zero_points = spread(NUMPY, type.zero_points, np.float64, type, x.low.shape)
    moved = Span(*(np.asarray(end).astype(np.float64) - zero_points for end in x))
    with np.errstate(all="ignore"):
        product = multiplied(rounded(type.expressed_type, moved), _scales(type, x.low.shape))
        return clear(rounded(type.expressed_type, product))


def quantized_span(type: QuantizedType, x: Span) -> Span:
    """Return the span of stored elements: of the quotient, moved, clamped and rounded to an integer."""
    expressed, shape = type.expressed_type, x.low.shape
    kinds = type.zero_points, in_expressed(type).zero_points
    zero_points = [spread(NUMPY, points, np.float64, type, shape) for points in kinds]
    moves = Span(np.minimum(*zero_points), np.maximum(*zero_points))
    with np.errstate(all="ignore"):
        quotient = rounded(expressed, divided(x, _scales(type, shape)))
        moved = clear(rounded(expressed, added(quotient, moves)))
    own, held = (type.storage_min, type.storage_max), in_expressed(type).bounds
    within = [
        [np.clip(np.rint(np.clip(end, *bounds)), *own) for bounds in (own, held)]  # a bound may be rounded
        for end in moved
    ]
    carrier = NUMPY.carrier(type.storage_type)
    low, high = np.minimum(*within[0]), np.maximum(*within[1])
    ends = np.where(x.known, low, own[0]), np.where(x.known, high, own[1])
    return Span(*(np.broadcast_to(end, shape).astype(carrier) for end in ends))


def _scales(type: QuantizedType, shape: tuple[int, ...]) -> Span:
    scales: Array = np.asarray(spread(NUMPY, in_expressed(type).scales, np.float64, type, shape), np.float64)
    return flushed(type.expressed_type, Span(scales, scales))
