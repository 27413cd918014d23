"""Statistics of a value over samples, with histograms that merge exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from spec.errors import Malformed

# Histograms that merge exactly: widths of bins are powers of two, and edges are multiples of the width.

Array = np.ndarray
BINS = 2048


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of numbers in bins, for each of N slices.

    Bin k of a slice holds the numbers from `(first + k) * 2**exponent` on that lie below the next bin.
    `counts` has the shape (N, bins); `exponents` and `firsts` have the shape (N,).
    """

    exponents: Array
    firsts: Array
    counts: Array

    def __add__(self, other: Histogram) -> Histogram:
        """Return the counts of both, in the narrowest bins that both can go to: exact, in any grouping."""
        parts = [part._align() for part in (self, other) if part.counts.any()]
        if len(parts) < 2:
            return next(iter(parts), self)
        return _join(parts)

    def whole(self) -> Histogram:
        """Return the histogram of all slices together."""
        placed = self._align()
        some = placed.counts.any(axis=1)
        if not some.any():
            return self.part(slice(0, 1))
        rows = Histogram(*(x[some] for x in placed.fields))
        exponent, bins, lasts = rows.exponents.max(), rows.counts.shape[1], rows.firsts + rows._last()
        while True:
            first = _coarse_bin(rows.firsts, exponent - rows.exponents).min()
            if _coarse_bin(lasts, exponent - rows.exponents).max() - first < bins:
                break
            exponent += 1
        same = np.full(len(lasts), exponent), np.full(len(lasts), first)
        return Histogram(same[0][:1], same[1][:1], rows._rebin(*same, bins).sum(axis=0, keepdims=True))

    def pool(self, group: Array, groups: int) -> Histogram:
        """Return one slice for each group, which has at least one: all slices of the group together."""
        order = np.argsort(group, kind="stable")
        if len(order) == groups:
            return Histogram(*(x[order] for x in self.fields))
        ends = np.cumsum(np.bincount(group, minlength=groups))
        parts = np.split(order, ends[:-1])
        wholes = [Histogram(*(x[part] for x in self.fields)).whole() for part in parts]
        return Histogram(*map(np.concatenate, zip(*(h.fields for h in wholes), strict=True)))

    def part(self, which: slice) -> Histogram:
        """Return the histogram of some slices."""
        return Histogram(*(x[which] for x in self.fields))

    def coarse(self, bins: int) -> Histogram:
        """Return the same counts in at most `bins` bins."""
        return _join([self._align()], bins)

    @property
    def fields(self) -> tuple[Array, Array, Array]:
        return self.exponents, self.firsts, self.counts

    @property
    def mids(self) -> Array:
        """The numbers in the middle of the bins, in f64."""
        return np.ldexp(self.firsts[:, None] + np.arange(self.counts.shape[1]) + 0.5, self.exponents[:, None])

    @property
    def edges(self) -> Array:
        """The least numbers of the bins, and that of the bin after them."""
        bins = np.arange(self.counts.shape[1] + 1)
        return np.ldexp((self.firsts[:, None] + bins).astype(float), self.exponents[:, None])

    def _align(self) -> Histogram:
        """Return the histogram with its first count in the first bin; without counts the first is 0."""
        skipped = (self.counts > 0).argmax(axis=1)
        rows = [np.roll(row, -int(k)) for row, k in zip(self.counts, skipped, strict=True)]
        firsts = np.where(self.counts.any(axis=1), self.firsts + skipped, 0)
        return Histogram(self.exponents, firsts, np.stack(rows))

    def _last(self) -> Array:
        """Return how far the last bin with a count is from the first bin."""
        return self.counts.shape[1] - 1 - (self.counts[:, ::-1] > 0).argmax(axis=1)

    def _rebin(self, exponents: Array, firsts: Array, bins: int) -> Array:
        """Return the counts in bins that start elsewhere and are as wide or wider."""
        old = self.firsts[:, None] + np.arange(self.counts.shape[1])
        new = np.clip(_coarse_bin(old, (exponents - self.exponents)[:, None]) - firsts[:, None], 0, bins - 1)
        flat = (new + bins * np.arange(len(firsts))[:, None]).ravel()
        counts = np.bincount(flat, self.counts.ravel(), len(firsts) * bins)  # in f64: exact to 2**53
        return counts.reshape(len(firsts), bins).astype(np.int64)


