"""The page of an accumulator study: the bits that hold every sum, each layer's channels, and the costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any, Protocol

from interp.apps.accumulator_study.rows import ALL, Cost, Row, first_clip, widest_row
from interp.apps.pages.profile import UNKNOWN, bar, loudness, number
from interp.apps.pages.shell import Section, Verdict, frame
from interp.engine.markup import Html, table, tag
from interp.execute.accumulating import Given

WIDEST = 32.0  # the bits of a full bar
SPANS = ("proved from", "proved to", "bits proved", "observed from", "observed to", "bits observed")
RAISED = "Simulated quantization was raised to integers before."
ANY = "Proved widths hold for every input and any order of the additions."


class Studied(Protocol):
    """The part of a `Widths` that a page needs."""

    @property
    def function(self) -> str: ...
    @property
    def samples(self) -> int: ...
    @property
    def rows(self) -> tuple[Row, ...]: ...
    @property
    def layers(self) -> dict[str, list[Row]]: ...
    @property
    def accumulators(self) -> tuple[str, ...]: ...
    @property
    def left_out(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def is_raised(self) -> bool: ...
    @property
    def headline(self) -> str: ...
    @property
    def shortfall(self) -> str: ...
    def cost(self, accumulator: Given, layer: str = ALL) -> Cost: ...
    def table(self) -> list[dict[str, Any]]: ...


def page(found: Studied) -> str:
    """Return the page of a study as HTML text."""
    sections = [
        Section("layers", "Layers", [_layers(found), *_left_out(found)]),
        *([Section("costs", "Accumulators", [_costs(found)])] if found.accumulators else []),
        Section("channels", "Channels", [_channels(found)]),
    ]
    return frame("Widths", f"@{found.function}", _verdict(found), None, sections)


def _verdict(found: Studied) -> Verdict:
    """Return the headline, and what each accumulator costs in all layers."""
    short = [row for row in found.rows if (row.headroom or 0) < 0]
    evidence = [_sentence(found, name) for name in found.accumulators]
    if short:
        evidence.insert(0, f"The present accumulator is too narrow for {len(short):,} channels.")
    if found.shortfall:
        evidence.append(f"{found.shortfall.capitalize()}.")
    clips = any(row.clippings[name].count for row in found.rows for name in found.accumulators)
    severity = "error" if short else "warning" if clips else "fine"
    data = f"Observed widths and costs hold for these {found.samples:,} samples." if found.samples else ""
    premises = " ".join(filter(None, [ANY, data, RAISED if found.is_raised else ""]))
    return Verdict(severity, f"{found.headline[:1].upper()}{found.headline[1:]}", evidence, premises)


def _sentence(found: Studied, accumulator: str) -> str:
    clips = [row.layer for row in found.rows if row.clippings[accumulator].count]
    if not clips:
        return f"{accumulator}: no sum clips."
    layers, cost = len(dict.fromkeys(clips)), found.cost(accumulator)
    metric = f", metric {cost.metric.means[0]:.4g} beside {cost.metric.means[1]:.4g}" if cost.metric else ""
    where = f"{len(clips):,} channels of {layers} layer{'s' * (layers != 1)}"
    return f"{accumulator}: sums clip in {where}; the result has {_decibels(cost)}{metric}."


def _decibels(cost: Cost) -> str:
    sqnr = cost.effect.sqnr
    return f"{sqnr:.4g} dB signal to noise".replace("-", "−") if isfinite(sqnr) else "no error"


def _layers(found: Studied) -> Html:
    heads = ["layer", "channels", "terms", "bits proved", "bits observed", "present", "headroom", "suggested"]
    rows = [_layer_row(rows) for rows in found.layers.values()]
    return table("Bits that each layer needs, in its widest channel", [*heads, "bits by channel"], rows)


def _layer_row(rows: Sequence[Row]) -> list[Any]:
    worst = widest_row(rows)
    seen = [row.bits_observed for row in rows if row.bits_observed is not None]
    room = [row.headroom for row in rows if row.headroom is not None]
    name = tag("span", worst.title, " ", tag("span", worst.operation, class_="muted"))
    cells = [_bits(worst.bits_proved), _bits(max(seen, default=None)), repr(worst.present)]
    shown = [number(min(room, default=None)), worst.suggested or UNKNOWN, _strip(rows)]
    return [name, len(rows), worst.terms, *cells, *shown]


def _bits(x: int | None) -> str:
    """Return a number of bits with a bar, which is full at 32."""
    return UNKNOWN if x is None else bar(str(x), x / WIDEST, "fine")


def _strip(rows: Sequence[Row]) -> str:
    """Return how many channels need each number of bits: `17 x 4, 18 x 12`."""
    counts = dict[int, int]()
    for row in rows:
        needed = row.bits_proved if row.bits_observed is None else row.bits_observed
        if needed is not None:
            counts[needed] = counts.get(needed, 0) + 1
    return ", ".join(f"{bits} × {count:,}" for bits, count in sorted(counts.items())) or UNKNOWN


def _costs(found: Studied) -> Html:
    has_metric = any(found.cost(name).metric for name in found.accumulators)
    metric = ["metric with it"] if has_metric else []
    heads = ["accumulator", "layer", "clips", "result with it", *metric, "clips first"]
    rows = [row for name in found.accumulators for row in _cost_rows(found, name)]
    return table("Each accumulator in one layer alone and in all, beside exact sums", heads, rows)


def _cost_rows(found: Studied, accumulator: str) -> Iterator[list[Any]]:
    for layer, rows in {ALL: list(found.rows), **found.layers}.items():
        cost = found.cost(accumulator, layer)
        clips = "" if layer == ALL else f"{sum(row.clippings[accumulator].count for row in rows):,}"
        metric = [number(cost.metric.means[0])] if cost.metric else []
        first = "" if layer == ALL else first_clip(rows, accumulator).replace("-", "−")
        yield [
            accumulator,
            ALL if layer == ALL else rows[0].title,
            clips,
            loudness(cost.effect.sqnr),
            *metric,
            first,
        ]


def _channels(found: Studied) -> Html:
    """Return all channels of each layer, folded."""
    parts = []
    for rows in found.layers.values():
        layer = rows[0].title
        heads = ["channel", "terms", *SPANS, *found.accumulators]
        listed = table(f"Channels of {layer}", heads, [_channel_row(row) for row in rows])
        title = f"{layer} {rows[0].operation}: {len(rows):,} channel{'s' * (len(rows) != 1)}"
        parts.append(tag("details", tag("summary", title), listed))
    return tag("div", *parts)


def _channel_row(row: Row) -> list[Any]:
    cells: list[Any] = [row.channel_text or "all", row.terms]
    for span, needed in ((row.proved, row.bits_proved), (row.observed, row.bits_observed)):
        cells += [UNKNOWN] * 3 if span is None or needed is None else [*span, needed]
    clips = (f"{x.count:,} clips, {x.first}" if x.first else "none clips" for x in row.clippings.values())
    return [*cells, *clips]


def _left_out(found: Studied) -> Iterator[Html]:
    if found.left_out:
        listed = "; ".join(f"{name} ({why})" for name, why in found.left_out)
        yield tag("p", f"Sums that are left out: {listed}", class_="muted small")
