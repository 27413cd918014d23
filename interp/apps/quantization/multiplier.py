"""Rescaling as integer arithmetic: multipliers of 31 bits, and one shift for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp

import numpy as np

from spec.errors import Unsupported

BITS, DEEPEST = 31, 62


def fixed_point(ratios: Sequence[np.ndarray], magnitude: int = 2**31) -> tuple[list[np.ndarray], int]:
    """Return integers m and a shift such that every ratio is m / 2^shift, to 31 bits of the largest.

    magnitude: the most steps that are multiplied. A product fits i64, and so does a sum of two.
    """
    most = max(float(ratio.max()) for ratio in ratios)
    bits = min(BITS, DEEPEST - magnitude.bit_length() + 1)
    shift = min(DEEPEST, bits - frexp(most)[1])
    if shift < 0:
        advice = "quantize the value in larger steps"
        raise Unsupported(f"values {most:g} times as large as the steps of their type", advice)
    while shift and all((np.ldexp(r, shift - 1) % 1 == 0).all() for r in ratios):
        shift -= 1  # powers of two need no bits
    return [np.rint(np.ldexp(ratio, shift)).astype(np.int64) for ratio in ratios], shift