def _join(parts: Sequence[Histogram], bins: int | None = None) -> Histogram:
    """Return the counts of all parts in the narrowest common bins, so that no slice has more than `bins`."""
    bins = bins or parts[0].counts.shape[1]
    filled: list[Array] = [np.asarray(part.counts.any(axis=1)) for part in parts]
    least = np.iinfo(np.int64).min
    exponents = np.max([np.where(f, p.exponents, least) for f, p in zip(filled, parts, strict=True)], axis=0)
    exponents = np.where(np.any(filled, axis=0), exponents, parts[0].exponents)
    while True:
        firsts, lasts = _ends(parts, filled, exponents)
        if not np.any(wide := lasts - firsts >= bins):
            break
        exponents = exponents + wide
    counts = [
        np.where(f[:, None], p._rebin(exponents, firsts, bins), 0) for f, p in zip(filled, parts, strict=True)
    ]
    return Histogram(exponents, firsts, np.sum(counts, axis=0))


def _ends(parts: Sequence[Histogram], filled: Sequence[Array], exponents: Array) -> tuple[Array, Array]:
    """Return the first and the last bin with a count, of all parts, in bins of these widths; 0 if none."""
    limits = np.iinfo(np.int64)
    firsts, lasts = [], []
    for part, has in zip(parts, filled, strict=True):
        coarser = exponents - part.exponents
        firsts.append(np.where(has, _coarse_bin(part.firsts, coarser), limits.max))
        lasts.append(np.where(has, _coarse_bin(part.firsts + part._last(), coarser), limits.min))
    some = np.any(filled, axis=0)
    return np.where(some, np.min(firsts, axis=0), 0), np.where(some, np.max(lasts, axis=0), 0)


def _coarse_bin(index: Array, steps: Array) -> Array:
    """Return the bin of `2**steps` times the width in which a bin lies."""
    return index >> np.clip(steps, 0, 62)


def histogram_of(x: Array, bins: int = BINS) -> Histogram:
    """Return the histogram of the rows of an array (N, numbers): of finite numbers, with NumPy."""
    rows = [_row(row[np.isfinite(row)].astype(np.float64), bins) for row in np.atleast_2d(x)]
    return Histogram(*(np.array([row[k] for row in rows]) for k in range(3)))


def _row(x: Array, bins: int) -> tuple[int, int, Array]:
    if not x.size:
        return 0, 0, np.zeros(bins, np.int64)
    exponent = exponent_of(float(x.min()), float(x.max()), bins)
    index = np.floor(np.ldexp(x, -exponent)).astype(np.int64)
    return exponent, int(index.min()), np.bincount(index - index.min(), minlength=bins).astype(np.int64)


def exponent_of(low: float, high: float, bins: int) -> int:
    """Return an exponent e such that so many bins of width 2**e hold the range, wherever it lies.

    A very small range far from zero gets bins of 2**-20 of its magnitude: their numbers stay small.
    """
    if low == high == 0:
        return -126
    span = np.frexp((high - low) / (bins - 1))[1]  # 2**e > (high - low) / (bins - 1)
    reach = np.frexp(max(abs(low), abs(high)))[1] - 20
    return int(max(span if low < high else -126, reach, -126))


# Statistics of a value over samples, mergeable, so that shards of data can be calibrated apart.
#
# Counts, ends and histograms merge exactly, in any order and grouping. Sums do up to the rounding of f64.
# The moving average depends on the order: `a + b` is that of a's samples followed by b's, in any grouping.

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
