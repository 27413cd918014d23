"""The flow "codegen": quantized operations written on plain integers, for targets that generate code.

A value is its stored integers; steps (stored less zero point) are i32. Scales are pushed forward: only where
a value gets another type does it meet a multiplier, an integer of 31 bits, and a shift.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import frexp
from typing import Any

import numpy as np

from interp.apps.quantization.stablehlo_flow import StableHLO
from interp.apps.quantization.symbols import FREE, Clamp, Stored, largest, whole_range
from interp.backends import NUMPY
from interp.engine.quant import spread
from interp.loading.writer import collapse_repeats
from interp.theory.contractions import channels, on_result
from spec.errors import Unsupported
from spec.ir import Op, Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, integer

# Stored integers and steps as plain tensors: conversions, and sums of scaled steps in another type


I32, I64 = ELEMENT_TYPES["i32"], ELEMENT_TYPES["i64"]


class Integers(StableHLO):
    """Writes conversions between floats, stored integers, and steps."""

    def value(self, x: Stored) -> Value:
        """Return the tensor of stored integers."""
        if x.value is not None:
            return x.value
        assert x.data is not None
        return self.writer.constant(x.data, TensorType(x.shape, container(x.type)))

    def symbol(self, value: Value, type: QuantizedType, steps: Any = None) -> Stored:
        if value.type.is_quantized:
            verdict = f"{value.name} is quantized already, and codegen writes plain integers"
            raise Unsupported(verdict, 'materialize it with flow="stablehlo", or give a float program')
        return super().symbol(value, type, steps)

    # Conversions

    def quantize(self, x: Value, type: QuantizedType) -> Stored:
        """Quantize a float: divide by the scale, add the zero point, round, clamp and convert."""
        shape, element = x.type.shape, x.type.element_type
        number = self.op("divide", x, self.parameter(type.scales, type, shape, element))
        if any(type.zero_points):
            number = self.op("add", number, self.parameter(type.zero_points, type, shape, element))
        rounded = self.clamp_float(self.op("round_nearest_even", number), bounds_of(type))
        value = self.convert(rounded, container(type))
        if not type.storage_min <= 0 <= type.storage_max:  # NaN is now 0
            value = self.clamp_integers(value, type.storage_min, type.storage_max)
        return self.symbol(value, type)

    def dequantize(self, x: Stored) -> Value:
        number = self.convert(self.steps(x), x.type.expressed_type)
        scales = self.parameter(x.type.scales, x.type, x.shape, x.type.expressed_type)
        return self.op("multiply", number, scales)

    def steps(self, x: Stored) -> Value:
        """Return stored integers less the zero point, as i32."""
        if x.data is not None:
            points = spread_numbers(x.type.zero_points, x.type, x.shape)
            return self.writer.constant(x.data - points, TensorType(x.shape, I32))
        key = ("steps", self.value(x).name, x.type.zero_points)
        found = self.writer.find(key)
        if found is not None:
            return found
        if any(x.type.zero_points) and largest(whole_range(x.type)) > I32.max_value:
            advice = 'raise or materialize it with flow="stablehlo"'
            raise Unsupported(f"i32 does not hold stored numbers less the zero point of {x.type!r}", advice)
        wide = self.convert(self.value(x), I32)
        if any(x.type.zero_points):
            wide = self.op("subtract", wide, self.parameter(x.type.zero_points, x.type, x.shape, I32))
        return self.writer.keep(key, wide)

    def rescale(self, x: Stored, type: QuantizedType) -> Stored:
        if x.type == type or x.data is not None:
            return super().rescale(x, type)
        axes = {each.quantization_dimension for each in (x.type, type) if each.is_per_axis}
        if len(axes) > 1:  # no table of multipliers has one number for each pair of scales
            return self.quantize(self.dequantize(x), type)
        return self.scaled_sum([(self.steps(x), x.type)], type, x.shape)

    def finish(self, x: Stored, type: QuantizedType, clamp: Clamp) -> Stored:
        """Return a value in its final type; the bounds become those of the type's own clamp."""
        if clamp == FREE or type.is_per_axis:
            return super().finish(x, type, clamp)
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
        total = self.sum_terms(terms, type, shape, most)
        if any(type.zero_points):
            total = self.op("add", total, self.parameter(type.zero_points, type, shape, I64))
        low, high = bounds_of(type)
        if clamp != FREE:
            low, high = max(low, self._bound(clamp.low, type)), min(high, self._bound(clamp.high, type))
        bounded = self.clamp_integers(total, int(low), int(high))
        return self.symbol(self.convert(bounded, container(type)), type)

    def sum_terms(
        self,
        terms: Sequence[tuple[Value, QuantizedType]],
        type: QuantizedType,
        shape: tuple[int, ...],
        most: int,
    ) -> Value:
        """Return the steps of a type, in i64, that a sum of steps times their scales is nearest to."""
        ratios = [np.asarray(s.scales, np.float64) / np.asarray(type.scales, np.float64) for _, s in terms]
        if len(terms) == 1 and (ratios[0] == 1).all():
            return self.convert(terms[0][0], I64)
        multipliers, shift = fixed_point(ratios, most)
        products = []
        for (steps, source), numbers in zip(terms, multipliers, strict=True):
            factor = self.parameter(numbers, source if source.is_per_axis else type, shape, I64)
            products.append(self.op("multiply", self.convert(steps, I64), factor))
        total = products[0] if len(products) == 1 else self.op("add", *products)
        return self.shift_right(total, shift)

    def shift_right(self, x: Value, shift: int) -> Value:
        """Return integers divided by a power of two, rounded to the nearest, upwards from the middle."""
        if not shift:
            return x
        half, places = (
            self.writer.constant(np.broadcast_to(np.int64(n), x.type.shape), x.type)
            for n in (1 << shift - 1, shift)
        )
        return self.op("shift_right_arithmetic", self.op("add", x, half), places)

    def clamp_integers(self, x: Value, low: int, high: int) -> Value:
        scalar = TensorType((), x.type.element_type)
        ends = [self.writer.constant(np.asarray(end), scalar) for end in (low, high)]
        return self.writer.emit("clamp", [ends[0], x, ends[1]], x.type)

    # Writing

    def op(self, name: str, *operands: Value) -> Value:
        """Return an operation whose operands and result have one type."""
        return self.writer.emit(name, operands, operands[0].type)

    def convert(self, x: Value, element: ElementType) -> Value:
        if x.type.element_type == element:
            return x
        key = ("convert", x.name, element)
        found = self.writer.find(key)
        return found or self.writer.keep(
            key, self.writer.emit("convert", [x], replace(x.type, element_type=element))
        )

    def parameter(self, numbers: Any, type: QuantizedType, shape: tuple[int, ...], element: Any) -> Value:
        """Return scales, zero points or multipliers as a tensor: one number, or one for each slice."""
        table = spread_numbers(numbers, type, shape)
        return self.writer.constant(np.broadcast_to(table, shape), TensorType(shape, element))


