"""Sums of the rows of an array in its own type: from the left, and compensated."""

from __future__ import annotations

import numpy as np


def left(x: np.ndarray) -> np.ndarray:
    return np.add.accumulate(x, axis=1, dtype=x.dtype)[:, -1]


def kahan(x: np.ndarray) -> np.ndarray:
    total, error = np.zeros(len(x), x.dtype), np.zeros(len(x), x.dtype)
    for column in x.T:
        y = column - error
        after = total + y
        error, total = (after - total) - y, after
    return total


def neumaier(x: np.ndarray) -> np.ndarray:
    total, error = np.zeros(len(x), x.dtype), np.zeros(len(x), x.dtype)
    for column in x.T:
        after = total + column
        larger = np.abs(total) >= np.abs(column)
        error = error + np.where(larger, (total - after) + column, (column - after) + total)
        total = after
    return total + error
