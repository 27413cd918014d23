"""Ops with start indices as operands: dynamic_slice, dynamic_update_slice and gather."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spec.errors import Unspecified
from spec.ir import Op
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Index, Tensor, build


def dynamic_slice(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = slice(operand, adjusted_start_indices, adjusted_start_indices + slice_sizes, 1s)"""
    operand, *start_indices = operands
    starts = zip(start_indices, operand.type.shape, op["slice_sizes"], strict=True)
    adjusted_start_indices = [clamp(start.elements[0], dim - size) for start, dim, size in starts]
    return (build(op.result.type, lambda result_index: operand[result_index + adjusted_start_indices]),)


def dynamic_update_slice(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = update at adjusted_start_indices + update_index, operand elsewhere"""
    operand, update, *start_indices = operands
    starts = zip(start_indices, operand.type.shape, update.type.shape, strict=True)
    adjusted_start_indices = [clamp(start.elements[0], dim - size) for start, dim, size in starts]

    def element(result_index: Index) -> Any:
        update_index = result_index - adjusted_start_indices
        return update[update_index] if update_index.inside(update.type.shape) else operand[result_index]

    return (build(op.result.type, element),)


def clamp(start: int, most: int) -> int:
    return max(0, min(start, most))


def gather(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_index] = operand[full_start_index + full_batching_index + full_offset_index]"""
    operand, start_indices = operands
    shape, vector = operand.type.shape, op["index_vector_dim"]
    dropped = {*op["collapsed_slice_dims"], *op["operand_batching_dims"]}
    if 0 in shape and 0 not in op.result.type.shape:
        raise Unspecified("gather reads an element of nothing", f"operand: {op.operands[0]!r}", op.location)

    def start_index(batch_index: list[int]) -> list[int]:
        """start_indices[bi0, ..., :, ..., biN], `:` at index_vector_dim."""
        if vector == len(start_indices.type.shape):
            return [start_indices[Index(batch_index)]]
        size = start_indices.type.shape[vector]
        return [start_indices[Index([*batch_index[:vector], k, *batch_index[vector:]])] for k in range(size)]

    def operand_index(result_index: Index) -> Index:
        batch_index = [i for d, i in enumerate(result_index) if d not in op["offset_dims"]]
        offset_index = iter(i for d, i in enumerate(result_index) if d in op["offset_dims"])
        total = [0] * len(shape)
        for d, start in zip(op["start_index_map"], start_index(batch_index), strict=True):
            read = 1 if d in dropped else op["slice_sizes"][d]  # also where a dropped slice has size 0
            total[d] += clamp(start, shape[d] - read)
        batching = zip(op["operand_batching_dims"], op["start_indices_batching_dims"], strict=True)
        for d, d_batching in batching:
            total[d] += batch_index[d_batching - (d_batching > vector)]
        for d in range(len(shape)):
            if d not in dropped:
                total[d] += next(offset_index)
        return Index(total)

    return (build(op.result.type, lambda result_index: operand[operand_index(result_index)]),)


MEANINGS: dict[str, Meaning] = {
    "stablehlo.dynamic_slice": dynamic_slice,
    "stablehlo.dynamic_update_slice": dynamic_update_slice,
    "stablehlo.gather": gather,
}
