"""Static geometry: where the leaves of every result element lie, as NumPy integer tables.

Windows are products: leaf number i has a digit per dimension, and along dimension d the leaves with digit k
of all result elements lie at `table[d][k]`, indices of the (padded) operand. A row of a table is nearly
always a slice. A `Geometry` is for what is no product: leaf i of result element j is
`flat[base[j] + offset[i]]`, flat being the (padded) operand in row-major order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends.steps import Steps, Table

Shape = Sequence[int]
Edge = tuple[int, int, int]  # low, high and interior padding of a dimension
Box = tuple[slice, ...]


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


def digits(i: Any, radices: Shape) -> list[Any]:
    """Return a number's digits, the last one counting ones; one that can only be 0 is a Python integer."""
    found: list[Any] = []
    for radix in reversed(radices):
        found.append(0 if radix == 1 else i % radix)
        i = i // radix
    return found[::-1]


class Windows(NamedTuple):
    """`window_dimensions`, `window_strides` and `window_dilations`."""

    dimensions: Shape
    strides: Shape
    dilations: Shape

    @property
    def spans(self) -> list[int]:
        """Return how many neighbours a window lies in, per dimension."""
        return [(size - 1) * d + 1 for size, d in zip(self.dimensions, self.dilations, strict=True)]

    @property
    def overlaps(self) -> list[int]:
        """Return how many windows lie in the place of one: per dimension its span if they overlap, else 1."""
        return [span if span > s else 1 for span, s in zip(self.spans, self.strides, strict=True)]

    @property
    def n(self) -> int:
        return prod(self.dimensions)

    def tables(self, box: Box) -> list[Steps]:
        """Return where in the padded operand the windows of a box of the result have their digits."""
        return [
            Steps(np.arange(part.start, part.stop) * stride, dilation, size)
            for size, stride, dilation, part in zip(*self, box, strict=True)
        ]

    def covered(self, box: Box) -> Box:
        """Return the part of the padded operand in which the windows of a box of the result lie."""
        parts = zip(box, self.strides, self.spans, strict=True)
        return tuple(slice(b.start * s, max((b.stop - 1) * s + span, 0)) for b, s, span in parts)


def whole(shape: Shape) -> Box:
    return tuple(slice(0, size) for size in shape)


