"""Spans: ends that hold a value whatever the accumulations before it were: of floats in f64, rounded outward.

A float operation's result may be rounded to its type, kept in a wider one, rounded to a wider one and once
more to its type, or enter the next operation unrounded, as a fused multiply-add takes it. So a span holds all
of these, and an end that the type does not hold is moved outward by `guard` before it is rounded. A float
of which nothing is known, which may be NaN or infinite, has an end that is not finite.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interp.backends import NUMPY, Array, max_finite
from interp.engine.facts import facts_of
from interp.engine.storage import storage_range
from interp.questions.permitted.any_order import down, flushes, up
from interp.recorder.exact import FORMULAS
from interp.theory.ranges import Bracket, exact_bracket, extremes
from interp.theory.sums import Ends
from spec.types import ElementType, TensorType, is_tensor


def has_order(type: TensorType) -> bool:
    """Return whether a type's elements are compared as they are stored."""
    return is_tensor(type) and type.storage_type.kind != "complex"


def is_float(type: TensorType) -> bool:
    """Return whether a type's elements are plain floats."""
    return not type.is_quantized and type.storage_type.kind == "float"


def nothing(type: TensorType) -> Ends | None:
    """Return the span of a value whose type alone is known; None for types without order."""
    if not has_order(type):
        return None
    if type.storage_type.kind == "float":
        return Ends(np.full(type.shape, -np.inf), np.full(type.shape, np.inf))
    ends = (False, True) if type.storage_type.kind == "boolean" else storage_range(type.element_type)
    low, high = (np.full(type.shape, end, NUMPY.carrier(type.storage_type)) for end in ends)
    return Ends(low, high)


def holds(outer: Ends, inner: Ends) -> bool:
    """Return whether a span holds another one: nothing is known, or both are the same, or it lies within."""
    free = np.isneginf(outer.least) & np.isposinf(outer.greatest) if outer.least.dtype.kind == "f" else False
    same = (outer.least == inner.least) & (outer.greatest == inner.greatest)
    return bool(
        np.all(free | same | inner.finite & (outer.least <= inner.least) & (inner.greatest <= outer.greatest))
    )


def value_span(type: TensorType, x: Array) -> Ends | None:
    """Return the span of a known value, a carrier. Subnormals may be flushed where they are used."""
    if not has_order(type):
        return None
    if type.storage_type.kind != "float":
        return Ends(x, x)
    wide = np.asarray(x, np.float64)
    return flush(type.storage_type, Ends(wide, wide))


def flush(type: ElementType, x: Ends) -> Ends:
    """Return a span that also holds 0 where a number may be subnormal."""
    if not flushes(type):
        return x
    least = 2.0 ** (1 - type.bias)
    if x.least is x.greatest and not has_subnormals(x.least, least):
        return x
    low = np.where((x.least > 0) & (x.least < least), 0.0, x.least)
    return Ends(low, np.where((x.greatest < 0) & (x.greatest > -least), 0.0, x.greatest))


def has_subnormals(x: Array, least: float) -> bool:
    """Return whether a number other than 0 is below the least normal one; perhaps for NaN."""
    sizes = np.abs(x)
    return not np.min(sizes, initial=np.inf) >= least and bool(np.any((sizes < least) & (sizes > 0)))


def guard(type: ElementType, x: Ends) -> Ends:
    """Return a span that also holds its numbers after roundings to types wider than `type`.

    THEOREM. Such a type has at least 3 more bits, and at least the range, or the same precision and more
    range. Two roundings to such types, the second narrower than the first and 3 bits less, change a number
    beyond the least normal by less than u/8 + u/64 + u^2 < 5u/32 of it, and one below by at most e = u times
    the least normal. They keep the sign, and the numbers that `type` holds: so ends that it holds stay.
    """
    u, least = 2.0**-type.precision, 2.0 ** (1 - type.bias)

    def move_out(end: Array, side: float) -> Array:
        end = np.asarray(end, np.float64)
        by = np.where(np.abs(end) < least, u * least, np.abs(end) * (u * 5 / 32))
        outward = end + side * by
        signed = np.where(end * side < 0, np.copysign(np.maximum(np.abs(end) - by, 0), end), outward)
        return np.where(NUMPY.round_to(end, type) == end, end, signed)

    return Ends(move_out(x.least, -1.0), move_out(x.greatest, 1.0))


