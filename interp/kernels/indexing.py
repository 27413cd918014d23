"""Operations with start indices as operands: dynamic_slice, dynamic_update_slice and gather."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from interp.backends import Array, Namespace
from interp.engine.prepared import Preparation
from interp.kernels.structure import keep_storage
from spec.errors import Unspecified
from spec.ir import Op
from spec.types import ElementType

Function = Callable[..., Array]


def dynamic_slice(xp: Namespace, op: Op) -> Function:
    """`result[i] = operand[adjusted_start_indices + i]`, adjusted so that the slice lies in the operand."""
    sizes, most = op["slice_sizes"], _most(op.operands[0].type.shape, op["slice_sizes"])
    return lambda operand, *start_indices: xp.slice_of(operand, _starts(xp, start_indices, most), sizes)


def dynamic_update_slice(xp: Namespace, op: Op) -> Function:
    """`result[adjusted_start_indices + i] = update[i]`, adjusted so that the update lies in the operand."""
    most = _most(op.operands[0].type.shape, op.operands[1].type.shape)
    return lambda operand, update, *start_indices: xp.slice_replaced(
        operand, update, _starts(xp, start_indices, most)
    )


def _most(shape: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """Return the greatest start index of a slice of these sizes in each dimension."""
    return [n - size for n, size in zip(shape, sizes, strict=True)]


def _starts(xp: Namespace, start_indices: Sequence[Array], most: Sequence[int]) -> list[Any]:
    """Return start indices clamped to 0, ..., `most`."""
    return [xp.start(*pair) for pair in zip(start_indices, most, strict=True)]


def gather(xp: Namespace, op: Op) -> Function:
    """`result[i] = operand[full_start_index + full_batching_index + full_offset_index]`."""
    axis = _taken_axis(op)
    return partial(_gather, xp, op) if axis is None else partial(_take, xp, op, axis)


def _taken_axis(op: Op) -> int | None:
    """Return the axis at whose places a gather takes whole slices, if the places stand where the axis was."""
    (operand, indices), map = op.operands, op["start_index_map"]
    shape, vector = operand.type.shape, op["index_vector_dim"]
    sizes = [1 if d in map else n for d, n in enumerate(shape)]
    if len(map) != 1 or op["operand_batching_dims"] or op["collapsed_slice_dims"] != map:
        return None
    axis, count = map[0], indices.type.rank - (vector < indices.type.rank)
    others = [d for d in range(op.result.type.rank) if not axis <= d < axis + count]
    fits = list(op["slice_sizes"]) == sizes and list(op["offset_dims"]) == others
    return axis if fits and shape[axis] else None


def _take(xp: Namespace, op: Op, axis: int, operand: Array, start_indices: Array) -> Array:
    vector, indices = op["index_vector_dim"], op.operands[1]
    starts = start_indices if vector == start_indices.ndim else xp.squeeze(start_indices, vector)
    places = _clamp_start(xp, starts, indices.type.storage_type, operand.shape[axis] - 1)
    return xp.take(operand, places, axis=axis, mode="clip")


def _gather(xp: Namespace, op: Op, operand: Array, start_indices: Array) -> Array:
    shape, vector, (_, indices) = op.result.type.shape, op["index_vector_dim"], op.operands
    batch_dims = [d for d in range(len(shape)) if d not in op["offset_dims"]]
    inner = {*op["collapsed_slice_dims"], *op["operand_batching_dims"]}
    if 0 in operand.shape and 0 not in shape:
        raise Unspecified("gather reads an element of nothing", f"operand: {op.operands[0]!r}", op.location)
    offset_of = dict(zip((d for d in range(operand.ndim) if d not in inner), op["offset_dims"], strict=True))
    batching_of = dict(zip(op["operand_batching_dims"], op["start_indices_batching_dims"], strict=True))
    if vector == start_indices.ndim:
        start_indices = start_indices[..., None]
    starts = xp.moveaxis(start_indices, vector, -1)

    def along(d: int) -> Array:
        """Return 0, 1, ... along a dimension of the result."""
        return xp.arange(shape[d]).reshape([n if k == d else 1 for k, n in enumerate(shape)])

    def index(d: int) -> Array:
        """Return the operand's index in dimension d, to be broadcast to the result's shape."""
        total = xp.zeros([1] * len(shape), xp.int64)
        if d in op["start_index_map"]:
            start = starts[..., op["start_index_map"].index(d)]
            read = 1 if d in inner else op["slice_sizes"][d]  # also where a dropped slice has size 0
            first = _clamp_start(xp, start, indices.type.storage_type, operand.shape[d] - read)
            total = total + first.reshape([n if k in batch_dims else 1 for k, n in enumerate(shape)])
        if d in batching_of:
            batching = batching_of[d]
            total = total + along(batch_dims[batching - (batching > vector)])
        return total + along(offset_of[d]) if d in offset_of else total

    return xp.broadcast_to(operand[tuple(map(index, range(operand.ndim)))], shape)


def _clamp_start(xp: Namespace, start: Array, type: ElementType, most: int) -> Array:
    """Return start indices clamped to 0, ..., `most`."""
    return xp.clip(start, 0, min(most, type.max_value)).astype(xp.int64)


PREPARED: dict[str, Preparation] = {
    "stablehlo.dynamic_slice": keep_storage(dynamic_slice, 1),
    "stablehlo.dynamic_update_slice": keep_storage(dynamic_update_slice, 2),
    "stablehlo.gather": keep_storage(gather, 1),
}
