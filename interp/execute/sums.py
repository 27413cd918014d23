"""Contractions and reductions in another way than declared: leaf by leaf, in any accumulator."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.accumulators import Arithmetic, Held, accumulated, arithmetic
from interp.engine.evaluate import Context
from interp.engine.fold import STACKED, Leaves
from interp.engine.in_integers import stored
from interp.engine.limits import Size, memory, refuse_size
from interp.engine.multipliers import kept, multipliers
from interp.engine.quant import convert, dequantize, quantize, spread, wrap
from interp.engine.stored import storage
from interp.execute.roundings import AFTER, EXACTLY, Rounding, added_once, flushed, quotients
from interp.execute.way import Way, is_contraction
from interp.kernels import integer_contraction, reduce, reduce_window
from interp.kernels.contraction import factors, geometry_of
from interp.kernels.integer_contraction import reads_integers
from interp.kernels.product_fold import product_leaves
from interp.speed.exact_contraction import accumulation_type, sums_plain_integers
from spec.accumulator import Accumulator
from spec.algorithm import expressed_element
from spec.errors import Unsupported
from spec.integer_reading import reads_integers as in_integers_of
from spec.ir import Op
from spec.recipes import EXACT, FLOAT, ONNX
from spec.schedule import Schedule
from spec.types import ElementType, QuantizedType

BEFORE = FLOAT, ONNX  # recipes that round floats before they add the zero point
FAR = float(1 << 62)  # beyond every accumulator that is converted to integers
WORD = 8  # bytes of a leaf
WIDE = 32  # bits of the widest integers of which int64 holds products and their sums


def summed(ctx: Context, op: Op, operands: State, way: Way) -> State:
    """Return the results of a contraction or of a reduction by `add`, in a way."""
    if is_contraction(op):
        return (contracted(ctx, op, operands, way),)
    return reduced(ctx, op, operands, way)


def contracted(ctx: Context, op: Op, operands: State, way: Way) -> Array:
    geometry, whole = geometry_of(NUMPY, op), reads_integers(ctx, op) or sums_plain_integers(op)
    sides, multiply = (
        (plain_factors(ctx, op, operands), np.multiply) if whole else _floats(ctx, op, operands, way)
    )
    products = product_leaves(NUMPY, geometry, multiply, *sides)
    leaves = Leaves(products.n, lambda i: (products.at(i),), lambda: (products.at(slice(None)),))
    machine = way.machine_or(_held(ctx, op))
    schedule, of = way.schedule(len(machine.groups(leaves.n)) + 1), _arithmetic_of(way)
    _refuse_stack(op, schedule, leaves.n, products.shape)
    total = _unsigned(accumulated(leaves, products.shape, machine, schedule, 0, of), way)
    sums = geometry.result(total.reshape(products.result))
    return of_integers(ctx, op, sums, way) if whole else of_floats(ctx, op, sums, way)


def _refuse_stack(op: Op, schedule: Schedule, n: int, shape: tuple[int, ...]) -> None:
    """Raise `Unsupported` where a schedule takes all leaves at once, and memory does not hold them twice."""
    if schedule.name in STACKED:
        size = Size([n, *shape], WORD)
        refuse_size("a sum that takes all leaves at once", [size, size], memory(), op.location)


def _held(ctx: Context, op: Op) -> Held:
    """Return the accumulator that the program's meaning gives a contraction."""
    if reads_integers(ctx, op):
        return ctx.reading.accumulator
    type = accumulation_type(op)
    return Accumulator(type.bits) if type.is_integer else type


def plain_factors(ctx: Context, op: Op, operands: State) -> State:
    """Return the integers that are multiplied: `q - zero_point`, or plain ones."""
    types = (*(value.type.storage_type for value in op.operands[:2]), *plain_results(op))
    if any(type.bits > WIDE for type in types):
        raise Unsupported("products of integers of more than 32 bits", "expected narrower ones", op.location)
    if not sums_plain_integers(op):
        return integer_contraction.factors(ctx, op, *operands[:2])
    return tuple(np.asarray(x).astype(np.int64) for x in operands[:2])


