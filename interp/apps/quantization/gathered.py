"""The statistics of all keys at once, as a few long arrays, so that a sample costs a few additions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from interp.apps.quantization.histogram import Histogram
from interp.apps.quantization.observe import Observed
from interp.apps.quantization.on_device import Raw
from interp.apps.quantization.statistics import Extent, Statistics, extent

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Places:
    """Places of the rows of a sample's raw statistics among the keys.

    rows: the rows that keys see, by pairs of a key and a result; slots: for each its slice among those of all
    keys, whose key `keys` tells.
    """

    rows: Array
    slots: Array
    keys: Array

    @staticmethod
    def of(observed: Observed) -> Places:
        """Return the places for an observed program."""
        sizes = observed.slices
        first = np.cumsum([0, *sizes])
        of_result = {result: sizes[key] for key, result in observed.sees}
        starts = np.cumsum([0, *(of_result[k] for k in range(len(of_result)))])
        rows = [np.arange(starts[result], starts[result + 1]) for _, result in observed.sees]
        slots = [np.arange(first[key], first[key + 1]) for key, _ in observed.sees]
        keys = np.repeat(np.arange(len(sizes)), sizes)
        return Places(np.concatenate(rows), np.concatenate(slots), keys)


@dataclass(frozen=True, eq=False)
class Gathered:
    """Statistics of every key (`layers`) and of all slices of all keys; None before the first sample."""

    observed: Observed
    samples: int = 0
    layers: Extent | None = None
    slices: Extent | None = None

    def __add__(self, other: Gathered) -> Gathered:
        if self.layers is None or other.layers is None:
            return other if self.layers is None else self
        slices = self.slices + other.slices if self.slices and other.slices else None
        layers = self.layers + other.layers
        return replace(self, samples=self.samples + other.samples, layers=layers, slices=slices)

    @cached_property
    def places(self) -> Places:
        return Places.of(self.observed)

    @property
    def has_slices(self) -> bool:
        return any(axis is not None for axis in self.observed.axes)

    def with_sample(self, raw: Raw) -> Gathered:
        """Return the statistics with one sample more."""
        places, rows = self.places, self.places.rows
        histogram = None
        if raw.counts.shape[1]:
            firsts = raw.firsts[rows].astype(np.int64)
            histogram = Histogram(raw.exponents[rows], firsts, raw.counts[rows])
        count, infinities, low, high, squares = (
            x[rows] for x in (raw.count, raw.infinities, raw.low, raw.high, raw.squares)
        )
        taken = extent(count, infinities, low, high, squares, histogram)
        slices = pooled(taken, places.slots, len(places.keys))
        layers = pooled(slices, places.keys, len(self.observed.keys)) if self.has_slices else slices
        sample = Gathered(self.observed, 1, layers, slices if self.has_slices else None)
        added = self + sample
        added.__dict__["places"] = places  # computed once
        return added

    def keys_with(self, counts: Array) -> list[str]:
        """Return the keys, in program order, for which a count of the raw statistics is not 0."""
        places = self.places
        found = places.keys[places.slots[counts[places.rows] > 0]]
        return [self.observed.keys[k] for k in sorted(set(found.tolist()))]

    def by_key(self) -> dict[str, Statistics]:
        """Return the statistics of each key; none before the first sample."""
        if self.layers is None:
            return {}
        found, first = {}, 0
        for k, (key, axis) in enumerate(zip(self.observed.keys, self.observed.axes, strict=True)):
            last = first + self.observed.slices[k]
            slices = None if axis is None or self.slices is None else self.slices.part(slice(first, last))
            found[key] = Statistics(self.layers.part(slice(k, k + 1)), axis, slices)
            first = last
        return found


def pooled(x: Extent, group: Array, groups: int) -> Extent:
    """Return the statistics of one sample for groups of its slices."""
    count, infinities = (np.bincount(group, n, groups).astype(np.int64) for n in (x.count, x.infinities))
    low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
    np.minimum.at(low, group, x.low)
    np.maximum.at(high, group, x.high)
    squares = np.bincount(group, x.squares, groups)
    return extent(count, infinities, low, high, squares, x.histogram and x.histogram.grouped(group, groups))
