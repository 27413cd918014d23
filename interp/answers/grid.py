"""Division of a result of any rank into maps with a limited number of cells, each for a block of elements."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, prod

import numpy as np

from interp.backends import Array

SHORT = 32  # cells that are shown in one row


@dataclass(frozen=True)
class Grid:
    """Cells of `block` elements; `order` lists the dimensions of the result, the map's rows and columns last.

    Cells are numbered row-major in that sequence of dimensions; the dimensions before the last two select a
    map.
    """

    shape: tuple[int, ...]
    block: tuple[int, ...]
    order: tuple[int, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """Return the number of cells along each dimension of the result."""
        return tuple(ceil(size / step) for size, step in zip(self.shape, self.block, strict=True))

    @property
    def width(self) -> int:
        """Return the width of a row of the map; a single long dimension wraps to about a square."""
        sizes = [self.cells[dimension] for dimension in self.order[-2:]] or [1]
        n = prod(sizes)
        return min(n, max(SHORT, 1 << (n.bit_length() + 1) // 2)) if n == max(sizes) else sizes[-1]

    @property
    def per_map(self) -> int:
        return prod(self.cells[dimension] for dimension in self.order[-2:])

    def largest(self, x: Array) -> Array:
        """Return the largest element of every block, by the number of its cell."""
        for dimension, step in enumerate(self.block):
            if step > 1:
                x = np.maximum.reduceat(x, range(0, x.shape[dimension], step), dimension)
        return x.transpose(self.order).ravel()

    def cell(self, index: tuple[int, ...]) -> int:
        """Return the number of the cell that holds an element."""
        place = [index[dimension] // self.block[dimension] for dimension in self.order]
        sizes = [self.cells[dimension] for dimension in self.order]
        return int(np.ravel_multi_index(place, sizes)) if place else 0


def grid(shape: tuple[int, ...], most: int) -> Grid:
    """Return a grid of at most `most` cells; longest dimensions are halved, and the two longest make maps."""
    cells, block = list(shape), [1] * len(shape)
    while prod(cells) > most:
        longest = max(cells)
        block = [step * 2 if n == longest else step for step, n in zip(block, cells, strict=True)]
        cells = [ceil(size / step) for size, step in zip(shape, block, strict=True)]
    by_length = sorted(range(len(shape)), key=lambda dimension: -shape[dimension])
    mapped = sorted(by_length[:2])
    others = [dimension for dimension in range(len(shape)) if dimension not in mapped]
    return Grid(shape, tuple(block), (*others, *mapped))
