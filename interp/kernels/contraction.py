"""dot_general and convolution: products, and one fold of additions over them from 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from interp.backends import Array, Namespace, State
from interp.backends.windows import limit_steps
from interp.engine.evaluate import Context
from interp.engine.memo import once
from interp.engine.quant import convert, dequantize, quantize
from interp.kernels import integer_reading
from interp.kernels.elementwise import plain
from interp.kernels.product_fold import fold_products, product_leaves
from interp.speed.contraction_choice import products_of, ring_sums, sums_by_theorem
from interp.speed.counted_sums import IN_ORDER, LOOP, are_unwatched, counted_floats, counted_integers
from interp.speed.exact_contraction import accumulation_type
from interp.speed.numpy_products import pays
from interp.speed.problem import Convolution, Dot, Geometry, rounds_as_its_carrier, weights_of
from interp.theory.contractions import contracting, number_of_products
from spec.errors import Unsupported
from spec.ir import Module, Op
from spec.op_attributes import TF32, algorithm_error, algorithm_of, expressed_element
from spec.schedule import LEFT
from spec.types import ElementType, QuantizedType

if TYPE_CHECKING:
    from spec.accumulation import Accumulation


def dot_general(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    """Sum products over the contracting dimensions, for each batch index and pair of result indices."""
    geometry = matrices(ctx.xp, op)
    if not ctx.xp.in_place and _is_by_column(ctx.module, op):
        geometry = geometry._replace(by_column=_by_column(ctx.xp, op))
    return contract(ctx, op, lhs, rhs, geometry)


def _is_by_column(module: Module, op: Op) -> bool:
    """Return whether the last dimension of the right operand in memory is a contracting one."""
    order = _permutations(module).get(id(op.operands[1]), range(op.operands[1].type.rank))
    places = [order[d] for d in contracting(op)]
    return max(places, default=-1) == op.operands[1].type.rank - 1


def _by_column(xp: Namespace, op: Op) -> Callable[[Array], Array]:
    """Return what arranges the right operand as [batch, n, k]."""
    batch, summed = op["rhs_batching_dimensions"], op["rhs_contracting_dimensions"]
    free = [d for d in range(op.operands[1].type.rank) if d not in (*batch, *summed)]
    return lambda x: _group_dimensions(xp, x, batch, free, summed)


@once
def _permutations(module: Module) -> dict[int, Sequence[int]]:
    """Return the permutation of each value that a transpose computes, by the value's identity."""
    transposes = (op for op in module.ops() if op.name == "stablehlo.transpose")
    return {id(op.result): op["permutation"] for op in transposes}


def geometry_of(xp: Namespace, op: Op) -> Geometry:
    """Return the conversions of a dot_general or a convolution to and from its normal form."""
    return matrices(xp, op) if op.name == "stablehlo.dot_general" else padded_windows(xp, op)


def matrices(xp: Namespace, op: Op) -> Geometry:
    """Return the conversions of a dot_general to and from products of matrices."""
    sides: list[tuple[Sequence[int], Sequence[int], list[int]]] = []
    for side in ("lhs", "rhs"):
        batch, summed = op[f"{side}_batching_dimensions"], op[f"{side}_contracting_dimensions"]
        free = [d for d in range(op.operands[len(sides)].type.rank) if d not in (*batch, *summed)]
        sides.append((batch, summed, free))

    def left(x: Array, hole: Any) -> Array:
        batch, summed, free = sides[0]
        return _group_dimensions(xp, x, batch, free, summed)

    def right(x: Array) -> Array:
        batch, summed, free = sides[1]
        return _group_dimensions(xp, x, batch, summed, free)

    return Geometry(left, right, Dot, lambda sums: sums.reshape(op.result.type.shape))


def _group_dimensions(xp: Namespace, x: Array, *groups: Sequence[int]) -> Array:
    """Return the array with each group of dimensions joined to one dimension."""
    sizes = [prod(x.shape[d] for d in group) for group in groups]
    return xp.transpose(x, [d for group in groups for d in group]).reshape(sizes)


