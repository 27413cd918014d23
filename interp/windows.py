"""The geometry of reductions: where the leaves of every result element lie, as NumPy integer tables.

A geometry is a pair of tables: leaf i of result element j is `flat[base[j] + offset[i]]`, flat being the
(padded) operand in row-major order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

Shape = Sequence[int]
Edge = tuple[int, int, int]  # low, high and interior padding of a dimension


class Geometry(NamedTuple):
    """`base`: a flat index per result element; `offset`: one per leaf, in the specification's order."""

    base: np.ndarray
    offset: np.ndarray


def grid(sizes: Shape, strides: Shape) -> np.ndarray:
    """`sum(index[d] * strides[d])` for every index of `sizes`."""
    total = np.zeros((1,) * len(sizes), np.int64)
    for d, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        axis = [1] * len(sizes)
        axis[d] = size
        total = total + (np.arange(size, dtype=np.int64) * stride).reshape(axis)
    return np.broadcast_to(total, tuple(sizes))


def row_major(shape: Shape) -> list[int]:
    """Elements to step over per dimension."""
    return [prod(shape[d + 1 :]) for d in range(len(shape))]


def of_windows(
    padded: Shape, window: Shape, window_strides: Shape, window_dilations: Shape, result: Shape
) -> Geometry:
    """`slice(padded_inputs, window_start, window_end, window_dilations)` for every result index."""
    strides = row_major(padded)
    base = grid(result, [s * w for s, w in zip(strides, window_strides, strict=True)])
    return Geometry(
        base, grid(window, [s * w for s, w in zip(strides, window_dilations, strict=True)]).ravel()
    )


def inside(shape: Shape, edges: Sequence[Edge], geometry: Geometry) -> np.ndarray:
    """Which leaves lie in the operand, not in its padding or dilation holes: bool [leaves, *result]."""
    taken = [padded_index(size, edge) >= 0 for size, edge in zip(shape, edges, strict=True)]
    holds = np.ones([len(t) for t in taken], bool)
    for d, t in enumerate(taken):
        holds &= t.reshape([-1 if k == d else 1 for k in range(len(taken))])
    return holds.ravel()[geometry.offset.reshape(-1, *[1] * geometry.base.ndim) + geometry.base]


def of_scatter(
    operand: Shape, window: Shape, strides: Shape, padding: Sequence[Shape], source: Shape
) -> tuple[np.ndarray, np.ndarray]:
    """For every operand index the source positions whose window covers it, ascending: (table, count).

    table: [most, *operand], flat source indices, the first `count[index]` of them valid; count: [*operand].
    In each dimension the covering windows are neighbours, so candidate k is a number in the mixed radix of
    their counts.
    """
    firsts, numbers = [], []
    for d, size in enumerate(operand):
        position = (
            np.arange(size).reshape([size if k == d else 1 for k in range(len(operand))]) + padding[d][0]
        )
        first = np.maximum(0, -((window[d] - 1 - position) // strides[d]))
        last = np.minimum(source[d] - 1, position // strides[d])
        firsts.append(first)
        numbers.append(np.maximum(last - first + 1, 0))
    count = np.ones(tuple(operand), np.int64)
    for number in numbers:
        count = count * number
    rank = np.arange(count.max(initial=0)).reshape(-1, *[1] * len(operand))
    table, rest = np.zeros((rank.shape[0], *operand), np.int64), rank
    for first, number, step in reversed(list(zip(firsts, numbers, row_major(source), strict=True))):
        radix = np.maximum(number, 1)
        table = table + (first + rest % radix) * step
        rest = rest // radix
    return np.where(rank < count, table, 0), count


def padded_index(size: int, edge: Edge) -> np.ndarray:
    """For every position of a padded dimension the operand's index, or -1 for the padding value.

    Negative `low` and `high` cut off; `interior` positions lie between two neighbours.
    """
    low, high, interior = edge
    dilated = (size - 1) * (interior + 1) + 1 if size else 0
    position = np.arange(low + dilated + high) - low
    taken = (position >= 0) & (position < dilated) & (position % (interior + 1) == 0)
    return np.where(taken, position // (interior + 1), -1)


def by_count(count: np.ndarray, together: bool) -> tuple[list[np.ndarray], np.ndarray]:
    """Flat indices in groups of equal `count` (or all `together`), and the order that undoes the grouping."""
    if together or not count.size:
        groups = [np.arange(count.size)]
    else:
        groups = [np.nonzero(count == n)[0] for n in np.unique(count)]
    return groups, np.argsort(np.concatenate(groups))
