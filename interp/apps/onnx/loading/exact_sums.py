"""The theorems by which a quantized contraction or reduction gives the exact integer sum, in any schedule.

Contractions. Let each of K products be of numbers m s and w t, m and w integers, and be summed in f32 and
divided by fl(s t). Its relative error is at most g = (K + 6) u / (1 - (K + 6) u), u = 2**-24, if no product
is subnormal and no sum is infinite: one rounding for each factor, for the product, for the scale and for
the quotient, and at most K for the sums it goes through. So the quotient is off by at most g times the sum
of |m w|, and rounds to the exact sum if that is less than 1/2.

Reductions. They quantize each partial sum, so that errors do not add up: an addition is that of integers
where none is beyond 2**20 and scale * 2**21 is finite.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np

from interp.apps.onnx.loading.build import F32
from interp.apps.onnx.loading.static import smallest_normal
from spec.types import QuantizedType

HALF, LARGEST = Fraction(1, 2), Fraction(2**127)


def sums_exactly(count: int, magnitude: int, scales: tuple[float, float]) -> bool:
    """Return whether `count` products, whose magnitudes sum up to at most `magnitude`, have the exact sum."""
    errors = Fraction(count + 6, 2**F32.precision)
    unit = Fraction(scales[0]) * Fraction(scales[1])
    bounded = errors < 1 and errors / (1 - errors) * magnitude < HALF
    return bounded and unit >= smallest_normal(F32) and magnitude * unit < LARGEST


def contracts_exactly(left: QuantizedType, right: QuantizedType, weights: np.ndarray, outputs: int) -> bool:
    """Return whether a contraction with known weights has exact sums; outputs: the dimension not summed."""
    kept = outputs % weights.ndim if weights.ndim > 1 else None
    summed = tuple(d for d in range(weights.ndim) if d != kept)
    largest = int(np.abs(weights.astype(np.int64)).sum(axis=summed).max(initial=0))
    count = prod(weights.shape[d] for d in summed)
    furthest = reach(left)
    return all(sums_exactly(count, furthest * largest, (left.scale, t)) for t in right.scales)


def adds_exactly(type: QuantizedType, count: int) -> bool:
    """Return whether the sum of `count` numbers of a type is exact."""
    p = F32.precision
    return count * reach(type) <= 2 ** (p - 4) and Fraction(type.scale) * 2 ** (p - 3) < LARGEST


def reach(type: QuantizedType) -> int:
    """Return the largest distance of a stored number from the zero point."""
    return max(abs(end - type.zero_point) for end in (type.storage_min, type.storage_max))
