"""Contractions by a theorem: which one holds, by types first, then by constant weights, then by the data."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, Namespace, State, fl
from interp.engine.evaluate import Context, constant_operand
from interp.engine.memo import once
from interp.engine.quant import Type, wrap
from interp.engine.storage import storage_range
from interp.speed import numpy_products
from interp.speed.choice import implementation
from interp.speed.exact_contraction import (
    EXACT,
    F32,
    F64,
    INTEGERS,
    Ring,
    Terms,
    accumulation_type,
    fits,
    most_product,
    per_channel,
    premise_of,
)
from interp.speed.order_free import Plain
from interp.speed.problem import Geometry, Problem
from interp.theory.contractions import contracting
from spec.ir import Op
from spec.types import ElementType, QuantizedType


def products_of(xp: Namespace) -> ModuleType:
    """Return the module that multiplies on this namespace; a run on NumPy does not import the other."""
    if xp.in_place:
        return numpy_products
    from interp.speed import jax_products

    return jax_products


def sums_by_theorem(
    ctx: Context, op: Op, geometry: Geometry, lhs: Array, rhs: Array, otherwise: Callable[[], Array]
) -> Array:
    """Return the sums of a contraction, in the carrier of their type; `otherwise()` folds."""
    premise, wanted = premise_of(op), ctx.sums(op)
    if wanted is None or isinstance(premise, Plain):
        return otherwise()

    def tell(theorem: str, why: str) -> None:
        for listener in ctx.listeners:
            listener.on_fast_path(op, theorem, why)

    if isinstance(premise, Ring):
        if wanted and not (premise.never_wraps or stay_within(ctx, op, (lhs, rhs), accumulation_type(op))):
            return otherwise()
        tell(INTEGERS, ANY_ORDER)
        return ring_sums(ctx.xp, op, geometry.of(lhs, rhs))

    def exact(theorem: str, why: str) -> Array:
        tell(theorem, why)
        return _exact_sums(ctx, op, premise, geometry, lhs, rhs)

    if premise.always:
        return exact(EXACT, premise.why())
    known = fits_by_constants(ctx, op, premise)
    if known:
        return exact(f"{EXACT} by constants", BY_CONSTANTS)
    if known is not None and not ctx.xp.in_place:
        return otherwise()
    fit = _fit_by_data(ctx.xp, op, premise, lhs, rhs)
    fast = lambda: exact(f"{EXACT} by data", BY_DATA)
    return implementation(ctx.xp).branch(ctx.xp, fit, fast, otherwise, premise.type)


def stay_within(ctx: Context, op: Op, factors: State, type: ElementType) -> bool:
    """Return whether no sum of |products| leaves the range of a signed type; False if they are not known."""
    if not ctx.xp.in_place or type.kind != "signed":
        return False
    left, right = (np.abs(x.astype(np.float64)) for x in factors)
    largest = right.sum(axis=contracting(op)).max(initial=0) * left.max(initial=0)
    return bool(largest < min(type.max_value, 2**52))


def sums_considered(op: Op) -> tuple[tuple[str, str], ...]:
    """Return the theorems to try, each with its reason; the last is "" where nothing but the fold is left."""
    premise = premise_of(op)
    if isinstance(premise, Plain):
        return (("", premise.why),)
    if isinstance(premise, Ring):
        return ((INTEGERS, ANY_ORDER),)
    if premise.always:
        return ((EXACT, premise.why()),)
    return (f"{EXACT}, if constants or data are small", premise.why()), ("", "its sums may round")


ANY_ORDER = "a sum does not depend on the order"
BY_CONSTANTS = "the constant right operand keeps every sum of |products| within the bound"
BY_DATA = "these operands keep every sum of |products| within the bound"


def fits_by_constants(ctx: Context, op: Op, terms: Terms) -> bool | None:
    """Return whether a constant right operand keeps all sums exact; None if it is not constant."""
    known = _findings(op)
    if not known:
        rhs = constant_operand(ctx, op, 1)
        right = None if rhs is None else numbers(NUMPY, op, 1, rhs, np.float64)
        known.append(None if right is None else bool(_fits(NUMPY, op, terms, terms.left, right)))
    return known[0]


@once
def _findings(op: Op) -> list[bool | None]:
    """Return a list that lives as long as the operation, for what is found out about its constants."""
    return []


def _fit_by_data(xp: Namespace, op: Op, terms: Terms, lhs: Array, rhs: Array) -> Array:
    most = terms.left, max(terms.right)
    narrow, wide = xp.float32, xp.float64
    dtypes = [narrow if size <= 2**F32 else wide for size in most]
    left, right = (numbers(xp, op, k, x, dtypes[k]) for k, x in enumerate((lhs, rhs)))
    return _fits(xp, op, terms, xp.abs(left).max(initial=0).astype(xp.float64), right)


def _fits(xp: Namespace, op: Op, terms: Terms, left: int | Array, right: Array) -> Array:
    return fits(xp, op, terms, left, right, products_of(xp).largest)


def numbers(xp: Namespace, op: Op, k: int, x: Array, dtype: Any) -> Array:
    """Return `q - zero_point` of an operand, in a dtype that has these numbers, or modulo its width."""
    type = op.operands[k].type.element_type
    if not isinstance(type, QuantizedType) or not any(type.zero_points):
        return x.astype(dtype)
    if np.dtype(dtype).kind == "f" and not _has_stored(np.dtype(dtype), type):
        return (x.astype(xp.int64) - per_channel(xp, type.zero_points, xp.int64, op, x.shape, k)).astype(
            dtype
        )
    zeros, x = type.zero_points, x.astype(dtype)
    if np.dtype(dtype).kind == "i":  # a zero point of u32 may be beyond i32
        zeros = tuple(np.array(zeros, np.int64).astype(dtype).tolist())
    return x - per_channel(xp, zeros, dtype, op, x.shape, k)


def _has_stored(dtype: np.dtype, type: QuantizedType) -> bool:
    """Return whether a float dtype has the stored numbers and zero points of a type themselves."""
    farthest = max(map(abs, (*storage_range(type), *type.zero_points)))
    return farthest <= 2 ** (F32 if dtype.itemsize == 4 else F64)


def ring_sums(xp: Namespace, op: Op, problem: Problem) -> Array:
    """Return sums of plain integers, modulo the width of their type."""
    element, premise = accumulation_type(op), premise_of(op)
    assert isinstance(premise, Ring)
    return wrap(xp, products_of(xp).integers(xp, problem, xp.carrier(element), premise.most), element)


def integer_sums(xp: Namespace, op: Op, geometry: Geometry, lhs: Array, rhs: Array, dtype: Any) -> Array:
    """Return `sum (q_l - zero_point_l) (q_r - zero_point_r)` modulo the width of an integer dtype."""
    machine = products_of(xp)
    if machine.is_native(op) and _has_native_points(op) and np.dtype(dtype) == np.int32:
        return _native_sums(xp, op, geometry, lhs, rhs, machine, 2**14)
    left, right = (numbers(xp, op, k, x, dtype) for k, x in enumerate((lhs, rhs)))
    return machine.integers(xp, geometry.of(left, right), dtype, most_product(op))


def _exact_sums(ctx: Context, op: Op, terms: Terms, geometry: Geometry, lhs: Array, rhs: Array) -> Array:
    """Return `sum (q_l - zero_point_l) (q_r - zero_point_r)`, an integer, times both scales."""
    xp, machine, element = ctx.xp, products_of(ctx.xp), terms.type
    dtype = xp.float64 if element.precision > 24 else xp.float32
    if machine.is_native(op) and _has_native_points(op):
        moved = _is_moved(op, 0) or element.precision > 24
        whole = _native_sums(
            xp, op, geometry, lhs, rhs, machine, 2**14 if moved else 2**24 // max(1, terms.n)
        )
    else:
        left, right = (numbers(xp, op, k, x, dtype) for k, x in enumerate((lhs, rhs)))
        whole = machine.library(xp, geometry.of(left, right), dtype)
    scales = _scales(xp, op, geometry, dtype)
    carried = whole.astype(dtype, copy=False)
    sums = carried * scales if scales is not None else carried
    return xp.keep_stored(sums.astype(xp.carrier(element), copy=False), lambda: sums)


def _is_moved(op: Op, k: int) -> bool:
    type = op.operands[k].type.element_type
    return isinstance(type, QuantizedType) and any(type.zero_points)


def _has_native_points(op: Op) -> bool:
    """Return whether rhs has zero points of 0, and lhs one alone, however many scales it has."""
    type = op.operands[0].type.element_type
    return not _is_moved(op, 1) and (not isinstance(type, QuantizedType) or len({*type.zero_points}) == 1)


def _native_sums(
    xp: Namespace, op: Op, geometry: Geometry, lhs: Array, rhs: Array, machine: ModuleType, most: int
) -> Array:
    """Return the sums of `(q_l - zero_point) q_r`: those of `q_l q_r` less those of `zero_point q_r`.

    most: times the number of products, no sum of |q_l q_r| is greater.
    """
    type = op.operands[0].type.element_type
    zero_point = type.zero_points[0] if isinstance(type, QuantizedType) else 0
    problem = geometry.of(lhs, rhs, zero_point)
    sums = machine.integers(xp, problem, xp.int32, most)
    return sums - zero_point * problem.column_sums() if zero_point else sums


def _scales(xp: Namespace, op: Op, geometry: Geometry, dtype: Any) -> Array | None:
    """Return the product of both scales, to broadcast against the sums; None if it is 1."""
    (left,), right = (_fl_scales(value.type.element_type) for value in op.operands)
    products, shape = tuple(left * scale for scale in right), op.operands[1].type.shape
    if len(products) == 1:
        return None if products[0] == 1 else xp.asarray(products[0], dtype)
    kept = [1 if d in contracting(op) else size for d, size in enumerate(shape)]
    return geometry.right(xp.broadcast_to(per_channel(xp, products, dtype, op, shape), kept))


def _fl_scales(type: Type) -> list[float]:
    return [fl(s, type.expressed_type) for s in type.scales] if isinstance(type, QuantizedType) else [1.0]
