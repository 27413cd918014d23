"""Elementwise operations and contractions in the integer reading: on `q - zero_point`, by recipe."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from interp.backends import DIRECTIONS, Array, Namespace, State
from interp.engine.evaluate import Context, Place
from interp.engine.facts import NAMESPACE_FORMULAS
from interp.engine.fold import Leaves, Node, fold
from interp.engine.in_integers import hold_sum, integers, rescale, scales, store
from interp.engine.memo import once
from interp.engine.prepared import Kernel
from interp.engine.quant import dequantize, quantize
from interp.engine.recipes import F32, Requantize, in_f32, single_multipliers, to_f32, to_integers
from interp.engine.requantizing import (
    between,
    by_multipliers,
    finishing,
    quotients,
    sums_of_pairs,
    two_inputs,
)
from interp.kernels.elementwise import PREPARED, plain
from interp.kernels.product_fold import fold_products, product_leaves
from interp.speed.contraction_choice import ANY_ORDER, integer_sums, stay_within
from interp.speed.counted_sums import counted_integers
from interp.speed.exact_contraction import INTEGERS, most_product
from interp.speed.problem import Geometry
from interp.theory.contractions import number_of_products
from spec.accumulator import Accumulator
from spec.integer_reading import ELEMENTWISE, has_equal_scales, in_integers, sums_blocks
from spec.ir import Op
from spec.multipliers import has_multipliers
from spec.readings import TWO_INPUTS
from spec.recipes import EXACT, FLOAT, IN_ONNX, ONNXRUNTIME, SPECIFICATION
from spec.types import ELEMENT_TYPES, QuantizedType

# Integers beyond 64 bits, for saturating sums of products of two 32-bit storages: pairs of int64.
#
# A pair (high, low) is `high * 2^32 + low`, with `0 <= low < 2^32`. Differences `q - zero_point` have at
# most 32 bits and a sign, so that products stay below 2^64 and every sum of two of them below 2^66.

LOW = (1 << 32) - 1
HALF = (1 << 16) - 1


def is_wide(op: Op, accumulator: Accumulator) -> bool:
    """Return whether a sum of products, before it is clamped, may need more than 64 bits."""
    bits = sum(value.type.quantized_element_type.storage_type.bits for value in op.operands[:2])
    return accumulator.saturates and max(bits, accumulator.bits) > 62


def product(x: Array, y: Array) -> State:
    """Return `x * y` as a pair: y in two halves of 16 bits, so that no partial product overflows."""
    upper, lower = x * (y >> 16), x * (y & HALF)
    rest = ((upper & HALF) << 16) + lower
    return (upper >> 16) + (rest >> 32), rest & LOW


def plus(x: State, y: State) -> State:
    low = x[1] + y[1]
    return x[0] + y[0] + (low >> 32), low & LOW


def clamp(xp: Namespace, x: State, accumulator: Accumulator) -> State:
    """Return a pair within the range of an accumulator."""
    type = accumulator.type
    for bound, beyond in ((type.min_value, _less), (type.max_value, lambda a, b: _less(b, a))):
        ends = xp.asarray(bound >> 32, xp.int64), xp.asarray(bound & LOW, xp.int64)
        outside = beyond(x, ends)
        x = xp.where(outside, ends[0], x[0]), xp.where(outside, ends[1], x[1])
    return x


def _less(x: State, y: State) -> Array:
    return (x[0] < y[0]) | ((x[0] == y[0]) & (x[1] < y[1]))


def narrow(x: State) -> Array:
    """Return a pair as int64; it must fit an accumulator of at most 64 bits."""
    return (x[0] << 32) | x[1]


def whole(x: State) -> Array:
    """Return a pair as Python's integers, for listeners."""
    return (x[0].astype(object) << 32) + x[1].astype(object)


def saturating_sums(ctx: Context, op: Op, geometry: Geometry, lhs: Array, rhs: Array) -> Array:
    """Return `fold(add, [0] + products)` in the schedule, every sum clamped, as int64."""
    xp, accumulator = ctx.xp, ctx.reading.accumulator
    parts = [product_leaves(xp, geometry, lambda x, y, k=k: product(x, y)[k], lhs, rhs) for k in (0, 1)]

    def body(a: State, b: State, node: Node) -> State:
        total = clamp(xp, plus(a, b), accumulator)
        for listener in ctx.listeners:
            listener.on_node(Place(op, 0, node), *((whole(x),) for x in (a, b, total)))
        return total

    zero = (xp.zeros(parts[0].shape, xp.int64),) * 2
    leaves = Leaves(
        parts[0].n,
        lambda i: tuple(part.at(i) for part in parts),
        lambda: tuple(part.at(slice(None)) for part in parts),
    )
    for listener in ctx.listeners:
        listener.on_fold(op, 0, (whole(zero),), _whole_leaves(leaves), None)
    total, _ = fold(xp, body, zero, leaves, ctx.schedule)
    return narrow(total).reshape(parts[0].result)


