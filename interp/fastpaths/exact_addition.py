"""Ranges in which quantized addition is integer addition, and maximum and minimum return an operand.

Every verdict and every suggested accumulator relies on these.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from interp.backends import Array
from interp.engine.stored import storage_range, stored_again, stored_numbers
from interp.fastpaths.quantized_add import adds_wrongly, all_sums, integer_bound
from spec.types import QuantizedType

NARROW = 8  # bits of storage up to which all pairs are added
TRIED = 16  # up to which all numbers are quantized again
NEVER = 1 << 62


def addition_is_integer(type: QuantizedType, least: Array, greatest: Array) -> Array:
    """Return whether `add` is `clamp(a + b - zero_point)` on operands and results in [least, greatest].

    The precision of the expressed type gives a bound; beyond it, narrow storage is enumerated.
    """
    zero_point = type.zero_point
    ends = [abs(x) for x in (least, least - zero_point, greatest, greatest - zero_point)]
    magnitude = np.maximum.reduce([*ends, np.full_like(least, abs(zero_point))])
    proven = np.asarray(magnitude <= integer_bound(type), bool)
    if proven.all() or type.storage_type.bits > NARROW:
        return proven
    first, nearest = _nearest_wrong(type)
    start = np.clip(least - first, 0, len(nearest) - 1).astype(np.int64)
    return proven | np.asarray(greatest < nearest[start], bool)


def choice_is_exact(type: QuantizedType, least: int, greatest: int) -> bool:
    """Return whether `maximum` and `minimum` return every stored number of [least, greatest] unchanged."""
    if type.storage_type.bits > TRIED:
        return bool(addition_is_integer(type, *(np.array([end], object) for end in (least, greatest))).all())
    low, _ = storage_range(type)
    tried = stored_numbers(type)[max(least - low, 0) : max(greatest + 1 - low, 0)]
    return bool((stored_again(tried, type) == tried).all())


@cache
def _nearest_wrong(type: QuantizedType) -> tuple[int, Array]:
    """Return `first` and a table of the least m for which [first + i, m] holds a pair that adds wrongly.

    Such a range holds both operands and their unclamped sum. An entry is `NEVER` if no range holds a pair.
    """
    (low, high), wrong = storage_range(type), adds_wrongly(type)
    stored = np.arange(low, high + 1)
    a, b = (x[wrong] for x in np.meshgrid(stored, stored, indexing="ij"))
    first, last = min(low, all_sums(type)[0]), max(high, all_sums(type)[1])
    nearest = np.full(last - first + 2, NEVER)
    three = np.stack([a, b, a + b - type.zero_point])
    np.minimum.at(nearest, three.min(0) - first, three.max(0))
    return first, np.minimum.accumulate(nearest[::-1])[::-1]
