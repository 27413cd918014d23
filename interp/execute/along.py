"""Contractions and reductions whose sums are kept along an accumulation, term by term."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine import additions
from interp.engine.additions import Addition, Hear, Terms
from interp.engine.evaluate import Context, Place
from interp.engine.fold import Node
from interp.engine.quant import dequantize
from interp.engine.stored import storage
from interp.execute.sums import of_floats, of_integers, plain_factors, reduced_leaves, reduced_result
from interp.execute.way import Way, is_contraction
from interp.kernels import reduce
from interp.kernels.contraction import factor_types, factors, geometry_of
from interp.kernels.integer_contraction import reads_integers
from interp.kernels.product_fold import product_leaves
from interp.recorder.exact import rounding_error
from interp.speed.exact_contraction import accumulation_type, sums_plain_integers
from interp.speed.problem import Geometry
from spec.accumulation import Accumulation
from spec.accumulator import Accumulator
from spec.errors import Unsupported
from spec.ir import Op
from spec.types import ElementType, QuantizedType, integer

WIDE = integer(64, True)  # the type of products of integers
SAFE = 2.0**480  # factors between its reciprocal and it have a product whose error f64 holds


def added(ctx: Context, op: Op, operands: State, way: Way, accumulation: Accumulation) -> State:
    """Return the results of a contraction, or of a reduction by `add`, along an accumulation."""
    for listener in ctx.listeners:
        listener.on_sums(op, accumulation, ctx.reading)
    if is_contraction(op):
        return (_contracted(ctx, op, operands, way, accumulation),)
    return _reduced(ctx, op, operands, way, accumulation)


def _hear(ctx: Context, op: Op) -> Hear | None:
    """Return what tells the listeners of each node."""
    if not ctx.listeners:
        return None

    def hear(addition: Addition) -> None:
        place = Place(op, 0, Node(addition.first, addition.last, None, False))
        for listener in ctx.listeners:
            listener.on_addition(place, addition)

    return hear


def _contracted(ctx: Context, op: Op, operands: State, way: Way, accumulation: Accumulation) -> Array:
    geometry, whole = geometry_of(NUMPY, op), reads_integers(ctx, op) or sums_plain_integers(op)
    if whole:
        sides = plain_factors(ctx, op, operands)
        types = [WIDE, WIDE]
    else:
        sides = tuple(np.asarray(x) for x in factors(ctx, op, *operands[:2])[:2])
        types = list(factor_types(op))
    terms, shape, result = _products(geometry, sides, types, accumulation.flushes_inputs)
    declared, saturates = accumulation_type(op), False
    if reads_integers(ctx, op):
        accumulator = way.reading.accumulator if way.reading.is_integer else Accumulator()
        declared, saturates = accumulator.type, accumulator.saturates
    init = np.zeros(shape, np.int64 if terms.type.is_integer else np.float64)
    total = additions.sums(accumulation, terms, init, declared, saturates, _hear(ctx, op))
    sums = geometry.result(np.broadcast_to(total, shape).reshape(result))
    if not whole:
        return of_floats(ctx, op, sums, way)
    stored = of_integers(ctx._replace(listeners=()), op, sums, way)
    if reads_integers(ctx, op):
        for listener in ctx.listeners:
            listener.on_result(op, 0, sums, stored)
    return stored


def _products(
    geometry: Geometry, sides: State, types: list[ElementType], flushes: bool
) -> tuple[Terms, tuple[int, ...], tuple[int, ...]]:
    """Return the products of a contraction as terms, their shape, and that of the sums."""
    if all(type.is_integer for type in types):
        sides = tuple(x.astype(np.int64) for x in sides)
        products = product_leaves(NUMPY, geometry, np.multiply, *sides)
        own = lambda i, normalized: own_exponents(products.at(i))
        return Terms(products.n, products.at, WIDE, own), products.shape, products.result
    left, right = (x.astype(np.float64) for x in sides)
    if flushes:
        left, right = (flushed(x, type) for x, type in zip((left, right), types, strict=True))
    products = product_leaves(NUMPY, geometry, np.multiply, left, right)
    odd = product_leaves(NUMPY, geometry, odd_product, left, right)
    each = [additions.exponents(x, type) for x, type in zip((left, right), types, strict=True)]
    both = product_leaves(NUMPY, geometry, np.add, *each)
    exponents = lambda i, own: own_exponents(products.at(i)) if own else both.at(i)
    held = holds_products(types)
    terms = Terms(products.n, products.at, widest(types), exponents, held, None if held else odd.at)
    return terms, products.shape, products.result


def holds_products(types: list[ElementType]) -> bool:
    """Return whether f64 holds every product of factors of these types."""
    bits = sum(type.bits if type.is_integer else type.precision for type in types)
    return bits <= additions.MOST and all(type.name != "f64" for type in types)


def own_exponents(x: Array) -> Array:
    return np.frexp(np.asarray(x, np.float64))[1] - 1


def widest(types: list[ElementType]) -> ElementType:
    """Return the type of factors that are floats: the widest."""
    return max((type for type in types if type.kind == "float"), key=lambda type: type.bits)


def flushed(x: Array, type: ElementType) -> Array:
    return additions.flush(x, type) if type.kind == "float" else x


def odd_product(a: Array, b: Array) -> Array:
    """Return products rounded to odd: f64 has the error of a product (Dekker), or fractions decide."""
    a, b = np.broadcast_arrays(a, b)
    product = np.asarray(a * b)
    error = np.asarray(rounding_error("multiply", a, b, product), np.float64)
    sizes = np.abs(a), np.abs(b)
    far = np.any([(x != 0) & ((x > SAFE) | (x < 1 / SAFE)) for x in sizes], axis=0)
    far &= np.isfinite(a) & np.isfinite(b)
    for at in np.argwhere(far):
        where = tuple(at)
        if np.isinf(product[where]):
            error[where] = -np.sign(product[where])
        else:
            exact = Fraction(float(a[where])) * Fraction(float(b[where])) - Fraction(float(product[where]))
            error[where] = (exact > 0) - (exact < 0)
    return additions.to_odd(product, np.where(np.isfinite(a) & np.isfinite(b), error, 0.0))


def _reduced(ctx: Context, op: Op, operands: State, way: Way, accumulation: Accumulation) -> State:
    leaves, init = reduced_leaves(ctx, op, operands)
    type = op.regions[0].returns[0].type.element_type
    arithmetics = accumulation.arithmetics
    whole = any(a.element_type and a.element_type.is_integer for a in arithmetics)
    if isinstance(type, QuantizedType) and not all(a.type for a in arithmetics):
        verdict = f"sums of {type!r} in nodes that name no type, in the accumulation {accumulation!r}"
        raise Unsupported(verdict, "expected a type for each node: in f32, in i16", op.location)
    own = _element(type, whole)
    enter = lambda x: _entering(np.asarray(x), type, whole, own, accumulation.flushes_inputs)
    exponents = lambda i, normalized: additions.exponents(enter(leaves.at(i)[0]).astype(np.float64), own)
    terms = Terms(leaves.n, lambda i: enter(leaves.at(i)[0]), own, exponents)
    shape = op.result.type.shape
    seed = np.broadcast_to(enter(init), shape)
    total = np.broadcast_to(additions.sums(accumulation, terms, seed, own, False, _hear(ctx, op)), shape)
    assert total.size == prod(shape)
    return reduce.results(ctx, op, (reduced_result(op, total, not whole, way),), [type])


def _element(type: ElementType | QuantizedType, whole: bool) -> ElementType:
    """Return the type of the numbers that are added."""
    if not isinstance(type, QuantizedType):
        return type
    return WIDE if whole else type.expressed_type


def _entering(
    x: Array, type: ElementType | QuantizedType, whole: bool, own: ElementType, flushes: bool
) -> Array:
    """Return elements as the numbers that are added: int64 or f64."""
    if isinstance(type, QuantizedType):
        x = x.astype(np.int64) - type.zero_point if whole else np.asarray(dequantize(NUMPY, x, type))
    if storage(own).is_integer:
        return x.astype(np.int64)
    return flushed(x.astype(np.float64), own) if flushes else x.astype(np.float64)
