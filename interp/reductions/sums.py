"""The sums of leaves that nodes of any fold of a result element can be, if nothing clamps.

All numbers here are steps, exact integers: stored numbers minus the zero point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from interp.backends import Array

WIDE = 62  # bits of a sum up to which i64 holds it
Blocks = Iterator[tuple[Array, Array | None]]


class Sums(NamedTuple):
    """The least and the greatest sum that a node can be, and the sum of all leaves, by result element."""

    least: Array
    greatest: Array
    total: Array


def integer_dtype(n: int, *ends: int) -> np.dtype:
    """Return i64 if it holds every sum of n numbers between `ends`, else `object` (Python's integers)."""
    return np.dtype(np.int64 if (n * max(map(abs, ends))).bit_length() <= WIDE else object)


def contiguous(init: Array, blocks: Blocks, steps: Callable[[Array], Array]) -> Sums:
    """Return the extreme sums, by Kadane's scan over blocks of leaves, `[leaves, elements]`.

    `steps` converts stored leaves to steps; `init` is in steps. An absent leaf neither begins nor ends a
    sum, and adds nothing.
    """
    far = 1 << (WIDE if init.dtype == np.int64 else 256)
    least = greatest = total = init
    lowest = highest = np.zeros_like(init)  # of what stands before a leaf
    for values, present in blocks:
        numbers = steps(values)
        if present is None and len(numbers) < numbers.shape[1]:  # few leaves of many elements
            for x in numbers:
                lowest, highest, total = np.minimum(lowest, total), np.maximum(highest, total), total + x
                greatest = np.maximum(greatest, total - lowest)
                least = np.minimum(least, total - highest)
            continue
        after = total + np.cumsum(_masked(numbers, present, 0), 0)
        before = np.concatenate([total[None], after[:-1]])
        lows = np.minimum.accumulate(np.concatenate([lowest[None], _masked(before, present, far)]), 0)
        highs = np.maximum.accumulate(np.concatenate([highest[None], _masked(before, present, -far)]), 0)
        greatest = np.maximum(greatest, _masked(after - lows[1:], present, -far).max(0))
        least = np.minimum(least, _masked(after - highs[1:], present, far).min(0))
        lowest, highest, total = lows[-1], highs[-1], after[-1]
    return Sums(least, greatest, total)


def permuted(init: Array, blocks: Blocks, steps: Callable[[Array], Array]) -> Sums:
    """Return the extremes of the leaves and of the sums of `init` and any leaves: of folds in any order.

    No leaf is absent. The arguments are those of `contiguous`.
    """
    least = greatest = below = above = init
    for values, _ in blocks:
        numbers = steps(values)
        least, greatest = np.minimum(least, numbers.min(0)), np.maximum(greatest, numbers.max(0))
        below = below + np.minimum(numbers, 0).sum(0)
        above = above + np.maximum(numbers, 0).sum(0)
    return Sums(np.minimum(least, below), np.maximum(greatest, above), below + above - init)


def _masked(x: Array, present: Array | None, absent: int) -> Array:
    return x if present is None else np.where(present, x, absent)
