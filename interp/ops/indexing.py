"""Operations whose places are values of others: dynamic_slice, dynamic_update_slice and gather."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from spec.ir import Op
from spec.types import ElementType


def dynamic_slice(ctx: Context, op: Op, operand: Array, *start_indices: Array) -> State:
    """`result[i] = operand[adjusted_start_indices + i]`, adjusted so that the slice lies in the operand."""
    _, *indices = op.operands
    parts = zip(start_indices, indices, op["slice_sizes"], strict=True)
    for axis, (start, index, size) in enumerate(parts):
        if size != operand.shape[axis]:
            first = _clamped(ctx.xp, start, index.type.storage_type, operand.shape[axis] - size)
            operand = ctx.xp.take(operand, first + ctx.xp.arange(size), axis=axis)
    return (operand,)


def dynamic_update_slice(ctx: Context, op: Op, operand: Array, update: Array, *start_indices: Array) -> State:
    """`result[adjusted_start_indices + i] = update[i]`, so adjusted that it lies in the operand."""
    parts = zip(start_indices, op.operands[2:], operand.shape, update.shape, strict=True)
    starts = [_clamped(ctx.xp, start, x.type.storage_type, n - size) for start, x, n, size in parts]
    return (ctx.xp.slice_replaced(operand, update, starts),)


def gather(ctx: Context, op: Op, operand: Array, start_indices: Array) -> State:
    """`result[i] = operand[full_start_index + full_batching_index + full_offset_index]`."""
    xp, shape, vector, (_, indices) = ctx.xp, op.result.type.shape, op["index_vector_dim"], op.operands
    batch_dims = [d for d in range(len(shape)) if d not in op["offset_dims"]]
    inner = {*op["collapsed_slice_dims"], *op["operand_batching_dims"]}
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
            most = operand.shape[d] - op["slice_sizes"][d]
            first = _clamped(xp, start, indices.type.storage_type, most)
            total = total + first.reshape([n if k in batch_dims else 1 for k, n in enumerate(shape)])
        if d in batching_of:
            batching = batching_of[d]
            total = total + along(batch_dims[batching - (batching > vector)])
        return total + along(offset_of[d]) if d in offset_of else total

    return (xp.broadcast_to(operand[tuple(map(index, range(operand.ndim)))], shape),)


def _clamped(xp: Namespace, start: Array, type: ElementType, most: int) -> Array:
    """Return start indices clamped to 0, ..., `most`."""
    return xp.clip(start, 0, min(most, type.max_value)).astype(xp.int64)


KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.dynamic_slice": dynamic_slice,
    "stablehlo.dynamic_update_slice": dynamic_update_slice,
    "stablehlo.gather": gather,
}
