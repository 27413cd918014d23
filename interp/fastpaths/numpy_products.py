"""Contractions on NumPy: its matrix products, or compiled ordered ones; windows in rows, a tile at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from math import prod
from typing import Any

import numpy as np

from interp.backends import NUMPY, Namespace, windows
from interp.fastpaths.problem import Convolution, Dot, Fold, Geometry, Problem
from spec.ir import Op
from spec.types import ElementType

Array = np.ndarray
Product = Callable[[Array, windows.Box], Array]  # left [batch, m, k], and where it lies -> [batch, m, n]
TILE = 1 << 20  # elements of the windows that are laid out at once for a library
ORDERED_TILE = 1 << 17  # for a loop of ours, which had better find them in a cache
NARROW = 8  # outputs of a group, below which its matrices are too narrow for matrix products
PRECISIONS = ((np.float32, 24), (np.float64, 53))
ENOUGH = 64  # products in a block, from which on it pays to add blocks
MANY = 1 << 20  # products, from which on it pays to import what compiles
VECTOR = 16  # results side by side, about
ROWS = 4  # of results that the compiled loop works on at once


def library(xp: Namespace, problem: Problem, dtype: Any) -> Array:
    """Return the sums, added in a float dtype in whatever order NumPy's matrix product has."""
    if isinstance(problem, Convolution) and is_narrow(problem):
        return by_leaf(problem, dtype)
    right = matrices(problem).astype(dtype, copy=False)
    return tiled(problem, dtype, lambda left, box: left @ right)


def integers(xp: Namespace, problem: Problem, dtype: Any, most: int) -> Array:
    """Return sums of integers modulo the width of an integer dtype; `most` bounds every |product|.

    THEOREM: floats of precision p add products exactly while their sums stay within 2^p; so blocks of
    products are summed in floats, and their sums in integers.
    """
    if isinstance(problem, Convolution) and is_narrow(problem):
        return by_leaf(problem, dtype)
    for wide, precision in PRECISIONS:
        size = 2**precision // max(most, 1)
        if size and size >= min(problem.n, ENOUGH):
            return _in_blocks(problem, dtype, wide, size)
    return library(xp, problem, dtype)


def _in_blocks(problem: Problem, dtype: Any, wide: Any, size: int) -> Array:
    right, n = matrices(problem).astype(wide), problem.n
    parts = [slice(start, start + size) for start in range(0, n, size)] or [slice(0)]

    def product(left: Array, box: windows.Box) -> Array:
        first, *others = (left[..., part] @ right[:, part] for part in parts)
        total = _integers(first, dtype)
        for sums in others:
            total += _integers(sums, dtype)
        return total

    return tiled(problem, wide, product)


def _integers(x: Array, dtype: Any) -> Array:
    """Return whole floats, at most 2^53, modulo the width of an integer dtype."""
    return x.astype(np.int64 if x.itemsize == 8 else np.int32).astype(dtype, copy=False)


def ordered(
    xp: Namespace, geometry: Geometry, element: ElementType, lhs: Array, rhs: Array, fold: Fold
) -> Array:
    """Return sums of floats from the left, each product and each sum rounded; `fold` does so where too few.

    A hole may be multiplied: a finite weight makes a zero of it, and a sum that begins with +0 is never -0,
    so that a zero of either sign adds nothing.
    """
    problem = geometry.of(lhs, rhs)
    right = matrices(problem).astype(NUMPY.carrier(element), copy=False)
    if not pays(problem.n * prod(problem.shape)) or (geometry.has_holes and not np.isfinite(right).all()):
        return fold(lhs, rhs)
    if isinstance(problem, Convolution) and is_narrow(problem) and element.bits >= 32:
        return by_leaf(problem, right.dtype)
    from interp.fastpaths.ordered_numba import accumulation

    accumulate, parts = accumulation(element.name), [panels(matrix) for matrix in right]

    def product(left: Array, box: windows.Box) -> Array:
        return np.stack([_accumulated(accumulate, *pair) for pair in zip(left, parts, strict=True)])

    return tiled(problem, right.dtype, product, ORDERED_TILE, threads())


def pays(products: int) -> bool:
    """Return whether a compiled loop over so many products is faster than a fold, step by step."""
    return products >= MANY and find_spec("numba") is not None