def boxes(shape: Shape, least: Shape, most: int) -> list[Box]:
    """Boxes that make up an index space, of about `most` elements and contiguous in memory, if they can be.

    One dimension is split into ranges of `least` or more, those before it into single indices if their
    `least` is 1.
    """
    inner, split = row_major(shape), 0
    while split < len(shape) - 1 and least[split] == 1 and inner[split] > most:
        split += 1
    if prod(shape) <= most or not shape:
        return [whole(shape)]
    step = max(most // inner[split], least[split])
    ranges = [slice(start, min(start + step, shape[split])) for start in range(0, shape[split], step)]
    rest = whole(shape[split + 1 :])
    outer = [tuple(slice(i, i + 1) for i in index) for index in np.ndindex(*shape[:split])]
    return [(*before, part, *rest) for before in outer for part in ranges]


def progression(row: np.ndarray) -> slice | np.ndarray:
    """Indices as a slice, where they ascend in equal steps."""
    first, *others = row[:2].tolist() or [0]
    step = others[0] - first if others else 1
    if step > 0 and np.array_equal(row, np.arange(len(row)) * step + first):
        return slice(first, first + len(row) * step, step)
    return row


def covering(size: int, source: int, window: int, stride: int, low: int) -> tuple[Table, Table]:
    """For the operand's indices along one dimension the source positions whose windows cover them, ascending.

    Tables [most, size]: these positions, and the digit that the index has in their windows, -1 where an index
    has fewer.
    """
    place = np.arange(size) + low
    first, last = _first_and_last(place, source, window, stride)
    position = first + np.arange((last - first + 1).max(initial=0))[:, None]
    digit = np.where(position <= last, place - position * stride, -1)
    return np.where(digit < 0, 0, position), digit


def most_covering(size: int, source: int, window: int, stride: int, low: int) -> int:
    """Return how many rows the tables of `covering` have."""
    first, last = _first_and_last(np.arange(size) + low, source, window, stride)
    return int((last - first + 1).max(initial=0))


def _first_and_last(place: np.ndarray, source: int, window: int, stride: int) -> tuple[Any, Any]:
    """Return the source positions whose windows cover places of the padded operand lie between these."""
    first = np.maximum(0, -((window - 1 - place) // stride))
    return first, np.minimum(source - 1, place // stride)


def met(part: slice, source: int, digit: int, stride: int, padding: Shape) -> tuple[slice, slice]:
    """Along one dimension, the source positions that have their windows' digit in a part of the operand.

    And where in the part it lies.
    """
    first = digit - padding[0] - part.start  # where position 0 has it, counted from the part's start
    start = max(0, -(first // stride))
    stop = max(start, min(source, -((first + part.start - part.stop) // stride)))
    there = first + start * stride
    return slice(start, stop), slice(there, there + (stop - start) * stride, stride)


def alike(table: Table) -> list[np.ndarray]:
    """Return the columns of a table in groups that have equally many digits, not -1."""
    number = (table >= 0).sum(0)
    return [(number == n).nonzero()[0] for n in np.unique(number)] or [np.arange(0)]


def inverse(groups: Sequence[np.ndarray]) -> np.ndarray:
    """Return the order that puts indices in groups back in place."""
    return np.argsort(np.concatenate(groups))


def numbered(digit: Table, step: int, none: int) -> Table:
    """Return what digits of that weight add to a number; `none` for -1."""
    return np.where(digit < 0, none, digit * step)


def narrow(table: Table) -> Table:
    """Return one column that broadcasts, where all are alike."""
    return table[:, :1] if (table == table[:, :1]).all() else table


def integer(magnitude: int) -> np.dtype:
    """Return the narrowest signed integers that hold numbers so large."""
    return np.min_scalar_type(-magnitude - 1)


def columns(position: Table, number: Table, index: Any) -> tuple[Table, Table]:
    """Columns of both tables, without the last rows that these have not."""
    number = number[:, index]
    rows = slice((number >= 0).any(1).sum())
    return position[rows, index], number[rows]


def flat(indices: Sequence[Any], shape: Shape) -> np.ndarray:
    """Return the flat indices of a product of indices."""
    places = np.ix_(*(np.arange(n)[index] for n, index in zip(shape, indices, strict=True)))
    return np.asarray(sum(i * step for i, step in zip(places, row_major(shape), strict=True))).ravel()


def inside(shape: Shape, edges: Sequence[Edge]) -> np.ndarray:
    """Return, in row-major order, whether each padded element is neither padding nor a dilation hole."""
    taken = [padded_index(size, edge) >= 0 for size, edge in zip(shape, edges, strict=True)]
    holds = np.ones([len(t) for t in taken], bool)
    for d, t in enumerate(taken):
        holds &= t.reshape([-1 if k == d else 1 for k in range(len(taken))])
    return holds.ravel()


def padded_index(size: int, edge: Edge) -> np.ndarray:
    """For every position of a padded dimension the operand's index, or -1 for the padding value.

    Negative `low` and `high` cut off; `interior` positions lie between two neighbours.
    """
    low, high, interior = edge
    dilated = (size - 1) * (interior + 1) + 1 if size else 0
    position = np.arange(low + dilated + high) - low
    taken = (position >= 0) & (position < dilated) & (position % (interior + 1) == 0)
    return np.where(taken, position // (interior + 1), -1)


def placed(size: int, edge: Edge) -> tuple[int, slice, slice]:
    """Return the size of a padded dimension, which of the operand's indices are in it, and where they stand.

    Where more is cut off than there is, nothing is left.
    """
    low, high, interior = edge
    step = interior + 1
    whole = low + ((size - 1) * step + 1 if size else 0) + high
    first = max(0, -(low // step))
    stop = max(first, min(size, (whole - 1 - low) // step + 1))
    start = first * step + low
    return max(0, whole), slice(first, stop), slice(start, start + (stop - first) * step, step)
