"""Small pictures in tables, drawn without scripts: bars, parts of ranges, histograms."""

from __future__ import annotations

import numpy as np

from interp.engine.markup import Html, tag

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
