"""The ranges of sums, from which it follows that an accumulator holds them: by constant weights or by type.

All numbers are steps: stored numbers less the zero point, exact integers. A range holds every partial sum,
in any order: the sum of all that is positive, and that of all that is negative.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.quantization.symbols import Stored, largest
from interp.reductions.contracted_bounds import channels, on_result
from spec.ir import Op

LIMIT = 2**31 - 1  # of an i32 accumulator, in either direction


class Range(NamedTuple):
    """The least and the greatest partial sum, arrays that broadcast to the result, and what proves them."""

    least: Any
    greatest: Any
    basis: str  # "constants" or "type"

    @property
    def magnitude(self) -> int:
        return largest((self.least, self.greatest))

    @property
    def fits(self) -> bool:
        return self.magnitude <= LIMIT


def of_contraction(op: Op, left: Stored, right: Stored) -> Range:
    """Return the range of the sums of products, exact for each channel where the weights are constant."""
    contracted, kept = channels(op)
    count = prod(right.shape[d] for d in contracted)
    if right.data is None:
        most = count * left.magnitude * right.magnitude
        return Range(_scalar(-most), _scalar(most), "type")
    points = right.type.zero_points
    weights = right.data.astype(np.int64) - np.asarray(points, np.int64).reshape(
        [-1 if d == right.type.quantization_dimension else 1 for d in range(len(right.shape))]
        if right.type.is_per_axis
        else [1] * len(right.shape)
    )
    low, high = int(min(left.steps[0].reshape(-1))), int(max(left.steps[1].reshape(-1)))
    if count * max(abs(low), abs(high), 1) * right.magnitude >= 2**62:
        weights = weights.astype(object)
    ends = weights * low, weights * high
    greatest = np.maximum(np.maximum(*ends), 0).sum(axis=contracted)
    least = np.minimum(np.minimum(*ends), 0).sum(axis=contracted)
    return Range(on_result(op, least, kept), on_result(op, greatest, kept), "constants")


def of_sum(count: int, x: Stored) -> Range:
    """Return the range of sums of `count` elements."""
    least, greatest = int(min(x.steps[0].reshape(-1))), int(max(x.steps[1].reshape(-1)))
    return Range(_scalar(count * min(least, 0)), _scalar(count * max(greatest, 0)), "type")


def _scalar(value: int) -> Any:
    return np.asarray(value, object)
