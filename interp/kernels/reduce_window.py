"""reduce_window: leaves are strided slices of the padded inputs; running windows under any schedule."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interp.backends import Array, Namespace, State
from interp.backends.windows import Box, Windows, whole
from interp.engine.evaluate import Context
from interp.engine.fold import Leaves
from interp.engine.quant import Type
from interp.engine.requantizing import entering
from interp.kernels import product_leaves
from interp.kernels.reduce import Kernel, convert_operands, fold_leaves, results
from interp.speed.integer_bodies import SCALES_DIFFER, body_of, dequantizing_op
from interp.speed.order_free import Form, Plain, order_free, reduction_of
from spec.accumulator import Reading
from spec.ir import Op
from spec.schedule import Schedule

Combine = Callable[[Array, Array], Array]


def reduce_window(ctx: Context, op: Op, *operands: Array) -> State:
    """`results...[result_index] = reduce(windows, init_values, axes(inputs...), body)`, padded with init.

    Result elements are independent, so they are made box by box.
    """
    shape, windows, form = op.results[0].type.shape, windows_of(op), form_of(op, ctx.schedule, ctx.reading)
    if isinstance(form, Form) and not ctx.is_watched:
        of_box, held = _running(ctx, op, operands, form), 1
    else:
        of_box, held = _folding(ctx, op, operands), 1 if ctx.schedule.name == "left" else windows.n
    if ctx.listeners:
        return of_box(whole(shape))
    return ctx.xp.by_box(of_box, shape, windows.overlaps, held)


def _running(ctx: Context, op: Op, operands: State, form: Form) -> Callable[[Box], State]:
    """Reduce windows by a fast path, on stored leaves."""
    xp, windows, reduction = ctx.xp, windows_of(op), form.reduction
    (x,) = pad_inputs(xp, op, operands[:1], operands[1:])
    init = entering(ctx, operands[1], reduction.init, reduction.accumulation)
    for listener in ctx.listeners:
        listener.on_fast_path(op, form.theorem, form.why)

    def reduce_box(box: Box) -> State:
        part, combine = xp.asarray(x[windows.operand_box(box)], form.dtype), getattr(xp, form.combine)
        combined = running(xp, combine, part, windows, [side.stop - side.start for side in box])
        return results(ctx, op, (form.finish(xp, combined, init),), [reduction.accumulation])

    return reduce_box


def _folding(ctx: Context, op: Op, operands: State) -> Callable[[Box], State]:
    """Reduce windows by a fold; convert box by box, unless a listener or padding of another type forbids."""
    xp, windows, accumulation = ctx.xp, windows_of(op), [v.type.element_type for v in op.regions[0].returns]
    types, arity = [v.type.element_type for v in op.operands], len(accumulation)
    waits = types[:arity] == types[arity:] and not ctx.listeners
    given = types[:arity] if waits else accumulation
    inputs, init = (operands[:arity], operands[arity:]) if waits else convert_operands(ctx, op, operands)
    inputs, init = pad_inputs(xp, op, inputs, init), _as(ctx, init, given, accumulation)

    def reduce_box(box: Box) -> State:
        sizes = [side.stop - side.start for side in box]
        parts = _as(ctx, tuple(x[windows.operand_box(box)] for x in inputs), given, accumulation)
        leaves = product_leaves.leaves(xp, parts, windows.tables(whole(sizes)), op.location)
        seed = tuple(xp.broadcast_to(x, sizes) for x in init)
        accumulators, _ = fold_leaves(ctx, op, 0, body_of(ctx, op, 0), seed, leaves)
        return results(ctx, op, accumulators, accumulation)

    return reduce_box


def windows_of(op: Op) -> Windows:
    return Windows(op["window_dimensions"], op["window_strides"], op["window_dilations"])


def pad_inputs(xp: Namespace, op: Op, inputs: State, init: State) -> State:
    """Return the inputs with padding and base-dilation holes, which are init values (erratum E10)."""
    edges = [(*edge, d - 1) for edge, d in zip(op["padding"], op["base_dilations"], strict=True)]
    return tuple(xp.opaque(xp.pad_with(x, i, edges)) for x, i in zip(inputs, init, strict=True))


def window_leaves(xp: Namespace, op: Op, inputs: State, init: State) -> Leaves:
    """Return the leaves of a `reduce_window`."""
    tables = windows_of(op).tables(whole(op.results[0].type.shape))
    return product_leaves.leaves(xp, pad_inputs(xp, op, inputs, init), tables, op.location)


def form_of(op: Op, schedule: Schedule, reading: Reading) -> Form | Plain:
    """Return the fast path, for any schedule, that the types allow if padding has the leaves' type."""
    if (read := dequantizing_op(op, reading)) is None:
        return Plain(SCALES_DIFFER)
    reduction = reduction_of(read, 0, schedule, windows_of(op).n)
    if isinstance(reduction, Plain):
        return reduction
    if reduction.source != reduction.init:
        return Plain("the padding is of another type than what it pads")
    form = order_free(reduction)
    return form if isinstance(form, Plain) or form.within is None else Plain(form.why)


def _as(ctx: Context, arrays: State, types: Sequence[Type], accumulation: Sequence[Type]) -> State:
    """Return each array in its accumulation type."""
    return tuple(
        entering(ctx, x, source, destination)
        for x, source, destination in zip(arrays, types, accumulation, strict=True)
    )


def running(xp: Namespace, combine: Combine, x: Array, windows: Windows, sizes: Sequence[int]) -> Array:
    """Combine all positions of each window, in any schedule.

    THEOREM: let `combine` be associative and commutative. A window is a product of positions per dimension,
    so that combining along one dimension after another combines all of it. Along one dimension, a run of k +
    m
    positions is a run of k combined with the m after it: a window of w needs floor(log2 w) doublings, and one
    more step for each further 1 in the binary digits of w.
    """
    for axis, size in enumerate(sizes):
        window, stride, dilation = (each[axis] for each in windows)
        x = _along(xp, combine, x, axis, window, stride, dilation, size)
        if window > 1 and max(windows.dimensions[axis + 1 :], default=1) > 1:
            x = xp.opaque(x)
    return x


def _along(
    xp: Namespace, combine: Combine, x: Array, axis: int, window: int, stride: int, dilation: int, size: int
) -> Array:
    """Combine windows along one dimension, by doubling or, if that is less work, position by position."""

    def part(x: Array, start: int, stop: int, step: int = 1) -> Array:
        return x[(*[slice(None)] * axis, slice(start, stop, step))]

    bits = bin(window)[3:]  # below the leading one
    if size == 0 or window - 1 <= stride * (len(bits) + bits.count("1")):
        total = part(x, 0, size * stride, stride)
        for k in range(dilation, window * dilation, dilation):
            total = combine(total, part(x, k, k + size * stride, stride))
        return total
    total, k = x, 1
    for bit in bits:
        for more, m in [(total, k), (x, 1)] if bit == "1" else [(total, k)]:
            n = x.shape[axis] - (k + m - 1) * dilation
            others = part(more, k * dilation, k * dilation + n)
            total, k = xp.opaque(combine(part(total, 0, n), others)), k + m
    return part(total, 0, size * stride, stride)


KERNELS: dict[str, Kernel] = {"stablehlo.reduce_window": reduce_window}
