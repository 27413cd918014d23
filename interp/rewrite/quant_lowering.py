"""`lower-quant-ops`: the casts of the quant dialect as arithmetic of StableHLO, rounded in one of three ways.

`nearest` gives the bits of `quant.qcast` and `quant.dcast` here (erratum E16). `affine` rounds before it adds
the zero point, as MLIR's Quantization.md writes it. `upstream` is LLVM's own lowering: it truncates, clamps
only explicit bounds and only after the conversion, and cuts zero points to the width of the storage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from interp.backends import fl
from interp.backends.dtypes import numpy_dtype
from interp.engine.quant import round_parameters, wrap_whole
from interp.loading.names import RESERVED
from interp.rewrite.float_reference_rules import dense_of
from spec.errors import Unsupported
from spec.ir import Dense, Op, Value
from spec.quantized import storage_range
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType

I64 = ELEMENT_TYPES["i64"]
CASTS = ("quant.qcast", "quant.dcast")
FAR = 2.0**34  # beyond every storage number and its distance from a zero point of 32 bits


@dataclass
class Lowering:
    """Operations in place of one cast, its quantized type and the shape of its values."""

    op: Op
    type: QuantizedType
    shape: tuple[int, ...]
    ops: list[Op] = field(default_factory=list)

    @property
    def real(self) -> ElementType:
        return self.type.expressed_type

    @property
    def storage(self) -> ElementType:
        return self.type.storage_type

    def fresh(self, label: str, type: ElementType, shape: Sequence[int] | None = None) -> Value:
        stem = self.op.result.name.removeprefix("%").replace("#", ".")
        sizes = self.shape if shape is None else tuple(shape)
        return Value(f"%{label}{RESERVED}{len(self.ops)}.{stem}", TensorType(sizes, type))

    def emit(
        self,
        name: str,
        operands: Sequence[Value],
        type: ElementType,
        shape: Sequence[int] | None = None,
        **attributes: Any,
    ) -> Value:
        """Append an operation of StableHLO, and return its result."""
        result = self.fresh(name, type, shape)
        self.ops.append(Op(f"stablehlo.{name}", tuple(operands), (result,), attributes, (), self.op.location))
        return result

    def splat(self, number: float, type: ElementType) -> Value:
        held = fl(number, type) if type.kind == "float" else number
        data = dense_of(held, TensorType((), type)).data
        value = Dense(TensorType(self.shape, type), data, splat=True)
        return self.emit("constant", (), type, value=value)

    def parameters(self, numbers: Sequence[float], type: ElementType) -> Value:
        """Return scales or zero points in the shape of the values."""
        if self.type.is_per_tensor:
            return self.splat(numbers[0], type)
        sizes = self.type.parameters_shape if self.type.block_sizes is not None else (len(numbers),)
        table = np.asarray(numbers, numpy_dtype(type)).reshape(sizes)
        constant = self.emit(
            "constant", (), type, sizes, value=Dense(TensorType(sizes, type), table.tobytes())
        )
        if self.type.is_per_axis:
            axis = self.type.quantization_dimension
            return self.emit("broadcast_in_dim", [constant], type, broadcast_dimensions=(axis,))
        pairs = [n for size, whole in zip(sizes, self.shape, strict=True) for n in (size, whole // size)]
        dimensions = tuple(range(0, len(pairs), 2))
        blocks = self.emit("broadcast_in_dim", [constant], type, pairs, broadcast_dimensions=dimensions)
        return self.emit("reshape", [blocks], type)

    def both(self, name: str, x: Value, y: Value) -> Value:
        return self.emit(name, [x, y], x.type.tensor_element_type)

    def scale(self) -> Value:
        return self.parameters(round_parameters(self.type).scales, self.real)

    def store(self, x: Value) -> Value:
        """Return storage numbers as the quantized type: `u8` is signless in MLIR."""
        if x.type.tensor_element_type.kind == "unsigned":
            x = self.emit("bitcast_convert", [x], ELEMENT_TYPES[f"i{self.storage.bits}"])
        self.ops.append(Op("quant.scast", (x,), self.op.results, {}, (), self.op.location))
        return self.op.result

    def storage_of(self, x: Value) -> Value:
        """Return the storage numbers of a quantized value."""
        signless = self.fresh("stored", ELEMENT_TYPES[f"i{self.storage.bits}"])
        self.ops.append(Op("quant.scast", (x,), (signless,), {}, (), self.op.location))
        if self.storage.kind == "signed":
            return signless
        return self.emit("bitcast_convert", [signless], self.storage)

    def within(self, x: Value, least: float, most: float) -> Value:
        type = x.type.tensor_element_type
        return self.emit("clamp", [self.splat(least, type), x, self.splat(most, type)], type)


def lower_cast(op: Op, mode: str) -> tuple[Op, ...]:
    """Return the operations in place of a cast."""
    quantizes = op.name == "quant.qcast"
    value = op.result if quantizes else op.operand
    at = Lowering(op, value.type.quantized_element_type, value.type.shape)
    _refuse_storage(at)
    (QCAST if quantizes else DCAST)[mode](at, op.operand)
    return tuple(at.ops)


def _refuse_storage(at: Lowering) -> None:
    signless = not at.type.spelling.startswith(("ui", "si"))
    if f"i{at.storage.bits}" not in ELEMENT_TYPES or at.storage.kind == "float" or not signless:
        advice = "expected signless storage of 2, 4, 8, 16 or 32 bits, as quant.scast takes it"
        raise Unsupported(f"no StableHLO tensor holds the storage of {at.type!r}", advice, at.op.location)
    if at.real.name not in ELEMENT_TYPES:
        raise Unsupported(f"no StableHLO tensor holds {at.real}", f"the type is {at.type!r}", at.op.location)


def _scale(at: Lowering, x: Value) -> Value:
    return at.both("divide", x, at.scale())


def _nearest(at: Lowering, x: Value) -> None:
    """rne(clamp(x / scale + zero_point)), saturating; NaN is 0 in the range."""
    bounds = at.type.storage_min, at.type.storage_max
    moved = at.both("add", _scale(at, x), at.parameters(round_parameters(at.type).zero_points, at.real))
    inside = at.within(moved, *round_parameters(at.type).bounds)
    whole = at.emit("round_nearest_even", [inside], at.real)
    nan = at.emit("compare", [whole, whole], ELEMENT_TYPES["i1"], comparison_direction="NE")
    zero = at.splat(float(min(max(0, bounds[0]), bounds[1])), at.real)
    known = at.emit("select", [nan, zero, whole], at.real)
    at.store(at.within(at.emit("convert", [known], at.storage), *bounds))


def _affine(at: Lowering, x: Value) -> None:
    """clamp(rne(x / scale) + zero_point), the sum exact; NaN is the zero point."""
    bounds = at.type.storage_min, at.type.storage_max
    whole = at.within(at.emit("round_nearest_even", [_scale(at, x)], at.real), -FAR, FAR)
    steps = at.emit("convert", [whole], I64)
    moved = at.within(at.both("add", steps, at.parameters(at.type.zero_points, I64)), *bounds)
    at.store(at.emit("convert", [moved], at.storage))


def _upstream(at: Lowering, x: Value) -> None:
    """convert(x / scale + zero_point), which truncates; then explicit bounds, in the storage type."""
    scaled = _scale(at, x)
    if not at.type.is_per_tensor or _cut(at)[0]:
        scaled = at.both("add", scaled, at.parameters(_cut(at), at.real))
    stored = at.emit("convert", [scaled], at.storage)
    bounds = at.type.storage_min, at.type.storage_max
    at.store(stored if bounds == storage_range(at.storage) else at.within(stored, *bounds))


def _cut(at: Lowering) -> list[int]:
    """Return the zero points in the width of the storage: 300 is 44 in 8 bits."""
    return list(wrap_whole(np.asarray(at.type.zero_points, np.int64), at.storage).tolist())


def _dequantize(at: Lowering, x: Value) -> None:
    """(stored - zero_point) * scale, the difference exact."""
    steps = at.emit("convert", [at.storage_of(x)], I64)
    difference = at.both("subtract", steps, at.parameters(at.type.zero_points, I64))
    _times_scale(at, at.emit("convert", [difference], at.real))


def _upstream_dequantized(at: Lowering, x: Value) -> None:
    """(convert(stored) - convert(zero_point)) * scale, each step rounded."""
    real = at.emit("convert", [at.storage_of(x)], at.real)
    if not at.type.is_per_tensor or _cut(at)[0]:
        real = at.both("subtract", real, at.parameters(_cut(at), at.real))
    _times_scale(at, real)


def _times_scale(at: Lowering, x: Value) -> None:
    operands = (x, at.scale())
    at.ops.append(Op("stablehlo.multiply", operands, at.op.results, {}, (), at.op.location))


QCAST = {"nearest": _nearest, "affine": _affine, "upstream": _upstream}
DCAST = {"nearest": _dequantize, "affine": _dequantize, "upstream": _upstream_dequantized}
