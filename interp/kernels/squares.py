"""Sums of products to twice the precision of f64, for sums that cancel."""

from __future__ import annotations

from interp.backends import Array, Namespace
from spec.types import ELEMENT_TYPES

Pair = tuple[Array, Array]
F64 = ELEMENT_TYPES["f64"]
SPLIT = 2.0**27 + 1  # cuts a significand of 53 bits in two halves


def _halves(xp: Namespace, a: Array) -> Pair:
    """Return a number as the sum of two whose products with others' halves are exact."""
    exact = lambda x: xp.round_to(x, F64)
    cut = exact(SPLIT * a)
    high = exact(cut - exact(cut - a))
    return high, exact(a - high)


def _product(xp: Namespace, a: Array, b: Array) -> Pair:
    """Return the rounded a * b, and its error: the exact product minus it."""
    exact = lambda x: xp.round_to(x, F64)  # keeps a compiler from contracting products and sums
    (high, low), (top, rest) = _halves(xp, a), _halves(xp, b)
    product = exact(a * b)
    mixed = exact(exact(high * rest) + exact(low * top))
    return product, exact(exact(exact(high * top) - product) + mixed) + exact(low * rest)


def _sum(xp: Namespace, a: Array, b: Array) -> Pair:
    """Return the rounded a + b, and its error: the exact sum minus it."""
    exact = lambda x: xp.round_to(x, F64)
    total = exact(a + b)
    part = exact(total - a)
    return total, exact(a - exact(total - part)) + exact(b - part)


def total(xp: Namespace, first: Array, *squared: Array) -> Array:
    """Return `first` plus the squares, with the errors of all sums and products added at the end."""
    return sum_products(xp, first, *((x, x) for x in squared))


def sum_products(xp: Namespace, first: Array, *pairs: Pair) -> Array:
    """Return `first` plus the products, with the errors of all sums and products added at the end."""
    whole, rest = first, xp.zeros_like(first)
    for pair in pairs:
        product, lacking = _product(xp, *pair)
        whole, missing = _sum(xp, whole, product)
        rest = rest + (missing + lacking)
    return whole + rest