def short(op: Op) -> str:
    return op.name.partition(".")[2]


def container(type: QuantizedType) -> ElementType:
    """Return the integer type that holds stored numbers: of 8, 16 or 32 bits."""
    bits = next(bits for bits in (8, 16, 32) if type.storage_type.bits <= bits)
    return integer(bits, type.storage_type.min_value < 0)


def bounds_of(type: QuantizedType) -> Clamp:
    return Clamp(float(type.storage_min), float(type.storage_max))


def spread_numbers(numbers: Any, type: QuantizedType, shape: tuple[int, ...]) -> np.ndarray:
    """Return one number, or one for each slice or block, to broadcast against a tensor."""
    table = np.asarray(numbers)
    if table.size == 1:
        return table.reshape([1] * len(shape))
    return np.asarray(spread(NUMPY, tuple(table.reshape(-1).tolist()), table.dtype, type, shape))


# Rescaling as integer arithmetic: multipliers of 31 bits, and one shift for all of them


BITS, DEEPEST = 31, 62


def fixed_point(ratios: Sequence[np.ndarray], magnitude: int = 2**31) -> tuple[list[np.ndarray], int]:
    """Return integers m and a shift such that every ratio is m / 2^shift, to 31 bits of the largest.

    magnitude: the most steps that are multiplied. A product fits i64, and so does a sum of two.
    """
    most = max(float(ratio.max()) for ratio in ratios)
    bits = min(BITS, DEEPEST - magnitude.bit_length() + 1)
    shift = min(DEEPEST, bits - frexp(most)[1])
    if shift < 0:
        advice = "quantize the value in larger steps"
        raise Unsupported(f"values {most:g} times as large as the steps of their type", advice)
    while shift and all((np.ldexp(r, shift - 1) % 1 == 0).all() for r in ratios):
        shift -= 1  # powers of two need no bits
    return [np.rint(np.ldexp(ratio, shift)).astype(np.int64) for ratio in ratios], shift


