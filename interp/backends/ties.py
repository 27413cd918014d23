"""Search for results in f64 that lie too near to a tie of a narrower format to be rounded safely."""

from __future__ import annotations

import numpy as np

from interp.backends.base import Array, Namespace
from spec.types import ElementType

# Relative: NumPy's functions of f64 are off by less than 2^-50, and the oracle confirms 2^-51.
DOUBT_BITS = 42
LOST_BITS = 52 - DOUBT_BITS + 1  # of an f64's mantissa, that many may be wrong


def unsure(xp: Namespace, y: Array, type: ElementType) -> Array:
    """Return the flat positions of finite f64 numbers that a relative change of 2^-42 may round otherwise."""
    flat = np.ascontiguousarray(y).reshape(-1)
    maybe = np.flatnonzero(_near_the_middle(flat, type) | _below_the_normal(flat, type))
    few = flat[maybe]
    low, high = (xp.round_to(few * end, type) for end in (1 - 2.0**-DOUBT_BITS, 1 + 2.0**-DOUBT_BITS))
    differ = (low != high) & np.isfinite(few)
    return maybe[differ]


def _near_the_middle(y: Array, type: ElementType) -> Array:
    """Return where rounding to a normal number drops bits that are near to those of a tie, 1000...0."""
    dropped = np.uint64((1 << (52 - type.mantissa)) - 1)
    first = np.uint64((1 << (51 - type.mantissa)) - (1 << LOST_BITS))
    return ((y.view(np.uint64) - first) & dropped) <= np.uint64(2 << LOST_BITS)


def _below_the_normal(y: Array, type: ElementType) -> Array:
    """Return where a number is subnormal in the type; zero counts only if the type lacks it."""
    size = np.abs(y)
    return (size < 2.0 ** (1 - type.bias)) & ((size > 0) | (type.special == "fnu"))
