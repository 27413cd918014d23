"""The forms of a value while a block is rewritten: quantized in a type, or float."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.apps.quantization.choices import Choices
from interp.apps.quantization.constants import fold_operation
from interp.apps.quantization.symbols import FREE, Clampable, Constant, Pending, Plain, Stored, Symbol
from interp.loading.writer import Writer
from spec.ir import Op, Value
from spec.types import QuantizedType, TensorType, is_tensor, make_quantized

WIDEST = 16  # bits of storage that an elementwise operation takes: those of accumulators lie beyond f32


class Forms:
    """The block that is written, its flow and its decisions, and the forms of its values."""

    def __init__(self, writer: Writer, flow: Any, choices: Choices) -> None:
        self.writer, self.flow, self.choices = writer, flow, choices
        self.specs: tuple[Any, ...] = ()  # of the results of the region that is rewritten
        self.lost = False  # whether a number with an error went into a float operation

    def as_stored(self, x: Symbol, type: QuantizedType) -> Stored:
        """Return a value in a quantized type."""
        key = (x, type)
        return self.writer.find(key) or self.writer.keep(key, self._as_stored(x, type))

    def _as_stored(self, x: Symbol, type: QuantizedType) -> Stored:
        if isinstance(x, Constant):
            return self.flow.quantize_constant(x, type)
        if isinstance(x, Plain):
            return self.flow.quantize(x.value, type)
        if type.is_per_axis:
            self._note_bounds(x, "its result is quantized per axis")
        if isinstance(x, Stored):
            return self.flow.finish(x, type, x.clamp)
        return self.flow.finish(x.decide(self, x, type), type, x.clamp)

    def as_typed(self, x: Symbol, type: TensorType) -> Value:
        """Return the value for an operand: a float, or the stored tensor where its type is quantized."""
        if is_tensor(type) and type.is_quantized and not has_blocks(type):
            return self.flow.value(self.as_stored(x, type.quantized_element_type))
        return self.as_float(x)

    def as_float(self, x: Symbol) -> Value:
        """Return the value of a plain type."""
        if isinstance(x, Plain):
            return x.value
        return self.writer.find(x) or self.writer.keep(x, self._as_float(x))

    def _as_float(self, x: Symbol) -> Value:
        if isinstance(x, Constant):
            return self.writer.constant(x.array, x.type)
        if isinstance(x, Stored):
            self.lost |= x.error > 0
            value = self.flow.dequantize(replace(x, clamp=FREE))
        else:
            assert isinstance(x, Pending)
            why = reason(x.op, x.operands)
            self.choices.note(
                x.op.results[0].name, x.op.name, "float", f"computed in float: {why}", holds=False
            )
            operands = [self.as_float(each) for each in x.operands]
            name, type = x.op.name.partition(".")[2], x.op.result.type
            value = self.writer.emit(name, operands, type, x.op.regions, **x.op.attributes)
        self._note_bounds(x, "its operand is a float")
        return value if x.clamp == FREE else self.flow.clamp_float(value, x.clamp)

    def _note_bounds(self, x: Clampable, why: str) -> None:
        """Note the operations that clamp a value as computed in float."""
        for op in x.bounds if x.clamp != FREE else ():
            name = op.results[0].name
            self.choices.note(name, op.name, "float", f"computed in float: {why}", holds=False)

    def apply_clamp(self, x: Symbol) -> Stored | None:
        """Return a value in its own quantized type, with its bounds applied, if it has such a type."""
        if not isinstance(x, Stored):
            return None
        if x.clamp == FREE:
            return x
        if not x.type.is_per_tensor or not self.flow.holds(x.type, x.clamp):
            return None
        key = ("settled", x)
        error = x.error + x.choice_error(self.flow.ties)
        return self.writer.find(key) or self.writer.keep(key, replace(self.as_stored(x, x.type), error=error))

    def evidence(self, type: QuantizedType) -> str:
        """Return what the types of a region's results, chosen by calibration, say about its sums."""
        ends = [
            (end - spec.zero_point) * spec.scale
            for spec in self.specs
            if isinstance(spec, QuantizedType) and spec.is_per_tensor
            for end in (spec.storage_min, spec.storage_max)
        ]
        if not ends:
            return "no range of its results is known"
        steps = max(map(abs, ends)) / min(type.scales)
        found = f"results from {min(ends):.3g} to {max(ends):.3g} need {steps:,.0f} steps"
        return f"{found}, by calibration; sums on the way, and inputs unlike the samples, are unproven"

    def like(self, x: Constant) -> QuantizedType:
        """Return i8 with the expressed type of a constant."""
        return make_quantized("i8", x.type.tensor_element_type.name, 1.0)

    def move_constant(self, op: Op, x: Stored) -> np.ndarray:
        """Return the stored numbers of a constant after an operation that moves elements."""
        assert x.data is not None
        plain = TensorType(x.shape, x.type.storage_type)
        result = replace(op.result.type, element_type=x.type.storage_type)
        moved = replace(
            op, operands=(replace(op.operands[0], type=plain),), results=(Value("%moved", result),)
        )
        return fold_operation(moved, [x.data])[0]


def has_blocks(type: TensorType) -> bool:
    """Return whether a type has a scale for each block: no operation of StableHLO takes it."""
    return type.is_quantized and type.quantized_element_type.block_sizes is not None


def reason(op: Op, operands: Sequence[Symbol], known: bool = True) -> str:
    """Return why an operation was left in float."""
    name = op.name.partition(".")[2]
    if not known:
        return f"{name} has no quantized form here"
    if any(isinstance(x, Pending) for x in operands):
        waits = next(x for x in operands if isinstance(x, Pending))
        return f"its operand {waits.op.results[0].name} has no quantized type of its own"
    if any(isinstance(x, Plain) for x in operands):
        return "an operand is a float"
    if any(isinstance(x, Constant) and x.splat is None for x in operands):
        return "a constant of several numbers has no quantized type"
    if any(isinstance(x, Stored) and not x.type.is_per_tensor for x in operands):
        return f"{name} takes no operand that is quantized per axis"
    if any(isinstance(x, Stored) and x.type.storage_type.bits > WIDEST for x in operands):
        return "its operand is an accumulator, and has no narrower type here"
    return f"{name} has no quantized form for these types"
