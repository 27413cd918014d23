"""The difference of two programs' results: exact at every element, and summarized."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

NumpyArray = np.ndarray


@dataclass(frozen=True, eq=False)
class Difference:
    """The difference `after - before`, f64 arrays in expressed units, of the elements in `counted`."""

    name: str
    before: NumpyArray = field(repr=False)
    after: NumpyArray = field(repr=False)
    counted: NumpyArray = field(repr=False)

    def at(self, index: tuple[int, ...]) -> Fraction:
        """Return the exact difference of one element, which is finite on both sides."""
        return Fraction(float(self.after[index])) - Fraction(float(self.before[index]))

    @cached_property
    def error(self) -> NumpyArray:
        """Return the differences rounded to f64; 0 where an element does not count."""
        with np.errstate(invalid="ignore", over="ignore"):
            return np.where(self.counted, self.after - self.before, 0.0)

    @property
    def largest(self) -> float:
        return float(np.abs(self.error).max(initial=0))

    @property
    def worst(self) -> tuple[int, ...] | None:
        """Return the index of the largest difference; None if no element counts."""
        if not self.counted.any():
            return None
        at = int(np.where(self.counted, np.abs(self.error), -1).argmax())
        return tuple(int(i) for i in np.unravel_index(at, self.error.shape))

    @property
    def mean(self) -> float:
        """Return the mean difference, with its sign, over the elements that count."""
        return float(self.error.sum() / max(1, np.count_nonzero(self.counted)))

    @property
    def count(self) -> int:
        """Return how many elements differ."""
        return int(np.count_nonzero(self.error))


def finite(*arrays: NumpyArray) -> NumpyArray:
    """Return where all arrays are finite."""
    return np.asarray(np.logical_and.reduce([np.isfinite(x) for x in arrays]))
