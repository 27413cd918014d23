"""The range of a value from its statistics: by its ends, averages, quantiles, least error, or entropy.

A method takes an `Extent` and returns the least and greatest number of each slice. The formulas are those of
the sources named in `METHODS`; on histograms a number stands in the middle of its bin.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from interp.apps.quantization.statistics import Extent, Histogram
from spec.errors import Malformed, one_of, short_text

# Ranges of least squared error on a histogram, in the three ways that TensorFlow searches them.
#
# The error of a range is that of quantizing the middles of all bins to its 256 steps and back, weighted by
# their counts. Of equal errors the lower range wins.


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


# The clipping threshold of least divergence between a histogram of magnitudes and its quantized form


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


Array = np.ndarray
Range = tuple[Array, Array]
# Steps of quantization by bits, as multiples of the root mean square, for the least squared error.
STEPS_OF_RMS = {4: 0.37755, 8: 0.05408}
PERCENTILES = 0.001, 99.999


class Method(NamedTuple):
    """Computation of a range from an `Extent`, what it needs there ("histogram", "squares"), its source."""

    range: Callable[[Extent], Range]
    needs: str
    source: str


def minmax(x: Extent) -> Range:
    """Return the least and the greatest number."""
    return x.low, x.high


def average(x: Extent) -> Range:
    """Return the means over samples of their least and greatest numbers."""
    samples = np.maximum(x.samples, 1)
    return x.low_sum / samples, x.high_sum / samples


def moving_average(x: Extent) -> Range:
    """Return the averages that every sample moves by a twentieth of the difference."""
    return x.moving_low, x.moving_high


def percentile(x: Extent, low: float = PERCENTILES[0], high: float = PERCENTILES[1]) -> Range:
    """Return the middles of the bins in which the shares of numbers pass `low` and `high` per cent."""

    def ends(x: Extent) -> tuple[float, float]:
        mids, freq = bins_of(x)
        shares = np.cumsum(freq) / np.sum(freq)
        first = min(int(np.searchsorted(shares, low / 100, side="right")), len(mids) - 1)
        last = min(int(np.searchsorted(shares, high / 100, side="left")), len(mids) - 1)
        return float(mids[first]), float(mids[last])

    return by_slice(x, ends)


def mse(x: Extent, bins: int = 256) -> Range:
    """Return the ends, of all pairs of middles of bins, between which 8 bits have the least squared error."""
    return by_slice(x, lambda part: brute_force(*bins_of(part, bins)))


def mse_max_frequency(x: Extent, bins: int = 256) -> Range:
    """Return the best ends as a range grows, left and right in turn, from the bin with the most numbers."""
    return by_slice(x, lambda part: expanding(*bins_of(part, bins), from_most=True))


def mse_symmetric(x: Extent, bins: int = 256) -> Range:
    """Return the best ends as a range grows, left and right in turn, from the middle bin."""
    return by_slice(x, lambda part: expanding(*bins_of(part, bins), from_most=False))


def rms(x: Extent, bits: int = 8) -> Range:
    """Return the range, symmetric about zero, whose step is a fixed multiple of the root mean square."""
    if np.isnan(x.squares).any():
        raise Malformed("the statistics have no sums of squares", "collect them for a method that needs some")
    if bits not in STEPS_OF_RMS:
        raise Malformed(
            f"{bits} bits have no known multiple", f"known: {', '.join(map(str, STEPS_OF_RMS))} bits"
        )
    bound = STEPS_OF_RMS[bits] * np.sqrt(x.squares / np.maximum(x.count, 1)) * (2 ** (bits - 1) - 1)
    return -bound, bound


def octav(x: Extent, bits: int = 8) -> Range:
    """Return the clipping, symmetric about zero, that ten Newton steps find for the least squared error."""
    share = 4.0**-bits / 3

    def ends(x: Extent) -> tuple[float, float]:
        mids, freq = bins_of(x)
        sizes, clip = np.abs(mids), 1.0
        for _ in range(10):
            beyond = sizes >= clip
            weight = (1 - share) * freq[beyond].sum() + share * freq.sum()
            clip = float((sizes * freq)[beyond].sum() / weight)
        return -clip, clip

    return by_slice(x, ends)


def entropy(x: Extent, levels: int = 128) -> Range:
    """Return the range cut where `levels` magnitudes tell the most about the distribution of the numbers."""

    def ends(x: Extent) -> tuple[float, float]:
        assert x.histogram is not None
        clip = entropy_threshold(x.histogram, levels)
        return max(float(x.low[0]), -clip), min(float(x.high[0]), clip)

    return by_slice(x, ends)


METHODS = {
    "minmax": Method(minmax, "", "TensorFlow, CALIBRATION_METHOD_MIN_MAX; ai-edge-quantizer, min_max_update"),
    "average": Method(average, "", "TensorFlow, CALIBRATION_METHOD_AVERAGE_MIN_MAX"),
    "moving_average": Method(moving_average, "", "ai-edge-quantizer, moving_average_update (0.95, 0.05)"),
    "percentile": Method(percentile, "histogram", "TensorFlow, CALIBRATION_METHOD_HISTOGRAM_PERCENTILE"),
    "mse": Method(mse, "histogram", "TensorFlow, CALIBRATION_METHOD_HISTOGRAM_MSE_BRUTEFORCE"),
    "mse_max_frequency": Method(
        mse_max_frequency, "histogram", "TensorFlow, CALIBRATION_METHOD_HISTOGRAM_MSE_MAX_FREQUENCY"
    ),
    "mse_symmetric": Method(
        mse_symmetric, "histogram", "TensorFlow, CALIBRATION_METHOD_HISTOGRAM_MSE_SYMMETRIC"
    ),
    "rms": Method(rms, "squares", "ai-edge-quantizer, MSE"),
    "octav": Method(
        octav, "histogram", "ai-edge-quantizer, OCTAV (arXiv 2206.06501, equation 6), on a histogram"
    ),
    "entropy": Method(entropy, "histogram", "Migacz, 8-bit inference with TensorRT (2017)"),
}


def method_named(method: str | Method, **options: float) -> Method:
    """Return a method by name, with its options if it takes any: `method_named("percentile", high=99.9)`."""
    if not isinstance(method, Method):
        method = METHODS[one_of(tuple(METHODS), method, "method of calibration")]
    if not options:
        return method
    known = method.range.__code__.co_varnames[1 : method.range.__code__.co_argcount]
    if unknown := sorted(options.keys() - set(known)):
        raise Malformed(
            f"{short_text(unknown[0])} is not an option of the method", f"known: {', '.join(known) or 'none'}"
        )
    return method._replace(range=partial(method.range, **options))


def by_slice(x: Extent, ends: Callable[[Extent], tuple[float, float]]) -> Range:
    """Return what `ends` gives for every slice; 0 to 0 for one without numbers."""
    parts = (x.part(slice(k, k + 1)) for k in range(len(x.low)))
    found = [ends(part) if part.count[0] else (0.0, 0.0) for part in parts]
    lows, highs = zip(*found, strict=True)
    return np.array(lows), np.array(highs)


def bins_of(x: Extent, bins: int | None = None) -> tuple[Array, Array]:
    """Return the middles of one slice's bins and their counts, from the first with a number to the last."""
    if x.histogram is None:
        raise Malformed("the statistics have no histogram", "collect them for a method that needs one")
    histogram = x.histogram.coarse(bins) if bins else x.histogram
    freq = histogram.counts[0].astype(np.float64)
    first, last = np.flatnonzero(freq)[[0, -1]]
    return histogram.mids[0][first : last + 1], freq[first : last + 1]
