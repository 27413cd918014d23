"""Contractions on NumPy: its matrix products; for convolutions windows in rows, a tile at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np

from interp.backends import Namespace, windows
from interp.fastpaths.problem import Convolution, Dot, Problem
from spec.types import ElementType

Array = np.ndarray
Product = Callable[[Array], Array]  # left [batch, m, k] -> [batch, m, n]
TILE = 1 << 20  # elements of the windows that are laid out at once
PRECISIONS = ((np.float32, 24), (np.float64, 53))
ENOUGH = 64  # products in a block, from which on it pays to add blocks


def library(xp: Namespace, problem: Problem, dtype: Any) -> Array:
    """Return the sums, added in a float dtype in whatever order NumPy's matrix product has."""
    right = matrices(problem).astype(dtype, copy=False)
    return tiled(problem._replace(left=problem.left.astype(dtype, copy=False)), lambda left: left @ right)


def integers(xp: Namespace, problem: Problem, dtype: Any, most: int) -> Array:
    """Return sums of integers modulo the width of an integer dtype; `most` bounds every |product|.

    THEOREM: floats of precision p add products exactly while their sums stay within 2^p; so blocks of
    products are summed in floats, and their sums in integers.
    """
    for wide, precision in PRECISIONS:
        size = 2**precision // max(most, 1)
        if size and size >= min(problem.n, ENOUGH):
            return _in_blocks(problem, dtype, wide, size)
    right = matrices(problem).astype(dtype)
    return tiled(problem._replace(left=problem.left.astype(dtype)), lambda left: left @ right)


def _in_blocks(problem: Problem, dtype: Any, wide: Any, size: int) -> Array:
    right, n = matrices(problem).astype(wide), problem.n
    parts = [slice(start, start + size) for start in range(0, n, size)] or [slice(0)]

    def product(left: Array) -> Array:
        first, *others = (left[..., part] @ right[:, part] for part in parts)
        total = _integers(first, dtype)
        for sums in others:
            total += _integers(sums, dtype)
        return total

    return tiled(problem._replace(left=problem.left.astype(wide)), product)


def _integers(x: Array, dtype: Any) -> Array:
    """Return whole floats, at most 2^53, modulo the width of an integer dtype."""
    return x.astype(np.int64 if x.itemsize == 8 else np.int32).astype(dtype, copy=False)


def matrices(problem: Problem) -> Array:
    """Return the right factors as [batch, k, n], a batch for each group of a convolution."""
    if isinstance(problem, Dot):
        return problem.right
    *_, outputs = problem.right.shape
    grouped = problem.right.reshape(problem.n, problem.groups, outputs // problem.groups)
    return np.ascontiguousarray(grouped.swapaxes(0, 1))


def tiled(problem: Problem, product: Product) -> Array:
    """Return the products of all left factors, tile after tile, in the shape of the sums."""
    if isinstance(problem, Dot):
        return product(problem.left)
    rows, results = window_rows(problem), None
    batch, outputs = problem.groups, problem.right.shape[-1] // problem.groups
    for box in boxes(problem):
        part = rows[(slice(None), *box)]
        sums = product(part.reshape(batch, prod(part.shape[1 : len(box) + 1]), problem.n))
        if results is None:
            results = np.empty((batch, *problem.sizes, outputs), sums.dtype)
        results[(slice(None), *box)] = sums.reshape(*part.shape[: len(box) + 1], outputs)
    assert results is not None
    return np.moveaxis(results, 0, -2).reshape(problem.shape)


def boxes(problem: Convolution) -> Iterator[Any]:
    """Yield boxes of the windows of a convolution, so small that their rows are a tile."""
    rows = max(1, TILE // max(1, problem.n * problem.groups))
    yield from windows.boxes(problem.sizes, [1] * len(problem.sizes), rows)


def window_rows(problem: Convolution) -> Array:
    """Return a view of the left factors: [group, batch, *spatial, *kernel, feature]."""
    x, right = np.ascontiguousarray(problem.left), problem.right
    steps, flips = x.strides[1:-1], problem.window_reversal
    features, batch = right.shape[-2], problem.sizes[0]
    of_group = x.strides[-1] * features if problem.feature_group_count > 1 else x.strides[0] * batch
    within = [step * by for step, by in zip(steps, problem.rhs_dilation, strict=True)]
    start = sum(
        step * (n - 1) for step, n, flip in zip(within, right.shape, flips, strict=False) if flip and n
    )
    within = [-step if flip else step for step, flip in zip(within, flips, strict=True)]
    shape = (problem.groups, *problem.sizes, *right.shape[:-1])
    moves = [step * by for step, by in zip(steps, problem.window_strides, strict=True)]
    strides = (of_group, x.strides[0], *moves, *within, x.strides[-1])
    if not prod(shape):
        return np.zeros(shape, x.dtype)
    first = np.ndarray((), x.dtype, x, start) if start else x
    return np.lib.stride_tricks.as_strided(first, shape, strides, writeable=False)


def is_native(left: ElementType, right: ElementType) -> bool:
    """Return whether integers of these types are multiplied as they are, faster than in floats."""
    return False
