"""Sums of squares to twice the precision of f64, for sums that cancel."""

from __future__ import annotations

from interp.backends import Array, Namespace
from spec.types import ELEMENT_TYPES

Pair = tuple[Array, Array]
F64 = ELEMENT_TYPES["f64"]
SPLIT = 2.0**27 + 1  # cuts a significand of 53 bits in two halves


def _product(xp: Namespace, a: Array) -> Pair:
    """Return the rounded a * a, and its error: the exact square minus it."""
    exact = lambda x: xp.round_to(x, F64)  # keeps a compiler from contracting products and sums
    cut = exact(SPLIT * a)
    high = exact(cut - exact(cut - a))
    low = exact(a - high)
    square = exact(a * a)
    return square, exact(exact(exact(high * high) - square) + exact(2 * high * low)) + exact(low * low)


def _sum(xp: Namespace, a: Array, b: Array) -> Pair:
    """Return the rounded a + b, and its error: the exact sum minus it."""
    exact = lambda x: xp.round_to(x, F64)
    total = exact(a + b)
    part = exact(total - a)
    return total, exact(a - exact(total - part)) + exact(b - part)


def total(xp: Namespace, first: Array, *squared: Array) -> Array:
    """Return `first` plus the squares, with the errors of all sums and products added at the end."""
    whole, rest = first, xp.zeros_like(first)
    for x in squared:
        square, lacking = _product(xp, x)
        whole, missing = _sum(xp, whole, square)
        rest = rest + (missing + lacking)
    return whole + rest
