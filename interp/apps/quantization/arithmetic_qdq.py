"""Quantization spelled as arithmetic: divide, add, round, clamp, convert, and back again.

`dequantized = (q - zero_point) * scale` of `q = clamp(round(x / scale) + zero_point)`, with or without the
conversion to integers that saturates, the zero point before or after rounding, bounds before or after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor, inf, log2
from typing import NamedTuple

import numpy as np

from interp.apps.quantization.constants import constants_of
from interp.loading.source import RESERVED
from interp.loading.writer import collapse_repeats
from spec.ir import Op, Region, Value
from spec.types import ElementType, QuantizedType, TensorType, integer

STORED = f"%stored{RESERVED}"  # begins the name of what a pair stores, before that of its result


@dataclass
class Found:
    """The parts of one simulated quantization that were read so far, from its end to its beginning."""

    made: Mapping[str, Op]
    constants: Mapping[str, np.ndarray]
    low: float = -inf
    high: float = inf
    storage: ElementType | None = None
    scale: np.ndarray | None = None
    zero: np.ndarray | None = None  # subtracted when dequantizing
    added: np.ndarray | None = None  # added when quantizing
    added_last: bool = False  # whether the zero point is added to a rounded number
    reciprocal: float | None = None  # how far, relatively, a reciprocal is from that of the scale
    floats: list[ElementType] = field(default_factory=list)  # types in which the integer stands on its way
    path: list[str] = field(default_factory=list)  # the names of the operations that were read

    def op(self, value: Value, *names: str) -> Op | None:
        """Return the operation that makes a value, if it is one of these."""
        op = self.made.get(value.name)
        if op is None or op.name.partition(".")[2] not in names:
            return None
        self.path.append(op.name.partition(".")[2])
        return op

    def constant(self, value: Value) -> np.ndarray | None:
        return self.constants.get(value.name)

    def split(self, op: Op) -> tuple[Value, np.ndarray] | None:
        """Return the operand that is quantized, and the constant; of two constants the one that repeats."""
        pairs = [(op.operands[0], op.operands[1])]
        if op.name.partition(".")[2] in ("add", "multiply", "maximum", "minimum"):
            pairs.append((op.operands[1], op.operands[0]))
        known = [(self._numbers(x), x, c) for x, y in pairs if (c := self.constant(y)) is not None]
        if not known:
            return None
        _, x, c = max(known, key=lambda each: each[0])
        return x, c

    def _numbers(self, value: Value) -> float:
        """Return the number of elements of a constant; for any other value, more than any constant has."""
        array = self.constant(value)
        return inf if array is None else collapse_repeats(array).size


class Spelled(NamedTuple):
    """One simulated quantization that was arithmetic: its value, operations, and steps of difference."""

    value: str
    merged: tuple[str, ...]
    steps: int | None


def raise_arithmetic(region: Region) -> tuple[Region, list[Spelled]]:
    """Replace arithmetic that simulates quantization by pairs of operations; return block and pairs."""
    constants = constants_of(region)
    made = {v.name: op for op in region.ops for v in op.results}
    ops, spelled = list[Op](), list[Spelled]()
    for op in region.ops:
        found = Found(made, constants)
        pair = _pair(op, found) if op.name == "stablehlo.multiply" else None
        ops += pair or [op]
        if pair:
            merged = (*reversed(found.path), "multiply")
            steps = _steps(found, pair[0].result.type.quantized_element_type)
            spelled.append(Spelled(op.result.name, merged, steps))
    return replace(region, ops=tuple(ops)), spelled


def _pair(op: Op, found: Found) -> list[Op] | None:
    source = _source(op, found)
    if source is None or source.type.element_type != op.result.type.element_type:
        return None
    type = _type(found, op.result.type)
    if type is None:
        return None
    held = Value(f"{STORED}{op.result.name.removeprefix('%')}", TensorType(op.result.type.shape, type))
    return [
        Op("stablehlo.uniform_quantize", (source,), (held,), location=op.location),
        Op("stablehlo.uniform_dequantize", (held,), op.results, location=op.location),
    ]


def _source(op: Op, found: Found) -> Value | None:
    """Return the value that is quantized, after reading the scale, the zero point and the bounds."""
    parts = found.split(op)
    if parts is None:
        return None
    x, found.scale = parts
    if (inner := found.op(x, "subtract")) and (parts := found.split(inner)):
        x, found.zero = parts
    rounded = _rounding_operand(x, found)
    return None if rounded is None else _dividend(rounded, found)


def _rounding_operand(x: Value, found: Found) -> Value | None:
    """Return the value that was rounded, before conversions, bounds and the zero point added afterwards."""
    for _ in range(8):
        if inner := found.op(x, "convert"):
            if not _read_conversion(inner, found):
                return None
            x = inner.operand
        elif inner := found.op(x, "clamp", "maximum", "minimum"):
            bounded = _read_bounds(inner, found)
            if bounded is None:
                return None
            x = bounded
        elif (inner := found.op(x, "add")) and found.added is None and (parts := found.split(inner)):
            if inner.result.type.tensor_element_type.is_integer:  # the sum wraps
                return None
            x, found.added = parts
            found.added_last = bool(found.added.any())
        elif inner := found.op(x, "round_nearest_even"):
            return inner.operand
        else:
            return None
    return None


def _read_conversion(op: Op, found: Found) -> bool:
    """Read a conversion of the integer, and return whether it keeps every number or saturates.

    Conversions from floats saturate. So do integers that are converted further, if these wrap nowhere.
    """
    source, target = (v.type.element_type for v in (op.operand, op.result))
    if not isinstance(source, ElementType) or not isinstance(target, ElementType):
        return False
    found.floats += [x for x in (source, target) if x.kind == "float"]
    if not source.is_integer:
        return source.kind == "float"
    if target.is_integer and not target.min_value <= source.min_value <= source.max_value <= target.max_value:
        return False
    if found.storage is None and found.added is None:
        found.storage = source
    return _within(source.min_value, source.max_value, found)


def _within(low: float, high: float, found: Found) -> bool:
    """Keep bounds of the integer, to which the zero point may still be added; return whether it is one."""
    points = np.zeros(1) if found.added is None else found.added.reshape(-1)
    if not points.size or not (points == points[0]).all():
        return False
    point = float(points[0])
    found.low, found.high = max(found.low, low + point), min(found.high, high + point)
    return True


def _read_bounds(op: Op, found: Found) -> Value | None:
    """Return the operand that is bounded by constants, and keep the bounds."""
    name = op.name.partition(".")[2]
    ends: list[np.ndarray | None]
    if name == "clamp":
        low, x, high = op.operands
        ends = [found.constant(low), found.constant(high)]
    else:
        parts = found.split(op)
        if parts is None:
            return None
        x, bound = parts
        ends = [bound, None] if name == "maximum" else [None, bound]
    for end, side in zip(ends, ("low", "high"), strict=True):
        if end is None and name == "clamp":
            return None
        if end is not None:
            if not (end == end.reshape(-1)[0]).all():
                return None
            number = float(end.reshape(-1)[0])
            if not (_within(number, inf, found) if side == "low" else _within(-inf, number, found)):
                return None
    return x


def _dividend(x: Value, found: Found) -> Value | None:
    """Return the value that is divided by the scale; its bounds and the zero point may stand in between."""
    for _ in range(4):
        inner = found.op(x, "add", "clamp", "maximum", "minimum", "divide", "multiply")
        name = inner.name.partition(".")[2] if inner else ""
        if inner is None:
            return None
        if name == "add":
            parts = found.split(inner)
            if parts is None or found.added is not None:
                return None
            x, found.added = parts
        elif name in ("divide", "multiply"):
            return _read_division(inner, found)
        elif (bounded := _read_bounds(inner, found)) is not None:
            x = bounded
        else:
            return None
    return None


def _read_division(op: Op, found: Found) -> Value | None:
    parts = found.split(op)
    if parts is None or found.scale is None:
        return None
    x, factor = parts
    reciprocal = op.name == "stablehlo.multiply"
    with np.errstate(all="ignore"):
        scale = 1 / factor.astype(np.float64) if reciprocal else factor.astype(np.float64)
        if reciprocal:
            off = np.abs(found.scale.astype(np.float64) * factor.astype(np.float64) - 1)
            found.reciprocal = float(off.max(initial=0))
    close = np.allclose(scale, found.scale.astype(np.float64), rtol=1e-6 if reciprocal else 0, atol=0)
    return x if close else None


def _type(found: Found, result: TensorType) -> QuantizedType | None:
    """Return the quantized type, if scale and zero point vary along one dimension at most and fit storage."""
    zero = np.zeros(()) if found.zero is None else found.zero
    added = np.zeros(()) if found.added is None else found.added
    if found.scale is None or not np.array_equal(
        np.broadcast_to(zero, result.shape), np.broadcast_to(added, result.shape)
    ):
        return None
    low, high = found.low, found.high
    storage = found.storage or _fitting(low, high)
    if storage is None or storage.bits > 32:
        return None
    low, high = max(low, storage.min_value), min(high, storage.max_value)
    along = _along(found.scale, zero, result.shape)
    if along is None or not low < high or not all(float(x).is_integer() for x in (low, high)):
        return None
    axis, scales, points = along
    if not all(s > 0 and np.isfinite(s) for s in scales) or any(
        not p.is_integer() or not low <= p <= high for p in points
    ):
        return None
    expressed = result.tensor_element_type
    if any(x != expressed and largest_integer(low, high, points) > 2**x.precision for x in found.floats):
        return None  # another float type rounds the integer
    return QuantizedType(storage, int(low), int(high), expressed, scales, tuple(int(p) for p in points), axis)


def largest_integer(low: float, high: float, points: Sequence[float]) -> float:
    """Return the largest magnitude of integers from `low` to `high`, less a zero point or not."""
    return max(abs(end - point) for end in (low, high) for point in (0.0, *points))


def _steps(found: Found, type: QuantizedType) -> int | None:
    """Return the most steps by which arithmetic may differ from the pair of operations, for any number.

    The pair computes `rne(fl(fl(x / scale) + zero_point))`, clamped. Clamping moves two numbers no further
    apart, so only quotients within the range count. A reciprocal is off by its own error and by two roundings
    of the quotient, and then either sum with the zero point is rounded; numbers that are at most e apart are
    rounded to integers at most `ceil(e)` apart. Where the zero point is added to a rounded number, that and
    the rounding of the sum are off by a half each, and all that is floored, as the difference is whole.
    Arithmetic subtracts the zero point from an integer that may have been rounded to a float. None where
    another quotient may overflow the expressed type, but not the storage.
    """
    expressed = type.expressed_type
    low, high = float(type.storage_min), float(type.storage_max)
    largest = largest_integer(low, high, type.zero_points) + 1
    half = half_place(largest, expressed)
    has_point, is_rounded = any(type.zero_points), largest > 2**expressed.precision
    off = 0.0
    if largest >= 2.0**expressed.bias and (found.reciprocal is not None or has_point):
        return None
    if found.reciprocal is not None:
        off = (found.reciprocal + 2.5 * 2.0**-expressed.precision) * largest
    if has_point and (off or found.added_last):
        off += 2 * half if is_rounded or off else half
    steps = floor(1 + off) if found.added_last else ceil(off)
    return steps + (ceil(2 * half) if has_point and is_rounded else 0)


def half_place(x: float, type: ElementType) -> float:
    """Return how far rounding to a type may move numbers of at most this magnitude, of its normal ones."""
    return 2.0 ** (floor(log2(x)) - type.precision)


def _fitting(low: float, high: float) -> ElementType | None:
    """Return the narrowest storage for numbers that no integer type was named for."""
    for bits in (2, 4, 8, 16, 32):
        for signed in (True, False):
            element = integer(bits, signed)
            if element.min_value <= low and high <= element.max_value:
                return element
    return None


def _along(
    scale: np.ndarray, zero: np.ndarray, shape: tuple[int, ...]
) -> tuple[int | None, tuple[float, ...], tuple[float, ...]] | None:
    """Return the dimension along which the parameters vary, and the parameters."""
    arrays = [np.broadcast_to(x, shape) for x in (scale, zero)]
    varying = [
        d for d in range(len(shape)) if any((x != x.take([0], axis=d)).any() for x in arrays if x.size)
    ]
    if len(varying) > 1 or not all(x.size for x in arrays):
        return None
    index = tuple(slice(None) if d in varying else 0 for d in range(len(shape)))
    scales, points = (tuple(np.atleast_1d(x[index]).astype(float).tolist()) for x in arrays)
    return (varying[0] if varying else None), scales, points
