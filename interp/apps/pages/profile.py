"""The profile of a network: a row for each layer, with small pictures of its losses and of the room left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from interp.apps.pages.mark import CLIPPED, SCALES, Mark, badness, bits, decibels, percent, shade, value
from interp.engine.markup import LONG, Html, tabular, tag
from interp.recorder.names import with_layer

MOST = 400  # rows
LOUD, ROOMY = 60.0, 8.0  # the ends of the bars, in dB and in bits
UNKNOWN = "–"
BY_NAME = {scale.name: scale for scale in SCALES}


class Layer(NamedTuple):
    """A row: the name of a value, its operation, and what is known of it.

    `extra` are further cells. `layer` is the name of the layer that an exporter wrote, or "".
    """

    name: str
    op: str
    mark: Mark
    extra: Sequence[str] = ()
    layer: str = ""


class Column(NamedTuple):
    """A column: its title, its cell, and the number by which it sorts, None last."""

    title: str
    cell: Callable[[Mark], str]
    key: Callable[[Mark], float | None]


def profile(
    caption: str,
    layers: Iterable[Layer],
    extra: Sequence[str] = (),
    link: Callable[[str], str] | None = None,
    most: int = MOST,
) -> Html:
    """Return a table that readers can sort; columns of which nothing is known are left out.

    `link` returns the fragment that the name of a layer leads to. `most`: rows, of the worst layers.
    """
    every = list(layers)
    layers = worst_of(every, most)
    if len(layers) < len(every):
        caption += f": the worst {most} of {len(every):,}"
    columns = [x for x in COLUMNS if any(x.key(layer.mark) is not None for layer in layers)]
    heads = ["layer", *(column.title for column in columns), *extra]
    rows = [_row(layer, columns, heads, link) for layer in layers]
    head = [tag("th", text, scope="col", role="columnheader") for text in heads]
    return tag(
        "div",
        tabular(caption, head, rows, class_="profile cards"),
        class_="scroll long" if len(rows) > LONG else "scroll",
        tabindex="0",
        role="region",
        aria_label=caption,
    )


def worst_of(layers: Sequence[Layer], most: int = MOST) -> list[Layer]:
    """Return the worst of some layers, at most so many, in their own sequence."""
    kept = sorted(sorted(range(len(layers)), key=lambda k: badness(layers[k].mark))[:most])
    return [layers[k] for k in kept]


def _row(
    layer: Layer, columns: Sequence[Column], heads: Sequence[str], link: Callable[[str], str] | None
) -> Html:
    """Return a row; on a narrow screen it is a card, whose cells have their columns' titles in front."""
    title = with_layer(layer.name, layer.layer)
    name = tag("a", title, href=link(layer.name)) if link else tag("span", title)
    severity = layer.mark.severity
    mark = [tag("i", class_=f"dot {severity}", title=severity)] if severity else []
    first = tag("th", *mark, name, " ", tag("span", layer.op, class_="muted"), scope="row", role="rowheader")
    cells = []
    for column, head in zip(columns, heads[1:], strict=False):
        number = column.key(layer.mark)
        key = {} if number is None else {"data_key": f"{number:.9g}".replace("inf", "Infinity")}
        shown = UNKNOWN if number is None else column.cell(layer.mark)
        cells.append(tag("td", shown, role="cell", data_head=head, **key))
    told = zip(layer.extra, heads[1 + len(columns) :], strict=True)
    cells += [tag("td", text, role="cell", data_head=head) for text, head in told]
    return tag("tr", first, *cells, role="row", id=f"layer/{layer.name}")


def loudness(x: float) -> Html:
    """Return a signal-to-noise ratio in dB with a bar."""
    share = 1.0 if x == inf else max(0.0, x) / LOUD if isfinite(x) else 0.0
    return bar(decibels(x), max(share, 0.01), shade(Mark(sqnr=x), BY_NAME["noise"]).style)


def _overflow_bar(mark: Mark) -> str:
    x = mark.overflow_rate or 0.0
    style = next(s for s in reversed(CLIPPED) if s.least <= x).style
    return bar(percent(x), x**0.5, style)


def _room(x: float | None) -> str:
    x = inf if x is None else x
    known = Mark(headroom=x)
    return bar(bits(x), min(max(x, 0.0), ROOMY) / ROOMY, shade(known, BY_NAME["room"]).style)


def _used_span(mark: Mark) -> str:
    return "" if mark.used is None else span(*mark.used)


def _histogram(mark: Mark) -> str:
    counts = mark.histogram
    if counts is None:
        return ""
    total = max(1, int(counts.sum()))
    ends = f"{percent(int(counts[0]) / total)} in the first, {percent(int(counts[-1]) / total)} in the last"
    return histogram(counts, f"{len(counts)} equal parts of the storage range: {ends}")


COLUMNS = (
    Column("signal to noise", lambda mark: loudness(mark.sqnr or 0.0), lambda mark: mark.sqnr),
    Column("overflows per element", _overflow_bar, lambda mark: mark.overflow_rate),
    Column("range used", _used_span, lambda mark: None if mark.used is None else mark.used[1] - mark.used[0]),
    Column("headroom", lambda mark: _room(mark.headroom), lambda mark: mark.headroom),
    Column("accumulator", lambda mark: _room(mark.room), lambda mark: value(Mark(room=mark.room), "room")),
    Column(
        "stored numbers", _histogram, lambda mark: None if mark.histogram is None else float(mark.elements)
    ),
)


def number(x: float | None) -> str:
    """Return a number for a cell, "–" if it is unknown."""
    return UNKNOWN if x is None else f"{x:.4g}".replace("-", "−")


# Small pictures in tables, drawn without scripts: bars, parts of ranges, histograms


HIGH = 24  # of a histogram


def bar(text: str, share: float, style: str) -> Html:
    """Return a number with a bar of a length between 0 and 1 beneath it."""
    length = f"--length:{100 * min(1.0, max(0.0, share)):.1f}%"
    line = tag("i", class_=f"bar fill {style}", style=length, aria_hidden="true")
    return tag("span", tag("span", text), line, class_="measure")


def span(low: float, high: float) -> Html:
    """Return the part of a range between two shares of it, as a number and a bar."""
    place = f"--from:{100 * low:.1f}%;--length:{100 * max(high - low, 0.005):.1f}%"
    line = tag("i", class_="bar part", style=place, aria_hidden="true")
    return tag("span", tag("span", f"{100 * (high - low):.0f} %"), line, class_="measure")


def histogram(counts: np.ndarray, title: str) -> Html:
    """Return a histogram with heights on a logarithmic scale; the first and the last bin stand out."""
    heights = np.log1p(counts)
    heights = np.ceil(heights * (HIGH / max(float(heights.max(initial=0)), 1e-9))).astype(int).tolist()
    ends = [k for k in (0, len(heights) - 1) if heights[k]]
    outline = "".join(f"V{HIGH - height}H{k + 1}" for k, height in enumerate(heights))
    clipped = "".join(f"M{k} {HIGH}v-{heights[k]}h1v{heights[k]}z" for k in ends)
    return tag(
        "svg",
        tag("title", title),
        tag("path", d=f"M0 {HIGH}{outline}V{HIGH}z"),
        *([tag("path", d=clipped, class_="end")] if ends else []),
        class_="histogram",
        viewBox=f"0 0 {len(heights)} {HIGH}",
        preserveAspectRatio="none",
        role="img",
    )
