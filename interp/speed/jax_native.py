"""Ordered sums of products by machine code, as a call from a program of XLA on a CPU.

Where XLA compiles for another platform, or JAX exports a program, which may run without us, the same sums are
XLA's own loops (`jax_ordered`).
"""

from __future__ import annotations

import os
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from interp.backends import Array, Namespace
from interp.backends.dtypes import numpy_dtype
from interp.backends.platforms import on_cpu, register, try_handler
from interp.speed import jax_ordered, native_products
from interp.speed.problem import Fold, Geometry, Problem
from interp.speed.stored_weights import Lazy, Weights
from spec.elements import ELEMENT_TYPES
from spec.types import ElementType

if TYPE_CHECKING:
    from interp.speed.register_block import Kind

F32 = ELEMENT_TYPES["f32"]
MANY = 1 << 16  # products, below which XLA compiles the plain fold as soon


def sum_in_order(
    xp: Namespace, geometry: Geometry, element: ElementType, lhs: Array, rhs: Array, fold: Fold
) -> Array:
    """Return sums of floats from the left, each product and each sum rounded, on a CPU by compiled code."""
    elsewhere = lambda lhs, rhs: jax_ordered.sum_by_loops(xp, geometry, element, lhs, rhs, fold)
    problem = geometry.of(lhs, rhs)
    few = problem.n * prod(problem.shape) < MANY or not native_products.is_possible(problem)
    if few or not xp.native or not works(xp, kind := native_products.kind_of(problem, element.name)):
        return elsewhere(lhs, rhs)
    stored = element if element.name == "f64" else F32
    in_carriers = lambda *sides: xp.encode(elsewhere(*(_to_carrier(xp, x) for x in sides)), stored)
    here = lambda *sides: sums(xp, geometry, element, kind, *sides)
    sides = (_f32_storage(xp, x) for x in (lhs, rhs))
    return xp.decode(on_cpu(problem.shape, numpy_dtype(stored), here, in_carriers, *sides), stored)


def sum_weighted(
    xp: Namespace, geometry: Geometry, element: ElementType, lhs: Lazy, weights: Weights, fold: Fold
) -> Array | None:
    """Return ordered sums of products with stored weights, or None where they had better be dequantized."""
    (stored, numbers), both, zero_point = lhs, weights.zero_point is not None, weights.zero_point or 0
    problem = geometry.of(stored, weights.stored, zero_point)
    if problem.n * prod(problem.shape) < MANY or not native_products.is_possible(problem) or not xp.native:
        return None
    kind = native_products.kind_of(problem, element.name, stored=True, both=both)
    if not works(xp, kind):
        return None

    def here(left: Array, right: Array, padded: Array) -> Array:
        if not both:
            bits = xp.lax.bitcast_convert_type(_encode(xp, left, F32), np.int32)
            padded = geometry.left(bits, 0)
        sides = problem._replace(left=padded, right=geometry.right(right))
        return call_handler(xp, kind, sides, threads(), scales=weights.scales, zero_point=zero_point)

    def elsewhere(left: Array, right: Array, padded: Array) -> Array:
        sides = numbers(left) if both else _to_carrier(xp, left), weights.dequantized(right)
        return xp.encode(jax_ordered.sum_by_loops(xp, geometry, element, *sides, fold), F32)

    left = stored if both else _f32_storage(xp, numbers(stored))
    sides = left, weights.stored, problem.left
    return xp.decode(on_cpu(problem.shape, np.float32, here, elsewhere, *sides), F32)


def _f32_storage(xp: Namespace, x: Array) -> Array:
    """Return the numbers of f32 that a carrier was decoded from, or the carrier."""
    known = xp.storage(x)
    return x if known is None or known.dtype != np.float32 else known


def _to_carrier(xp: Namespace, x: Array) -> Array:
    return xp.decode(x, F32) if x.dtype == np.float32 else x


def sums(
    xp: Namespace, geometry: Geometry, element: ElementType, kind: Kind, left: Array, right: Array
) -> Array:
    """Return the sums of products, stored in f32 or f64, of operands so stored or in a carrier.

    Only the left ones have holes, and so may have no NaN but the one; a conversion of weights costs a kernel.
    """
    stored = element if element.name == "f64" else F32
    hole = -1 if geometry.has_holes else 0  # as bits, a NaN that none has that is encoded
    left = _encode(xp, left, stored)
    right = right if right.dtype == numpy_dtype(stored) else _encode(xp, right, stored)
    bits = xp.lax.bitcast_convert_type(left, np.dtype(f"int{stored.bits}"))
    return call_handler(xp, kind, geometry.of(bits, right, hole), threads(), geometry.has_holes)


def _encode(xp: Namespace, x: Array, type: ElementType) -> Array:
    """Return numbers in a type that has them, every NaN the one quiet NaN."""
    if x.dtype == np.float32 and type == F32:
        return xp.where(xp.isnan(x), np.float32(np.nan), x)
    return xp.encode(_to_carrier(xp, x), type)


@cache
def register_handler(xp: Namespace, kind: Kind) -> str:
    """Return the name by which XLA knows the handler for a kind of sums."""
    from interp.speed.product_code import code_of

    target = f"interp_{'own_' * kind.own}sums_{'stored_' * kind.stored}{'both_' * kind.both}{kind.name}"
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
) -> Array:
    """Return the sums by a call of machine code, for left factors given as bits; XLA lends it memory."""
    from interp.speed.product_code import bytes_needed

    meta = native_products.describe(problem, kind, threads, has_holes, zero_point)
    shape = xp.jax.ShapeDtypeStruct
    dtype = np.float64 if kind.name == "f64" else np.float32
    results = shape(problem.shape, dtype), shape((bytes_needed(meta, kind),), np.uint8)
    call = xp.jax.ffi.ffi_call(register_handler(xp, kind), results)
    return call(meta, problem.left, native_products.columns_of(xp, problem, kind), scales)[0]


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
    call = lambda left, right: call_handler(xp, kind, problem._replace(left=left, right=right), 1, **options)
    found = try_handler(call, bits, problem.right)
    return found is not None and np.array_equal(found.ravel(), expected.ravel())


@cache
def threads() -> int:
    """Return how many threads XLA's own code would use here."""
    is_alone = "xla_cpu_multi_thread_eigen=false" in os.environ.get("XLA_FLAGS", "")
    return 1 if is_alone else native_products.threads()
