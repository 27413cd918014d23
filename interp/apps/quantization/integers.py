"""Stored integers and steps as plain tensors: conversions, and sums of scaled steps in another type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.apps.quantization.multiplier import fixed_point
from interp.apps.quantization.stablehlo_flow import StableHLO
from interp.apps.quantization.symbols import FREE, Clamp, Stored
from spec.errors import Unsupported
from spec.ir import Op, Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, integer

I32, I64 = ELEMENT_TYPES["i32"], ELEMENT_TYPES["i64"]


class Integers(StableHLO):
    """Writes conversions between floats, stored integers, and steps."""

    def value(self, x: Stored) -> Value:
        """Return the tensor of stored integers."""
        if x.value is not None:
            return x.value
        assert x.data is not None
        return self.writer.constant(x.data, TensorType(x.shape, container(x.type)))

    def stored(self, value: Value, type: QuantizedType, steps: Any = None) -> Stored:
        if value.type.is_quantized:
            verdict = f"{value.name} is quantized already, and codegen writes plain integers"
            raise Unsupported(verdict, 'materialize it with flow="stablehlo", or give a float program')
        return super().stored(value, type, steps)

    # Conversions

    def quantized(self, x: Value, type: QuantizedType) -> Stored:
        """Quantize a float: divide by the scale, add the zero point, round, clamp and convert."""
        shape, element = x.type.shape, x.type.element_type
        number = self.op("divide", x, self.parameter(type.scales, type, shape, element))
        if any(type.zero_points):
            number = self.op("add", number, self.parameter(type.zero_points, type, shape, element))
        rounded = self.clamped_float(self.op("round_nearest_even", number), bounds_of(type))
        return self.stored(self.converted(rounded, container(type)), type)

    def dequantized(self, x: Stored) -> Value:
        number = self.converted(self.steps(x), x.type.expressed_type)
        scales = self.parameter(x.type.scales, x.type, x.shape, x.type.expressed_type)
        return self.op("multiply", number, scales)

    def steps(self, x: Stored) -> Value:
        """Return stored integers less the zero point, as i32."""
        if x.data is not None:
            points = along_axis(x.type.zero_points, x.type, len(x.shape))
            return self.writer.constant(x.data - points, TensorType(x.shape, I32))
        key = ("steps", self.value(x).name, x.type.zero_points)
        found = self.writer.find(key)
        if found is not None:
            return found
        wide = self.converted(self.value(x), I32)
        if any(x.type.zero_points):
            wide = self.op("subtract", wide, self.parameter(x.type.zero_points, x.type, x.shape, I32))
        return self.writer.keep(key, wide)

    def rescaled(self, x: Stored, type: QuantizedType) -> Stored:
        if x.type == type or x.data is not None:
            return super().rescaled(x, type)
        return self.scaled_sum([(self.steps(x), x.type)], type, x.shape)

    def finished(self, x: Stored, type: QuantizedType, clamp: Clamp) -> Stored:
        """Return a value in its final type; the bounds become those of the type's own clamp."""
        if clamp == FREE or type.is_per_axis:
            return super().finished(x, type, clamp)
        return self.scaled_sum([(self.steps(x), x.type)], type, x.shape, clamp)

    def scaled_sum(
        self,
        terms: Sequence[tuple[Value, QuantizedType]],
        type: QuantizedType,
        shape: tuple[int, ...],
        clamp: Clamp = FREE,
        most: int = 2**31,
    ) -> Stored:
        """Return the sum of steps times their scales in a type: one multiplier each, one shift, one clamp."""
        total = self.summed(terms, type, shape, most)
        if any(type.zero_points):
            total = self.op("add", total, self.parameter(type.zero_points, type, shape, I64))
        low, high = bounds_of(type)
        if clamp != FREE:
            low, high = max(low, self._bound(clamp.low, type)), min(high, self._bound(clamp.high, type))
        bounded = self.bounded(total, int(low), int(high))
        return self.stored(self.converted(bounded, container(type)), type)

    def summed(
        self,
        terms: Sequence[tuple[Value, QuantizedType]],
        type: QuantizedType,
        shape: tuple[int, ...],
        most: int,
    ) -> Value:
        """Return the steps of a type, in i64, that a sum of steps times their scales is nearest to."""
        ratios = [np.asarray(s.scales, np.float64) / np.asarray(type.scales, np.float64) for _, s in terms]
        if len(terms) == 1 and (ratios[0] == 1).all():
            return self.converted(terms[0][0], I64)
        multipliers, shift = fixed_point(ratios, most)
        products = []
        for (steps, source), numbers in zip(terms, multipliers, strict=True):
            factor = self.parameter(numbers, source if source.is_per_axis else type, shape, I64)
            products.append(self.op("multiply", self.converted(steps, I64), factor))
        total = products[0] if len(products) == 1 else self.op("add", *products)
        return self.shifted(total, shift)

    def shifted(self, x: Value, shift: int) -> Value:
        """Return integers divided by a power of two, rounded to the nearest, upwards from the middle."""
        if not shift:
            return x
        half, places = (
            self.writer.constant(np.broadcast_to(np.int64(n), x.type.shape), x.type)
            for n in (1 << shift - 1, shift)
        )
        return self.op("shift_right_arithmetic", self.op("add", x, half), places)

    def bounded(self, x: Value, low: int, high: int) -> Value:
        scalar = TensorType((), x.type.element_type)
        ends = [self.writer.constant(np.asarray(end), scalar) for end in (low, high)]
        return self.writer.emit("clamp", [ends[0], x, ends[1]], x.type)

    # Writing

    def op(self, name: str, *operands: Value) -> Value:
        """Return an operation whose operands and result have one type."""
        return self.writer.emit(name, operands, operands[0].type)

    def converted(self, x: Value, element: ElementType) -> Value:
        if x.type.element_type == element:
            return x
        key = ("convert", x.name, element)
        found = self.writer.find(key)
        return found or self.writer.keep(
            key, self.writer.emit("convert", [x], replace(x.type, element_type=element))
        )

    def parameter(self, numbers: Any, type: QuantizedType, shape: tuple[int, ...], element: Any) -> Value:
        """Return scales, zero points or multipliers as a tensor: one number, or one for each slice."""
        table = along_axis(numbers, type, len(shape))
        return self.writer.constant(np.broadcast_to(table, shape), TensorType(shape, element))


def short(op: Op) -> str:
    return op.name.partition(".")[2]


def container(type: QuantizedType) -> ElementType:
    """Return the integer type that holds stored numbers: of 8, 16 or 32 bits."""
    bits = next(bits for bits in (8, 16, 32) if type.storage_type.bits <= bits)
    return integer(bits, type.storage_type.min_value < 0)


def bounds_of(type: QuantizedType) -> Clamp:
    return Clamp(float(type.storage_min), float(type.storage_max))


def along_axis(numbers: Any, type: QuantizedType, rank: int) -> np.ndarray:
    """Return one number, or one for each slice of the quantized dimension, to broadcast against a tensor."""
    table = np.asarray(numbers)
    if table.size == 1:
        return table.reshape([1] * rank)
    return table.reshape([-1 if d == type.quantization_dimension else 1 for d in range(rank)])