def plain_results(op: Op) -> list[ElementType]:
    """Return the types of results in which sums are kept: a quantized one has its own accumulator."""
    return [value.type.storage_type for value in op.results if not value.type.is_quantized]


def _floats(ctx: Context, op: Op, operands: State, way: Way) -> tuple[State, Callable[..., Array]]:
    """Return the real factors, and their multiplication as the way rounds it."""
    left, right, declared = factors(ctx, op, *operands[:2])
    element = accumulation_type(op)
    sides = tuple(np.asarray(x) for x in (left, right))
    if way.factors:
        sides = tuple(_rounded(x, way.factors).astype(x.dtype) for x in sides)
    if way.flushes:
        types = [expressed_element(value.type) for value in op.operands[:2]]
        pairs = zip(sides, types, strict=True)
        sides = tuple(flushed(x, type) if type.kind == "float" else x for x, type in pairs)
    exactly = lambda a, b: a.astype(np.float64) * b.astype(np.float64)
    kept = way.products or (way.machine and way.machine.inner)
    multiply = declared
    if way.fused or (isinstance(kept, ElementType) and kept != element):
        multiply = exactly
    if way.products:
        return sides, lambda a, b: _rounded(multiply(a, b), way.products)
    return sides, (lambda a, b: flushed(np.asarray(declared(a, b)), element)) if way.flushes else multiply


def _rounded(x: Array, type: ElementType | None) -> Array:
    assert type
    return np.asarray(NUMPY.round_to(np.asarray(x, np.float64), type)).astype(np.float64)


def _arithmetic_of(way: Way) -> Callable[[Held], Arithmetic]:
    """Return the arithmetic of an accumulator of floats, deviating where the way does."""

    def of(held: Held) -> Arithmetic:
        plain = arithmetic(held)
        if not isinstance(held, ElementType) or not (way.fused or way.in_full or way.flushes):
            return plain
        enter, add, *_ = plain
        if way.fused or way.in_full:
            enter, add = lambda x: x.astype(np.float64), lambda a, b: added_once(a, b, held)
        if way.flushes:
            inner, sums = enter, add
            enter = lambda x: flushed(inner(x), held)
            add = lambda a, b: flushed(sums(a, b), held)
        return Arithmetic(enter, add)

    return of


def _unsigned(total: Array, way: Way) -> Array:
    """Return exact sums of numbers that are at least 0 as the way's unsigned accumulator holds them."""
    if not way.unsigned or way.machine is None:
        return total
    greatest = (1 << way.unsigned) - 1
    held = way.machine.outer_held
    return (
        np.minimum(total, greatest) if isinstance(held, Accumulator) and held.saturates else total & greatest
    )


def of_floats(ctx: Context, op: Op, sums: Array, way: Way) -> Array:
    """Return the stored results for sums of floats."""
    element, type = accumulation_type(op), op.result.type.element_type
    rounded = np.asarray(NUMPY.round_to(sums.astype(np.float64), element))
    result = convert(NUMPY, rounded, element, expressed_element(op.result.type))
    if not isinstance(type, QuantizedType):
        return flushed(result, type) if way.flushes else result
    return np.asarray(quantize(rounding(op, type, way), result, type))


def rounding(op: Op, type: Any, way: Way) -> Any:
    """Return the namespace in which an operation's results of a type are rounded and saturated in a way."""
    if not isinstance(type, QuantizedType) or not (way.rounding or way.wraps or way.reciprocal):
        return NUMPY
    reading = way.reading_of(op)
    whole = reading.is_integer and (bool(op.regions) or in_integers_of(op, reading))
    return Rounding(type, way.rounding, way.wraps, whole and reading.recipe in BEFORE, way.reciprocal)


