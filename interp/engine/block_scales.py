"""Scales of the operands of a contraction: where they change along its sums, and what is left per result.

Every quantized type is a table of scales here, one for each element, whether it writes one scale, one for
each slice or one for each block.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY
from interp.engine.memo import once
from interp.engine.quant import round_parameters, spread
from spec.ir import Op
from spec.types import TensorType


class Sides(NamedTuple):
    """Dimensions of an operand by what the contraction does with them."""

    batch: tuple[int, ...]
    free: tuple[int, ...]
    summed: tuple[int, ...]


def sides(op: Op, k: int) -> Sides:
    """Return the dimensions of operand k; the windows of a convolution are summed with their features."""
    rank = op.operands[k].type.rank
    if op.name == "stablehlo.dot_general":
        side = ("lhs", "rhs")[k]
        batch, summed = op[f"{side}_batching_dimensions"], op[f"{side}_contracting_dimensions"]
        return Sides(batch, tuple(d for d in range(rank) if d not in (*batch, *summed)), summed)
    if k == 0:
        summed = (*op["input_spatial_dimensions"], op["input_feature_dimension"])
        return Sides((), (op["input_batch_dimension"],), summed)
    summed = (*op["kernel_spatial_dimensions"], op["kernel_input_feature_dimension"])
    return Sides((), (op["kernel_output_feature_dimension"],), summed)


def scale_table(type: TensorType, dtype: Any = np.float64) -> np.ndarray:
    """Return the scale of every element, rounded to the expressed type; a view where scales repeat."""
    element = type.quantized_element_type
    table = spread(NUMPY, round_parameters(element).scales, np.float64, element, type.shape)
    return np.broadcast_to(np.asarray(table), type.shape).astype(dtype, copy=False)


@once
def cuts(op: Op) -> tuple[int, ...]:
    """Return the leaves at which a scale of either operand is another one than before, for any result.

    None but 0 is never one. The lhs of a convolution has no scales along its windows
    (`spec.integer_reading.refusal`), so that a scale depends on the feature alone.
    """
    found: set[int] = set()
    for k in (0, 1):
        type, dimensions = op.operands[k].type, sides(op, k)
        if type.quantized_element_type.is_per_tensor:
            continue
        order = (*dimensions.summed, *dimensions.batch, *dimensions.free)
        sizes = [type.shape[d] for d in dimensions.summed]
        table = scale_table(type).transpose(order)
        if op.name != "stablehlo.dot_general" and k == 0:
            window = [op.operands[1].type.shape[d] for d in op["kernel_spatial_dimensions"]]
            features = op.operands[1].type.shape[op["kernel_input_feature_dimension"]]
            table = table[(0,) * len(window)][:features]
            table, sizes = np.broadcast_to(table, (*window, *table.shape)), [*window, features]
        rows = table.reshape(prod(sizes), -1)
        found |= {*(np.flatnonzero((rows[1:] != rows[:-1]).any(axis=1)) + 1).tolist()}
    return tuple(sorted(found))


def scales_per_result(op: Op, k: int, table: np.ndarray) -> np.ndarray:
    """Return a table of operand k, constant along the sums, in a shape that broadcasts to the result."""
    dimensions = sides(op, k)
    order = *dimensions.summed, *dimensions.batch, *dimensions.free
    first = np.asarray(table.transpose(order)[(0,) * len(dimensions.summed)], table.dtype)
    rank = op.result.type.rank
    if op.name != "stablehlo.dot_general":
        place = op[("output_batch_dimension", "output_feature_dimension")[k]]
        if k == 0 and first.size != op.result.type.shape[place]:  # groups of batches: one scale for all
            first = first[:1]
        return first.reshape([-1 if d == place else 1 for d in range(rank)])
    others = rank - len(dimensions.batch) - len(dimensions.free)
    batch, free = first.shape[: len(dimensions.batch)], first.shape[len(dimensions.batch) :]
    return first.reshape((*batch, *free, *[1] * others) if k == 0 else (*batch, *[1] * others, *free))


@once
def digits_of_scales(op: Op) -> int:
    """Return how many significant bits the product of a scale of lhs and one of rhs has at most."""
    return sum(significant_bits(scale_table(value.type)) for value in op.operands[:2])


def significant_bits(x: np.ndarray) -> int:
    """Return the most bits from the first one of a number to its last that is set."""
    whole = np.ldexp(np.frexp(np.unique(x))[0], 53).astype(np.int64)
    lowest = int((whole & -whole).min(initial=1 << 53))
    return 54 - lowest.bit_length()