def _whole_leaves(leaves: Leaves) -> Leaves:
    """Return leaves as listeners take them: one array of Python's integers."""
    return Leaves(leaves.n, lambda i: (whole(leaves.at(i)),), lambda: (whole(leaves.stack()),))


# Elementwise operations on operands of several scales, by the recipes of other systems.

Function = Callable[..., Array]  # of integers


def by_recipe(xp: Namespace, op: Op, recipe: str, function: Function) -> Callable[..., Array]:
    """Return an operation on stored elements, whose scales differ, by a recipe that defines it."""
    if recipe == SPECIFICATION:
        return PREPARED[op.name](xp, op)
    if recipe == FLOAT:
        return lambda *operands: _store(xp, op, function(*_each(_apart, xp, op, operands)))
    if recipe == ONNXRUNTIME and op.name == "stablehlo.add":
        return partial(add_by_table, xp, op)
    if recipe in IN_ONNX:
        return partial(by_onnx, xp, op)
    if op.name in TWO_INPUTS[recipe]:
        return partial(_in_fixed_point, xp, op, recipe, function)
    return lambda x: _requantize(op, recipe)(xp, xp.abs(_integers(xp, op, 0, x)))


def by_onnx(xp: Namespace, op: Op, *operands: Array) -> Array:
    """Return `QuantizeLinear(op(DequantizeLinear(operands)...))`, in f32."""
    real = plain(xp, op.name.removeprefix("stablehlo."), F32, F32)
    wide = real(*(x.astype(xp.carrier(F32)) for x in _each(_number, xp, op, operands)))
    return _store(xp, op, _leaving(op)(xp, wide.astype(xp.float64)))


def add_by_table(xp: Namespace, op: Op, lhs: Array, rhs: Array) -> Array:
    """Return sums of elements of 8 bits as onnxruntime computes them."""
    least = op.result.type.storage_type.min_value
    row, column = (x.astype(xp.int64) - least for x in (lhs, rhs))
    return xp.look_up(sums_of_pairs(op).reshape(-1), (row << 8) + column)


def _in_fixed_point(xp: Namespace, op: Op, recipe: str, function: Function, *operands: Array) -> Array:
    """Return a sum or an extreme in finer units of the larger scale."""
    by = two_inputs(op, recipe)
    finer = (enter(xp, _integers(xp, op, k, operands[k])) for k, enter in enumerate(by.enter))
    return _store(xp, op, by.leave(xp, function(*finer)))


def _each(
    change: Callable[[Op, int], Requantize], xp: Namespace, op: Op, operands: tuple[Array, ...]
) -> list[Array]:
    """Return the operands' integers, changed; an operand that is not quantized is left as it is."""
    quantized = [isinstance(value.type.element_type, QuantizedType) for value in op.operands]
    return [change(op, k)(xp, _integers(xp, op, k, x)) if quantized[k] else x for k, x in enumerate(operands)]


@once
def _apart(op: Op, k: int) -> Requantize:
    """Return the function that rescales operand k by one multiplier of f32."""
    return partial(in_f32, single_multipliers((_scales(op, k), _scales(op)), op.location))


@once
def _number(op: Op, k: int) -> Requantize:
    return to_f32(_scales(op, k), op.location)


@once
def _leaving(op: Op) -> Requantize:
    return to_integers(_scales(op), op.location)


@once
def _requantize(op: Op, recipe: str) -> Requantize:
    source, type = op.operands[0].type.quantized_element_type, op.result.type.quantized_element_type
    return between(source, type, recipe, op.result.type.shape, op.location, op.name)


def _scales(op: Op, k: int | None = None) -> Array:
    type = op.result.type if k is None else op.operands[k].type
    return scales(type.quantized_element_type, type.shape)


def _integers(xp: Namespace, op: Op, k: int, x: Array) -> Array:
    return integers(xp, x, op.operands[k].type.quantized_element_type)


def _store(xp: Namespace, op: Op, m: Array) -> Array:
    return store(xp, m, op.result.type.quantized_element_type)


def elementwise(ctx: Context, op: Op, *operands: Array) -> State:
    """`result[i] = f(q_operands[i] - zero_point...)`, rescaled to the result's scale first; saturates."""
    xp, name, recipe = ctx.xp, op.name.removeprefix("stablehlo."), ctx.reading.recipe
    if name == "multiply":
        return (by_onnx(xp, op, *operands),) if recipe in IN_ONNX else multiply(ctx, op, *operands)
    if name == "compare":
        type = op.operands[0].type.quantized_element_type
        return (DIRECTIONS[op["comparison_direction"]](*(integers(xp, x, type) for x in operands)),)
    function = NAMESPACE_FORMULAS[name](xp)
    if recipe != EXACT and not has_equal_scales(op):
        return (by_recipe(xp, op, recipe, function)(*operands),)
    result = function(*(_in_units(xp, op, k, x) for k, x in enumerate(operands)))
    return (store(xp, result, op.result.type.quantized_element_type),)


