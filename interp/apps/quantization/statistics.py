"""Statistics of a value over samples, mergeable, so that shards of data can be calibrated apart.

Counts, ends and histograms merge exactly, in any order and grouping. Sums do up to the rounding of f64. The
moving average depends on the order: `a + b` is that of a's samples followed by b's, in any grouping.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from interp.apps.quantization.histogram import Histogram, histogram_of
from spec.errors import Malformed

Array = np.ndarray
MOMENTUM = 0.95


@dataclass(frozen=True, eq=False)
class Extent:
    """Statistics of the finite numbers of N slices of a value, or of all of it (N = 1); every array is (N,).

    samples, count: how many samples had finite numbers, and how many numbers there were. infinities: how
    many were left out. low, high: the least and the greatest. low_sum, high_sum: sums of these over samples.
    first_*, moving_*: those of the first sample, and their moving averages. squares: their sum,
    NaN if it was not asked for.
    """

    samples: Array
    count: Array
    infinities: Array
    low: Array
    high: Array
    low_sum: Array
    high_sum: Array
    first_low: Array
    first_high: Array
    moving_low: Array
    moving_high: Array
    squares: Array
    histogram: Histogram | None = None

    def __add__(self, other: Extent) -> Extent:
        """Return the statistics of both, the samples of `other` after those of `self`."""
        if self.low.shape != other.low.shape:
            raise Malformed("statistics of other shapes", f"{len(self.low)} and {len(other.low)} slices")
        if (self.histogram is None) != (other.histogram is None):
            raise Malformed("only one of the statistics has a histogram", "collect both for the same method")
        summed = ("samples", "count", "infinities", "low_sum", "high_sum", "squares")
        sums = {name: getattr(self, name) + getattr(other, name) for name in summed}
        first = {f"first_{end}": _first(self, other, end) for end in ("low", "high")}
        moving = {f"moving_{end}": _moving(self, other, end) for end in ("low", "high")}
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        histogram = None
        if self.histogram is not None and other.histogram is not None:
            histogram = self.histogram + other.histogram
        return Extent(low=low, high=high, histogram=histogram, **sums, **first, **moving)

    def part(self, which: slice) -> Extent:
        """Return the statistics of some slices."""
        arrays = {f.name: getattr(self, f.name)[which] for f in fields(self) if f.name != "histogram"}
        return Extent(**arrays, histogram=self.histogram and self.histogram.part(which))


def _first(a: Extent, b: Extent, end: str) -> Array:
    mine, theirs = getattr(a, f"first_{end}"), getattr(b, f"first_{end}")
    return np.where(a.samples > 0, mine, theirs)


def _moving(a: Extent, b: Extent, end: str) -> Array:
    """Return the moving average after both: b's, had it begun with a's and not with its first sample."""
    before, after = getattr(a, f"moving_{end}"), getattr(b, f"moving_{end}")
    first = getattr(b, f"first_{end}")
    with np.errstate(invalid="ignore"):  # infinite where a part has no numbers, and then not chosen
        both = after + MOMENTUM ** b.samples.astype(np.float64) * (before - first)
    return np.where(a.samples == 0, after, np.where(b.samples == 0, before, both))


@dataclass(frozen=True, eq=False)
class Statistics:
    """Statistics of a value: of the whole (`layer`), and of its slices along `axis`, if asked for.

    low and high are the greatest lower and least upper bound of the finite numbers seen.
    """

    layer: Extent
    axis: int | None = None
    slices: Extent | None = None

    def __add__(self, other: Statistics) -> Statistics:
        """Return the statistics of both, for the moving average in this order."""
        if self.axis != other.axis:
            raise Malformed("statistics of other axes", f"axis {self.axis} and axis {other.axis}")
        slices = self.slices + other.slices if self.slices and other.slices else None
        return Statistics(self.layer + other.layer, self.axis, slices)

    @property
    def is_constant(self) -> bool:
        """Return whether all numbers seen are the same, or there were none."""
        return not self.layer.low[0] < self.layer.high[0]

    def __repr__(self) -> str:
        a = self.layer
        more = "" if self.slices is None else f", {len(self.slices.low)} slices along axis {self.axis}"
        numbers = f"{a.count[0]} numbers of {a.samples[0]} samples"
        return f"Statistics({a.low[0]:.6g} to {a.high[0]:.6g}, {numbers}{more})"


def extent(
    count: Array,
    infinities: Array,
    low: Array,
    high: Array,
    squares: Array,
    histogram: Histogram | None = None,
) -> Extent:
    """Return the statistics of one sample of N slices; the ends of a slice without numbers are infinite."""
    count, infinities = (np.asarray(x, np.int64) for x in (count, infinities))
    low, high, squares = (np.asarray(x, np.float64) for x in (low, high, squares))
    some = count > 0
    ends = {name: np.where(some, x, 0.0) for name, x in (("low_sum", low), ("high_sum", high))}
    return Extent(
        samples=some.astype(np.int64),
        count=count,
        infinities=infinities,
        low=low,
        high=high,
        **ends,
        first_low=low,
        first_high=high,
        moving_low=low,
        moving_high=high,
        squares=squares,
        histogram=histogram,
    )


def layer_of(slices: Extent) -> Extent:
    """Return the statistics of one sample as a whole from those of its slices."""
    return extent(
        slices.count.sum(keepdims=True),
        slices.infinities.sum(keepdims=True),
        slices.low.min(keepdims=True, initial=np.inf),
        slices.high.max(keepdims=True, initial=-np.inf),
        slices.squares.sum(keepdims=True),
        slices.histogram and slices.histogram.whole(),
    )


def statistics_of(x: Array, axis: int | None = None, bins: int | None = None) -> Statistics:
    """Return the statistics of one array, with NumPy; with a histogram of `bins` bins if given."""
    x = np.asarray(x, np.float64)
    rows = x.reshape(1, -1) if axis is None else np.moveaxis(x, axis, 0).reshape(x.shape[axis], -1)
    finite = np.isfinite(rows)
    kept = np.where(finite, rows, 0.0)
    found = extent(
        finite.sum(1),
        np.isinf(rows).sum(1),
        np.where(finite, rows, np.inf).min(1, initial=np.inf),
        np.where(finite, rows, -np.inf).max(1, initial=-np.inf),
        (kept**2).sum(1),
        histogram_of(rows, bins) if bins else None,
    )
    return Statistics(found) if axis is None else Statistics(layer_of(found), axis, found)


def merged(a: Mapping[str, Statistics], b: Mapping[str, Statistics]) -> dict[str, Statistics]:
    """Return the statistics of two shards by key; for the moving average, a's samples came first."""
    both = {key: a[key] + b[key] for key in a if key in b}
    return {**a, **b, **both}
