"""Histograms that merge exactly: widths of bins are powers of two, and edges are multiples of the width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