def convolution(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    """Sum products of windows of `lhs` and slices of `rhs`: input features at each kernel position."""
    return contract(ctx, op, lhs, rhs, geometry_of(ctx.xp, op))


def padded_windows(xp: Namespace, op: Op) -> Geometry:
    """Return the conversions of a convolution, which pads and dilates its left operand."""
    edges = [(*edge, d - 1) for edge, d in zip(op["padding"], op["lhs_dilation"], strict=True)]
    edges = [(0, 0, 0), *edges, (0, 0, 0)]
    pad = lambda x, hole: products_of(xp).pad_factors(xp, x, hole, edges)
    return windows_of(xp, op, pad, any(map(any, edges)))


def windows_of(xp: Namespace, op: Op, pad: Callable[[Array, Any], Array], has_holes: bool = True) -> Geometry:
    """Return the conversions of a convolution; `pad(x, hole)` pads lhs as [batch, *spatial, feature]."""
    batches = _dimensions(op, "input_batch", "input_spatial", "input_feature")
    kernel = _dimensions(op, "kernel_spatial", "kernel_input_feature", "kernel_output_feature")
    order = _dimensions(op, "output_batch", "output_spatial", "output_feature")
    names = "window_reversal", "feature_group_count", "batch_group_count"

    def problem(left: Array, right: Array) -> Convolution:
        strides, dilation = (
            limit_steps(op[name], left.shape[1:-1]) for name in ("window_strides", "rhs_dilation")
        )
        return Convolution(left, right, strides, dilation, *(op[name] for name in names))

    return Geometry(
        lambda x, hole: pad(xp.transpose(x, batches), hole),
        lambda x: xp.transpose(x, kernel),
        problem,
        lambda sums: xp.transpose(sums, sorted(range(len(order)), key=order.__getitem__)),
        has_holes,
    )


def contract(ctx: Context, op: Op, lhs: Array, rhs: Array, geometry: Geometry) -> State:
    """Return the result of a fold, or of a matrix product that a theorem or the caller allows instead."""
    if integer_reading.reads_integers(ctx, op):
        sums = integer_reading.sums(ctx, op, geometry, lhs, rhs)
    elif integer_reading.reads_blocks(ctx, op):
        from interp.kernels.block_sums import sums_of_blocks  # which few programs need

        sums = sums_of_blocks(ctx, op, geometry, (lhs, rhs))
    elif ctx.contractions == "library" and accumulation_type(op).kind != "boolean":
        return finish(ctx, op, _multiply_by_library(ctx, op, geometry, lhs, rhs))
    else:
        sums = sums_by_theorem(ctx, op, geometry, lhs, rhs, lambda: _fold(ctx, op, geometry, lhs, rhs))
    result, stored = geometry.result(sums), ctx.xp.storage(sums)
    if stored is not None:
        ctx.xp.keep_stored(result, lambda: geometry.result(stored))
    return finish(ctx, op, result)


def _fold(ctx: Context, op: Op, geometry: Geometry, lhs: Array, rhs: Array) -> Array:
    """Return `fold(add, [0] + products)` in the schedule."""
    xp, element = ctx.xp, accumulation_type(op)
    if (sums := _by_stored_weights(ctx, op, geometry, lhs, rhs)) is not None:
        return sums
    left, right, multiply = factors(ctx, op, lhs, rhs)
    fold = lambda *sides: fold_products(ctx, op, product_leaves(xp, geometry, multiply, *sides), element)
    stepwise = lambda: fold(left, right)
    if element.is_integer and _is_plain(factor_types(op), element):
        return counted_integers(ctx, op, geometry.of(left, right), element, True, stepwise)
    if ctx.schedule != LEFT and are_unwatched(ctx, op, element, (left, right) if xp.in_place else ()):
        sums = _sum_by_schedule(ctx, op, geometry, (left, right))
        return stepwise() if sums is None else sums
    if ctx.schedule != LEFT or not rounds_as_its_carrier(factor_types(op), element):
        return stepwise()
    if not are_unwatched(ctx, op, element, (left, right) if xp.in_place else ()):
        return counted_floats(ctx, op, geometry.of(left, right), element, stepwise)
    step_by_step: list[Op] = []

    def otherwise(*sides: Array) -> Array:
        step_by_step.append(op)
        return fold(*sides)

    sums = products_of(xp).sum_in_order(xp, geometry, op, element, (left, right), otherwise)
    for listener in () if step_by_step else ctx.listeners:
        listener.on_fast_path(op, LOOP, IN_ORDER)
    return sums


def _sum_by_schedule(ctx: Context, op: Op, geometry: Geometry, sides: State) -> Array | None:
    from spec.accumulation import Accumulation  # which few runs need

    return sum_along_tree(ctx, op, geometry, sides, Accumulation.of(ctx.schedule))


def sum_along_tree(
    ctx: Context, op: Op, geometry: Geometry, sides: State, accumulation: Accumulation
) -> Array | None:
    """Return sums of floats along an accumulation by code that follows its tree, or None if it does not."""
    from interp.speed import tree_products  # which few runs need

    xp, types, element = ctx.xp, factor_types(op), accumulation_type(op)
    if xp.in_place:
        return tree_products.sum_by_code(accumulation, geometry, sides, types, element)
    along = tree_products.along_under_compiler(accumulation, number_of_products(op), types, element)
    if along is None:
        return None
    from interp.speed import jax_trees

    multiply = lambda x, w: xp.prevent_contraction(x * w)
    leaves = lambda *sides: product_leaves(xp, geometry, multiply, *sides).at
    return jax_trees.sum_along(xp, geometry, along, types, sides, leaves, accumulation.flushes_inputs)


def _by_stored_weights(ctx: Context, op: Op, geometry: Geometry, lhs: Array, rhs: Array) -> Array | None:
    """Return ordered sums by code that dequantizes the right operand itself, or None where there is none."""
    xp, element = ctx.xp, accumulation_type(op)
    weights = weights_of(xp, op, rhs, element)
    if weights is None or ctx.schedule != LEFT or algorithm_of(op) or not are_unwatched(ctx, op, element):
        return None
    if not rounds_as_its_carrier(factor_types(op), element):
        return None
    multiply, wide = multiplication(ctx, op)
    fold = lambda *sides: fold_products(ctx, op, product_leaves(xp, geometry, multiply, *sides), element)
    left = lambda x: _factor(ctx, op, 0, x).astype(wide, copy=False)
    sums = products_of(xp).sum_weighted(xp, geometry, element, (lhs, left), weights, fold)
    for listener in ctx.listeners if sums is not None else ():
        listener.on_fast_path(op, LOOP, IN_ORDER)
    return sums


def runs_in_order(op: Op) -> bool:
    """Return whether a left fold of a contraction's products has a compiled loop, on NumPy."""
    sources, element = factor_types(op), accumulation_type(op)
    return rounds_as_its_carrier(sources, element) and pays(
        number_of_products(op) * op.result.type.size, element
    )


def _multiply_by_library(ctx: Context, op: Op, geometry: Geometry, lhs: Array, rhs: Array) -> Array:
    """Return the result computed by one product of a library, rounded once."""
    xp, element, machine = ctx.xp, accumulation_type(op), products_of(ctx.xp)
    if element.is_integer:
        return geometry.result(ring_sums(xp, op, geometry.of(lhs, rhs)))
    lhs, rhs, _ = factors(ctx, op, lhs, rhs)
    if element.kind == "complex":
        return geometry.result(machine.library(xp, geometry.of(lhs, rhs), xp.carrier(element)))
    narrow = element.precision <= 24 and all(s.kind == "float" or s.bits <= 16 for s in factor_types(op))
    if narrow:
        kept = (xp.storage(x) for x in (lhs, rhs))
        lhs, rhs = (
            x if y is None or y.dtype != xp.float32 else y for x, y in zip((lhs, rhs), kept, strict=True)
        )
    sums = geometry.result(machine.library(xp, geometry.of(lhs, rhs), xp.float32 if narrow else xp.float64))
    if narrow and element.name == "f32":
        return xp.decode(sums, element)
    return xp.round_to(sums, element).astype(xp.carrier(element), copy=False)


def _dimensions(op: Op, *names: str) -> tuple[int, ...]:
    """Return the dimensions in the attributes of these names, joined in this order."""
    every: list[int] = []
    for name in names:
        every += op[f"{name}_dimensions"] if name.endswith("spatial") else [op[f"{name}_dimension"]]
    return tuple(every)


def factors(ctx: Context, op: Op, lhs: Array, rhs: Array) -> tuple[Array, Array, Callable[..., Array]]:
    """Return the operands as numbers, and a function that rounds their product to the type of the sums."""
    values = [_factor(ctx, op, k, x) for k, x in enumerate((lhs, rhs))]
    multiply, wide = multiplication(ctx, op)
    lhs, rhs = (x.astype(wide, copy=False) for x in values)
    return lhs, rhs, multiply


def _factor(ctx: Context, op: Op, k: int, x: Array) -> Array:
    """Return an operand as numbers, rounded to its precision type if the algorithm has one."""
    xp, algorithm, value = ctx.xp, algorithm_of(op), op.operands[k]
    type = value.type.element_type
    x = dequantize(xp, x, type) if isinstance(type, QuantizedType) else x
    if algorithm:
        rounded = convert(xp, x, expressed_element(value.type), algorithm.precision_types[k])
        for listener in ctx.listeners:
            listener.on_precision(op, k, x, rounded)
        x = rounded
    return x


def factor_types(op: Op) -> tuple[ElementType, ...]:
    """Return the types of the numbers that are multiplied."""
    algorithm = algorithm_of(op)
    return (
        algorithm.precision_types
        if algorithm
        else tuple(expressed_element(value.type) for value in op.operands)
    )


def multiplication(ctx: Context, op: Op) -> tuple[Callable[..., Array], Any]:
    """Return a multiplication of two factors in one rounding, and the dtype to do it in."""
    if error := refusal(op):
        raise error
    xp, sources, element = ctx.xp, factor_types(op), accumulation_type(op)
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
    """Return whether 64 bits hold the factors and, unless it is rounded to f64 anyway, their product."""
    if element.kind != "float" or any(
        s.kind == "complex" or (s.bits == 64 and s.is_integer) for s in sources
    ):
        return False
    digits = [s.precision if s.kind == "float" else s.bits for s in sources]
    return element.name == "f64" or sum(digits) <= 53 or not any(s.kind == "float" for s in sources)


def refusal(op: Op) -> Unsupported | None:
    """Return the reason why a contraction on these types or with this algorithm is not built, or None."""
    if error := algorithm_error(op):
        return error
    sources, element = factor_types(op), accumulation_type(op)
    if _is_plain(sources, element) or _is_rounded_once(sources, element):
        return None
    verdict = f"{op.name} of {' and '.join(dict.fromkeys(map(repr, sources)))} to {element!r} is not built"
    return Unsupported(verdict, "convert the operands first", op.location)


def finish(ctx: Context, op: Op, sums: Array) -> State:
    """Return the sums converted to the result's type."""
    type = op.result.type.element_type
    if integer_reading.reads_integers(ctx, op):
        stored = integer_reading.finish(ctx, op, sums)
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
