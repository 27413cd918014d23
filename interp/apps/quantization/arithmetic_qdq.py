"""Quantization spelled as arithmetic: divide, add, round, clamp, convert, and back again.

`dequantized = (q - zero_point) * scale` of `q = clamp(round(x / scale) + zero_point)`, with or without the
conversion to integers that saturates, the zero point before or after rounding, bounds before or after.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

import numpy as np

from interp.apps.quantization.constants import constants_of
from interp.loading.names import RESERVED
from interp.loading.writer import collapsed
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
    inexact: bool = False  # whether the spelling may round otherwise: a reciprocal, a zero point added last
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
        return inf if array is None else collapsed(array).size


class Spelled(NamedTuple):
    """One simulated quantization that was arithmetic: its value, operations, and steps of difference."""

    value: str
    merged: tuple[str, ...]
    steps: int


def arithmetic_raised(region: Region) -> tuple[Region, list[Spelled]]:
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
            spelled.append(Spelled(op.result.name, merged, int(found.inexact)))
    return replace(region, ops=tuple(ops)), spelled


def _pair(op: Op, found: Found) -> list[Op] | None:
    source = _source(op, found)
    type = None if source is None else _type(found, op.result.type)
    if source is None or type is None:
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
    rounded = _stored(x, found)
    return None if rounded is None else _scaled(rounded, found)


def _stored(x: Value, found: Found) -> Value | None:
    """Return the value that was rounded, before conversions, bounds and the zero point added afterwards."""
    for _ in range(8):
        if inner := found.op(x, "convert"):
            element = inner.operand.type.element_type
            if isinstance(element, ElementType) and element.is_integer and found.storage is None:
                found.storage = element
            x = inner.operand
        elif inner := found.op(x, "clamp", "maximum", "minimum"):
            bounded = _bounded(inner, found)
            if bounded is None:
                return None
            x = bounded
        elif (inner := found.op(x, "add")) and found.added is None and (parts := found.split(inner)):
            x, found.added = parts
            found.inexact |= bool(found.added.any())
        elif inner := found.op(x, "round_nearest_even"):
            return inner.operand
        else:
            return None
    return None


def _bounded(op: Op, found: Found) -> Value | None:
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
            if found.added is not None:  # the zero point is added to bounded numbers
                number += float(found.added.reshape(-1)[0])
            kept = max(found.low, number) if side == "low" else min(found.high, number)
            setattr(found, side, kept)
    return x


def _scaled(x: Value, found: Found) -> Value | None:
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
            return _divided(inner, found)
        elif (bounded := _bounded(inner, found)) is not None:
            x = bounded
        else:
            return None
    return None


def _divided(op: Op, found: Found) -> Value | None:
    parts = found.split(op)
    if parts is None or found.scale is None:
        return None
    x, factor = parts
    reciprocal = op.name == "stablehlo.multiply"
    found.inexact |= reciprocal
    with np.errstate(all="ignore"):
        scale = 1 / factor.astype(np.float64) if reciprocal else factor.astype(np.float64)
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
    if along is None or not low < high or any(x != int(x) for x in (low, high)):
        return None
    axis, scales, points = along
    if not all(s > 0 and np.isfinite(s) for s in scales) or any(
        p != int(p) or not low <= p <= high for p in points
    ):
        return None
    expressed = result.tensor_element_type
    return QuantizedType(storage, int(low), int(high), expressed, scales, tuple(int(p) for p in points), axis)


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
