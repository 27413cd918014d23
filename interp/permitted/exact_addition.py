"""Where quantized addition is integer addition, and if it is not known to be, what is missing.

Every verdict and every suggested accumulator assumes it.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from interp.backends import NUMPY
from interp.engine.quant import dequantize, quantize
from interp.fastpaths.quantized_add import integer_bound
from spec.types import QuantizedType

NARROW = 8  # bits of storage up to which all pairs are added
TRIED = 16  # up to which all numbers are quantized again
NEVER = 1 << 62


def addition_is_integer(type: QuantizedType, least: np.ndarray, greatest: np.ndarray) -> np.ndarray:
    """Whether `add` is `clamp(a + b - zero_point)` for operands and unclamped results in [least, greatest].

    By the bound of the expressed type's precision, for narrow storage else by enumeration.
    """
    zero_point = type.zero_point
    ends = [abs(x) for x in (least, least - zero_point, greatest, greatest - zero_point)]
    magnitude = np.maximum.reduce([*ends, np.full_like(least, abs(zero_point))])
    holds = np.asarray(magnitude <= integer_bound(type), bool)
    if holds.all() or type.storage_type.bits > NARROW:
        return holds
    first, nearest = _nearest_wrong(type)
    start = np.clip(least - first, 0, len(nearest) - 1).astype(np.int64)
    return holds | np.asarray(greatest < nearest[start], bool)


def choice_is_exact(type: QuantizedType, least: int, greatest: int) -> bool:
    """Whether `maximum` and `minimum` give back every number of [least, greatest] that the type stores."""
    if type.storage_type.bits > TRIED:
        return bool(addition_is_integer(type, *(np.array([end], object) for end in (least, greatest))).all())
    stored = np.arange(max(least, type.storage_min), min(greatest, type.storage_max) + 1)
    carried = stored.astype(NUMPY.carrier(type.storage_type))
    with np.errstate(all="ignore"):
        return bool((quantize(NUMPY, dequantize(NUMPY, carried, type), type) == carried).all())


@cache
def _nearest_wrong(type: QuantizedType) -> tuple[int, np.ndarray]:
    """Entry i of the table: the least number that with `first + i` encloses a pair that adds wrongly.

    It encloses both operands and their unclamped sum; `NEVER` where there is no such pair.
    """
    low, high, zero_point = type.storage_min, type.storage_max, type.zero_point
    stored = np.arange(low, high + 1)
    with np.errstate(all="ignore"):
        real = dequantize(NUMPY, stored.astype(NUMPY.carrier(type.storage_type)), type)
        total = NUMPY.round_to(np.add.outer(real, real), type.expressed_type)
        found = quantize(NUMPY, total, type)
    exact = np.add.outer(stored, stored) - zero_point
    wrong = found != exact.clip(low, high)
    a, b = (x[wrong] for x in np.meshgrid(stored, stored, indexing="ij"))
    first = min(low, 2 * low - zero_point)
    nearest = np.full(max(high, 2 * high - zero_point) - first + 2, NEVER)
    three = np.stack([a, b, exact[wrong]])
    np.minimum.at(nearest, three.min(0) - first, three.max(0))
    return first, np.minimum.accumulate(nearest[::-1])[::-1]