def round_span(type: ElementType, x: Ends) -> Ends:
    """Return the span of a float operation with exact results in `x`: rounded to a type, wider, or not."""
    with np.errstate(all="ignore"):
        return round_ends(type, guard(type, x))


def round_ends(type: ElementType, x: Ends) -> Ends:
    """Return the span of numbers in `x`, as they are and rounded to a type."""
    with np.errstate(all="ignore"):
        ends = [np.asarray(NUMPY.round_to(np.asarray(end, np.float64), type), np.float64) for end in x]
        low, high = np.minimum(x.least, ends[0]), np.maximum(x.greatest, ends[1])
        most = max_finite(type)
        fits = (low >= -most) & (high <= most)  # false for NaN
    return flush(type, Ends(np.where(fits, low, -np.inf), np.where(fits, high, np.inf)))


def clear(x: Ends) -> Ends:
    """Return a span in which an element that may not be a number has no finite end."""
    return Ends(np.where(x.finite, x.least, -np.inf), np.where(x.finite, x.greatest, np.inf))


def exact(name: str, *operands: Ends) -> Ends:
    """Return ends of the exact results of an operation of `BRACKETS`, rounded outward.

    Nothing is known where the divisor may be 0, or where there is no root.
    """
    ends = extremes(facts_of(name), BRACKETS[name], operands)
    unknown = np.isnan(ends.least) | np.isnan(ends.greatest)
    if name == "divide":
        unknown = (operands[1].least <= 0) & (operands[1].greatest >= 0)
    return Ends(np.where(unknown, -np.inf, ends.least), np.where(unknown, np.inf, ends.greatest))


def _sum(a: Array, b: Array) -> tuple[Array, Array]:
    """Return f64 below and above a + b, the sum itself if it is exact (Knuth's error term tells)."""
    s = a + b
    other = s - a
    error = (a - (s - other)) + (b - other)
    return np.where(error < 0, down(s), s), np.where(error > 0, up(s), s)


def _product(a: Array, b: Array) -> tuple[Array, Array]:
    p = np.asarray(a * b)
    return _around(p, (a == 0) | (b == 0) | (is_short(a) & is_short(b) & (np.abs(p) > 2.0**-960)))


def _ratio(a: Array, b: Array) -> tuple[Array, Array]:
    q = np.asarray(a / b)
    return _around(q, (a == 0) | (is_short(q) & is_short(b) & (q * b == a) & (np.abs(a) > 2.0**-960)))


def _root(x: Array) -> tuple[Array, Array]:
    root = np.asarray(np.sqrt(np.where(x >= 0, x, np.nan)))
    low, high = _around(root, is_short(root) & (root * root == x))
    return np.maximum(low, 0), high


def _around(x: Array, exact: Array) -> tuple[Array, Array]:
    """Return f64 below and above the exact result that was rounded to x; x itself where it is exact."""
    return np.where(exact, x, down(x)), np.where(exact, x, up(x))


def is_short(x: Array) -> Array:
    """Return whether a number has at most 26 significant bits, so that products of two are exact."""
    shifted = 134217729.0 * x  # Veltkamp's splitting
    return np.asarray(shifted - (shifted - x) == x)


UNROUNDED: dict[str, Callable[..., Array]] = {
    name: FORMULAS[name] for name in ("abs", "clamp", "maximum", "minimum", "negate")
} | {
    "ceil": np.ceil,
    "floor": np.floor,
    "round_nearest_even": np.rint,
    "sign": np.sign,
}
BRACKETS: dict[str, Bracket] = {name: exact_bracket(function) for name, function in UNROUNDED.items()} | {
    "add": _sum,
    "divide": _ratio,
    "multiply": _product,
    "sqrt": _root,
    "subtract": lambda a, b: _sum(a, -b),
}


def rescale(type: ElementType, x: Ends) -> Ends:
    """Return a span that also holds numbers times a quotient of scales that was rounded to a type."""
    u = 2.0 ** (1 - type.precision)
    ends = x.least - u * np.abs(x.least), x.greatest + u * np.abs(x.greatest)
    return Ends(*(np.where(x.least == x.greatest, own, end) for own, end in zip(x, ends, strict=True)))
