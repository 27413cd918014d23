"""Sparse constants of LiteRT files, which are made dense while the file is read."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from interp.apps.litert.flatbuffer import Table

Array = np.ndarray
VECTORS = {1: "i4", 2: "u2", 3: "u1"}  # element types of vectors of indices, by the numbers of the union
COMPRESSED = 1
SMALL, DENSEST = 1 << 20, 1000  # elements of a constant, or times those that the file has
ORDER, BLOCKS, LEVELS = range(3)
FORMAT, SIZE, SEGMENTS_TYPE, SEGMENTS, INDICES_TYPE, INDICES = range(6)


class Level(NamedTuple):
    """A dimension in the order of traversal: dense with a size, or the indices between segments' ends."""

    is_dense: bool
    size: int
    segments: Array
    indices: Array


class Sparsity(NamedTuple):
    """Layout of the elements of a sparse constant.

    order: the dimensions, then blocks, in the order of traversal. blocks: the dimension that each divides.
    """

    order: list[int]
    blocks: list[int]
    levels: list[Level]


def sparsity(table: Table) -> Sparsity:
    """Return the layout that a table of the file gives."""
    levels = []
    for each in table.tables(LEVELS):
        parts = [
            _vector(each, kind, place) for kind, place in ((SEGMENTS_TYPE, SEGMENTS), (INDICES_TYPE, INDICES))
        ]
        levels.append(Level(each.number(FORMAT, "<b") != COMPRESSED, each.number(SIZE, "<i"), *parts))
    return Sparsity(table.numbers(ORDER), table.numbers(BLOCKS), levels)


def _vector(table: Table, kind: int, place: int) -> Array:
    held = table.table(place)
    dtype = VECTORS.get(table.number(kind, "<b"), "i4")
    return held.array(0, dtype).astype(np.int64) if held else np.zeros(0, np.int64)


def densify(values: Array, shape: tuple[int, ...], how: Sparsity) -> Array:
    """Return the elements in a shape, with 0 where none is given; ValueError if the layout does not fit."""
    rank = len(shape)
    if prod(shape) > max(SMALL, DENSEST * values.size):
        raise ValueError(f"{values.size} elements for {list(shape)}")
    if sorted(how.order) != list(range(rank + len(how.blocks))) or len(how.levels) != len(how.order):
        raise ValueError(f"a traversal of {how.order} with {len(how.levels)} levels for rank {rank}")
    if any(not 0 <= d < rank for d in how.blocks):
        raise ValueError(f"blocks of the dimensions {how.blocks} of rank {rank}")
    indices = _walk(how.levels, prod(shape))
    if indices.shape[1] != values.size:
        raise ValueError(f"{values.size} elements for {indices.shape[1]} places")
    places = np.zeros((rank, values.size), np.int64)
    for index, d, level in zip(indices, how.order, how.levels, strict=True):
        dimension = d if d < rank else how.blocks[d - rank]
        places[dimension] = places[dimension] * (1 if d < rank else level.size) + index
    if any((row < 0).any() or (row >= size).any() for row, size in zip(places, shape, strict=True)):
        raise ValueError(f"elements outside of {list(shape)}")
    dense = np.zeros(shape, values.dtype)
    dense[tuple(places)] = values
    return dense


def _walk(levels: list[Level], most: int) -> Array:
    """Return the index of each element at each level, (levels, elements), in the order of traversal."""
    indices, at = np.zeros((0, 1), np.int64), np.zeros(1, np.int64)
    for level in levels:
        if level.is_dense:
            counts, starts = np.full(at.size, level.size), at * level.size
        else:
            if level.segments.size != at.size + 1 or (np.diff(level.segments) < 0).any():
                raise ValueError(f"{level.segments.size} ends of segments for {at.size} of them")
            counts, starts = np.diff(level.segments), level.segments[:-1]
        if (counts < 0).any() or int(counts.sum()) > most:
            raise ValueError(f"more than {most} elements")
        parents = np.repeat(np.arange(at.size), counts)
        inside = np.arange(parents.size) - np.repeat(np.cumsum(counts) - counts, counts)
        at = starts[parents] + inside
        new = inside if level.is_dense else level.indices[at]
        indices = np.concatenate([indices[:, parents], new[None]])
    return indices
