"""Ordered sums of products under XLA: by machine code on a CPU, elsewhere by XLA's own loops."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from interp.backends import Array, Namespace
from interp.backends.dtypes import numpy_dtype
from interp.backends.platforms import on_cpu, register, try_handler
from interp.speed import native_products
from interp.speed.problem import Convolution, Dot, Fold, Geometry, Lazy, Problem, Weights
from spec.elements import ELEMENT_TYPES
from spec.ir import Op
from spec.types import ElementType

if TYPE_CHECKING:
    from interp.speed.product_blocks import Kind
    from interp.speed.tree_tapes import Tape


# Ordered sums of products under XLA: a loop over the leaves, tile after tile of the results.
#
# XLA flushes subnormal numbers to zero, and LLVM contracts a product and a sum. So f32 carries a fold in
# which no number can be subnormal, with a barrier between product and sum; else f64 carries it, rounded at
# each step.

LOOP_PRODUCTS = 1 << 20  # products, below which XLA compiles the plain fold much sooner
UNROLLED = 8  # leaves in a row that are added while a result is in a register
TILE = 1 << 12  # results that are worked on at once: few enough for the nearest cache
NARROW = 8  # results in a row, below which the rows themselves are the vectors
Step = Callable[..., Array]


def sum_by_loops(
    xp: Namespace, geometry: Geometry, element: ElementType, lhs: Array, rhs: Array, fold: Fold
) -> Array:
    """Return sums of floats from the left, each product and each sum rounded.

    A hole may be multiplied by a finite weight.
    """
    problem = geometry.of(lhs, rhs)
    if problem.n * prod(problem.shape) < LOOP_PRODUCTS:
        return fold(lhs, rhs)
    there = (lambda: geometry.left(xp.ones(lhs.shape, bool), False)) if geometry.has_holes else None
    problem = problem._replace(left=xp.opaque(problem.left))  # XLA would run a loop over constants itself
    safe = xp.isfinite(problem.right).all() if there else None
    if element.name in ("f32", "bf16"):
        normal = _is_normal(xp, problem)
        safe = normal if safe is None else safe & normal
    dtype = xp.float64 if element.name == "f64" else xp.float32
    fast = lambda: _fold_groups(xp, problem, None, dtype, _quick_step(xp, element), UNROLLED).astype(
        xp.float64
    )
    if safe is None:
        return fast()

    def slow() -> Array:
        add = lambda total, x, w: xp.round_to(total + xp.round_to(x * w, element), element)
        return _fold_groups(xp, problem, there() if there else None, xp.float64, add, 1)

    return xp.lax.cond(safe, fast, slow)


def _is_normal(xp: Namespace, problem: Problem) -> bool | Array:
    """Return whether no product and no sum in f32 is subnormal.

    THEOREM: products of at least 2^-102 are multiples of 2^-125, and so is every sum of them: zero or normal.
    """
    least = [xp.where(x == 0, xp.inf, xp.abs(x)).min(initial=xp.inf) for x in (problem.left, problem.right)]
    return ~(least[0] * least[1] < 2.0**-102)


def _quick_step(xp: Namespace, element: ElementType) -> Step:
    """Return `fl(total + fl(x w))` in the carrier of the loop."""
    if element.name in ("f32", "f64"):
        return lambda total, x, w: total + xp.prevent_contraction(x * w)
    fl = _to_bf16 if element.name == "bf16" else _to_f16
    return lambda total, x, w: fl(xp, total + fl(xp, x * w))


def _to_bf16(xp: Namespace, x: Array) -> Array:
    """Round f32 to bf16, the upper half of its bits, nearest even; a NaN of bf16 stays what it is."""
    bits = xp.lax.bitcast_convert_type(x, xp.uint32)
    up = (bits + xp.uint32(0x7FFF) + ((bits >> 16) & xp.uint32(1))) & xp.uint32(0xFFFF0000)
    return xp.lax.bitcast_convert_type(up, xp.float32)


def _to_f16(xp: Namespace, x: Array) -> Array:
    """Round f32 to f16: what is added and taken away again has the last place that the sum may have."""
    power = xp.lax.bitcast_convert_type(x, xp.uint32) & xp.uint32(0x7F800000)
    power = xp.clip(power, xp.uint32(0x38800000), xp.uint32(0x47800000))  # from 2^-14 to 2^16
    away = xp.lax.bitcast_convert_type(power, xp.float32) * xp.float32(3 * 2**12)
    rounded = (x + away) - away
    return xp.where(xp.abs(rounded) >= 65536, xp.copysign(xp.float32(xp.inf), rounded), rounded)


def _fold_groups(
    xp: Namespace, problem: Problem, there: Array | None, dtype: Any, step: Step, unrolled: int
) -> Array:
    """Return the sums that the steps give, one group of the problem after the other."""
    left, right = _rows(xp, problem, problem.left.astype(dtype)), _columns(xp, problem, dtype)
    operands = [left, right] if there is None else [left, right, _rows(xp, problem, there)]
    masked = step if there is None else lambda total, x, w, m: xp.where(m, step(total, x, w), total)
    sums = xp.lax.map(lambda group: _in_tiles(xp, masked, unrolled, *group), tuple(operands))
    if isinstance(problem, Dot):
        return sums
    return xp.moveaxis(sums, 0, 1).reshape(problem.shape)


def _in_tiles(xp: Namespace, step: Step, unrolled: int, left: Array, right: Array, *there: Array) -> Array:
    """Return the sums [m, n] of products of left [k, m] and right [k, n], tile after tile of the rows."""
    (n, m), columns = left.shape, right.shape[1]
    size = min(max(1, TILE // max(1, columns)), m)
    size = -(-m // (tiles := -(-m // max(1, size)))) if m else 0
    if not (n and m and columns):
        return xp.zeros((m, columns), left.dtype)
    more = -n % unrolled  # a leaf of zeros changes nothing: a sum that begins with +0 is never -0
    right = xp.pad(right, [(0, more), (0, 0)])
    rows = [
        xp.pad(x, [(0, more), (0, tiles * size - m)]).reshape(n + more, tiles, size) for x in (left, *there)
    ]
    swapped = columns < NARROW
    found = xp.lax.map(
        lambda tile: _tile(xp, step, unrolled, right, swapped, *tile),
        tuple(xp.moveaxis(x, 1, 0) for x in rows),
    )
    found = xp.moveaxis(found, 1, 2) if swapped else found
    return found.reshape(tiles * size, columns)[:m]


def _tile(xp: Namespace, step: Step, unrolled: int, right: Array, swapped: bool, *rows: Array) -> Array:
    """Return the sums of a tile, as [n, m] if `swapped`."""
    column, row = (slice(None), None), (None, slice(None))
    along, across = (row, column) if swapped else (column, row)

    def several(k: Array, total: Array) -> Array:
        for i in range(unrolled):  # XLA fuses an index with what uses it, but not a slice of several leaves
            weight, x, *there = (
                xp.lax.dynamic_index_in_dim(x, k * unrolled + i, 0, False) for x in (right, *rows)
            )
            total = step(total, x[along], weight[across], *(m[along] for m in there))
        return total

    shape = rows[0].shape[1], right.shape[1]
    start = xp.zeros(shape[::-1] if swapped else shape, right.dtype)
    return xp.lax.fori_loop(0, len(right) // unrolled, several, start)


def _columns(xp: Namespace, problem: Problem, dtype: Any) -> Array:
    """Return the right factors as [group, k, n]."""
    right = problem.right.astype(dtype)
    if isinstance(problem, Dot):
        return right
    grouped = right.reshape(problem.n, problem.groups, right.shape[-1] // problem.groups)
    return xp.moveaxis(grouped, 1, 0)


def _rows(xp: Namespace, problem: Problem, x: Array) -> Array:
    """Return left factors x as [group, k, m]; those of a convolution are its windows."""
    if isinstance(problem, Dot):
        return xp.moveaxis(x, 2, 1)
    return _windows(xp, problem, x)


def _windows(xp: Namespace, problem: Convolution, x: Array) -> Array:
    kernel, features = problem.right.shape[:-2], problem.right.shape[-2]
    batch, *sizes = problem.sizes
    parts = []
    for position in product(*map(range, kernel)):
        turned = zip(position, kernel, problem.window_reversal, strict=True)
        place = [n - 1 - k if flip else k for k, n, flip in turned]
        geometry = zip(place, problem.rhs_dilation, sizes, problem.window_strides, strict=True)
        index = [slice(k * by, k * by + (size - 1) * stride + 1, stride) for k, by, size, stride in geometry]
        parts.append(x[(slice(None), *index)])
    if not (parts and problem.n and np.prod(problem.sizes)):
        return xp.zeros((problem.groups, problem.n, int(np.prod(problem.sizes))), x.dtype)
    found = xp.stack(parts)  # position, batch, *spatial, feature
    split = (problem.batch_group_count, batch), (problem.feature_group_count, features)
    found = found.reshape(len(parts), *split[0], int(np.prod(sizes)), *split[1])
    # position, batch group, batch, spatial, feature group, feature
    return xp.transpose(found, (1, 4, 0, 5, 2, 3)).reshape(problem.groups, problem.n, -1)


# Ordered sums of products by machine code, as a call from a program of XLA on a CPU.
#
# Where XLA compiles for another platform, or JAX exports a program, which may run without us, the same sums
# are XLA's own loops (`jax_ordered`).

F32 = ELEMENT_TYPES["f32"]
MANY = 1 << 6  # products, below which XLA compiles the plain fold as soon


def sum_in_order(
    xp: Namespace, geometry: Geometry, op: Op, element: ElementType, sides: tuple[Array, Array], fold: Fold
) -> Array:
    """Return sums of floats from the left, each product and each sum rounded, on a CPU by compiled code."""
    elsewhere = lambda lhs, rhs: sum_by_loops(xp, geometry, element, lhs, rhs, fold)
    problem = geometry.of(*sides)
    if not may_be_compiled(xp, geometry, problem) or not works(
        xp, kind := native_products.kind_of(problem, element.name)
    ):
        return elsewhere(*sides)
    stored = element if element.name == "f64" else F32
    in_carriers = lambda *sides: xp.encode(elsewhere(*(to_carrier(xp, x) for x in sides)), stored)
    here = lambda *sides: sums(xp, geometry, element, kind, *sides)
    kept = (f32_storage(xp, x) for x in sides)
    return xp.decode(on_cpu(problem.shape, numpy_dtype(stored), here, in_carriers, *kept), stored)


def sum_weighted(
    xp: Namespace, geometry: Geometry, element: ElementType, lhs: Lazy, weights: Weights, fold: Fold
) -> Array | None:
    """Return ordered sums of products with stored weights, or None where they had better be dequantized."""
    (stored, numbers), both, zero_point = lhs, weights.zero_point is not None, weights.zero_point or 0
    problem = geometry.of(stored, weights.stored, zero_point)
    if not may_be_compiled(xp, geometry, problem):
        return None
    kind = native_products.kind_of(problem, element.name, stored=True, both=both)
    if not works(xp, kind):
        return None

    def here(left: Array, right: Array, padded: Array) -> Array:
        if not both:
            bits = xp.lax.bitcast_convert_type(encode(xp, left, F32), np.int32)
            padded = geometry.left(bits, 0)
        sides = problem._replace(left=padded, right=geometry.right(right))
        parameters: dict[str, Any] = {"scales": weights.scales, "zero_point": zero_point}
        return call_handler(xp, kind, sides, threads(), **parameters, by_column=_by_column(geometry, right))

    def elsewhere(left: Array, right: Array, padded: Array) -> Array:
        sides = numbers(left) if both else to_carrier(xp, left), weights.dequantized(right)
        return xp.encode(sum_by_loops(xp, geometry, element, *sides, fold), F32)

    left = stored if both else f32_storage(xp, numbers(stored))
    sides = left, weights.stored, problem.left
    return xp.decode(on_cpu(problem.shape, np.float32, here, elsewhere, *sides), F32)


def may_be_compiled(xp: Namespace, geometry: Geometry, problem: Problem) -> bool:
    """Return whether machine code may add up many products: a form of `on_cpu` may not close over a trace."""
    many = problem.n * prod(problem.shape) >= MANY and native_products.is_possible(problem)
    return many and xp.native and not geometry.is_traced


def f32_storage(xp: Namespace, x: Array) -> Array:
    """Return the numbers of f32 that a carrier was decoded from, or the carrier."""
    known = xp.storage(x)
    return x if known is None or known.dtype != np.float32 else known


def to_carrier(xp: Namespace, x: Array) -> Array:
    """Return the carrier of numbers that may be stored in f32."""
    return xp.decode(x, F32) if x.dtype == np.float32 else x


def sums(
    xp: Namespace, geometry: Geometry, element: ElementType, kind: Kind, left: Array, right: Array
) -> Array:
    """Return the sums of products, stored in f32 or f64, of operands so stored or in a carrier.

    Only the left ones have holes, and so may have no NaN but the one; a conversion of weights costs a kernel.
    """
    stored = element if element.name == "f64" else F32
    hole = -1 if geometry.has_holes else 0  # as bits, a NaN that none has that is encoded
    left = encode(xp, left, stored)
    right = right if right.dtype == numpy_dtype(stored) else encode(xp, right, stored)
    bits = xp.lax.bitcast_convert_type(left, np.dtype(f"int{stored.bits}"))
    sides, by_column = geometry.of(bits, right, hole), _by_column(geometry, right)
    return call_handler(xp, kind, sides, threads(), geometry.has_holes, by_column=by_column)


def _by_column(geometry: Geometry, right: Array) -> Array | None:
    """Return a right operand as [batch, n, k] if its factors lie so."""
    return geometry.by_column(right) if geometry.by_column else None


def encode(xp: Namespace, x: Array, type: ElementType) -> Array:
    """Return numbers in a type that has them, every NaN the one quiet NaN."""
    if x.dtype == np.float32 and type == F32:
        return xp.where(xp.isnan(x), np.float32(np.nan), x)
    return xp.encode(to_carrier(xp, x), type)


@cache
def register_handler(xp: Namespace, kind: Kind) -> str:
    """Return the name by which XLA knows the handler for a kind of sums."""
    from interp.speed.product_code import code_of

    words = ("own", kind.own), ("stored", kind.stored), ("both", kind.both), ("tree", kind.tree)
    named = [word for word, holds in (*words, ("flush", kind.flushes)) if holds]
    target = "_".join(["interp_sums", *named, kind.name])
    register(target, code_of(kind).handler)
    return target


def call_handler(
    xp: Namespace,
    kind: Kind,
    problem: Problem,
    threads: int,
    has_holes: bool = False,
    scales: np.ndarray = native_products.NO_SCALES,
    zero_point: int = 0,
    by_column: Array | None = None,
    tape: Tape | None = None,
) -> Array:
    """Return the sums by a call of machine code, for left factors given as bits; XLA lends it memory.

    by_column: the right factors as [group, n, k], where they lie so in memory.
    """
    from interp.speed.product_code import bytes_needed

    problem = native_products.in_order(xp, problem, tape)
    by = by_column is not None
    meta = native_products.describe(problem, kind, threads, has_holes, zero_point, by, tape)
    shape = xp.jax.ShapeDtypeStruct
    dtype = np.float64 if kind.name == "f64" else np.float32
    results = shape(problem.shape, dtype), shape((bytes_needed(meta, kind),), np.uint8)
    call = xp.jax.ffi.ffi_call(register_handler(xp, kind), results)
    right = native_products.columns_of(xp, problem, kind) if by_column is None else by_column
    return call(meta, problem.left, right, scales)[0]


@cache
def works(xp: Namespace, kind: Kind) -> bool:
    """Return whether XLA on a CPU calls the handler, and gets the sums that it should."""
    if not native_products.works(kind):
        return False
    from interp.backends.machine_code import is_x86

    if not is_x86():
        return False  # XLA flushes subnormal numbers, and only x86's float modes are known here
    problem, expected = native_products.probe(kind)
    bits = problem.left.view(f"int{8 * problem.left.itemsize}")
    options: dict[str, Any] = {"scales": native_products.SCALES, "zero_point": native_products.ZERO_POINT}
    options["tape"] = native_products.tape_of_probe(kind)
    call = lambda left, right: call_handler(xp, kind, problem._replace(left=left, right=right), 1, **options)
    found = try_handler(call, bits, problem.right)
    return found is not None and np.array_equal(found.ravel(), expected.ravel())


@cache
def threads() -> int:
    """Return how many threads XLA's own code would use here."""
    is_alone = "xla_cpu_multi_thread_eigen=false" in os.environ.get("XLA_FLAGS", "")
    return 1 if is_alone else native_products.threads()
