"""Integer reading of quantized operations: it rescales stored elements minus zero points exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, Namespace
from interp.engine.quant import round_parameters, spread, wrap_word
from spec.accumulator import Accumulator
from spec.types import ElementType, QuantizedType

WORD = 64  # bits of the integers of this reading
Ratios = tuple[tuple[Fraction, ...], tuple[int, ...]]  # numbers, and the shape in which they broadcast


def integers(xp: Namespace, x: Array, type: QuantizedType) -> Array:
    """Return `q - zero_point` as int64."""
    wide = x.astype(xp.int64)
    if type.is_per_tensor:
        return wide - type.zero_point if type.zero_point else wide
    return wide - spread(xp, type.zero_points, xp.int64, type, x.shape)


def store(xp: Namespace, m: Array, type: QuantizedType) -> Array:
    """Return the stored elements `q` of integers `q - zero_point`, saturated."""
    zero_points = spread(xp, type.zero_points, xp.int64, type, m.shape)
    q = xp.clip(m + zero_points, type.storage_min, type.storage_max)
    return q.astype(xp.carrier(type.storage_type))


def scales(type: QuantizedType, shape: Sequence[int]) -> np.ndarray:
    """Return the exact scales of a tensor as an array of fractions that broadcasts against its shape."""
    exact = tuple(map(Fraction, round_parameters(type).scales))
    return spread(NUMPY, exact, object, type, tuple(shape))


def ratios(quotients: Any) -> Ratios:
    """Return an array of fractions as the flat list and the shape that `rescaled` takes."""
    table = np.asarray(quotients, object)
    return tuple(table.reshape(-1).tolist()), table.shape


def hold_sum(xp: Namespace, total: Array, accumulator: Accumulator) -> Array:
    """Return a sum as an accumulator holds it: saturated, or wrapped to its width; both are int64."""
    return hold(xp, total, accumulator.type, accumulator.saturates)


def hold(xp: Namespace, total: Array, type: ElementType, saturates: bool) -> Array:
    """Return int64 numbers in an integer type, saturated or wrapped."""
    if saturates:
        return xp.clip(total, type.min_value, type.max_value)
    return total & ((1 << type.bits) - 1) if type.kind == "unsigned" else wrap_word(total, WORD, type)
