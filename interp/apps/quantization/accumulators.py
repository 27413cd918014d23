"""The ranges of sums, from which it follows that an accumulator holds them: by constant weights or by type.

All numbers are steps: stored numbers less the zero point, exact integers. A range holds every partial sum,
in any order: the sum of all that is positive, and that of all that is negative.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from interp.apps.quantization.symbols import Stored, largest
from interp.theory.contractions import bounded_factor, constant_factor, exact_products, number_of_products
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


def contraction_range(op: Op, left: Stored, right: Stored) -> Range:
    """Return the range of the sums of products, exact for each channel where the weights are constant."""
    if right.data is None:
        most = number_of_products(op) * left.magnitude * right.magnitude
        return Range(_scalar(-most), _scalar(most), "type")
    points = right.type.zero_points
    weights = right.data.astype(np.int64) - np.asarray(points, np.int64).reshape(
        [-1 if d == right.type.quantization_dimension else 1 for d in range(len(right.shape))]
        if right.type.is_per_axis
        else [1] * len(right.shape)
    )
    ends = int(min(left.steps[0].reshape(-1))), int(max(left.steps[1].reshape(-1)))
    lhs = bounded_factor(ends, op.operands[0].type.shape)
    return Range(*exact_products(op, lhs, constant_factor(weights)).any_order(), "constants")


def sum_range(count: int, x: Stored) -> Range:
    """Return the range of sums of `count` elements."""
    least, greatest = int(min(x.steps[0].reshape(-1))), int(max(x.steps[1].reshape(-1)))
    return Range(_scalar(count * min(least, 0)), _scalar(count * max(greatest, 0)), "type")


def _scalar(value: int) -> Any:
    return np.asarray(value, object)