class Codegen(Integers):
    """Writes operations on plain integers."""

    name, ties = "codegen", "up"

    def move(self, op: Op, operands: Sequence[Value], type: QuantizedType) -> Stored:
        result = replace(op.result.type, element_type=container(type))
        return self.symbol(self.writer.emit(short(op), operands, result, **op.attributes), type)

    def elementwise(self, op: Op, operands: Sequence[Stored], type: QuantizedType) -> Stored:
        """Return an elementwise operation: on integers where it has a form there, else in float."""
        name, shape = short(op), op.result.type.shape
        if name in ("add", "subtract"):
            steps = [self.steps(x) for x in operands]
            if name == "subtract":
                steps[1] = self.op("negate", steps[1])
            terms = [(s, x.type) for s, x in zip(steps, operands, strict=True)]
            return self.scaled_sum(terms, type, shape)
        if name == "multiply":
            scale = operands[0].type.scale * operands[1].type.scale
            product = self.op("multiply", *(self.convert(self.steps(x), I64) for x in operands))
            most = operands[0].magnitude * operands[1].magnitude
            return self.scaled_sum([(product, replace(type, scales=(scale,)))], type, shape, most=most)
        if name in ("maximum", "minimum"):
            values = [self.value(self.rescale(x, type)) for x in operands]
            return self.symbol(self.op(name, *values), type)
        if name in ("negate", "abs"):
            return self.scaled_sum(
                [(self.op(name, self.steps(operands[0])), operands[0].type)], type, shape, FREE
            )
        floats = [self.dequantize(x) for x in operands]
        value = self.writer.emit(name, floats, op.result.type, **op.attributes)
        return self.quantize(value, type)

    def look_up_type(self, type: QuantizedType) -> ElementType:
        return container(type)

    def contraction(self, op: Op, left: Stored, right: Stored, type: QuantizedType, steps: Any) -> Stored:
        """Return integer sums of products; a left zero point is a constant where the weights are."""
        result = TensorType(op.result.type.shape, I32)
        if op.name != "stablehlo.dot_general" or right.data is None or not any(left.type.zero_points):
            value = self.writer.emit(
                short(op), [self.steps(left), self.steps(right)], result, **op.attributes
            )
            return self.symbol(value, type, steps)
        raw = replace(left, type=replace(left.type, zero_points=(0,)))
        value = self.writer.emit(short(op), [self.steps(raw), self.steps(right)], result, **op.attributes)
        return self._plus(self.symbol(value, type, steps), self._correction(op, left, right), steps)

    def _correction(self, op: Op, left: Stored, right: Stored) -> np.ndarray:
        """Return the correction for the left zero point: minus its product with the sum of the weights."""
        assert right.data is not None
        contracted, kept = channels(op)
        points = spread_numbers(right.type.zero_points, right.type, right.data.shape)
        weights = right.data.astype(np.int64) - points
        found = -left.type.zero_point * on_result(op, weights.sum(axis=contracted), kept)
        return np.broadcast_to(found, op.result.type.shape)

    def add(self, x: Stored, y: Stored, steps: Any) -> Stored:
        if y.data is not None:
            return self._plus(x, y.data, steps)
        return self.symbol(self.op("add", self.value(x), self.value(y)), x.type, steps)

    def _plus(self, x: Stored, constant: np.ndarray, steps: Any) -> Stored:
        """Return a value plus a constant; constants that follow each other are one."""
        value = self.value(x)
        base, before = self.writer.find(("plus", value.name)) or (value, None)
        total = constant if before is None else _sum(before, constant)
        result = self.op("add", base, self.writer.constant(total, base.type))
        self.writer.keep(("plus", result.name), (base, total))
        return self.symbol(result, x.type, steps)

    def reduce(self, op: Op, x: Stored, body: str, type: QuantizedType, steps: Any) -> Stored:
        """Return a sum of steps in i32, or a maximum or a minimum of stored integers."""
        value = self.steps(x) if body == "add" else self.value(x)
        ends = {"add": 0, "maximum": x.type.storage_min, "minimum": x.type.storage_max}
        element = value.type.element_type
        start = self.writer.constant(np.asarray(ends[body]), TensorType((), element))
        region = self.body(body, TensorType((), element))
        result = TensorType(op.result.type.shape, element)
        return self.symbol(
            self.writer.emit(short(op), [value, start], result, (region,), **op.attributes), type, steps
        )

    def scatter(self, op: Op, operand: Stored, source: Stored, type: QuantizedType, steps: Any) -> Stored:
        zero = self.writer.constant(np.asarray(0), TensorType((), I32))
        regions = self.comparison(op, TensorType((), I32)), self.body("add", TensorType((), I32))
        operands = [self.steps(operand), self.steps(source), zero]
        result = TensorType(op.result.type.shape, I32)
        return self.symbol(
            self.writer.emit("select_and_scatter", operands, result, regions, **op.attributes), type, steps
        )

    def hybrid(self, x: Stored) -> Value:
        return self.dequantize(x)

    def slice(self, x: Stored, d: int, part: tuple[int, int]) -> Stored:
        return self.symbol(self.slice_of(self.value(x), d, part), x.type, x.steps)


def _sum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a sum of constants; a dimension along which both repeat stays a broadcast."""
    return np.broadcast_to(collapse_repeats(a).astype(np.int64) + collapse_repeats(b), a.shape)
