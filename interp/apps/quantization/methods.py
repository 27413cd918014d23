"""The range of a value from its statistics: by its ends, averages, quantiles, least error, or entropy.

A method takes an `Extent` and returns the least and greatest number of each slice. The formulas are those of
the sources named in `METHODS`; on histograms a number stands in the middle of its bin.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from interp.apps.quantization.entropy import entropy_threshold
from interp.apps.quantization.least_error import brute_force, expanding
from interp.apps.quantization.statistics import Extent
from spec.errors import Malformed
from spec.options import one_of, shown

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
            f"{shown(unknown[0])} is not an option of the method", f"known: {', '.join(known) or 'none'}"
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
