"""The statistics of one layer over samples: sums that merge exactly, in any grouping and order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, ldexp, log2
from typing import NamedTuple

import numpy as np

from interp.apps.pages.mark import Mark
from interp.backends import fl
from interp.comparison.comparison import sqnr
from interp.engine.storage import storage_range
from interp.recorder.names import with_layer
from spec.types import QuantizedType, TensorType

Array = np.ndarray
BINS = 64
Span = tuple[int, int]  # the first and the last of the samples that something may come from


class Worst(NamedTuple):
    """The element with the largest error: its sample, its place in the batch's array, and both numbers."""

    error: float
    samples: Span
    place: tuple[int, ...]
    value: float
    reference: float


class Noisiest(NamedTuple):
    """The sample with the largest sum of squared errors."""

    noise: Fraction
    samples: Span


@dataclass(frozen=True, eq=False)
class Layer:
    """One value of the program beside its partner in the reference, over all samples.

    `name` and `partner` are their names, `how` says how they were matched ("result" for the program's
    results). `elements` counts numbers, `unequal` those that differ, `not_finite` those infinite or NaN on
    one side only. `signal` and `noise` are sums of squares of the reference and of the errors where both are
    finite: exact sums of one f64 for each batch. `type` is the type of the stored numbers if the value is
    quantized; `least` and `most` are then the extreme ones, and `histogram` counts them in equal bins of the
    storage range; None otherwise. `layer` is the name that the source has for it, or "".
    `room` is the headroom in bits of its sums' accumulator, in any order of the additions, if that was asked
    for and is known.
    """

    name: str
    partner: str
    op: str
    how: str
    type: TensorType
    elements: int
    unequal: int
    not_finite: int
    signal: Fraction
    noise: Fraction
    worst: Worst | None
    noisiest: Noisiest
    least: int | None = None
    most: int | None = None
    histogram: Array | None = field(default=None, repr=False)
    layer: str = ""
    room: int | None = None

    @property
    def title(self) -> str:
        """The name of the value with that of the layer that an exporter named: `conv2 (%4)`."""
        return with_layer(self.name, self.layer)

    def __add__(self, other: Layer) -> Layer:
        """Return the statistics of both sets of samples."""
        sums = {name: getattr(self, name) + getattr(other, name) for name in SUMS}
        worst = [x for x in (self.worst, other.worst) if x is not None]
        noisiest = self.noisiest, other.noisiest
        return replace(
            self,
            **sums,
            worst=min(worst, key=lambda x: (-x.error, x.samples, x.place), default=None),
            noisiest=min(noisiest, key=lambda x: (-x.noise, x.samples)),
            least=None if self.least is None or other.least is None else min(self.least, other.least),
            most=None if self.most is None or other.most is None else max(self.most, other.most),
            histogram=None if self.histogram is None else self.histogram + other.histogram,
            room=None if self.room is None or other.room is None else min(self.room, other.room),
        )

    @property
    def sqnr(self) -> float:
        """The signal-to-noise ratio in dB: infinite without noise, minus infinity with noise alone."""
        return sqnr(self.signal, self.noise)

    @property
    def rmse(self) -> float:
        """The root of the mean squared error, in real units."""
        mean = self.noise / max(1, self.elements)
        half = (mean.numerator.bit_length() - mean.denominator.bit_length()) // 2
        return ldexp(float(mean / Fraction(4) ** half) ** 0.5, half)

    @property
    def steps(self) -> float | None:
        """The root of the mean squared error in steps of the type's largest scale; None if not quantized."""
        element = self.type.element_type
        if not isinstance(element, QuantizedType):
            return None
        return self.rmse / max(float(fl(scale, element.expressed_type)) for scale in element.scales)

    @property
    def range_used(self) -> float | None:
        """The share of the storage range that lies between the extreme numbers; None if not quantized."""
        if self.least is None or self.most is None:
            return None
        low, high = storage_range(self.type.element_type)
        return (self.most - self.least) / (high - low)

    @property
    def headroom(self) -> float | None:
        """The bits by which every real number could grow before one saturates; None if not quantized.

        With several zero points it is a lower bound.
        """
        element = self.type.element_type
        if self.least is None or self.most is None or not isinstance(element, QuantizedType):
            return None
        (low, high), zeros = storage_range(element), element.zero_points
        up, down = self.most - min(zeros), max(zeros) - self.least
        rooms = [(high - max(zeros), up), (min(zeros) - low, down)]
        return min((log2(room / used) if room > 0 else -inf for room, used in rooms if used > 0), default=inf)


SUMS = ("elements", "unequal", "not_finite", "signal", "noise")


# The marks of a survey's layers: what a page says about each


def layer_mark(layer: Layer) -> Mark:
    """Return what is known of a layer, but for its events."""
    used = None
    if layer.least is not None and layer.most is not None:
        low, high = storage_range(layer.type.element_type)
        used = (layer.least - low) / (high - low), (layer.most - low) / (high - low)
    return Mark(
        elements=layer.elements,
        sqnr=layer.sqnr if layer.elements else None,
        used=used,
        headroom=layer.headroom if layer.room is None else None,
        room=layer.room,
        histogram=layer.histogram,
    )
