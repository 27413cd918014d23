"""Quantizations that add the zero point after rounding, as ONNX does, merged into one operation each."""

from __future__ import annotations

from dataclasses import replace

from interp.apps.quantization.arithmetic_qdq import Spelled
from interp.apps.quantization.partition import QUANTIZE
from spec.ir import Op, Region
from spec.types import QuantizedType


def rounded_once(region: Region) -> tuple[Region, list[Spelled]]:
    """Return the block with one quantization in place of two, and the results, which may differ by a step.

    Two steps round to integers of 32 bits first, and then to the type with a zero point. One step adds the
    zero point before it rounds: a tie falls to the other side where the zero point is odd.
    """
    made = {op.results[0].name: op for op in region.ops if op.name == QUANTIZE}
    ops, merged = list[Op](), list[Spelled]()
    for op in region.ops:
        first = made.get(op.operand.name) if op.name == QUANTIZE else None
        if first and _is_unmoved(first, op):
            ops.append(replace(op, operands=first.operands))
            merged.append(Spelled(op.result.name, (first.name[10:], op.name[10:]), 1))
        else:
            ops.append(op)
    return replace(region, ops=tuple(ops)), merged


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
