"""Integers on a tape: the bounds of each value, and how the tape keeps them.

An integer whose bounds are at most 2^24 from 0 is a number of f32, which is exact; so is a boolean, as 0
or 1. Others within i32 are words of 32 bits. The storage of a quantized element is such an integer.

THEOREM: a sum, difference or product of numbers of f32 is exact where the bounds of the result are at most
2^24 from 0: so are sums of products, in any order, where the sum of the largest |products| is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY
from interp.engine.quant import round_parameters
from interp.engine.storage import storage, storage_range
from interp.theory.contractions import number_of_products
from spec.ir import Op
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType

Bounds = tuple[int, int]
F32, WORD = np.dtype(np.float32), np.dtype(np.int32)
WHOLE = 1 << 24
SCALES = 2.0**-100, 2.0**100  # between which storage survives to be dequantized and quantized again


def type_bounds(type: Any) -> Bounds | None:
    """Return the bounds of what a carrier holds; None for floats."""
    if isinstance(type, QuantizedType) and type.storage_type.is_integer:
        return storage_range(type)
    if isinstance(type, ElementType) and type.kind == "boolean":
        return 0, 1
    return (type.min_value, type.max_value) if isinstance(type, ElementType) and type.is_integer else None


def constant_bounds(x: Any) -> Bounds:
    return int(np.min(x)), int(np.max(x))


def is_whole(bounds: Bounds) -> bool:
    """Return whether f32 has all integers within bounds."""
    return bounds[0] >= -WHOLE and bounds[1] <= WHOLE


def dtype_of(type: Any, bounds: Bounds | None) -> np.dtype | None:
    """Return the dtype in which a tape keeps elements, or None if it keeps none like these."""
    if bounds is None:
        return F32 if type == ELEMENT_TYPES["f32"] else None
    if is_whole(bounds):
        return F32
    return WORD if lie_within(bounds, type_bounds(ELEMENT_TYPES["i32"])) else None


class Element(NamedTuple):
    """The type of a value's elements, and their bounds where they are integers."""

    type: Any
    bounds: Bounds | None

    @property
    def dtype(self) -> np.dtype | None:
        return dtype_of(self.type, self.bounds)

    @property
    def carrier(self) -> np.dtype:
        return np.dtype(NUMPY.carrier(storage(self.type)))


def lie_within(ends: Bounds | None, limits: Bounds | None) -> bool:
    """Return whether known bounds lie within others."""
    return ends is not None and limits is not None and limits[0] <= ends[0] and ends[1] <= limits[1]


def is_quantized(type: Any) -> bool:
    """Return whether a tape quantizes to a type: f32 per tensor or per axis, words in their whole range."""
    if not isinstance(type, QuantizedType) or not type.storage_type.is_integer or type.block_sizes:
        return False
    if type.expressed_type != ELEMENT_TYPES["f32"]:
        return False
    if not all(SCALES[0] <= scale <= SCALES[1] for scale in round_parameters(type).scales):
        return False
    ends, bounds = type_bounds(ELEMENT_TYPES["i32"]), (type.storage_min, type.storage_max)
    return is_whole(bounds) or (bounds == ends and dtype_of(type, bounds) == WORD)


# Bounds of results. Where an integer would leave its type, it wraps: its bounds are those of the type.


def _ends(combine: Callable[[int, int], int]) -> Callable[..., Bounds]:
    """Return the bounds of a function of two integers that has its extremes at their ends."""

    def bounds(op: Op, *operands: Bounds) -> Bounds:
        values = [combine(a, b) for a, b in product(*operands)]
        return min(values), max(values)

    return bounds


def _union(op: Op, *operands: Bounds) -> Bounds:
    return min(low for low, _ in operands), max(high for _, high in operands)


def _clamp(op: Op, low: Bounds, x: Bounds, high: Bounds) -> Bounds:
    least = max(low[0], x[0]), max(low[1], x[1])
    return min(least[0], high[0]), min(least[1], high[1])


def _sums_of_products(op: Op, left: Bounds, right: Bounds) -> Bounds:
    size = number_of_products(op) * max(map(abs, left)) * max(map(abs, right))
    return -size, size


def _first(op: Op, x: Bounds, *others: Bounds) -> Bounds:
    return x


MOVING = "broadcast_in_dim reshape transpose slice reverse gather dynamic_slice"
BOUNDS: dict[str, Callable[..., Bounds]] = {
    "stablehlo.add": _ends(lambda a, b: a + b),
    "stablehlo.subtract": _ends(lambda a, b: a - b),
    "stablehlo.multiply": _ends(lambda a, b: a * b),
    "stablehlo.maximum": _ends(max),
    "stablehlo.minimum": _ends(min),
    "stablehlo.clamp": _clamp,
    "stablehlo.convert": _first,
    "stablehlo.bitcast_convert": _first,
    "stablehlo.select": lambda op, pred, a, b: _union(op, a, b),
    "stablehlo.dot_general": _sums_of_products,
    "stablehlo.convolution": _sums_of_products,
    "stablehlo.dynamic_update_slice": lambda op, x, update, *starts: _union(op, x, update),
    **{f"stablehlo.{name}": _first for name in MOVING.split()},
    **{f"stablehlo.{name}": _union for name in ("concatenate", "pad")},
}
COMPUTED = {f"stablehlo.{name}" for name in "add subtract multiply maximum minimum clamp".split()}
COMPUTED |= {"stablehlo.dot_general", "stablehlo.convolution"}


def result_bounds(op: Op, operands: Sequence[Bounds | None]) -> Bounds | None:
    """Return the bounds of an operation's result; None for floats."""
    type = op.result.type.element_type
    limits = type_bounds(type)
    if limits is None or op.name not in BOUNDS or any(bounds is None for bounds in operands):
        return limits
    if op.name in COMPUTED and any(isinstance(v.type.element_type, QuantizedType) for v in op.operands):
        return limits
    low, high = BOUNDS[op.name](op, *operands)
    return (low, high) if limits[0] <= low and high <= limits[1] else limits


def leaves_no_type(op: Op, operands: Sequence[Bounds | None], result: Bounds) -> bool:
    """Return whether plain integers are computed such that f32 has the result, without wrapping."""
    low, high = BOUNDS[op.name](op, *operands)
    limits = type_bounds(op.result.type.element_type)
    assert limits is not None
    return is_whole((low, high)) and limits[0] <= low and high <= limits[1]
