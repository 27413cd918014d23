"""dot_general and convolution: products, and one fold of additions over them from 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

from interp.backends import Array, State, windows
from interp.engine.evaluate import Context, Place
from interp.engine.fold import STACKED, Leaves, Node, fold
from interp.engine.limits import Size, memory, refuse_size
from interp.engine.quant import convert, dequantize, quantize, wrap
from interp.ops import integer_contraction
from interp.ops.elementwise import plain
from spec.algorithm import TF32, algorithm_of, expressed_element, unbuilt
from spec.errors import Unsupported
from spec.ir import Op
from spec.types import ElementType, QuantizedType


class Products(NamedTuple):
    """Products to sum: `at(i)` is product i of every result element, `at(slice(None))` all n, stacked."""

    n: int
    at: Callable[[Any], Array]
    shape: tuple[int, ...]
    element: ElementType


def dot_general(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    """Dot products over the contracting dimensions, one per batch index and pair of result indices."""
    if integer_contraction.is_ring(ctx, op):
        return integer_contraction.in_ring(ctx, op, dot_general, lhs, rhs)
    lhs, rhs, multiply = _factors(ctx, op, lhs, rhs)
    batch = [op["lhs_batching_dimensions"], op["rhs_batching_dimensions"]]
    contracting = [op["lhs_contracting_dimensions"], op["rhs_contracting_dimensions"]]
    sides = []
    for x, b, c in zip((lhs, rhs), batch, contracting, strict=True):
        free = [d for d in range(x.ndim) if d not in (*b, *c)]
        sizes = [prod(x.shape[d] for d in group) for group in (c, b, free)]
        sides.append(ctx.xp.transpose(x, (*c, *b, *free)).reshape(sizes))
    left, right = sides[0][:, :, :, None], sides[1][:, :, None, :]
    shape = left.shape[1], left.shape[2], right.shape[3]
    products = Products(left.shape[0], lambda i: multiply(left[i], right[i]), shape, _element(ctx, op))
    sums = _sums(ctx, op, products)
    return _finish(ctx, op, sums.reshape(op.result.type.shape))


def convolution(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    """Dot products of windows of `lhs` and slices of `rhs`: kernel positions first, then input features."""
    edges = [(*edge, d - 1) for edge, d in zip(op["padding"], op["lhs_dilation"], strict=True)]
    edges = [(0, 0, 0), *edges, (0, 0, 0)]

    def pad(lhs: Array) -> tuple[Array, Array | None]:
        padded = ctx.xp.padded(lhs, ctx.xp.zeros((), lhs.dtype), edges)
        hole = ctx.xp.asarray(~windows.inside(lhs.shape, edges)) if any(map(any, edges)) else None
        return padded, hole

    return convolved(ctx, op, lhs, rhs, pad)


def convolved(
    ctx: Context, op: Op, lhs: Array, rhs: Array, pad: Callable[[Array], tuple[Array, Array | None]]
) -> State:
    """Convolve; `pad` pads lhs of shape [batch, *spatial, feature], and says where it has holes."""
    if integer_contraction.is_ring(ctx, op):
        kernel = lambda ctx, op, lhs, rhs: convolved(ctx, op, lhs, rhs, pad)
        return integer_contraction.in_ring(ctx, op, kernel, lhs, rhs)
    xp, (lhs, rhs, multiply) = ctx.xp, _factors(ctx, op, lhs, rhs)
    lhs = xp.transpose(lhs, _dimensions(op, "input_batch", "input_spatial", "input_feature"))
    rhs = xp.transpose(
        rhs, _dimensions(op, "kernel_spatial", "kernel_input_feature", "kernel_output_feature")
    )
    order = _dimensions(op, "output_batch", "output_spatial", "output_feature")
    padded, hole = pad(lhs)
    groups = op["feature_group_count"] * op["batch_group_count"]
    sizes = [op.result.type.shape[d] for d in order[:-1]]
    geometry = _windows_of(op, padded.shape, rhs.shape, sizes, groups)
    n, ones = len(geometry.offset), [1] * geometry.base.ndim
    base, offset = xp.asarray(geometry.base), xp.asarray(geometry.offset.reshape(n, *ones))
    flat, features = padded.reshape(-1), rhs.reshape(n, *ones[1:], groups, rhs.shape[-1] // groups)
    hole = None if hole is None else hole.reshape(-1)

    def products(i: Any) -> Array:
        """Return the products; zero at a hole (padding, dilation), whatever the weight (erratum E23)."""
        place = base + offset[i]
        product = multiply(flat[place][..., None], features[i])
        return product if hole is None else xp.where(hole[place][..., None], xp.zeros_like(product), product)

    shape = (*geometry.base.shape, features.shape[-1])
    sums = _sums(ctx, op, Products(n, products, shape, _element(ctx, op)))
    sums = sums.reshape(*sizes, rhs.shape[-1])
    return _finish(ctx, op, xp.transpose(sums, sorted(range(len(order)), key=order.__getitem__)))


def _dimensions(op: Op, *names: str) -> tuple[int, ...]:
    """Return the dimensions with these names, in turn."""
    every: list[int] = []
    for name in names:
        every += op[f"{name}_dimensions"] if name.endswith("spatial") else [op[f"{name}_dimension"]]
    return tuple(every)


def _windows_of(
    op: Op, lhs: Sequence[int], rhs: Sequence[int], result: Sequence[int], groups: int
) -> windows.Geometry:
    """Return indices into `lhs`: a base per [batch, *spatial, group], an offset per [*kernel, feature]."""
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


def _element(ctx: Context, op: Op) -> ElementType:
    """Return the type in which products and sums are computed."""
    if integer_contraction.reads_integers(ctx, op):
        return integer_contraction.WIDE
    return accumulation_type(op)


def accumulation_type(op: Op) -> ElementType:
    """Return the type that products and sums are rounded to: the algorithm's, or the result's (expressed)."""
    algorithm = algorithm_of(op)
    return algorithm.accumulation_type if algorithm else expressed_element(op.result.type)


def _factors(ctx: Context, op: Op, lhs: Array, rhs: Array) -> tuple[Array, Array, Callable[..., Array]]:
    """Return the operands as numbers, and a function that rounds their product to the type of the sums."""
    if integer_contraction.reads_integers(ctx, op):
        return integer_contraction.factors(ctx, op, lhs, rhs)
    xp, algorithm, values = ctx.xp, algorithm_of(op), []
    for k, (x, value) in enumerate(zip((lhs, rhs), op.operands, strict=True)):
        type = value.type.element_type
        x = dequantize(xp, x, type) if isinstance(type, QuantizedType) else x
        if algorithm:
            rounded = convert(xp, x, expressed_element(value.type), algorithm.precision_types[k])
            for listener in ctx.listeners:
                listener.on_precision(op, k, x, rounded)
            x = rounded
        values.append(x)
    multiply, wide = _multiplication(ctx, op)
    lhs, rhs = (x.astype(wide) for x in values)
    return lhs, rhs, multiply


def _factor_types(op: Op) -> tuple[ElementType, ...]:
    """Return the types of the numbers that are multiplied."""
    algorithm = algorithm_of(op)
    return (
        algorithm.precision_types
        if algorithm
        else tuple(expressed_element(value.type) for value in op.operands)
    )


def _multiplication(ctx: Context, op: Op) -> tuple[Callable[..., Array], Any]:
    """Return a multiplication of two factors in one rounding, and the dtype to do it in."""
    if error := refusal(op):
        raise error
    xp, sources, element = ctx.xp, _factor_types(op), accumulation_type(op)
    if _is_plain(sources, element):
        return plain(xp, "multiply", element, element), xp.carrier(element)
    if any(source.kind == "float" for source in sources):
        return lambda a, b: xp.round_to(a * b, element), xp.float64
    wide = xp.int64 if any(source.kind == "signed" for source in sources) else xp.uint64
    return lambda a, b: xp.integer_to_float(a * b, element), wide


def _is_plain(sources: Sequence[ElementType], element: ElementType) -> bool:
    """Return whether the product is the plain operation on the type of the sums.

    Not for tf32: its carrier would round a subnormal product of two factors first.
    """
    integers = element.is_integer and all(source.is_integer for source in sources)
    return integers or (all(source == element for source in sources) and element.name != TF32)


def _is_rounded_once(sources: Sequence[ElementType], element: ElementType) -> bool:
    """Return whether 64 bits hold the factors, and their product, unless that is rounded to f64 anyway."""
    if element.kind != "float" or any(
        s.kind == "complex" or (s.bits == 64 and s.is_integer) for s in sources
    ):
        return False
    digits = [s.precision if s.kind == "float" else s.bits for s in sources]
    return element.name == "f64" or sum(digits) <= 53 or not any(s.kind == "float" for s in sources)


def refusal(op: Op) -> Unsupported | None:
    """Return the reason why a contraction on these types or with this algorithm is not built, or None."""
    if error := unbuilt(op):
        return error
    sources, element = _factor_types(op), accumulation_type(op)
    if _is_plain(sources, element) or _is_rounded_once(sources, element):
        return None
    verdict = f"{op.name} of {' and '.join(dict.fromkeys(map(repr, sources)))} to {element!r} is not built"
    return Unsupported(verdict, "convert the operands first", op.location)


def _sums(ctx: Context, op: Op, products: Products) -> Array:
    """`fold(add, [0] + products)` in the schedule; with `contractions="library"` in a library's own order."""
    xp, element = ctx.xp, products.element
    carrier, add = xp.carrier(element), plain(xp, "add", element, element)
    is_library = ctx.contractions == "library"
    if integer_contraction.reads_integers(ctx, op):  # whose sums no library saturates
        is_library, add = False, integer_contraction.addition(ctx)
    if is_library or ctx.schedule.name in STACKED:
        size = Size([products.n, *products.shape], carrier.itemsize)
        refuse_size("a sum that takes all products at once", [size], memory(), op.location)
    if is_library:
        total = xp.sum(products.at(slice(None)), axis=0, dtype=carrier)
        return xp.round_to(total, element) if element.kind == "float" else wrap(xp, total, element)

    def body(a: State, b: State, node: Node) -> State:
        total = (add(*a, *b),)
        for listener in ctx.listeners:
            listener.on_node(Place(op, 0, node), a, b, total)
        return total

    zero = (xp.zeros(products.shape, carrier),)
    leaves = Leaves(products.n, lambda i: (products.at(i),), lambda: (products.at(slice(None)),))
    for listener in ctx.listeners:
        listener.on_fold(op, 0, zero, leaves, None)
    (total,), _ = fold(xp, body, zero, leaves, ctx.schedule)
    return total


def _finish(ctx: Context, op: Op, sums: Array) -> State:
    """Return the sums converted to the result's type."""
    type = op.result.type.element_type
    if integer_contraction.reads_integers(ctx, op):
        stored = integer_contraction.finished(ctx, op, sums)
    else:
        result = convert(ctx.xp, sums, accumulation_type(op), expressed_element(op.result.type))
        stored = quantize(ctx.xp, result, type) if isinstance(type, QuantizedType) else result
    for listener in ctx.listeners:
        listener.on_result(op, 0, sums, stored)
    return (stored,)


KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.dot_general": dot_general,
    "stablehlo.convolution": convolution,
}
