"""The rows of an accumulator study: what each channel of a layer needs, and what accumulators cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from interp.apps.accumulator_study.layers import Layer, bits
from interp.apps.accumulator_study.observation import Clipping
from interp.apps.surveys.measure import Effect, Measured
from interp.recorder.event import short
from interp.recorder.names import with_layer
from spec.types import ElementType

ALL = "all"  # in place of a layer: all of them
Span = tuple[int, int]


@dataclass(frozen=True)
class Row:
    """One channel of a layer: how many bits its sums need, and what clips first in each accumulator.

    channel: its index, `()` if the layer has no channels. terms: the leaves of a sum. present: the integers
    in which the program sums, i32 if it leaves that open. proved: the extremes of partial sums for every
    input, in any order; None if they are not known. observed: those over the data, one leaf after the other,
    and observed_in_any_order; None without data. clippings: by accumulator, of the layer alone. scope: what
    the source calls the layer, `net/conv2`, or "".
    """

    layer: str
    operation: str
    channel: tuple[int, ...]
    terms: int
    present: ElementType
    proved: Span | None = None
    observed: Span | None = None
    observed_in_any_order: Span | None = None
    clippings: Mapping[str, Clipping] = field(default_factory=dict)
    scope: str = ""

    @property
    def title(self) -> str:
        """The name of the layer, behind its scope: `net/conv2 (%4)`."""
        return with_layer(self.layer, self.scope)

    def __add__(self, other: Row) -> Row:
        return replace(
            self,
            observed=_join(self.observed, other.observed),
            observed_in_any_order=_join(self.observed_in_any_order, other.observed_in_any_order),
            clippings={name: x + other.clippings[name] for name, x in self.clippings.items()},
        )

    @property
    def bits_proved(self) -> int | None:
        """The fewest bits that hold every partial sum, for every input and in any order; None if unknown."""
        return None if self.proved is None else bits(self.present, *self.proved)

    @property
    def bits_observed(self) -> int | None:
        """The fewest bits that hold the partial sums of the data; None without data."""
        return None if self.observed is None else bits(self.present, *self.observed)

    @property
    def headroom(self) -> int | None:
        """The bits of the present accumulator that no sum of the data needs; without data, no sum at all."""
        used = self.bits_proved if self.bits_observed is None else self.bits_observed
        return None if used is None else self.present.bits - used

    @property
    def suggested(self) -> str:
        """The narrowest integer type that is proved to hold every partial sum, or ""."""
        if self.proved is None:
            return ""
        is_signed = self.present.kind == "signed" or self.proved[0] < 0
        return f"{'i' if is_signed else 'ui'}{self.bits_proved}"

    @property
    def channel_text(self) -> str:
        """The channel as text: `37`, `(0, 37)`, or "" if there are none."""
        return ", ".join(map(str, self.channel)) if len(self.channel) < 2 else str(self.channel)


def _join(first: Span | None, second: Span | None) -> Span | None:
    if first is None or second is None:
        return first or second
    return min(first[0], second[0]), max(first[1], second[1])


def rows_of(layer: Layer) -> Iterator[Row]:
    """Yield the rows of a layer, with nothing observed."""
    for k, channel in enumerate(layer.channels):
        proved = None
        if layer.proved is not None:
            proved = int(layer.proved.least[k]), int(layer.proved.greatest[k])
        yield Row(
            layer.name,
            short(layer.op),
            channel,
            layer.terms,
            layer.present,
            proved,
            scope=layer.scope,
        )


@dataclass(frozen=True)
class Cost:
    """Effect of an accumulator on the results, in one layer or in "all", beside sums that are all exact."""

    accumulator: str
    layer: str
    effect: Effect

    def __add__(self, other: Cost) -> Cost:
        return replace(self, effect=self.effect + other.effect)

    @property
    def metric(self) -> Measured | None:
        """The metric in this accumulator, and beside it that of exact sums; None without a metric."""
        return self.effect.metric


def widest_row(rows: Sequence[Row]) -> Row:
    """Return the row of the channel that needs most bits: proved, then observed."""
    return max(rows, key=lambda row: (row.proved is None, row.bits_proved or 0, row.bits_observed or 0))


def first_clip(rows: Sequence[Row], accumulator: str) -> str:
    """Return the first clip of a layer as text, with its channel, or "-"."""
    found = [(row, clip) for row in rows if (clip := row.clippings[accumulator].first)]
    if not found:
        return "-"
    row, clip = min(found, key=lambda each: (each[1].order, each[1].samples, each[1].index))
    return f"channel {row.channel_text}: {clip}" if row.channel else str(clip)


def cost_cells(cost: Cost) -> list[str]:
    """Return what an accumulator costs as text: the SQNR in dB beside exact sums, and the metric."""
    return [f"{cost.effect.sqnr:.4g}", *([f"{cost.metric.means[0]:.4g}"] if cost.metric else [])]
