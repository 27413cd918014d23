"""The result of `survey`: layers, events and a metric, which add up over shards, and their tables."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from interp.apps.surveys.event_counts import Counted, add_events, span
from interp.apps.surveys.layer import Layer
from interp.apps.surveys.measure import Measured, Ranking
from interp.apps.surveys.part import Part, Unread
from interp.apps.surveys.rates import Rate, rate_anytime, rate_at_most, rate_between
from interp.comparison.side_by_side import list_names
from interp.engine.files import write_page
from interp.engine.markup import align, join_lines
from interp.engine.work import Covered, Partly
from interp.execute.unused import NOTHING, Unused
from spec.accumulator import DEQUANTIZE
from spec.errors import Malformed, Unsupported
from spec.ir import Module

if TYPE_CHECKING:
    import pandas

WRITTEN = ("", "any", DEQUANTIZE)  # readings
NAMES = ("layer", "name")  # columns: of the value, and of the layer


@dataclass(frozen=True, repr=False)
class Survey(Partly):
    """Loss of each layer of a program over samples; `a + b` is the survey of both sets.

    `layers` are in program order, the results last; `events` are counts by operation and kind; `metric` has
    the means of the program and the reference; `unmatched` the values without a partner, of the reference
    and of the program; `ranking` the layers by what they cost alone, if that was asked for. `reference` says
    what the reference is; `quantizes` is false if it is the program itself, which has no quantized types:
    then no layer has a signal-to-noise ratio. `left_out` has values that stand at the same place, but do not
    mean the same: (of the reference, of the program, why). `unused` are the options that were asked for
    and that the program does not use. `accumulator` is the one that was asked for, "" if the program's own
    summed; `reading` is that of quantized operations, "any" if all agree. `overflowing` counts the samples in
    which a number overflows, None if that was not asked for; `until` is the rate of these at which the survey
    could stop. `unread` are samples that could not be read, with reasons. `part` says which samples of which
    data set these are, if they are part of a survey over shards. `inner` has the least headroom in bits of
    sums inside of regions, which are no layers, by name: of those that ran, None if it is not known.
    """

    samples: int
    layers: tuple[Layer, ...]
    events: tuple[Counted, ...]
    metric: Measured | None
    unmatched: tuple[tuple[str, ...], tuple[str, ...]]
    function: str
    ranking: Ranking | None = None
    reference: str = ""
    quantizes: bool = True
    left_out: tuple[tuple[str, str, str], ...] = ()
    unused: Unused = NOTHING
    covered: tuple[Covered, ...] = ()
    accumulator: str = ""
    reading: str = ""
    overflowing: int | None = 0
    until: float | None = None
    unread: tuple[Unread, ...] = ()
    part: Part | None = None
    inner: tuple[tuple[str, int | None], ...] = ()

    def __add__(self, other: Survey) -> Survey:
        """Return the survey of both sets of samples; `Malformed` for other programs, or for samples twice."""
        part = self.part + other.part if self.part and other.part else None
        unread = tuple(sorted((*self.unread, *other.unread)))
        if not (self.layers and other.layers):
            return replace(self if self.layers else other, part=part, unread=unread)
        names = [[(x.name, x.partner, x.type) for x in survey.layers] for survey in (self, other)]
        if names[0] != names[1] or (self.metric is None) != (other.metric is None):
            raise Malformed("surveys of other programs", "only surveys of one program and metric add up")
        known = self.overflowing, other.overflowing
        return replace(
            self,
            samples=self.samples + other.samples,
            layers=tuple(x + y for x, y in zip(self.layers, other.layers, strict=True)),
            events=add_events((*self.events, *other.events)),
            metric=self.metric + other.metric if self.metric and other.metric else None,
            ranking=self.ranking + other.ranking if self.ranking and other.ranking else None,
            covered=(*self.covered, *other.covered),
            overflowing=None if known[0] is None or known[1] is None else known[0] + known[1],
            unread=unread,
            part=part,
            inner=_least_rooms(self.inner, other.inner),
        )

    def __radd__(self, other: Literal[0]) -> Survey:
        """Return the survey itself, so that `sum(shards)` adds them up."""
        return self if other == 0 else NotImplemented

    @property
    def partial(self) -> bool:
        """Return whether samples are missing, or the rate that was asked about is not decided."""
        return super().partial or bool(self.unread) or self.is_decided is False

    @property
    def is_decided(self) -> bool | None:
        """Return whether the rate of overflows is known to be on one side of `until`, or None without it."""
        if self.until is None or self.overflowing is None:
            return None
        rate = rate_anytime("", self.overflowing, self.samples)
        return not rate.low <= self.until <= rate.high

    @property
    def rates(self) -> tuple[Rate, ...]:
        """Rates over samples with 95 % confidence, if the samples are drawn independently.

        They are of samples with an overflow, where these were counted, and of a metric that is 0 or 1. Bounds
        for one number of samples, fixed before, are those of Clopper and Pearson: of overflows the upper one.
        If the survey could stop early (`until`), they hold at any time.
        """
        found = []
        if self.overflowing is not None and self.samples:
            bound = rate_at_most if self.until is None else rate_anytime
            found.append(bound("samples with an overflow", self.overflowing, self.samples))
        if self.metric and self.metric.is_share:
            bound = rate_between if self.until is None else rate_anytime
            found.append(bound("samples of metric 1", int(self.metric.ours), self.metric.number))
        return tuple(found)

    @property
    def worst(self) -> Layer | None:
        """The layer with infinities or NaN on one side only, else that of the least SQNR, if any differs."""
        layers = [x for x in self.layers if x.unequal]
        return min(layers, key=lambda x: (not x.not_finite, x.sqnr), default=None)

    def __getitem__(self, name: str) -> Layer:
        """Return a layer by the name of its value, or by its own if it is the only one of that name."""
        known = [x for x in self.layers if name in (x.name, x.title)]
        known = known or [x for x in self.layers if name == x.layer]
        if len(known) != 1:
            verdict = f"{name} has several rows" if known else f"no layer {name}"
            raise Malformed(verdict, f"layers: {', '.join(x.title for x in known or self.layers)}")
        return known[0]

    def _repr_text_(self) -> str:
        manner = "".join(f", {x}" for x in self.manner)
        lines = [f"@{self.function} beside {self.reference}: {self.samples:,} samples{manner}"]
        if self.metric:
            lines.append("metric {:.4g}, reference {:.4g}".format(*self.metric.means))
        lines += map(str, self.rates)
        if self.worst:
            lines.append(f"worst: {self.worst.op} {self.worst.title}, SQNR {_text(self.worst.sqnr)} dB")
        if self.left_out:
            pairs = [f"{right} beside {left}" for left, right, _ in self.left_out]
            reasons = ", ".join(dict.fromkeys(reason for *_, reason in self.left_out))
            lines.append(f"left out: {list_names(pairs)} ({reasons})")
        if self.layers:
            lines += align([["layer", *list(self.rows()[0])[len(NAMES) :]], *self._cells()], left=(0, 1))
        lines += [
            f"sum {name} in a region: {room} bits of headroom" for name, room in self._known_rooms.items()
        ]
        ranking = [self.ranking._repr_text_()] if self.ranking else []
        events = (str(e) for e in self.events if not e.clips)
        return join_lines([*lines, *events, *ranking, *self.unused.lines, *self.gaps])

    @property
    def gaps(self) -> list[str]:
        """Lines about samples that could not be read, those after a deadline, and an open decision."""
        question = f"undecided: is the rate of overflowing samples below {self.until}?"
        open_rate = question if self.is_decided is False else ""
        unread = [f"not read: {x}" for x in self.unread]
        return [line for line in (*unread, self.shortfall, open_rate) if line]

    @property
    def manner(self) -> list[str]:
        """The accumulator and the reading of the run, where the program does not state them."""
        said = [f"accumulator {self.accumulator}"] if self.accumulator else []
        return said + ([f"{self.reading} reading"] if self.reading not in WRITTEN else [])

    @property
    def _known_rooms(self) -> dict[str, int]:
        return {name: room for name, room in self.inner if room is not None}

    def _cells(self) -> list[list[str]]:
        """Return the cells of the table, in which the names of a layer are one."""
        return [
            [x.title, *(_text(cell) for cell in list(row.values())[len(NAMES) :])]
            for x, row in zip(self.layers, self.rows(), strict=True)
        ]

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each layer, with the columns of the tables."""
        return [self._row(x) for x in self.layers]

    def _row(self, x: Layer) -> dict[str, Any]:
        own = [e for e in self.events if e.layer == x.name and e.kind in ("saturate", "wrap")]
        clipped = sum(e.count for e in own if e.clips)
        overflows = sum(e.count for e in own if not e.clips)
        return {
            "layer": x.name,
            "name": x.layer,
            "operation": x.op,
            "SQNR dB": x.sqnr if self.quantizes else None,
            "RMSE": x.rmse,
            "in steps": x.steps,
            "unequal": x.unequal / max(1, x.elements),
            "overflows": overflows,
            "per element": overflows / max(1, x.elements),
            "clipped at zero": clipped,
            "range used": x.range_used,
            "headroom": x.headroom,
            **({"accumulator headroom": x.room} if any(y.room is not None for y in self.layers) else {}),
            "largest error": 0.0 if x.worst is None else x.worst.error,
            "worst sample": "-" if x.worst is None else span(x.worst.samples),
            "noisiest sample": span(x.noisiest.samples) if x.noise else "-",
        }

    def to_csv(self) -> str:
        """Return the layers as comma-separated values, with a line of headings."""
        text = io.StringIO()
        rows = self.rows()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def to_json(self) -> str:
        """Return layers, events and the metric as JSON; infinities are strings."""
        layers = [
            {key: _json(value) for key, value in row.items()}
            | {"histogram": None if x.histogram is None else x.histogram.tolist(), "type": str(x.type)}
            for row, x in zip(self.rows(), self.layers, strict=True)
        ]
        events = [
            {
                "layer": e.layer,
                "name": e.scope,
                "operation": e.name,
                "kind": e.kind,
                "severity": e.severity,
                "count": e.count,
                "worst": e.worst,
            }
            for e in self.events
        ]
        means = dict(zip(("program", "reference"), self.metric.means, strict=True)) if self.metric else None
        found = {
            "samples": self.samples,
            "reference": self.reference,
            "accumulator": self.accumulator,
            "reading": self.reading,
            "left out": [
                {"reference": left, "program": right, "reason": reason}
                for left, right, reason in self.left_out
            ],
            "layers": layers,
            "events": events,
            "metric": means,
            "rates": [rate._asdict() for rate in self.rates],
            "sums in regions": self._known_rooms,
            "not read": [{"samples": x.samples, "reason": x.reason} for x in self.unread],
            "unused": self.unused.plain,
        }
        return json.dumps(found, indent=1)

    def report(self, path: str | Path, module: Module | None = None) -> Path:
        """Write the survey as an HTML page, which opens without a network; return its path.

        module: the program that was surveyed, to be drawn as a graph.
        """
        from interp.apps.surveys.page import page

        return write_page(path, page(self, module))

    def frame(self) -> pandas.DataFrame:
        """Return the layers as a pandas DataFrame."""
        try:
            import pandas
        except ImportError:
            raise Unsupported("pandas is not installed", "pip install 'stablehlo-interp[frame]'") from None
        return pandas.DataFrame(self.rows())


def _json(x: Any) -> Any:
    return str(x) if isinstance(x, float) and abs(x) == inf else x


def _text(x: Any) -> str:
    if x is None:
        return "-"
    return f"{x:.4g}" if isinstance(x, float) else f"{x:,}" if isinstance(x, int) else str(x)


def _least_rooms(*rooms: Iterable[tuple[str, int | None]]) -> tuple[tuple[str, int | None], ...]:
    """Return the least headroom of each sum that ran, None if one of them is not known, by name."""
    least: dict[str, int | None] = {}
    for name, room in chain(*rooms):
        other = least.get(name, room)
        least[name] = None if room is None or other is None else min(room, other)
    return tuple(sorted(least.items()))
