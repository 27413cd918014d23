"""The clipping threshold of least divergence between a histogram of magnitudes and its quantized form."""

from __future__ import annotations

import numpy as np

from interp.apps.quantization.histogram import Histogram

Array = np.ndarray


def entropy_threshold(histogram: Histogram, levels: int) -> float:
    """Return where to cut magnitudes so that `levels` of them diverge the least from the distribution.

    For every number n of bins from `levels` on: the first n bins, with all beyond counted in the last one,
    are compared with the same bins in `levels` groups, each count spread evenly over the bins of its group
    that have any. Of equal divergences the greater threshold wins, which clips less.
    """
    counts, width = magnitudes(histogram)
    most = len(counts)
    if most <= levels:
        return most * width
    divergences = [(divergence(counts, n, levels), -n) for n in range(levels, most + 1)]
    return -min(divergences)[1] * width


def divergence(counts: Array, n: int, levels: int) -> float:
    """Return the divergence, in nats, between the first n bins in `levels` groups and the clipped counts."""
    clipped = counts[:n].copy()
    clipped[-1] += counts[n:].sum()
    kept = counts[:n]
    group = np.arange(n) * levels // n
    has = kept > 0
    sums = np.bincount(group, kept, levels)
    sizes = np.bincount(group, has, levels)
    spread = np.where(has, sums[group] / np.maximum(sizes[group], 1), 0.0)
    p, q = clipped / clipped.sum(), spread / max(spread.sum(), 1)
    some = p > 0
    if np.any(q[some] == 0):  # what was clipped fell into a bin that was empty
        return float("inf")
    return float(np.sum(p[some] * np.log(p[some] / q[some])))


def magnitudes(histogram: Histogram) -> tuple[Array, float]:
    """Return counts of magnitudes in bins from zero on, and the width of the bins.

    The bins on both sides of zero have the same edges, since these are multiples of the width. A histogram
    far from zero is made coarser until 2**13 bins reach it.
    """
    (first,), (exponent,), counts = histogram.firsts, histogram.exponents, histogram.counts[0]
    index = np.flatnonzero(counts) + int(first)
    counts = counts[counts > 0].astype(np.float64)
    while max(index.max(), -index.min()) >= 2**13:
        index, exponent = index >> 1, exponent + 1
    sizes = np.where(index < 0, -index - 1, index)
    return np.bincount(sizes, counts), float(np.ldexp(1.0, int(exponent)))
