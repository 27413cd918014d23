"""Sums along trees of accumulations under XLA: by machine code on a CPU, elsewhere step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from interp.backends import Array, Namespace
from interp.backends.dtypes import numpy_dtype
from interp.backends.platforms import on_cpu
from interp.engine.float_sums import least_exponent
from interp.speed import native_products
from interp.speed.jax_native import (
    F32,
    call_handler,
    encode,
    f32_storage,
    may_be_compiled,
    threads,
    to_carrier,
    works,
)
from interp.speed.problem import Dot, Geometry
from interp.speed.tree_products import CARRIERS, Along
from interp.speed.tree_tapes import FMA, PLAIN, POP, PRODUCT, ZERO
from spec.errors import Unsupported
from spec.types import ElementType

Term = Callable[[Any], Array]  # a term of every sum, by its number


def sum_along(
    xp: Namespace,
    geometry: Geometry,
    along: Along,
    sources: Sequence[ElementType],
    sides: Sequence[Array],
    term: Callable[..., Term],
    flushes_inputs: bool,
) -> Array:
    """Return sums of products along a tree, in the carrier of their type and the shape of the problem.

    term: returns the products of both sides, in a carrier, unrounded.
    """
    type = along.type
    stored = type if type.name == "f64" else F32

    def enter(x: Array, source: ElementType) -> Array:
        return flush(xp, to_carrier(xp, x), source) if flushes_inputs else to_carrier(xp, x)

    def elsewhere(*sides: Array) -> Array:
        left, right = (enter(x, source) for x, source in zip(sides, sources, strict=True))
        shape = geometry.of(left, right).shape
        return xp.encode(follow(xp, along, term(left, right)).reshape(shape), stored)

    problem = geometry.of(*sides)
    plain = native_products.kind_of(problem, type.name)
    kinds = [along.kind(plain, flushes) for flushes in sorted({False, bool(along.flushes)})]
    closed = geometry.has_holes and along.tape.starts_with_products
    if closed or not may_be_compiled(xp, geometry, problem) or not all(works(xp, kind) for kind in kinds):
        return xp.decode(elsewhere(*sides), stored)

    def here(*sides: Array) -> Array:
        numbers = [encode(xp, x, stored) for x in sides]
        if flushes_inputs:
            numbers = [flush_stored(xp, x, source) for x, source in zip(numbers, sources, strict=True)]
        bits = xp.lax.bitcast_convert_type(numbers[0], np.dtype(f"int{stored.bits}"))
        arranged = geometry.of(bits, numbers[1])
        call = lambda kind: call_handler(xp, kind, arranged, threads(), tape=along.tape)
        fast = lambda: call(kinds[0])
        if not (geometry.has_holes or along.flushes):
            return fast()
        return _choose(
            xp, geometry, along, numbers, (fast, lambda: call(kinds[-1]), lambda: elsewhere(*sides))
        )

    sides = [x if type.name == "f64" else f32_storage(xp, x) for x in sides]
    return xp.decode(on_cpu(problem.shape, numpy_dtype(stored), here, elsewhere, *sides), stored)


def sum_elements(
    xp: Namespace, elements: Array, along: Along, source: ElementType, flushes_inputs: bool
) -> Array:
    """Return sums of elements [n, ...] along a tree, as those of products with one: see `tree_sums`."""
    terms = len(along.tape.order)
    geometry = Geometry(lambda x, hole: x, lambda x: x, Dot, lambda x: x)
    ones = xp.ones((1, 1, terms), elements.dtype)
    sides = ones, elements.reshape(1, len(elements), -1)
    term = lambda left, right: lambda leaf: right[0, leaf]
    sums = sum_along(xp, geometry, along, [source, source], sides, term, flushes_inputs)
    return sums.reshape(elements.shape[1:])


def _choose(
    xp: Namespace,
    geometry: Geometry,
    along: Along,
    numbers: Sequence[Array],
    ways: Sequence[Callable[[], Array]],
) -> Array:
    """Return the sums of code that neither flushes nor knows holes, where that is right, and else others."""
    fast, flushing, stepwise = ways
    normal, finite = are_normal(xp, numbers[0], numbers[1], along.type), xp.isfinite(numbers[1]).all()
    if not geometry.has_holes:
        return xp.lax.cond(normal, fast, flushing)
    safe = finite & normal if along.flushes or along.fuses else finite
    return xp.lax.cond(safe, fast, stepwise)


def are_normal(xp: Namespace, left: Array, right: Array, type: ElementType) -> Array:
    """Return `tree_products.are_normal`, by the bits of stored numbers; f16 and bf16 are not judged.

    XLA takes subnormal numbers for zeros, which the bits of a number are not.
    """
    if type.name not in CARRIERS:
        return xp.asarray(False)
    precision, bits = type.precision, np.dtype(f"int{type.bits}")
    least = []
    for x in (left, right):
        sizes = xp.lax.bitcast_convert_type(x, bits) & np.iinfo(bits).max
        smallest = xp.where(sizes == 0, np.iinfo(bits).max, sizes).min(initial=np.iinfo(bits).max)
        least.append((smallest >> (precision - 1)).astype(np.int64) - type.bias)  # its exponent, rounded down
    finite = xp.isfinite(left).all() & xp.isfinite(right).all()
    return finite & (least[0] + least[1] >= least_exponent(type) + 2 * precision)


def flush(xp: Namespace, x: Array, type: ElementType) -> Array:
    """Return zeros of the same sign in place of subnormal numbers."""
    return xp.where(xp.abs(x) < 2.0 ** least_exponent(type), xp.copysign(xp.zeros_like(x), x), x)


def flush_stored(xp: Namespace, x: Array, type: ElementType) -> Array:
    """Return stored f32 or f64 with zeros of the same sign for numbers that are subnormal in a type."""
    size, integer = x.dtype.itemsize, np.dtype(f"int{8 * x.dtype.itemsize}")
    bits = xp.lax.bitcast_convert_type(x, integer)
    least = int(x.dtype.type(2.0 ** least_exponent(type)).view(integer))
    sizes = bits & np.iinfo(integer).max
    zeros = bits & np.iinfo(integer).min
    assert size in (4, 8)
    return xp.lax.bitcast_convert_type(xp.where(sizes < least, zeros, bits), x.dtype)


# The tape step by step, in f64: XLA flushes subnormal f32, and LLVM contracts products with sums.


def follow(xp: Namespace, along: Along, term: Term) -> Array:
    """Return the sums along a tape, rounded to their type at each node, in f64."""
    tape, type = along.tape, along.type
    if along.fuses and type.name == "f64":
        raise Unsupported("fused sums of f64 where machine code does not run", "expected a CPU, or `run`")
    like = term(0)
    depth, steps = int(tape.words[0]), xp.asarray(tape.steps)
    fl = lambda x: _round(xp, x, type, bool(along.flushes))
    zero = xp.zeros(like.shape, xp.float64)
    push = lambda stack, top, total: (xp.lax.dynamic_update_index_in_dim(stack, total, top, 0), top + 1)
    at = lambda leaf: term(leaf).astype(xp.float64)

    def start(stack: Array, top: Array, total: Array, leaf: Array) -> Any:
        return (*push(stack, top, total), zero)

    def start_product(stack: Array, top: Array, total: Array, leaf: Array) -> Any:
        return (*push(stack, top, total), fl(at(leaf)))

    def add(stack: Array, top: Array, total: Array, leaf: Array) -> Any:
        return stack, top, fl(xp.plus(total, fl(at(leaf))))

    def add_unrounded(stack: Array, top: Array, total: Array, leaf: Array) -> Any:
        return stack, top, fl(_to_odd(xp, total, at(leaf)))

    def pop(stack: Array, top: Array, total: Array, leaf: Array) -> Any:
        waiting = xp.lax.dynamic_index_in_dim(stack, top - 1, 0, False)
        return stack, top - 1, fl(xp.plus(waiting, total))

    ways = {ZERO: start, PRODUCT: start_product, PLAIN: add, FMA: add_unrounded, POP: pop}
    branches = [ways[code] for code in sorted(ways)]

    def step(k: Array, state: Any) -> Any:
        code, leaf = steps[k, 0] - ZERO, xp.maximum(steps[k, 1], 0)
        return xp.lax.switch(code, branches, *state, leaf)

    stack = xp.zeros((depth + 1, *like.shape), xp.float64)
    return xp.lax.fori_loop(0, len(tape.steps), step, (stack, xp.asarray(0, np.int64), zero))[2]


def _round(xp: Namespace, x: Array, type: ElementType, flushes: bool) -> Array:
    rounded = xp.round_to(x, type)
    return flush(xp, rounded, type) if flushes else rounded


def _to_odd(xp: Namespace, a: Array, b: Array) -> Array:
    """Return the sum of numbers of f64, rounded to odd (TwoSum): it rounds to f32 as the sum does."""
    total = xp.plus(a, b)
    part = total - a
    error = (a - (total - part)) + (b - part)
    bits = xp.lax.bitcast_convert_type(total, np.int64)
    moved = xp.where((error > 0) == (total > 0), bits + 1, bits - 1)
    is_inexact = xp.isfinite(error) & (error != 0) & (bits & 1 == 0)
    return xp.where(is_inexact, xp.lax.bitcast_convert_type(moved, np.float64), total)
