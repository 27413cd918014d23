"""Ordered sums of products under XLA: a loop over the leaves, tile after tile of the results.

XLA flushes subnormal numbers to zero, and LLVM contracts a product and a sum. So f32 carries a fold in which
no number can be subnormal, with a barrier between product and sum; else f64 carries it, rounded at each step.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

import numpy as np

from interp.backends import Array, Namespace
from interp.speed.problem import Convolution, Dot, Fold, Geometry, Problem
from spec.types import ElementType

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
    fast = lambda: _fold_groups(xp, problem, None, dtype, _quick_step(xp, element), UNROLLED).astype(xp.float64)
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
