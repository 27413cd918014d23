"""Operations whose geometry is an operand, computed as their static counterparts; and get_dimension_size.

In an eager run the elements of these operands are known: they are checked, and the static kernel runs. While
a compiler traces, they are not: shapes are then those of the result's type, whatever the operands say, and
padding and offsets are computed from the operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.memo import once
from interp.engine.prepared import directly
from interp.kernels import contraction, indexing, structure
from spec.errors import Unsupported
from spec.ir import Op
from spec.rules.verify import GEOMETRY, static, without_geometry

Kernel = Callable[..., State]
_static = once(static)  # so that all who hear of the operation hear of the same one


def dynamic(kernel: Kernel, traced: Kernel | None = None) -> Kernel:
    """Return the kernel of an operation, made from the kernel of its static counterpart.

    traced: the kernel for unknown elements, which takes all operands; by default the static kernel, with
    the geometry that the result's type determines.
    """

    def run(ctx: Context, op: Op, *operands: Array) -> State:
        elements = [ctx.xp.known_values(operands[k]) for k in GEOMETRY[op.name].values()]
        if all(x is not None for x in elements):
            op, data = as_ran(op, operands)
            return kernel(ctx, op, *data)
        if traced:
            return traced(ctx, op, *operands)
        return kernel(ctx, without_geometry(op), *_data(op, operands))

    return run


def as_ran(op: Op, operands: State) -> tuple[Op, State]:
    """Return the static operation for known geometry, and its operands; a static one unchanged."""
    if op.name not in GEOMETRY:
        return op, operands
    elements = tuple(_to_tuples(operands[k]) for k in GEOMETRY[op.name].values())
    return _static(op, elements), _data(op, operands)


def _data(op: Op, operands: State) -> State:
    """Return the operands that are not geometry."""
    positions = GEOMETRY[op.name].values()
    return tuple(x for k, x in enumerate(operands) if k not in positions)


def _to_tuples(x: Array) -> Any:
    """Return a list or a matrix as tuples."""
    return tuple(map(tuple, x.tolist())) if x.ndim == 2 else tuple(x.tolist())


def _gather(ctx: Context, op: Op, *operands: Array) -> State:
    """Gather slices with the sizes of the result's offset dimensions, and 1 along the others."""
    if "slice_sizes" not in op.attributes:
        dropped = {*op["collapsed_slice_dims"], *op.attributes.get("operand_batching_dims", ())}
        sizes = iter(op.result.type.shape[d] for d in op["offset_dims"])
        rank = op.operands[0].type.rank
        slice_sizes = tuple(1 if d in dropped else next(sizes) for d in range(rank))
        op = replace(op, attributes={**op.attributes, "slice_sizes": slice_sizes})
    return (indexing.gather(ctx.xp, op)(*operands),)


def _slice(ctx: Context, op: Op, operand: Array, start: Array, limit: Array, strides: Array) -> State:
    """`result[result_index] = operand[start_indices + result_index * strides]`."""
    xp = ctx.xp
    for axis, size in enumerate(op.result.type.shape):
        index = start[axis].astype(xp.int64) + xp.arange(size) * strides[axis].astype(xp.int64)
        operand = xp.take(operand, index, axis=axis)
    return (operand,)


def _pad(
    ctx: Context, op: Op, operand: Array, value: Array, low: Array, high: Array, interior: Array
) -> State:
    """`result[edge_padding_low + i * (interior_padding + 1)] = operand[i]`, elsewhere `padding_value`."""
    low, interior = (x.astype(ctx.xp.int64) for x in (low, interior))
    shape = op.result.type.shape
    edges = [(size, axis, low[axis], interior[axis]) for axis, size in enumerate(shape)]
    return (_pad_edges(ctx.xp, operand, value, edges),)


def _pad_edges(
    xp: Namespace, x: Array, value: Array, edges: Sequence[tuple[int, int, Array, Array]]
) -> Array:
    """Pad with a scalar; each of `edges` is the result's size, the axis, and `low` and `interior`."""
    for size, axis, low, interior in edges:
        n, offset = x.shape[axis], xp.arange(size) - low
        index = offset // (interior + 1)
        inside = (offset % (interior + 1) == 0) & (index >= 0) & (index < n)
        if n:
            moved = xp.take(x, xp.clip(index, 0, n - 1), axis=axis)
            x = xp.where(inside.reshape([-1 if d == axis else 1 for d in range(x.ndim)]), moved, value)
        else:
            x = xp.broadcast_to(value, [size if d == axis else m for d, m in enumerate(x.shape)])
    return x


def _convolution(ctx: Context, op: Op, lhs: Array, rhs: Array, padding: Array) -> State:
    """Convolve, with the padding at the high end that the number of windows in the result needs."""
    made = without_geometry(op)
    window = [op.operands[1].type.shape[d] for d in op["kernel_spatial_dimensions"]]
    counts = [op.result.type.shape[d] for d in op["output_spatial_dimensions"]]
    columns = zip(counts, op["window_strides"], window, op["rhs_dilation"], strict=True)
    sizes = [
        (count - 1) * stride + max(n - 1, 0) * dilation + 1 if count else 0
        for count, stride, n, dilation in columns
    ]
    low = padding.astype(ctx.xp.int64)[:, 0]
    edges = [(size, 1 + k, low[k], op["lhs_dilation"][k] - 1) for k, size in enumerate(sizes)]
    pad = lambda x, hole: _pad_edges(ctx.xp, x, ctx.xp.asarray(hole, x.dtype), edges)
    geometry = contraction.windows_of(ctx.xp, made, pad)._replace(is_traced=True)
    return contraction.contract(ctx, made, lhs, rhs, geometry)


def get_dimension_size(ctx: Context, op: Op, operand: Array) -> State:
    """`result = dim(operand, dimension)`."""
    return (ctx.xp.asarray(operand.shape[op["dimension"]], ctx.xp.int32),)


def refusal(op: Op) -> Unsupported | None:
    """Return the reason why a dynamic_conv on these types is not built, or None."""
    return contraction.refusal(without_geometry(op))


KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.dynamic_broadcast_in_dim": dynamic(directly(structure.broadcast_in_dim)),
    "stablehlo.dynamic_conv": dynamic(contraction.convolution, _convolution),
    "stablehlo.dynamic_gather": dynamic(_gather),
    "stablehlo.dynamic_iota": dynamic(directly(structure.iota)),
    "stablehlo.dynamic_pad": dynamic(directly(structure.pad), _pad),
    "stablehlo.dynamic_reshape": dynamic(directly(structure.reshape)),
    "stablehlo.get_dimension_size": get_dimension_size,
    "stablehlo.real_dynamic_slice": dynamic(directly(structure.slice_), _slice),
}