def uniform_quantize(ctx: Context, op: Op, x: Array) -> State:
    """`result = operand`, requantized by the program's multipliers, or else by the recipe."""
    source, type = op.operands[0].type.quantized_element_type, op.result.type.quantized_element_type
    if has_multipliers(op):
        return (by_multipliers(op)(ctx.xp, integers(ctx.xp, x, source)),)
    if ctx.reading.recipe == SPECIFICATION:
        return (quantize(ctx.xp, dequantize(ctx.xp, x, source), type, computed=True),)
    requantize = between(source, type, ctx.reading.recipe, op.result.type.shape, op.location)
    return (requantize(ctx.xp, integers(ctx.xp, x, source)),)


def _in_units(xp: Namespace, op: Op, k: int, x: Array) -> Array:
    """Return an operand's integers in units of the result's scale; a plain operand is not changed."""
    type = op.operands[k].type.element_type
    if not isinstance(type, QuantizedType):
        return x
    return rescale(xp, integers(xp, x, type), *quotients(op, k), type.storage_type.bits)


def multiply(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    """`accumulator((q_lhs - zero_point_lhs) * (q_rhs - zero_point_rhs))`, requantized."""
    xp, accumulator = ctx.xp, ctx.reading.accumulator
    pair = zip((lhs, rhs), op.operands, strict=True)
    x, y = (integers(xp, each, value.type.quantized_element_type) for each, value in pair)
    if is_wide(op, accumulator):
        return (requantize_sums(ctx, op, narrow(clamp(xp, product(x, y), accumulator)), 1),)
    return (requantize_sums(ctx, op, hold_sum(xp, x * y, accumulator), 1),)


def requantize_sums(ctx: Context, op: Op, total: Array, products: int) -> Array:
    """Return the stored results for accumulators, sums of so many products, by the recipe."""
    bits = min(ctx.reading.accumulator.bits - 1, (products * most_product(op)).bit_length())
    return finishing(op, ctx.reading, bits)(ctx.xp, total)


KERNELS: dict[str, Kernel] = {
    **dict.fromkeys(ELEMENTWISE, elementwise),
    "stablehlo.uniform_quantize": uniform_quantize,
}


# Contractions in the integer reading: sums of products of `q - zero_point` in an accumulator.

WIDE = ELEMENT_TYPES["i64"]  # in which sums are computed and accumulators kept


def reads_integers(ctx: Context, op: Op) -> bool:
    """Return whether this run's reading computes a contraction with integers."""
    return ctx.reading.is_integer and in_integers(op)


def reads_blocks(ctx: Context, op: Op) -> bool:
    """Return whether this run's reading sums a contraction by blocks."""
    return ctx.reading.is_integer and sums_blocks(op)


def sums(ctx: Context, op: Op, geometry: Geometry, lhs: Array, rhs: Array) -> Array:
    """Return the final values of the accumulators, as int64.

    THEOREM: an accumulator that wraps is the ring of integers modulo 2^width, so that sums in any order, in
    any wider one, wrapped at the end, give its bits. Where no sum of |products| leaves its range, it neither
    wraps nor saturates, in any order.
    """
    xp, accumulator, wanted = ctx.xp, ctx.reading.accumulator, ctx.sums(op)
    if wanted is not None and (not (wanted or accumulator.saturates) or _never_leaves(ctx, op, lhs, rhs)):
        for listener in ctx.listeners:
            listener.on_fast_path(op, INTEGERS, ANY_ORDER)
        dtype = xp.int32 if accumulator.bits <= 32 else xp.int64
        return hold_sum(xp, integer_sums(xp, op, geometry, lhs, rhs, dtype).astype(xp.int64), accumulator)
    sides = factors(ctx, op, lhs, rhs)
    if is_wide(op, accumulator):
        return saturating_sums(ctx, op, geometry, *sides)

    def fold() -> Array:
        add = lambda a, b: hold_sum(xp, a + b, accumulator)
        return fold_products(ctx, op, product_leaves(xp, geometry, lambda a, b: a * b, *sides), WIDE, add)

    return counted_integers(ctx, op, geometry.of(*sides), accumulator, False, fold).astype(xp.int64)


def _never_leaves(ctx: Context, op: Op, lhs: Array, rhs: Array) -> bool:
    """Return whether no sum of |products| leaves the range of the accumulator, by types or by the data."""
    most = number_of_products(op) * most_product(op)
    type = ctx.reading.accumulator.type
    return most <= type.max_value or stay_within(ctx, op, factors(ctx, op, lhs, rhs), type)


def factors(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    pairs = zip((lhs, rhs), op.operands[:2], strict=True)
    return tuple(integers(ctx.xp, x, value.type.quantized_element_type) for x, value in pairs)


def finish(ctx: Context, op: Op, sums: Array) -> Array:
    """Return the stored results for the accumulators."""
    return requantize_sums(ctx, op, sums, number_of_products(op))
