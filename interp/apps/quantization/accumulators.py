"""Accumulators of sums: their types, and ranges that prove, by weights or by types, that they hold every sum.

All numbers are steps: stored numbers less the zero point, exact integers. A range holds every partial sum,
in any order: the sum of all that is positive, and that of all that is negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from interp.apps.quantization.symbols import Stored, is_scale, largest, stored_in
from interp.backends import fl
from interp.theory.contractions import (
    bounded_factor,
    channels,
    constant_factor,
    exact_products,
    number_of_products,
)
from spec.ir import Op
from spec.types import QuantizedType

LIMIT = 2**31 - 1  # of an i32 accumulator, in either direction


def accumulator(like: QuantizedType, scales: Sequence[float], axis: int | None = None) -> QuantizedType:
    """Return i32 with zero point 0 and these scales, per axis where there are several."""
    if axis is None or len(scales) == 1:
        axis, scales = None, scales[:1]
    wide = replace(
        like,
        scales=tuple(scales),
        zero_points=(0,) * len(scales),
        quantization_dimension=axis,
        block_sizes=None,
    )
    return stored_in(wide, 32)


def product_type(op: Op, left: QuantizedType, right: QuantizedType) -> QuantizedType | None:
    """Return the type of a contraction's sums: the product of the scales; None where there is none."""
    scales = [fl(left.scale, left.expressed_type) * fl(scale, right.expressed_type) for scale in right.scales]
    if not all(is_scale(scale, left) for scale in scales):
        return None
    if not right.is_per_axis:
        return accumulator(left, scales)
    placed = dict(channels(op)[1])
    axis = placed.get(right.quantization_dimension or 0)
    return None if axis is None else accumulator(left, scales, axis)


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
