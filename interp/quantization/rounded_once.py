"""Quantizations that add the zero point after rounding, as ONNX does, merged into one operation each."""

from __future__ import annotations

from dataclasses import replace
from math import floor

from interp.quantization.arithmetic_qdq import Spelled, half_place, largest_integer
from interp.quantization.partition import QUANTIZE
from spec.ir import Op, Region
from spec.types import QuantizedType


def rounded_once(region: Region) -> tuple[Region, list[Spelled]]:
    """Return the block with one quantization in place of two, and the results with the steps they may differ.

    Two steps round to integers of 32 bits first, and then to the type with a zero point. One step adds the
    zero point before it rounds: a tie falls to the other side where the zero point is odd.
    """
    made = {op.results[0].name: op for op in region.ops if op.name == QUANTIZE}
    ops, merged = list[Op](), list[Spelled]()
    for op in region.ops:
        first = made.get(op.operand.name) if op.name == QUANTIZE else None
        if first and _is_unmoved(first, op):
            ops.append(replace(op, operands=first.operands))
            steps = _steps(op.result.type.quantized_element_type)
            merged.append(Spelled(op.result.name, (first.name[10:], op.name[10:]), steps))
        else:
            ops.append(op)
    return replace(region, ops=tuple(ops)), merged


def _steps(type: QuantizedType) -> int | None:
    """Return the most steps by which two quantizations to a type differ from one, for any number.

    Between two, the integer is rounded, multiplied by the scale and divided by it: three roundings. Then
    either way rounds the sum with the zero point, and a number to an integer, which is off by a half. None
    where a product may overflow.
    """
    low, high = float(type.storage_min), float(type.storage_max)
    largest = largest_integer(low, high, type.zero_points) + 1
    if largest * max(1.0, *type.scales) >= 2.0**type.expressed_type.bias:
        return None
    between = 3.5 * 2.0**-type.expressed_type.precision * largest
    return floor(1 + between + 2 * half_place(largest, type.expressed_type))


def _is_unmoved(first: Op, second: Op) -> bool:
    """Return whether the first quantization rounds a float to 32 bits in the scale of the second."""
    wide, type = first.result.type.quantized_element_type, second.result.type.quantized_element_type
    zeros = (0,) * len(type.scales)
    unmoved = QuantizedType(
        wide.storage_type,
        wide.storage_type.min_value,
        wide.storage_type.max_value,
        type.expressed_type,
        type.scales,
        zeros,
        type.quantization_dimension,
        type.block_sizes,
        type.parameters_shape,
        wide.spelling,
    )
    return not first.operand.type.is_quantized and wide.storage_type.name == "i32" and wide == unmoved
