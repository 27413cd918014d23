"""The forms of a value while a block is rewritten: quantized in a type, or float."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.execute.run import run
from interp.quantization.choices import Choices
from interp.quantization.symbols import FREE, Constant, Pending, Plain, Stored, Symbol
from interp.quantization.writer import Writer
from spec.ir import Func, Module, Op, Region, Value
from spec.types import QuantizedType, TensorType, is_tensor, quantized

BROADCAST = "stablehlo.broadcast_in_dim"
WIDEST = 16  # bits of storage that an elementwise operation takes: those of accumulators lie beyond f32


class Forms:
    """The block that is written, its flow and its decisions, and the forms of its values."""

    def __init__(self, writer: Writer, flow: Any, choices: Choices) -> None:
        self.writer, self.flow, self.choices = writer, flow, choices
        self.lost = False  # whether a number with an error went into a float operation

    def typed(self, x: Symbol, type: QuantizedType) -> Stored:
        """Return a value in a quantized type."""
        key = (x, type)
        return self.writer.find(key) or self.writer.keep(key, self._typed(x, type))

    def _typed(self, x: Symbol, type: QuantizedType) -> Stored:
        if isinstance(x, Constant):
            return self.flow.of_constant(x, type)
        if isinstance(x, Plain):
            return self.flow.quantized(x.value, type)
        if isinstance(x, Stored):
            return self.flow.finished(x, type, x.clamp)
        return self.flow.finished(x.decide(self, x, type), type, x.clamp)

    def as_typed(self, x: Symbol, type: TensorType) -> Value:
        """Return the value for an operand of a type: floats for a float, the stored tensor for a quantized one."""
        if is_tensor(type) and type.is_quantized:
            return self.flow.value(self.typed(x, type.quantized_element_type))
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
            value = self.flow.dequantized(replace(x, clamp=FREE))
        else:
            assert isinstance(x, Pending)
            why = reason(x.op, x.operands)
            self.choices.note(
                x.op.results[0].name, x.op.name, "float", f"computed in float: {why}", holds=False
            )
            operands = [self.as_float(each) for each in x.operands]
            value = self.writer.emit(
                x.op.name.partition(".")[2], operands, x.op.result.type, **x.op.attributes
            )
        return value if x.clamp == FREE else self.flow.clamped_float(value, x.clamp)

    def settled(self, x: Symbol) -> Stored | None:
        """Return a value as a stored one without bounds left to apply, if it has a type of its own."""
        if not isinstance(x, Stored):
            return None
        if x.clamp == FREE:
            return x
        if not x.type.is_per_tensor or not self.flow.holds(x.type, x.clamp):
            return None
        return self.typed(x, x.type)

    def observed(self, name: str, type: QuantizedType) -> str:
        """Return what calibration says about an accumulator that is not proven."""
        return "nothing was observed"

    def like(self, x: Constant) -> QuantizedType:
        """Return i8 with the expressed type of a constant."""
        return quantized("i8", x.type.tensor_element_type.name, 1.0)

    def computed(self, op: Op, x: Stored) -> np.ndarray:
        """Return the stored numbers of a constant after an operation that moves elements."""
        assert x.data is not None
        plain = TensorType(x.shape, x.type.storage_type)
        result = replace(op.result.type, element_type=x.type.storage_type)
        moved = replace(
            op, operands=(replace(op.operands[0], type=plain),), results=(Value("%moved", result),)
        )
        return broadcast(x.data, op) if op.name == BROADCAST else computed(moved, [x.data])[0].storage


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


def broadcast(array: np.ndarray, op: Op) -> np.ndarray:
    """Return a view of an array that repeats along the dimensions of a broadcast."""
    shape = op.result.type.shape
    placed = [1] * len(shape)
    for d, n in zip(op["broadcast_dimensions"], array.shape, strict=True):
        placed[d] = n
    return np.broadcast_to(array.reshape(placed), shape)


def computed(op: Op, arrays: Sequence[np.ndarray]) -> Sequence[Any]:
    """Return the results of one operation on constants."""
    arguments = tuple(Value(f"%arg{k}", v.type) for k, v in enumerate(op.operands))
    last = Op("func.return", op.results, ())
    body = Region(arguments, (replace(op, operands=arguments), last))
    return run(Module({"main": Func("main", body, tuple(v.type for v in op.results))}), *arrays)
