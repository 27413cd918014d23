"""Spans: intervals in f64 that hold a value whatever the accumulations before it were, rounded outward.

A float operation's result may be rounded to its type, kept in a wider one, rounded to a wider one and once
more to its type, or enter the next operation unrounded, as a fused multiply-add takes it. So a span holds all
of these, and an end that the type does not hold is moved outward by `guarded` before it is rounded. A float
of which nothing is known, which may be NaN or infinite, has an end that is not finite.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, max_finite
from interp.engine.stored import storage_range
from interp.questions.permitted.any_order import down, flushes, up
from spec.types import ElementType, TensorType, is_tensor


class Span(NamedTuple):
    """Ends of each element: f64 for floats, else carriers of what is stored."""

    low: Array
    high: Array

    @property
    def known(self) -> Array:
        """Mask of the elements whose ends are both finite: numbers."""
        return np.asarray(np.isfinite(self.low) & np.isfinite(self.high))

    @property
    def is_point(self) -> bool:
        """Return whether every element is known."""
        return bool(np.all((self.low == self.high) & self.known))

    @property
    def size(self) -> Array:
        """The largest magnitude of each element."""
        return np.maximum(np.abs(self.low), np.abs(self.high))


def has_order(type: TensorType) -> bool:
    """Return whether a type's elements are compared as they are stored."""
    return is_tensor(type) and type.storage_type.kind != "complex"


def is_float(type: TensorType) -> bool:
    """Return whether a type's elements are plain floats."""
    return not type.is_quantized and type.storage_type.kind == "float"


def nothing(type: TensorType) -> Span | None:
    """Return the span of a value whose type alone is known; None for types without order."""
    if not has_order(type):
        return None
    if type.storage_type.kind == "float":
        return Span(np.full(type.shape, -np.inf), np.full(type.shape, np.inf))
    ends = (False, True) if type.storage_type.kind == "boolean" else storage_range(type.element_type)
    low, high = (np.full(type.shape, end, NUMPY.carrier(type.storage_type)) for end in ends)
    return Span(low, high)


def of_value(type: TensorType, x: Array) -> Span | None:
    """Return the span of a known value, a carrier. Subnormals may be flushed where they are used."""
    if not has_order(type):
        return None
    if type.storage_type.kind != "float":
        return Span(x, x)
    wide = np.asarray(x, np.float64)
    return flushed(type.storage_type, Span(wide, wide))


def flushed(type: ElementType, x: Span) -> Span:
    """Return a span that also holds 0 where a number may be subnormal."""
    if not flushes(type):
        return x
    least = 2.0 ** (1 - type.bias)
    low = np.where((x.low > 0) & (x.low < least), 0.0, x.low)
    return Span(low, np.where((x.high < 0) & (x.high > -least), 0.0, x.high))


def guarded(type: ElementType, x: Span) -> Span:
    """Return a span that also holds its numbers after roundings to types wider than `type`.

    THEOREM. Such a type has at least 3 more bits, and at least the range, or the same precision and more
    range. Two roundings to such types, the second narrower than the first and 3 bits less, change a number
    beyond the least normal by less than u/8 + u/64 + u^2 < 5u/32 of it, and one below by at most e = u times
    the least normal. They keep the sign, and the numbers that `type` holds: so ends that it holds stay.
    """
    u, least = 2.0**-type.precision, 2.0 ** (1 - type.bias)

    def moved(end: Array, side: float) -> Array:
        end = np.asarray(end, np.float64)
        by = np.where(np.abs(end) < least, u * least, np.abs(end) * (u * 5 / 32))
        outward = end + side * by
        signed = np.where(end * side < 0, np.copysign(np.maximum(np.abs(end) - by, 0), end), outward)
        return np.where(NUMPY.round_to(end, type) == end, end, signed)

    return Span(moved(x.low, -1.0), moved(x.high, 1.0))


def rounded(type: ElementType, x: Span) -> Span:
    """Return the span of a float operation with exact results in `x`: rounded to a type, wider, or not."""
    with np.errstate(all="ignore"):
        return landed(type, guarded(type, x))


def landed(type: ElementType, x: Span) -> Span:
    """Return the span of numbers in `x`, as they are and rounded to a type."""
    with np.errstate(all="ignore"):
        ends = [np.asarray(NUMPY.round_to(np.asarray(end, np.float64), type), np.float64) for end in x]
        low, high = np.minimum(x.low, ends[0]), np.maximum(x.high, ends[1])
        most = max_finite(type)
        fits = (low >= -most) & (high <= most)  # false for NaN
    return flushed(type, Span(np.where(fits, low, -np.inf), np.where(fits, high, np.inf)))


def clear(x: Span) -> Span:
    """Return a span in which an element that may not be a number has no finite end."""
    return Span(np.where(x.known, x.low, -np.inf), np.where(x.known, x.high, np.inf))


def added(x: Span, y: Span) -> Span:
    """Return the exact sums of two spans, rounded outward."""
    return Span(_sum(x.low, y.low)[0], _sum(x.high, y.high)[1])


def _sum(a: Array, b: Array) -> tuple[Array, Array]:
    """Return f64 below and above a + b, the sum itself if it is exact (Knuth's error term tells)."""
    s = a + b
    other = s - a
    error = (a - (s - other)) + (b - other)
    return np.where(error < 0, down(s), s), np.where(error > 0, up(s), s)


def multiplied(x: Span, y: Span) -> Span:
    """Return the exact products of two spans, rounded outward: the least and the greatest of the corners."""
    corners = [_product(a, b) for a in x for b in y]
    return Span(*(f.reduce([c[k] for c in corners]) for k, f in enumerate((np.minimum, np.maximum))))


def _product(a: Array, b: Array) -> tuple[Array, Array]:
    p = np.asarray(a * b)
    exact = (a == 0) | (b == 0) | (is_short(a) & is_short(b) & (np.abs(p) > 2.0**-960))
    return np.where(exact, p, down(p)), np.where(exact, p, up(p))


def is_short(x: Array) -> Array:
    """Return whether a number has at most 26 significant bits, so that products of two are exact."""
    shifted = 134217729.0 * x  # Veltkamp's splitting
    return np.asarray(shifted - (shifted - x) == x)


def divided(x: Span, y: Span) -> Span:
    """Return the quotients by the corners, rounded outward; nothing is known where the divisor may be 0."""
    corners = [_ratio(a, b) for a in x for b in y]
    zero = (y.low <= 0) & (y.high >= 0)
    low, high = (f.reduce([c[k] for c in corners]) for k, f in enumerate((np.minimum, np.maximum)))
    return Span(np.where(zero, -np.inf, low), np.where(zero, np.inf, high))


def _ratio(a: Array, b: Array) -> tuple[Array, Array]:
    q = np.asarray(a / b)
    exact = (a == 0) | (is_short(q) & is_short(b) & (q * b == a) & (np.abs(a) > 2.0**-960))
    return np.where(exact, q, down(q)), np.where(exact, q, up(q))


def rescaled(type: ElementType, x: Span) -> Span:
    """Return a span that also holds numbers times a quotient of scales that was rounded to a type."""
    u = 2.0 ** (1 - type.precision)
    ends = x.low - u * np.abs(x.low), x.high + u * np.abs(x.high)
    return Span(*(np.where(x.low == x.high, own, end) for own, end in zip(x, ends, strict=True)))
