"""Static geometry: where the leaves of every result element lie, as NumPy integer tables.

Windows are products: leaf number i has a digit per dimension, and along dimension d the leaves with digit k
of all result elements lie at `table[d][k]`, indices of the (padded) operand. A row of a table is nearly
always a slice. `Geometry` is for leaves that do not form a product: leaf i of result element j is
`flat[base[j] + offset[i]]`, flat being the (padded) operand in row-major order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np

# Tables of indices along one dimension, a row per digit; equally spaced rows are computed when needed.

Table = np.ndarray  # [digits of a dimension, size of the result along it]


@dataclass(frozen=True, eq=False)
class Steps:
    """A table in which every row is the row before it plus `step`; rows are computed when indexed."""

    first: np.ndarray
    step: int
    digits: int

    def __len__(self) -> int:
        return self.digits

    def whole(self) -> Table:
        return self.first + np.arange(self.digits)[:, None] * self.step


@dataclass(frozen=True, eq=False)
class Inside:
    """A boolean table: whether each of `indices` is at least `low` and less than `high`."""

    indices: Steps
    low: int
    high: int

    def __len__(self) -> int:
        return len(self.indices)


def inside_of(
    tables: Sequence[Steps], shape: Sequence[int], padding: Sequence[Sequence[int]]
) -> list[Inside | Table]:
    """Return, per dimension, whether padded indices lie in the operand; as one column if all of them do."""
    edges = zip(tables, shape, padding, strict=True)
    found = [Inside(table, low, low + size) for table, size, (low, _) in edges]
    return [np.ones((len(table), 1), bool) if every(table) else table for table in found]


def every(table: Inside | Table) -> bool:
    """Return whether all elements are true; since indices ascend, the first and the last of a row decide."""
    if isinstance(table, np.ndarray):
        return bool(table.all())
    first, last = table.indices.first, (len(table) - 1) * table.indices.step
    return not len(table) or not first.size or bool(first[0] >= table.low and first[-1] + last < table.high)


Shape = Sequence[int]
Edge = tuple[int, int, int]  # low, high and interior padding of a dimension
Box = tuple[slice, ...]


class Geometry(NamedTuple):
    """Positions of leaves: `base` has a flat index per result element, `offset` one per leaf, ascending."""

    base: np.ndarray
    offset: np.ndarray


def grid(sizes: Shape, strides: Shape) -> np.ndarray:
    """Return `sum(index[d] * strides[d])` for every index of the shape `sizes`."""
    total = np.zeros((1,) * len(sizes), np.int64)
    for d, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        axis = [1] * len(sizes)
        axis[d] = size
        total = total + (np.arange(size, dtype=np.int64) * stride).reshape(axis)
    return np.broadcast_to(total, tuple(sizes))


def row_major(shape: Shape) -> list[int]:
    """Return the number of elements between two neighbours along each dimension."""
    return [prod(shape[d + 1 :]) for d in range(len(shape))]


def limit_steps(steps: Shape, shape: Shape) -> tuple[int, ...]:
    """Return strides or dilations of windows, one at most beyond the size: no longer step reaches further.

    Products of a longer step and other sizes may exceed 64 bits.
    """
    return tuple(min(step, size + 1) for step, size in zip(steps, shape, strict=True))


def digits(i: Any, radices: Shape) -> list[Any]:
    """Return a number's digits, the fastest one last; a digit that can only be 0 is a Python integer."""
    found: list[Any] = []
    for radix in reversed(radices):
        found.append(0 if radix == 1 else i % radix)
        i = i // radix
    return found[::-1]


class Windows(NamedTuple):
    """The attributes `window_dimensions`, `window_strides` and `window_dilations`."""

    dimensions: Shape
    strides: Shape
    dilations: Shape

    @property
    def spans(self) -> list[int]:
        """Return the size of a window with its dilation, per dimension."""
        return [(size - 1) * d + 1 for size, d in zip(self.dimensions, self.dilations, strict=True)]

    @property
    def overlaps(self) -> list[int]:
        """Return, per dimension, the least size of a result's box: the span if windows overlap, else 1."""
        return [span if span > s else 1 for span, s in zip(self.spans, self.strides, strict=True)]

    @property
    def n(self) -> int:
        return prod(self.dimensions)

    def tables(self, box: Box) -> list[Steps]:
        """Return, per dimension, the operand indices by digit for the windows of a box of the result."""
        return [
            Steps(np.arange(part.start, part.stop) * stride, dilation, size)
            for size, stride, dilation, part in zip(*self, box, strict=True)
        ]

    def operand_box(self, box: Box) -> Box:
        """Return the part of the padded operand that the windows of a box of the result cover."""
        parts = zip(box, self.strides, self.spans, strict=True)
        return tuple(slice(b.start * s, max((b.stop - 1) * s + span, 0)) for b, s, span in parts)


def whole(shape: Shape) -> Box:
    return tuple(slice(0, size) for size in shape)


