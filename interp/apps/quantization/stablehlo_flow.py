"""The flow "stablehlo": quantized operations that jaxlib's verifier accepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.apps.quantization.symbols import (
    FREE,
    Clamp,
    Constant,
    Stored,
    common_storage,
    stored_in,
    whole_range,
)
from interp.backends import NUMPY
from interp.backends.dtypes import numpy_dtype
from interp.engine.quant import spread
from interp.engine.storage import convert_leaves, to_reals
from interp.loading.writer import Writer, collapse_repeats
from spec.ir import Op, Region, Value
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, integer


class StableHLO:
    """Writes operations on quantized tensors."""

    name, ties = "stablehlo", "even"

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    # Values

    def symbol(self, value: Value, type: QuantizedType, steps: Any = None) -> Stored:
        return Stored(value, value.type.shape, type, steps or whole_range(type))

    def quantize_constant(self, x: Constant, type: QuantizedType) -> Stored:
        """Return a constant quantized by the specification's formula; it is written when it is used."""
        array = x.array if type.block_sizes is not None else collapse_repeats(x.array)
        small = NUMPY.decode(array, x.type.tensor_element_type)
        numbers = convert_leaves(small, x.type.tensor_element_type, type).astype(
            numpy_dtype(type.storage_type)
        )
        return self.constant(np.broadcast_to(numbers, x.shape), type)

    def constant(self, data: np.ndarray, type: QuantizedType) -> Stored:
        """Return a constant of stored numbers."""
        numbers = collapse_repeats(data).astype(np.int64)
        ends = numbers - spread(NUMPY, type.zero_points, np.int64, type, data.shape)
        steps = np.min(ends, initial=0), np.max(ends, initial=0)
        return Stored(None, data.shape, type, steps, data)

    def value(self, x: Stored) -> Value:
        """Return the tensor of a stored value, of its logical type: a factor reinterprets the scale."""
        type = TensorType(x.shape, x.type)
        if x.value is None:
            assert x.data is not None
            whole = np.ascontiguousarray(x.data) if x.type.block_sizes is not None else x.data
            return self.writer.constant(whole, type)
        if x.value.type == type:
            return x.value
        key = ("as", x.value.name, x.type)
        found = self.writer.find(key)
        return found or self.writer.keep(key, self.writer.emit("bitcast_convert", [x.value], type))

    # Conversions

    def quantize(self, x: Value, type: QuantizedType) -> Stored:
        result = TensorType(x.type.shape, type)
        return self.symbol(self.writer.emit("uniform_quantize", [x], result), type)

    def dequantize(self, x: Stored) -> Value:
        expressed = TensorType(x.shape, x.type.expressed_type)
        return self.writer.emit("uniform_dequantize", [self.value(x)], expressed)

    def rescale(self, x: Stored, type: QuantizedType) -> Stored:
        """Return a value in another type: `quantize(dequantize(x))`."""
        if x.type == type:
            return x
        if x.data is not None:
            small = NUMPY.decode(x.data, x.type.storage_type)
            numbers = convert_leaves(small, x.type, type).astype(numpy_dtype(type.storage_type))
            return self.constant(numbers, type)
        return self.quantize(self.value(x), type)

    def finish(self, x: Stored, type: QuantizedType, clamp: Clamp) -> Stored:
        """Return a value in its final type, within bounds: quantization is monotone, so they come last."""
        x = self.rescale(replace(x, clamp=FREE), type)
        if clamp == FREE:
            return x
        if type.is_per_axis:
            return self.quantize(self.clamp_float(self.dequantize(x), clamp), type)
        low, high = (self._bound(end, type) for end in clamp)
        if low <= type.storage_min and high >= type.storage_max:
            return x
        scalar = TensorType((), type)
        ends = [self.writer.constant(np.asarray(end), scalar) for end in (low, high)]
        value = self.writer.emit("clamp", [ends[0], self.value(x), ends[1]], TensorType(x.shape, type))
        return self.symbol(value, type)

    def holds(self, type: QuantizedType, clamp: Clamp) -> bool:
        """Return whether the bounds are numbers of a type (-0 is none): clamping in it changes no other."""
        finite = [end for end in clamp if abs(end) != float("inf")]
        held = (float(to_reals(np.asarray(self._bound(end, type)), type)) for end in finite)
        return list(map(repr, held)) == list(map(repr, finite))

    def _bound(self, bound: float, type: QuantizedType) -> int:
        """Return the stored number of a bound."""
        f64 = ELEMENT_TYPES["f64"]
        return int(convert_leaves(np.asarray(bound), f64, type))

    def clamp_float(self, x: Value, clamp: Clamp) -> Value:
        scalar = TensorType((), x.type.element_type)
        ends = [self.writer.constant(np.asarray(end), scalar) for end in clamp]
        return self.writer.emit("clamp", [ends[0], x, ends[1]], x.type)

    # Operations

    def move(self, op: Op, operands: Sequence[Value], type: QuantizedType) -> Stored:
        """Return an operation that only moves elements, or chooses them, in the type of its operands."""
        result = replace(op.result.type, element_type=type)
        name = op.name.partition(".")[2]
        return self.symbol(self.writer.emit(name, operands, result, **op.attributes), type)

    def elementwise(self, op: Op, operands: Sequence[Stored], type: QuantizedType) -> Stored:
        """Return an elementwise operation: dequantized, computed and quantized to the type at once.

        Operands and result have one storage: narrower ones are widened, which loses nothing, and a result of
        other storage is clipped at the end, in the same scale.
        """
        bits, signed = common_storage([type, *(x.type for x in operands)])
        values = [self.value(self.rescale(x, stored_in(x.type, bits, signed))) for x in operands]
        wide = (
            type
            if stored_in(type, bits, signed).storage_type == type.storage_type
            else stored_in(type, bits, signed)
        )
        if any(v.type.quantized_element_type.storage_min != wide.storage_min for v in values):
            wide = stored_in(type, bits, signed)
        name = op.name.partition(".")[2]
        value = self.writer.emit(name, values, TensorType(op.result.type.shape, wide), **op.attributes)
        return self.rescale(self.symbol(value, wide), type)

    def look_up(self, x: Stored, numbers: np.ndarray, type: QuantizedType) -> Stored:
        """Return the entries of a table at the bit patterns of 8-bit numbers; it has one for each pattern."""
        pattern = TensorType(x.shape, integer(8, False))
        places = self.writer.emit("bitcast_convert", [self.value(x)], pattern)
        element = self.look_up_type(type)
        table = self.writer.constant(numbers, TensorType(numbers.shape, element))
        value = self.writer.emit("gather", [table, places], TensorType(x.shape, element), (), **_entry(x))
        steps = numbers.astype(np.int64) - type.zero_point
        return self.symbol(value, type, (steps.min(), steps.max()))

    def look_up_type(self, type: QuantizedType) -> Any:
        """Return the element type of a table's entries."""
        return type

    def contraction(self, op: Op, left: Stored, right: Stored, type: QuantizedType, steps: Any) -> Stored:
        """Return sums of products in an i32 type."""
        result = TensorType(op.result.type.shape, type)
        operands = [self.value(left), self.value(right)]
        name = op.name.partition(".")[2]
        return self.symbol(self.writer.emit(name, operands, result, **op.attributes), type, steps)

    def add(self, x: Stored, y: Stored, steps: Any) -> Stored:
        """Return a sum of two values of one i32 type."""
        value = self.writer.emit("add", [self.value(x), self.value(y)], TensorType(x.shape, x.type))
        return self.symbol(value, x.type, steps)

    def reduce(self, op: Op, x: Stored, body: str, type: QuantizedType, steps: Any) -> Stored:
        """Return a reduction whose body, of one operation, has the given type."""
        init = x.type.zero_point
        if body != "add":
            init = x.type.storage_min if body == "maximum" else x.type.storage_max
        start = self.writer.constant(np.asarray(init), TensorType((), x.type))
        result = TensorType(op.result.type.shape, type)
        name = op.name.partition(".")[2]
        region = self.body(body, TensorType((), type))
        value = self.writer.emit(name, [self.value(x), start], result, (region,), **op.attributes)
        return self.symbol(value, type, steps)

    def body(self, name: str, type: TensorType) -> Region:
        """Return the body of a reduction: one operation on two scalars."""
        first, second, out = (Value(self.writer.fresh(hint), type) for hint in ("a", "b", "c"))
        combined = Op(f"stablehlo.{name}", (first, second), (out,))
        return Region((first, second), (combined, Op("stablehlo.return", (out,), ())))

    def hybrid(self, x: Stored) -> Value:
        """Return quantized weights for a contraction that dequantizes them itself."""
        return self.value(x)

    def slice(self, x: Stored, d: int, part: tuple[int, int]) -> Stored:
        """Return a slice along one dimension."""
        return self.symbol(self.slice_of(self.value(x), d, part), x.type, x.steps)

    def slice_of(self, x: Value, d: int, part: tuple[int, int]) -> Value:
        rank, (start, limit) = x.type.rank, part
        starts = tuple(start if k == d else 0 for k in range(rank))
        limits = tuple(limit if k == d else n for k, n in enumerate(x.type.shape))
        shape = tuple(b - a for a, b in zip(starts, limits, strict=True))
        places = {"start_indices": starts, "limit_indices": limits, "strides": (1,) * rank}
        return self.writer.emit("slice", [x], replace(x.type, shape=shape), (), **places)

    def scatter(self, op: Op, operand: Stored, source: Stored, type: QuantizedType, steps: Any) -> Stored:
        """Return a source scattered to the selected elements of an operand, added in a type.

        The operand is only compared, so its stored numbers do under the source's scale, too.
        """
        bits, signed = common_storage([operand.type, source.type])
        operand, source = (self.rescale(x, stored_in(x.type, bits, signed)) for x in (operand, source))
        operand = replace(operand, type=source.type)
        zero = self.writer.constant(np.asarray(source.type.zero_point), TensorType((), source.type))
        select = self.comparison(op, TensorType((), operand.type))
        regions = (select, self.body("add", TensorType((), type)))
        operands = [self.value(operand), self.value(source), zero]
        result = TensorType(op.result.type.shape, type)
        value = self.writer.emit("select_and_scatter", operands, result, regions, **op.attributes)
        return self.symbol(value, type, steps)

    def comparison(self, op: Op, type: TensorType) -> Region:
        """Return the body that selects, on scalars of a type."""
        body = op.regions[0]
        renamed = {v.name: Value(self.writer.fresh(v.name), type) for v in body.arguments}
        inner = body.ops[0]
        kept = {k: v for k, v in inner.attributes.items() if k != "compare_type"}
        out = Value(self.writer.fresh(inner.result.name), inner.result.type)
        compared = replace(
            inner, operands=tuple(renamed[v.name] for v in inner.operands), results=(out,), attributes=kept
        )
        return Region(tuple(renamed.values()), (compared, Op("stablehlo.return", (out,), ())))


def _entry(x: Stored) -> dict[str, Any]:
    """Return the attributes of a gather of one entry of a table for each element."""
    none = dict.fromkeys(("offset_dims", "operand_batching_dims", "start_indices_batching_dims"), ())
    place = {"collapsed_slice_dims": (0,), "start_index_map": (0,), "index_vector_dim": len(x.shape)}
    return {**none, **place, "slice_sizes": (1,), "indices_are_sorted": False}
