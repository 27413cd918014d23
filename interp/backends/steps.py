"""Tables of indices along one dimension, a row per digit; equally spaced rows are computed when needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
