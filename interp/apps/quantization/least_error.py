"""Ranges of least squared error on a histogram, in the three ways that TensorFlow searches them.

The error of a range is that of quantizing the middles of all bins to its 256 steps and back, weighted by
their counts. Of equal errors the lower range wins.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray
STEPS = 255


def error(mids: Array, freq: Array, low: Array, high: Array) -> Array:
    """Return the weighted squared error of ranges, by arrays of their ends."""
    low, high = low[:, None], high[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = (high - low) / STEPS
        zero_point = np.round(-low / scale)
        stored = np.clip(np.round(mids / scale) + zero_point, 0, STEPS)
        back = (stored - zero_point) * scale
    return np.sum(freq * (mids - back) ** 2, axis=1)


def best(mids: Array, freq: Array, lefts: Array, rights: Array) -> tuple[float, float]:
    """Return the ends, given as indices of bins, with the least error; the lowest among equals."""
    errors = error(mids, freq, mids[lefts], mids[rights])
    found = min(zip(errors, mids[lefts], mids[rights], strict=True))
    return float(found[1]), float(found[2])


def brute_force(mids: Array, freq: Array) -> tuple[float, float]:
    """Return the best of all ranges between the middles of two bins."""
    if len(mids) == 1:
        return float(mids[0]), float(mids[0])
    lefts, rights = np.triu_indices(len(mids), 1)
    chosen = []
    for start in range(0, len(lefts), 4096):  # a few megabytes at a time
        part = slice(start, start + 4096)
        errors = error(mids, freq, mids[lefts[part]], mids[rights[part]])
        chosen.append(min(zip(errors, mids[lefts[part]], mids[rights[part]], strict=True)))
    return float(min(chosen)[1]), float(min(chosen)[2])


def expanding(mids: Array, freq: Array, from_most: bool) -> tuple[float, float]:
    """Return the best of the ranges that grow from a bin by one bin at a time, to the left first."""
    left = right = int(np.argmax(freq)) if from_most else len(mids) // 2
    if len(mids) == 1:
        return float(mids[0]), float(mids[0])
    pairs, to_left = [], True
    while left > 0 or right < len(mids) - 1:
        if (to_left and left > 0) or right == len(mids) - 1:
            left -= 1
        else:
            right += 1
        to_left = not to_left
        pairs.append((left, right))
    lefts, rights = np.array(pairs).T
    return best(mids, freq, lefts, rights)
