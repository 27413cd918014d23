"""Least and greatest stored numbers after conversion, both clamped to the storage range and unclamped."""

from __future__ import annotations

from math import isfinite

import numpy as np

from interp.backends import NUMPY, Array, fl, max_finite
from interp.engine.quant import Type, beyond, convert, dequantize, scaled_and_moved
from interp.engine.stored import convert_leaves, storage, storage_range, zero_point
from interp.questions.type_range import stored_values
from interp.theory.sums import WIDE
from spec.errors import Unsupported
from spec.types import QuantizedType

FAR = 1 << WIDE  # steps beyond which nothing is counted
TABULATED = 16  # bits of storage up to which every stored value is converted


class Endless(Unsupported):
    """Exception: no storage is known to hold all numbers, as some become NaN, infinite or huge."""


def convert_unclamped(x: Array, source: Type, type: Type) -> Array:
    """Return stored numbers of `source` as steps of `type`: converted but unclamped, minus the zero point.

    THEOREM: conversion to `type` stores such a number if its storage can hold it and `has_bounds(type)`. The
    clamp compares with rounded storage bounds, and rounding keeps order: a float between two integers also
    lies between their roundings, and if fractions exist next to a bound, that bound is exact.

    Raise `Endless` if there is no such number.
    """
    if not isinstance(type, QuantizedType) or not isinstance(source, QuantizedType):
        return np.asarray(x).astype(object) if x.dtype == np.uint64 else x.astype(np.int64)
    if source == type:
        return x.astype(np.int64) - zero_point(type)
    with np.errstate(all="ignore"):
        moved = _before_clamping(x, source, type).astype(np.float64)
        if _may_be_largest(x, moved, source, type):
            raise Endless(f"{source!r} has elements beyond {type.expressed_type!r}, which saturates")
        if not np.isfinite(moved).all():
            raise Endless(f"{source!r} has elements that become NaN or infinite in {type.expressed_type!r}")
        if (np.abs(moved) >= FAR).any():
            raise Endless(f"{source!r} has elements beyond 2^{WIDE} steps")
        return np.rint(moved).astype(np.int64) - zero_point(type)


def saturates(x: Array, source: Type, type: Type) -> bool:
    """Return whether `quantize` is asked for a number beyond the storage of `type`: a `saturate` event.

    An expressed type of few bits may round such a number to the bound, so that `convert_unclamped` does not show it.
    """
    if not isinstance(type, QuantizedType) or not isinstance(source, QuantizedType) or source == type:
        return False
    with np.errstate(all="ignore"):
        return bool(beyond(NUMPY, _real(x, source, type), type).any())


def unclamped_ends(source: Type, type: Type) -> tuple[int, int]:
    """Return the least and the greatest of `convert_unclamped` over all stored values of `source`.

    THEOREM: they are the results for its two bounds. Every step of the conversion keeps order, and none gives
    NaN or infinity between two numbers for which it gives neither.
    """
    ends = convert_unclamped(np.array(storage_range(source), _dtype(source)), source, type)
    return int(ends.min()), int(ends.max())


def clamped_ends(source: Type, type: Type) -> tuple[int, int]:
    """Return the least and the greatest stored result of conversion to `type`, minus its zero point.

    If there are few stored values, all are tried. Else conversion keeps order as long as no NaN arises, and
    NaN arises only beyond some distance from the zero point, so that the ends are at a bound or at the last
    number before NaN. Plain integers that wrap reach both ends of `type`.
    """
    if storage(source).bits <= TABULATED:
        stored = stored_values(source)
    else:
        stored = np.array([*storage_range(source), *_before_nan(source, type)], _dtype(source))
    ends = convert_leaves(stored, source, type)
    least, greatest = int(ends.min()), int(ends.max())
    if not isinstance(source, QuantizedType) and (least, greatest) != storage_range(source):
        least, greatest = storage_range(type)
    return least - zero_point(type), greatest - zero_point(type)


def _before_clamping(x: Array, source: QuantizedType, type: QuantizedType) -> Array:
    """Return x converted to `type`, before `quantize` clamps it."""
    return scaled_and_moved(NUMPY, _real(x, source, type), type)


def _real(x: Array, source: QuantizedType, type: QuantizedType) -> Array:
    """Return the numbers that x stands for, in the expressed type of `type`."""
    return convert(NUMPY, dequantize(NUMPY, x, source), source.expressed_type, type.expressed_type)


def _may_be_largest(x: Array, moved: Array, source: QuantizedType, type: QuantizedType) -> bool:
    """Return whether a float may be the largest of a format that has neither infinity nor NaN."""
    floats = [
        (dequantize(NUMPY, x, source), element) for element in (source.expressed_type, type.expressed_type)
    ]
    floats.append((moved, type.expressed_type))
    return any((np.abs(y) >= max_finite(e)).any() for y, e in floats if e.special == "finite")


def _before_nan(source: Type, type: Type) -> list[int]:
    """Return the number farthest from the zero point, towards each bound of `source`, that is not NaN."""
    if not isinstance(source, QuantizedType) or not isinstance(type, QuantizedType):
        return []
    return [_last_number(source, type, bound) for bound in storage_range(source)]


def _last_number(source: QuantizedType, type: QuantizedType, bound: int) -> int:
    near, far = source.zero_point, bound
    if not isfinite(fl(type.zero_point, type.expressed_type)) or not _is_nan(far, source, type):
        return far
    while abs(far - near) > 1:
        middle = (near + far) // 2
        near, far = (near, middle) if _is_nan(middle, source, type) else (middle, far)
    return near


def _is_nan(q: int, source: QuantizedType, type: QuantizedType) -> bool:
    with np.errstate(all="ignore"):
        return bool(np.isnan(_before_clamping(np.array([q], _dtype(source)), source, type)).any())


def _dtype(type: Type) -> np.dtype:
    return np.dtype(NUMPY.carrier(storage(type)))