def panels(right: Array) -> list[Array]:
    """Return columns of right factors [k, n] side by side, so few at a time that a cache holds them."""
    width = max(2 * VECTOR, ORDERED_TILE // max(1, len(right)) // VECTOR * VECTOR)
    return [
        np.ascontiguousarray(right[:, start : start + width]) for start in range(0, right.shape[1], width)
    ]


def _accumulated(accumulate: Callable[[Array, Array, Array], None], left: Array, right: list[Array]) -> Array:
    """Return ordered sums of products [m, k] by [k, n]; vectors lie along m where n is too small for one."""
    m, n = len(left), sum(panel.shape[1] for panel in right)
    if n < VECTOR and n < m:
        return _accumulated(accumulate, np.ascontiguousarray(right[0].T), panels(left.T)).T
    rows = np.zeros((-(-m // ROWS) * ROWS, left.shape[1]), left.dtype)
    rows[:m] = left
    parts = []
    for panel in right:
        parts.append(np.zeros((len(rows), panel.shape[1]), left.dtype))
        accumulate(parts[-1], rows, panel)
    return np.concatenate(parts, axis=1)[:m]


@cache
def threads() -> int:
    """Return how many threads may run at once in this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def matrices(problem: Problem) -> Array:
    """Return the right factors as [batch, k, n], a batch for each group of a convolution."""
    if isinstance(problem, Dot):
        return np.ascontiguousarray(problem.right)
    grouped = problem.right.reshape(problem.n, problem.groups, problem.right.shape[-1] // problem.groups)
    return np.ascontiguousarray(grouped.swapaxes(0, 1))


def is_narrow(problem: Convolution) -> bool:
    """Return whether a convolution has many groups of few outputs: depthwise, mostly."""
    return 1 < problem.groups > problem.right.shape[-1] // NARROW


def tiled(problem: Problem, dtype: Any, product: Product, tile: int = TILE, workers: int = 1) -> Array:
    """Return the products of all left factors in a dtype, tile after tile, in the shape of the sums."""
    left = problem.left.astype(dtype, copy=False)
    if isinstance(problem, Dot) and workers == 1:
        return product(left, (slice(0, problem.shape[1]),))
    rows = left if isinstance(problem, Dot) else window_rows(problem, left)
    sizes = problem.shape[1:2] if isinstance(problem, Dot) else problem.sizes
    most = max(1, tile // max(1, problem.n * len(rows)))
    found = each(
        lambda box: _of_box(rows, box, problem.n, product),
        windows.boxes(sizes, [1] * len(sizes), most),
        workers,
    )
    results = np.empty((len(rows), *sizes, found[0][1].shape[-1]), found[0][1].dtype)
    for box, sums in found:
        results[(slice(None), *box)] = sums
    return results if isinstance(problem, Dot) else np.moveaxis(results, 0, -2).reshape(problem.shape)


def _of_box(rows: Array, box: windows.Box, n: int, product: Product) -> tuple[windows.Box, Array]:
    part = rows[(slice(None), *box)]
    shape = part.shape[: len(box) + 1]
    sums = product(np.ascontiguousarray(part).reshape(len(rows), prod(shape[1:]), n), box)
    return box, sums.reshape(*shape, sums.shape[-1])


def each(f: Callable[[Any], Any], items: Sequence[Any], workers: int) -> list[Any]:
    """Return `f` of each item, in several threads where it pays."""
    if min(workers, len(items)) < 2:
        return [f(item) for item in items]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(f, items))


def by_leaf(problem: Convolution, dtype: Any) -> Array:
    """Return the sums of a convolution, leaf after leaf: each product and each sum in the dtype."""
    rows = window_rows(problem, problem.left.astype(dtype, copy=False))
    depth = 1 + len(problem.sizes)
    rows = np.moveaxis(rows, 0, depth - 1)
    right = matrices(problem).astype(dtype, copy=False).swapaxes(0, 1)  # leaf, group, output
    totals = np.zeros((*problem.sizes, *right.shape[1:]), dtype)
    leaves = list(np.ndindex(*rows.shape[depth:]))
    most = max(1, ORDERED_TILE // max(1, problem.right.shape[-1]))
    for box in windows.boxes(problem.sizes, [1] * len(problem.sizes), most):
        for k, leaf in enumerate(leaves):
            totals[box] += rows[(*box, slice(None), *leaf)][..., None] * right[k]
    return totals.reshape(problem.shape)


def window_rows(problem: Convolution, x: Array) -> Array:
    """Return a view of the left factors x: [group, batch, *spatial, *kernel, feature]."""
    x, right = np.ascontiguousarray(x), problem.right
    steps, flips = x.strides[1:-1], problem.window_reversal
    features, batch = right.shape[-2], problem.sizes[0]
    of_group = x.strides[-1] * features if problem.feature_group_count > 1 else x.strides[0] * batch
    within = [step * by for step, by in zip(steps, problem.rhs_dilation, strict=True)]
    turned = zip(within, right.shape, flips, strict=False)
    start = sum(step * (n - 1) for step, n, flip in turned if flip and n)
    within = [-step if flip else step for step, flip in zip(within, flips, strict=True)]
    shape = (problem.groups, *problem.sizes, *right.shape[:-1])
    moves = [step * by for step, by in zip(steps, problem.window_strides, strict=True)]
    strides = (of_group, x.strides[0], *moves, *within, x.strides[-1])
    if not prod(shape):
        return np.zeros(shape, x.dtype)
    first = np.ndarray((), x.dtype, x, start) if start else x
    return np.lib.stride_tricks.as_strided(first, shape, strides, writeable=False)


def is_native(op: Op) -> bool:
    """Return whether stored integers are multiplied as they are, faster than in floats."""
    return False
