"""Contractions on NumPy: its matrix products, or compiled ordered ones; windows in rows, a tile at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from math import prod
from typing import Any

import numpy as np

from interp.backends import NUMPY, Namespace, windows
from interp.engine.memo import once
from interp.speed import native_products
from interp.speed.problem import Convolution, Dot, Fold, Geometry, Lazy, Problem, Weights
from spec.ir import Op
from spec.types import ElementType

Array = np.ndarray
Product = Callable[[Array, windows.Box], Array]  # left [batch, m, k], and where it lies -> [batch, m, n]
TILE = 1 << 20  # elements of the windows that are laid out at once for a library
ORDERED_TILE = 1 << 17  # for a loop of ours, which had better find them in a cache
NARROW = 8  # outputs of a group, below which its matrices are too narrow for matrix products
FUSED = {"float32": "f32", "float64": "f64"}
PRECISIONS = ((np.float32, 24), (np.float64, 53))
ENOUGH = 64  # products in a block, from which on it pays to add blocks
MANY = 1 << 20  # products, from which on it pays to import what compiles
STEPS = 1 << 10  # of folds of one operation, from which on importing that would have been cheaper
ROUNDED = 64  # of so many fewer where NumPy rounds each product in several steps
VECTOR = 16  # results side by side, about
ROWS = 4  # of results that a loop which counts works on at once


def library(xp: Namespace, problem: Problem, dtype: Any) -> Array:
    """Return the sums, added in a float dtype in any order: NumPy's, or for windows that of our own code.

    It fuses products with sums, and lays out no windows in rows.
    """
    if isinstance(problem, Convolution):
        if name := FUSED.get(np.dtype(dtype).name) if is_many(problem) else None:
            kind = native_products.kind_of(problem, name, fused=True)
            if native_products.works(kind):
                return native_products.sums(problem, kind, dtype)
        if is_narrow(problem):
            return by_leaf(problem, dtype)
    right = matrices(problem).astype(dtype, copy=False)
    return multiply_tiles(problem, dtype, lambda left, box: left @ right)


def integers(xp: Namespace, problem: Problem, dtype: Any, most: int) -> Array:
    """Return sums of integers modulo the width of an integer dtype; `most` bounds every |product|.

    THEOREM: floats of precision p add products exactly while their sums stay within 2^p; so blocks of
    products are summed in floats, and their sums in integers.
    """
    if most > 2 ** PRECISIONS[0][1] // max(problem.n, ENOUGH):  # the numbers may be smaller than their types
        most = min(most, magnitude(problem.left) * magnitude(problem.right))
    if isinstance(problem, Convolution) and most * problem.n <= 2 ** PRECISIONS[0][1]:
        return _integers(library(xp, problem, np.float32), dtype)
    if isinstance(problem, Convolution) and is_narrow(problem):
        return by_leaf(problem, dtype)
    for wide, precision in PRECISIONS:
        size = 2**precision // max(most, 1)
        if size and size >= min(problem.n, ENOUGH):
            return _in_blocks(problem, dtype, wide, size)
    return library(xp, problem, dtype)


def magnitude(x: Array) -> int:
    """Return the largest |x| of integers."""
    return max(-int(x.min(initial=0)), int(x.max(initial=0)))


def _in_blocks(problem: Problem, dtype: Any, wide: Any, size: int) -> Array:
    right, n = matrices(problem).astype(wide), problem.n
    parts = [slice(start, start + size) for start in range(0, n, size)] or [slice(0)]

    def product(left: Array, box: windows.Box) -> Array:
        first, *others = (left[..., part] @ right[:, part] for part in parts)
        total = _integers(first, dtype)
        for sums in others:
            total += _integers(sums, dtype)
        return total

    return multiply_tiles(problem, wide, product)


def _integers(x: Array, dtype: Any) -> Array:
    """Return whole floats, at most 2^53, modulo the width of an integer dtype."""
    return x.astype(np.int64 if x.itemsize == 8 else np.int32).astype(dtype, copy=False)


def sum_in_order(
    xp: Namespace, geometry: Geometry, op: Op, element: ElementType, sides: tuple[Array, Array], fold: Fold
) -> Array:
    """Return sums of floats from the left, each product and each sum rounded; `fold` does so where too few.

    An operation that runs again and again, as in a survey, is folded until that has cost as much as machine
    code would have.

    A hole may be multiplied: a finite weight makes a zero of it, and a sum that begins with +0 is never -0,
    so that a zero of either sign adds nothing.
    """
    problem, carrier = geometry.of(*sides), NUMPY.carrier(element)
    kind = native_products.kind_of(problem, element.name)
    if geometry.has_holes and not np.isfinite(problem.right).all():
        return fold(*sides)
    if (is_many(problem, element) or recurs(op, problem)) and native_products.works(kind):
        return native_products.sums(problem, kind, carrier)
    return fold(*sides)


def sum_weighted(
    xp: Namespace, geometry: Geometry, element: ElementType, lhs: Lazy, weights: Weights, fold: Fold
) -> Array | None:
    """Return ordered sums of products with stored weights, or None where they had better be dequantized."""
    (stored, numbers), zero_point = lhs, weights.zero_point
    if not is_many(problem := geometry.of(stored, weights.stored, zero_point or 0)):
        return None
    kind = native_products.kind_of(problem, element.name, stored=True, both=zero_point is not None)
    if not native_products.works(kind):
        return None
    if zero_point is None:
        problem = problem._replace(left=geometry.left(numbers(stored), 0))
    return native_products.sums(problem, kind, NUMPY.carrier(element), weights.scales, zero_point or 0)


def pad_factors(xp: Namespace, x: Array, hole: Any, edges: Sequence[windows.Edge]) -> Array:
    """Return an array dilated and padded with holes of this value."""
    return xp.pad_with(x, xp.asarray(hole, x.dtype), edges)


def is_many(problem: Problem, element: ElementType | None = None) -> bool:
    """Return whether there are products enough for machine code to pay: sums of this type, if it is given."""
    return native_products.is_possible(problem) and problem.n * prod(problem.shape) >= _least(element)


def recurs(op: Op, problem: Problem) -> bool:
    """Count steps of a fold, and return whether those before cost as much as compiling it does."""
    steps = _steps(op)
    steps[0] += problem.n
    return native_products.is_possible(problem) and steps[0] > max(STEPS, 2 * problem.n)


@once
def _steps(op: Op) -> list[int]:
    return [0]


def pays(products: int, element: ElementType | None = None) -> bool:
    """Return whether a compiled loop over so many products is faster than a fold, step by step."""
    return products >= _least(element) and find_spec("numba") is not None


def _least(element: ElementType | None) -> int:
    return MANY if element is None or element.name in ("f32", "f64") else MANY // ROUNDED


def panels(right: Array) -> list[Array]:
    """Return columns of right factors [k, n] side by side, so few at a time that a cache holds them."""
    width = max(2 * VECTOR, ORDERED_TILE // max(1, len(right)) // VECTOR * VECTOR)
    return [
        np.ascontiguousarray(right[:, start : start + width]) for start in range(0, right.shape[1], width)
    ]


def matrices(problem: Problem) -> Array:
    """Return the right factors as [batch, k, n], a batch for each group of a convolution."""
    if isinstance(problem, Dot):
        return np.ascontiguousarray(problem.right)
    grouped = problem.right.reshape(problem.n, problem.groups, problem.right.shape[-1] // problem.groups)
    return np.ascontiguousarray(grouped.swapaxes(0, 1))


def is_narrow(problem: Convolution) -> bool:
    """Return whether a convolution has many groups of few outputs: depthwise, mostly."""
    return 1 < problem.groups > problem.right.shape[-1] // NARROW


def multiply_tiles(
    problem: Problem, dtype: Any, product: Product, tile: int = TILE, workers: int = 1
) -> Array:
    """Return the products of all left factors in a dtype, tile after tile, in the shape of the sums."""
    left = problem.left.astype(dtype, copy=False)
    if isinstance(problem, Dot) and workers == 1:
        return product(left, (slice(0, problem.shape[1]),))
    rows = left if isinstance(problem, Dot) else window_rows(problem, left)
    sizes = problem.shape[1:2] if isinstance(problem, Dot) else problem.sizes
    most = max(1, tile // max(1, problem.n * len(rows)))
    found = each(
        lambda box: _multiply_box(rows, box, problem.n, product),
        windows.boxes(sizes, [1] * len(sizes), most),
        workers,
    )
    results = np.empty((len(rows), *sizes, found[0][1].shape[-1]), found[0][1].dtype)
    for box, sums in found:
        results[(slice(None), *box)] = sums
    return results if isinstance(problem, Dot) else np.moveaxis(results, 0, -2).reshape(problem.shape)


def _multiply_box(rows: Array, box: windows.Box, n: int, product: Product) -> tuple[windows.Box, Array]:
    part = rows[(slice(None), *box)]
    shape = part.shape[: len(box) + 1]
    sums = product(np.ascontiguousarray(part).reshape(len(rows), prod(shape[1:]), n), box)
    return box, sums.reshape(*shape, sums.shape[-1])


def each(f: Callable[[Any], Any], items: Sequence[Any], workers: int) -> list[Any]:
    """Return `f` of each item, in several threads where it pays."""
    if min(workers, len(items)) < 2:
        return [f(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor  # large products need it, and importing it takes time

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


def largest(xp: Namespace, x: Array) -> Array:
    """Return the largest of numbers that are not negative, or 0."""
    return x.max(initial=0)


def is_native(op: Op) -> bool:
    """Return whether stored integers are multiplied as they are, faster than in floats."""
    return False
