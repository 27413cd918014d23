"""Contractions of dequantized numbers (QDQ) as the quantized contractions that they simulate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from interp.backends import fl
from interp.engine.facts import facts
from interp.engine.storage import storage_range
from interp.recorder.layers import function_of
from spec.integer_reading import in_integers
from spec.ir import Module, Op, Value, nested_ops
from spec.types import ElementType, QuantizedType, TensorType

WIDEST = 16  # bits of storage whose numbers f32 gives back


def quantized_contraction(module: Module, op: Op, sums: ElementType) -> Op | None:
    """Return a float contraction with the quantized operands that its numbers come from, or None.

    Its result is the sum of the integers, stored as it is in the type `sums` of its accumulator, in steps of
    the product of both scales, rounded to the expressed type. Numbers are followed through operations that
    only move elements, within one function.
    """
    made = {v.name: each for each in nested_ops(module[function_of(module, op)].body) for v in each.results}
    types = [_source(value, made) for value in op.operands[:2]]
    left, right = types
    if left is None or right is None or not left.is_per_tensor:
        return None
    axis = None if right.is_per_tensor else _result_axis(op, right.quantization_dimension)
    if (axis is None) != right.is_per_tensor or op.result.type.element_type != right.expressed_type:
        return None
    pairs = zip((left, right), op.operands, strict=False)
    operands = tuple(_of(value, type) for type, value in pairs)
    found = replace(op, operands=operands, results=(_of(op.result, _sums(sums, left, right, axis)),))
    return found if in_integers(found) else None


def _source(value: Value, made: Mapping[str, Op]) -> QuantizedType | None:
    """Return the type whose numbers a float value has, if one operation dequantized it."""
    moved = False
    while op := made.get(value.name):
        if len(op.operands) != 1 or facts(op).family not in ("conversion", "structure"):
            return None
        (value,) = op.operands
        if value.type.is_quantized:
            type = value.type.quantized_element_type
            known = facts(op).reference == "alias" and not type.block_sizes and _is_recovered(type)
            return type if known and (type.is_per_tensor or not moved) else None
        if not facts(op).moves:
            return None
        moved = True
    return None


def _is_recovered(type: QuantizedType) -> bool:
    """Return whether a dequantized number tells its integer.

    THEOREM: (q - zero_point) * scale rounded to 24 bits is less than half a scale off, for 17 bits of
    q - zero_point, if it is not subnormal.
    """
    smallest = min(type.scales) >= 2.0**-100
    storage = type.storage_type
    return storage.is_integer and storage.bits <= WIDEST and type.expressed_type.name == "f32" and smallest


def _result_axis(op: Op, axis: int | None) -> int | None:
    """Return the dimension of the result that a free dimension of the right operand becomes."""
    if op.name == "stablehlo.convolution":
        return op["output_feature_dimension"] if axis == op["kernel_output_feature_dimension"] else None
    batch, summed = op["rhs_batching_dimensions"], op["rhs_contracting_dimensions"]
    free = [d for d in range(op.operands[1].type.rank) if d not in (*batch, *summed)]
    if axis not in free:
        return None
    return op.result.type.rank - len(free) + free.index(axis)


def _sums(storage: ElementType, left: QuantizedType, right: QuantizedType, axis: int | None) -> QuantizedType:
    """Return the type of the sums: the scale of a channel is the product of both, rounded."""
    element = right.expressed_type
    scales = tuple(fl(fl(left.scales[0], element) * fl(scale, element), element) for scale in right.scales)
    low, high = storage_range(storage)
    return replace(
        right,
        storage_type=storage,
        storage_min=low,
        storage_max=high,
        scales=scales,
        zero_points=(0,) * len(scales),
        quantization_dimension=axis,
        spelling=storage.name,
    )


def _of(value: Value, type: QuantizedType) -> Value:
    return replace(value, type=TensorType(value.type.shape, type))