def whole_numbers(x: Array) -> Array:
    """Return sums in int64: floats half to even, infinities as large integers, NaN as 0."""
    if x.dtype.kind != "f":
        return x.astype(np.int64)
    return np.rint(np.clip(np.nan_to_num(x, nan=0.0, posinf=FAR, neginf=-FAR), -FAR, FAR)).astype(np.int64)


def of_integers(ctx: Context, op: Op, sums: Array, way: Way) -> Array:
    """Return the stored results for sums of integers."""
    total, type = whole_numbers(sums), op.result.type.element_type
    if isinstance(type, ElementType):
        return _as_integers(sums, type)
    reading = way.reading_of(op)
    limit = 1 << (reading.accumulator.bits - 1)
    total = np.clip(total, -limit, limit - 1)
    space = rounding(op, type, way)
    exact = reading.recipe == EXACT and not kept(op, reading.accumulator).all()
    if exact and way.rounding.removesuffix(AFTER) in EXACTLY:
        points = spread(NUMPY, type.zero_points, np.int64, type, total.shape)
        found = quotients(total, *multipliers(op, reading.accumulator), way.rounding, points)
        return np.asarray(stored(space, found, type))
    inside = ctx._replace(xp=space, reading=reading)
    return np.asarray(integer_contraction.finished(inside, op, total))


def _as_integers(sums: Array, type: ElementType) -> Array:
    """Return sums in a plain integer type: integers wrap, floats saturate."""
    total = whole_numbers(sums)
    if sums.dtype.kind == "f":
        total = np.clip(total, type.min_value, min(type.max_value, int(FAR)))
    return np.asarray(wrap(NUMPY, total.astype(NUMPY.carrier(type)), type))


def reduced(ctx: Context, op: Op, operands: State, way: Way) -> State:
    """Return the results of a `reduce` or a `reduce_window` by `add`, in the way's accumulator."""
    found, start = reduced_leaves(ctx, op, operands)
    type = op.regions[0].returns[0].type.element_type
    machine = way.machine_or(storage(type))
    real = isinstance(machine.inner, ElementType)
    enter = lambda x: _entering(np.asarray(x), type, real)
    leaves = Leaves(found.n, lambda i: (enter(found.at(i)[0]),), lambda: (enter(found.stack()[0]),))
    shape = op.result.type.shape
    schedule, of = way.schedule(len(machine.groups(leaves.n)) + 1), _arithmetic_of(way)
    _refuse_stack(op, schedule, leaves.n, shape)
    total = _unsigned(accumulated(leaves, shape, machine, schedule, enter(start), of), way)
    assert total.size == prod(shape)
    return reduce.results(ctx, op, (reduced_result(op, total, real, way),), [type])


def reduced_leaves(ctx: Context, op: Op, operands: State) -> tuple[Leaves, Array]:
    """Return the converted leaves and the init of a reduction of one operand."""
    inputs, init = reduce.converted(ctx, op, operands)
    if op.name == "stablehlo.reduce":
        return reduce.slices(NUMPY, op, inputs), init[0]
    return reduce_window.windowed(NUMPY, op, inputs, init), init[0]


def _entering(x: Array, type: Any, real: bool) -> Array:
    """Return leaves as the numbers that are summed: reals in a float accumulator, else `q - zero_point`."""
    if not isinstance(type, QuantizedType):
        return x
    return np.asarray(dequantize(NUMPY, x, type)) if real else x.astype(np.int64) - type.zero_point


def reduced_result(op: Op, total: Array, real: bool, way: Way) -> Array:
    """Return a sum in the type of the reduction's body."""
    type = op.regions[0].returns[0].type.element_type
    if isinstance(type, QuantizedType):
        space = rounding(op, type, way)
        if not real:
            return np.asarray(stored(space, whole_numbers(total), type))
        expressed = NUMPY.round_to(total.astype(np.float64), type.expressed_type)
        return np.asarray(quantize(space, expressed, type))
    if type.is_integer:
        return _as_integers(total, type)
    return np.asarray(NUMPY.round_to(total.astype(np.float64), type))