def boxes(shape: Shape, least: Shape, most: int) -> list[Box]:
    """Split an index space into boxes of about `most` elements, contiguous in memory where possible.

    One dimension is split into ranges of at least its `least`; dimensions before it, whose `least` must be 1,
    into single indices.
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
    """Return indices as a slice if they ascend in equal steps, else unchanged."""
    first, *others = row[:2].tolist() or [0]
    step = others[0] - first if others else 1
    if step > 0 and np.array_equal(row, np.arange(len(row)) * step + first):
        return slice(first, first + len(row) * step, step)
    return row


def covering(size: int, source: int, window: int, stride: int, low: int) -> tuple[Table, Table]:
    """Return, for each operand index along one dimension, the source positions whose windows cover it.

    Two tables [most, size]: these positions, ascending, and the digit that the index has in their windows,
    which is -1 where fewer than `most` windows cover the index.
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
    """Return the first and the last source position whose windows cover each place of the padded operand."""
    first = np.maximum(0, -((window - 1 - place) // stride))
    return first, np.minimum(source - 1, place // stride)


def digit_slices(part: slice, source: int, digit: int, stride: int, padding: Shape) -> tuple[slice, slice]:
    """Return the source positions whose windows have element number `digit` in a part of one dimension.

    The second slice has the positions of these elements, counted from the start of the part.
    """
    first = digit - padding[0] - part.start  # where position 0 has it, counted from the part's start
    start = max(0, -(first // stride))
    stop = max(start, min(source, -((first + part.start - part.stop) // stride)))
    there = first + start * stride
    return slice(start, stop), slice(there, there + (stop - start) * stride, stride)


def alike(table: Table) -> list[np.ndarray]:
    """Group the columns of a table by how many digits other than -1 they have."""
    number = (table >= 0).sum(0)
    return [(number == n).nonzero()[0] for n in np.unique(number)] or [np.arange(0)]


def inverse(groups: Sequence[np.ndarray]) -> np.ndarray:
    """Return the permutation that puts grouped indices back in place."""
    return np.argsort(np.concatenate(groups))


def contributions(digit: Table, step: int, none: int) -> Table:
    """Return each digit's contribution to the leaf number, `digit * step`; `none` for the digit -1."""
    return np.where(digit < 0, none, digit * step)


def narrow(table: Table) -> Table:
    """Return one column, which broadcasts, of a table whose columns are equal; any other table unchanged."""
    return table[:, :1] if (table == table[:, :1]).all() else table


def integer(magnitude: int) -> np.dtype:
    """Return the narrowest signed integer dtype that holds numbers of this magnitude."""
    return np.min_scalar_type(-magnitude - 1)


def columns(position: Table, number: Table, index: Any) -> tuple[Table, Table]:
    """Return some columns of both tables, without the rows in which none of these columns has a digit."""
    number = number[:, index]
    rows = slice((number >= 0).any(1).sum())
    return position[rows, index], number[rows]


def flat(indices: Sequence[Any], shape: Shape) -> np.ndarray:
    """Return the flat indices of all combinations of these indices along each dimension."""
    places = np.ix_(*(np.arange(n)[index] for n, index in zip(shape, indices, strict=True)))
    return np.asarray(sum(i * step for i, step in zip(places, row_major(shape), strict=True))).ravel()


def padded_index(size: int, edge: Edge) -> np.ndarray:
    """Return the operand's index at every position of a padded dimension; -1 stands for the padding value.

    Negative `low` and `high` cut elements off; `interior` padding positions lie between two neighbours.
    """
    low, high, interior = edge
    dilated = (size - 1) * (interior + 1) + 1 if size else 0
    position = np.arange(low + dilated + high) - low
    taken = (position >= 0) & (position < dilated) & (position % (interior + 1) == 0)
    return np.where(taken, position // (interior + 1), -1)


def trim(shape: Shape, edges: Sequence[Edge]) -> tuple[Box, list[Edge]]:
    """Return the part of an array that padding does not cut off, and edges of that part, which cut nothing.

    No edge exceeds the padded size: XLA aborts the process where one does and another cuts it off again.
    """
    box, rest = [], []
    for size, (low, high, interior) in zip(shape, edges, strict=True):
        whole, taken, there = placement(size, (low, high, interior))
        n = taken.stop - taken.start
        last = there.start + (n - 1) * there.step
        box.append(taken)
        rest.append((there.start, whole - 1 - last, interior if n > 1 else 0) if n else (whole, 0, 0))
    return tuple(box), rest


def placement(size: int, edge: Edge) -> tuple[int, slice, slice]:
    """Return the padded size, the slice of operand indices that are kept, and the slice where they stand.

    Both slices are empty if the padding cuts off everything.
    """
    low, high, interior = edge
    step = interior + 1
    whole = low + ((size - 1) * step + 1 if size else 0) + high
    first = max(0, -(low // step))
    stop = max(first, min(size, (whole - 1 - low) // step + 1))
    start = first * step + low
    return max(0, whole), slice(first, stop), slice(start, start + (stop - first) * step, step)
