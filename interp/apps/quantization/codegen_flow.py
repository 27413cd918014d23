"""The flow "codegen": quantized operations written on plain integers, for targets that generate code.

A value is its stored integers; steps (stored less zero point) are i32. Scales are pushed forward: only where
a value gets another type does it meet a multiplier, an integer of 31 bits, and a shift.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.apps.quantization.integers import I32, I64, Integers, along_axis, container, short
from interp.apps.quantization.symbols import FREE, Stored
from interp.loading.writer import collapsed
from interp.theory.contracted_bounds import channels, on_result
from spec.ir import Op, Value
from spec.types import QuantizedType, TensorType


class Codegen(Integers):
    """Writes operations on plain integers."""

    name, ties = "codegen", "up"

    def moved(self, op: Op, operands: Sequence[Value], type: QuantizedType) -> Stored:
        result = replace(op.result.type, element_type=container(type))
        return self.stored(self.writer.emit(short(op), operands, result, **op.attributes), type)

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
            product = self.op("multiply", *(self.converted(self.steps(x), I64) for x in operands))
            most = operands[0].magnitude * operands[1].magnitude
            return self.scaled_sum([(product, replace(type, scales=(scale,)))], type, shape, most=most)
        if name in ("maximum", "minimum"):
            values = [self.value(self.rescaled(x, type)) for x in operands]
            return self.stored(self.op(name, *values), type)
        if name in ("negate", "abs"):
            return self.scaled_sum(
                [(self.op(name, self.steps(operands[0])), operands[0].type)], type, shape, FREE
            )
        floats = [self.dequantized(x) for x in operands]
        value = self.writer.emit(name, floats, op.result.type, **op.attributes)
        return self.quantized(value, type)

    def contraction(self, op: Op, left: Stored, right: Stored, type: QuantizedType, steps: Any) -> Stored:
        """Return integer sums of products; a left zero point is a constant where the weights are."""
        result = TensorType(op.result.type.shape, I32)
        if op.name != "stablehlo.dot_general" or right.data is None or not any(left.type.zero_points):
            value = self.writer.emit(
                short(op), [self.steps(left), self.steps(right)], result, **op.attributes
            )
            return self.stored(value, type, steps)
        raw = replace(left, type=replace(left.type, zero_points=(0,)))
        value = self.writer.emit(short(op), [self.steps(raw), self.steps(right)], result, **op.attributes)
        return self._plus(self.stored(value, type, steps), self._correction(op, left, right), steps)

    def _correction(self, op: Op, left: Stored, right: Stored) -> np.ndarray:
        """Return the correction for the left zero point: minus its product with the sum of the weights."""
        assert right.data is not None
        contracted, kept = channels(op)
        weights = right.data.astype(np.int64) - along_axis(
            right.type.zero_points, right.type, right.data.ndim
        )
        found = -left.type.zero_point * on_result(op, weights.sum(axis=contracted), kept)
        return np.broadcast_to(found, op.result.type.shape)

    def added(self, x: Stored, y: Stored, steps: Any) -> Stored:
        if y.data is not None:
            return self._plus(x, y.data, steps)
        return self.stored(self.op("add", self.value(x), self.value(y)), x.type, steps)

    def _plus(self, x: Stored, constant: np.ndarray, steps: Any) -> Stored:
        """Return a value plus a constant; constants that follow each other are one."""
        value = self.value(x)
        base, before = self.writer.find(("plus", value.name)) or (value, None)
        total = constant if before is None else _sum(before, constant)
        result = self.op("add", base, self.writer.constant(total, base.type))
        self.writer.keep(("plus", result.name), (base, total))
        return self.stored(result, x.type, steps)

    def reduced(self, op: Op, x: Stored, body: str, type: QuantizedType, steps: Any) -> Stored:
        """Return a sum of steps in i32, or a maximum or a minimum of stored integers."""
        value = self.steps(x) if body == "add" else self.value(x)
        ends = {"add": 0, "maximum": x.type.storage_min, "minimum": x.type.storage_max}
        element = value.type.element_type
        start = self.writer.constant(np.asarray(ends[body]), TensorType((), element))
        region = self.body(body, TensorType((), element))
        result = TensorType(op.result.type.shape, element)
        return self.stored(
            self.writer.emit(short(op), [value, start], result, (region,), **op.attributes), type, steps
        )

    def scattered(self, op: Op, operand: Stored, source: Stored, type: QuantizedType, steps: Any) -> Stored:
        zero = self.writer.constant(np.asarray(0), TensorType((), I32))
        regions = self.comparison(op, TensorType((), I32)), self.body("add", TensorType((), I32))
        operands = [self.steps(operand), self.steps(source), zero]
        result = TensorType(op.result.type.shape, I32)
        return self.stored(
            self.writer.emit("select_and_scatter", operands, result, regions, **op.attributes), type, steps
        )

    def hybrid(self, x: Stored) -> Value:
        return self.dequantized(x)

    def sliced(self, x: Stored, d: int, part: tuple[int, int]) -> Stored:
        return self.stored(self.slice_of(self.value(x), d, part), x.type, x.steps)


def _sum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a sum of constants; a dimension along which both repeat stays a broadcast."""
    return np.broadcast_to(collapsed(a).astype(np.int64) + collapsed(b), a.shape)
