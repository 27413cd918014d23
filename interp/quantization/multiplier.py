"""Rescaling as integer arithmetic: multipliers of 31 bits, and one shift for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp

import numpy as np

BITS, DEEPEST = 31, 62


def fixed_point(ratios: Sequence[np.ndarray]) -> tuple[list[np.ndarray], int]:
    """Return integers m and a shift such that every ratio is m / 2^shift, to 31 bits of the largest.

    A product of steps below 2^31 and a multiplier fits i64, and so does a sum of two such products.
    """
    most = max(float(ratio.max()) for ratio in ratios)
    shift = min(DEEPEST, BITS - frexp(most)[1])
    if shift < 0:
        raise ValueError(f"a scale ratio of {most:g} has no multiplier")
    while shift and all((np.ldexp(r, shift - 1) % 1 == 0).all() for r in ratios):
        shift -= 1  # powers of two need no bits
    return [np.rint(np.ldexp(ratio, shift)).astype(np.int64) for ratio in ratios], shift
