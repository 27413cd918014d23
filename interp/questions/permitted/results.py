"""All results of a function as one row of elements; an element's number in it is its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interp.backends import NUMPY
from spec.types import ElementType


class Results:
    """Arrays of results whose elements are numbered consecutively: `results[place]`."""

    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self.arrays = arrays
        self.starts = np.cumsum([0, *(x.size for x in arrays)])

    def at(self, place: int) -> tuple[int, int]:
        """Return the number of the result, and the flat index in it."""
        k = int(np.searchsorted(self.starts, place, "right")) - 1
        return k, place - int(self.starts[k])

    def __getitem__(self, place: int) -> Any:
        k, at = self.at(place)
        return self.arrays[k].reshape(-1)[at]

    def index(self, place: int) -> tuple[int, tuple[int, ...]]:
        """Return the number of the result, and the index in it."""
        k, at = self.at(place)
        return k, tuple(map(int, np.unravel_index(at, self.arrays[k].shape)))

    def name(self, place: int) -> str:
        """Return `result 0[1, 2] = 7`."""
        k, index = self.index(place)
        return f"result {k}{list(index) if index else ''} = {self[place]}"

    def row(self, at: int) -> list[Any]:
        """Return the element at a flat index of every result."""
        return [x.reshape(-1)[at] for x in self.arrays]


def number(x: Any, type: ElementType) -> Any:
    """Return a stored element as a Python number."""
    return x.item() if x.dtype.kind in "iu" else NUMPY.decode(x, type).item()
