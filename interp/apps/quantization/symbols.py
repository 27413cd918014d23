"""Symbols that stand for float values while a region is materialized, in the cheapest form so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Any, NamedTuple

import numpy as np

from interp.apps.quantization.types import has_normal_scales
from interp.loading.writer import collapse_repeats
from interp.theory.addition import choice_is_exact
from spec.ir import Op, Value
from spec.types import QuantizedType, TensorType


class Clamp(NamedTuple):
    """Bounds that wait until a value has its type: quantization is monotone, so the bits are the same."""

    low: float = -inf
    high: float = inf

    def within(self, low: float, high: float) -> Clamp:
        """Return this clamp followed by another."""
        return Clamp(min(max(self.low, low), high), max(min(self.high, high), low))


FREE = Clamp()
PROVEN = 24  # bits of precision of f32: errors of narrower floats are not bounded


@dataclass(frozen=True, eq=False)
class Plain:
    """A value of the new program as it is: a float, an integer, a token."""

    value: Value

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.type.shape


@dataclass(frozen=True, eq=False)
class Constant:
    """A constant of a plain type; an array that repeats along a dimension is a view of stride 0."""

    type: TensorType
    array: np.ndarray

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.shape

    @property
    def splat(self) -> float | None:
        """The only number in it, or None if there are several."""
        first = self.array.reshape(-1)[:1] if self.array.size else self.array
        if not first.size or not (collapse_repeats(self.array) == first).all():
            return None
        return float(first[0])


@dataclass(frozen=True, eq=False)
class Stored:
    """A quantized value of the new program, of logical type `type`.

    value: None for a constant that is not written yet. Its own type may have another scale: factors are
    pushed forward, and merged into the next rescaling. data: the stored numbers of a constant.
    steps: the least and the greatest stored number less the zero point, arrays that broadcast to the shape.
    bounds: the operations that clamp it.
    error: how far the number may be from the float program's, given the same inputs of the region.
    """

    value: Value | None
    shape: tuple[int, ...]
    type: QuantizedType
    steps: tuple[Any, Any]
    data: np.ndarray | None = None
    clamp: Clamp = FREE
    bounds: tuple[Op, ...] = ()
    error: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(np.asarray(end, object) for end in self.steps))

    def name(self, hint: str) -> str:
        """Return the name of its value in the new program, or a hint for one that is not written."""
        return hint if self.value is None else self.value.name

    @property
    def magnitude(self) -> int:
        """The largest number of steps in either direction."""
        return largest(self.steps)

    @property
    def rounding(self) -> float:
        """Two units of roundoff of the largest number: how far two float operations may move it.

        Infinite where that is not proven: where the expressed type is narrower than f32, a number overflows
        it, or the rounding of a product with a scale is not relative, as it is of normal numbers.
        """
        type, most = self.type.expressed_type, self.magnitude * max(self.type.scales)
        if type.precision < PROVEN or not has_normal_scales(self.type) or most >= 2.0 ** (type.bias - 1):
            return inf
        return 2.0 ** (1 - type.precision) * most

    def choice_error(self, ties: str) -> float:
        """Bound how far a clamp, a maximum or a minimum moves stored numbers that it chooses.

        The specification's, which round `ties` to even, dequantize and quantize them: that rounds four times.
        """
        least, most = (int(end) + self.type.zero_point for end in (self.steps[0].min(), self.steps[1].max()))
        if ties != "even" or choice_is_exact(self.type, least, most):
            return 0.0
        unit = 2.0**-self.type.expressed_type.precision
        off = 4.5 * unit * (self.magnitude + abs(self.type.zero_point))
        return inf if self.rounding == inf else 0.0 if off < 0.5 else (off + 0.5) * self.type.scale


def sum_error(x: Stored, y: Stored) -> float:
    """Bound how far the stored sum of two values of one type is from the sum of their stored numbers.

    Both are dequantized, which rounds an integer and a product, and added; the quotient by the scale is
    rounded, and then to an integer. In units of roundoff of the numbers: two, one more for the sum, and one.
    Where all that is less than half a step, the integer is the sum. Premise: the sum is not clipped.
    """
    unit = 2.0**-x.type.expressed_type.precision
    off = 4.5 * unit * (x.magnitude + y.magnitude)  # half a unit for products of units
    return 0.0 if off < 0.5 else (off + 0.5) * max(x.type.scales)


@dataclass(frozen=True, eq=False)
class Pending:
    """An operation that waits for the type of its result; its operands are symbols.

    decide: returns it as a stored value of a type, given the translation, itself and the type.
    """

    op: Op
    operands: tuple[Symbol, ...]
    decide: Callable[[Any, Pending, QuantizedType], Stored]
    clamp: Clamp = FREE
    bounds: tuple[Op, ...] = ()  # that clamp it

    @property
    def shape(self) -> tuple[int, ...]:
        return self.op.result.type.shape


Symbol = Plain | Constant | Stored | Pending
Clampable = Stored | Pending


def largest(ends: Iterable[Any]) -> int:
    """Return the largest magnitude of integers in some arrays."""
    return max((abs(int(x)) for end in ends for x in np.asarray(end, object).reshape(-1)), default=0)


def add_clamp(x: Clampable, low: float, high: float, *ops: Op) -> Clampable:
    """Return a value with another clamp after its own, and the operations that it stands for."""
    return replace(x, clamp=x.clamp.within(low, high), bounds=(*x.bounds, *ops))


def whole_range(type: QuantizedType) -> tuple[Any, Any]:
    """Return the steps of all stored numbers of a type: of one zero point, or the extremes of several."""
    points = type.zero_points
    return np.asarray(type.storage_min - max(points), object), np.asarray(
        type.storage_max - min(points), object
    )
