"""dot_general and convolution: products, and one fold of additions over them from 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from interp import windows
from interp.evaluate import Context, Place
from interp.fold import Leaves, Node, fold
from interp.namespace import Array, State
from interp.ops.elementwise import plain
from interp.ops.structure import pad_array
from interp.quant import convert, dequantize, quantize, wrap
from spec.errors import Unsupported
from spec.ir import Op
from spec.types import ElementType, QuantizedType


def dot_general(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    """Dot products over the contracting dimensions, one per batch index and pair of result indices."""
    xp, (lhs, rhs), element = ctx.xp, *_numbers(ctx, op, lhs, rhs)
    batch = [op["lhs_batching_dimensions"], op["rhs_batching_dimensions"]]
    contracting = [op["lhs_contracting_dimensions"], op["rhs_contracting_dimensions"]]
    sides = []
    for x, b, c in zip((lhs, rhs), batch, contracting, strict=True):
        free = [d for d in range(x.ndim) if d not in (*b, *c)]
        sizes = [prod(x.shape[d] for d in group) for group in (c, b, free)]
        sides.append(xp.transpose(x, (*c, *b, *free)).reshape(sizes))
    left, right = sides[0][:, :, :, None], sides[1][:, :, None, :]
    shape = left.shape[1], left.shape[2], right.shape[3]
    result = _sum_of_products(ctx, op, left.shape[0], lambda i: left[i], lambda i: right[i], shape, element)
    return _finish(ctx, op, result.reshape(op.result.type.shape))


def convolution(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    """Dot products between windows of `lhs` and slices of `rhs`: kernel positions first, then input
    features."""
    xp, (lhs, rhs), element = ctx.xp, *_numbers(ctx, op, lhs, rhs)
    spatial, kernel = op["input_spatial_dimensions"], op["kernel_spatial_dimensions"]
    lhs = xp.transpose(lhs, (op["input_batch_dimension"], *spatial, op["input_feature_dimension"]))
    rhs = xp.transpose(
        rhs, (*kernel, op["kernel_input_feature_dimension"], op["kernel_output_feature_dimension"])
    )
    edges = [
        (0, 0, 0),
        *((*p, d - 1) for p, d in zip(op["padding"], op["lhs_dilation"], strict=True)),
        (0, 0, 0),
    ]
    padded = pad_array(xp, lhs, xp.zeros((), lhs.dtype), edges)
    groups = op["feature_group_count"] * op["batch_group_count"]
    sizes = [
        op.result.type.shape[d] for d in (op["output_batch_dimension"], *op["output_spatial_dimensions"])
    ]
    geometry = _windows_of(op, padded.shape, rhs.shape, sizes, groups)
    n, ones = len(geometry.offset), [1] * geometry.base.ndim
    base, offset = xp.asarray(geometry.base), xp.asarray(geometry.offset.reshape(n, *ones))
    flat, features = padded.reshape(-1), rhs.reshape(n, *ones[1:], groups, rhs.shape[-1] // groups)
    holes = None
    if any(any(edge) for edge in edges):
        holes = xp.asarray(~windows.inside(lhs.shape, edges, geometry))[..., None]
    shape = (*geometry.base.shape, features.shape[-1])
    windowed = lambda i: flat[base + offset[i]][..., None]
    result = _sum_of_products(ctx, op, n, windowed, lambda i: features[i], shape, element, holes)
    result = result.reshape(*sizes, rhs.shape[-1])
    order = (op["output_batch_dimension"], *op["output_spatial_dimensions"], op["output_feature_dimension"])
    return _finish(ctx, op, xp.transpose(result, sorted(range(len(order)), key=order.__getitem__)))


def _windows_of(
    op: Op, lhs: Sequence[int], rhs: Sequence[int], result: Sequence[int], groups: int
) -> windows.Geometry:
    """Base per [batch, *spatial, group] and offset per [*kernel, input feature] into `lhs` [batch,
    *spatial, feature]."""
    strides = windows.row_major(lhs)
    of_group = strides[-1] * rhs[-2] if op["feature_group_count"] > 1 else strides[0] * result[0]
    steps = [stride * by for stride, by in zip(strides[1:-1], op["window_strides"], strict=True)]
    base = windows.grid([*result, groups], [strides[0], *steps, of_group])
    steps = [stride * by for stride, by in zip(strides[1:-1], op["rhs_dilation"], strict=True)]
    start = sum(
        step * (n - 1) for step, n, flip in zip(steps, rhs, op["window_reversal"], strict=False) if flip
    )
    steps = [-step if flip else step for step, flip in zip(steps, op["window_reversal"], strict=True)]
    offset = windows.grid(rhs[:-1], [*steps, strides[-1]])
    return windows.Geometry(base, offset.ravel() + start)


def _numbers(ctx: Context, op: Op, lhs: Array, rhs: Array) -> tuple[list[Array], ElementType]:
    """Operands as the numbers they stand for, and the type that products and sums are rounded to."""
    result = op.result.type.element_type
    element = result.expressed_type if isinstance(result, QuantizedType) else result
    numbers = []
    for x, value in zip((lhs, rhs), op.operands, strict=True):
        source = value.type.element_type
        if isinstance(source, QuantizedType):
            x, source = dequantize(ctx.xp, x, source), source.expressed_type
        if source == element or source.kind != "float":
            numbers.append(convert(ctx.xp, x, source, element))
        elif source.precision <= 24:
            numbers.append(
                x.astype(ctx.xp.float64)
            )  # products are exact there, and rounded once to the result's type
        else:
            what = f"{op.name} of {source!r} to {element!r} is not built"
            raise Unsupported(what, "convert the operands first", op.location)
    return numbers, element


def _sum_of_products(
    ctx: Context,
    op: Op,
    n: int,
    lhs: Callable[[Array], Array],
    rhs: Callable[[Array], Array],
    shape: Sequence[int],
    element: ElementType,
    holes: Array | None = None,
) -> Array:
    """`fold(add, [0] + products)` in the schedule; with `contractions="library"` in whatever order a sum
    has there.

    The product at a hole (padding, dilation) is zero whatever stands on the other side, NaN and infinity
    included.
    """
    xp, carrier = ctx.xp, ctx.xp.carrier(element)
    multiply, add = (plain(xp, name, element, element) for name in ("multiply", "add"))

    def products(i: Array) -> State:
        product = multiply(lhs(i), rhs(i))
        return (product if holes is None else xp.where(holes[i], xp.zeros_like(product), product),)

    if ctx.contractions == "library":
        total = xp.sum(products(slice(None))[0], axis=0, dtype=carrier)
        return xp.round_to(total, element) if element.kind == "float" else wrap(xp, total, element)
    for listener in ctx.listeners:
        listener.on_fold(op, 0, n)

    def body(a: State, b: State, node: Node) -> State:
        total = (add(a[0], b[0]),)
        for listener in ctx.listeners:
            listener.on_node(Place(op, 0, node), a, b, total)
        return total

    zero = (xp.opaque(xp.zeros(shape, carrier)),)
    leaves = Leaves(n, products, lambda: products(slice(None)))
    return fold(xp, body, zero, leaves, ctx.schedule)[0][0]


def _finish(ctx: Context, op: Op, result: Array) -> State:
    """The sums in the result's type."""
    type = op.result.type.element_type
    stored = quantize(ctx.xp, result, type) if isinstance(type, QuantizedType) else result
    for listener in ctx.listeners:
        listener.on_result(op, 0, result, stored)
    return (stored,)


KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.dot_general": dot_general,
    "stablehlo.convolution": convolution,
}
