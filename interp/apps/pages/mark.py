"""Marks of values on a page: events, statistics, and the shades that show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

import numpy as np

from interp.recorder.event import INFORMATION, OVERFLOWS, SEVERITIES


@dataclass(frozen=True)
class Mark:
    """Events and statistics of one value; an empty mark knows nothing.

    `counts` are numbers of events by severity and kind, `elements` how many numbers they may concern, `sqnr`
    the signal-to-noise ratio in dB against the reference. `used` is the part of the storage range between
    the extreme numbers, as shares from 0 to 1, `headroom` the bits by which the numbers could grow,
    `room` those of a reduction's accumulator, and `histogram` counts stored numbers in equal bins.
    `worst` tells of the worst event or error.
    """

    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    elements: int = 0
    sqnr: float | None = None
    used: tuple[float, float] | None = None
    headroom: float | None = None
    room: int | None = None
    histogram: np.ndarray | None = None
    worst: str = ""

    @property
    def severity(self) -> str:
        """The worst severity of its events, or ""."""
        return min((s for s, _ in self.counts), key=SEVERITIES.index, default="")

    @property
    def overflow_rate(self) -> float | None:
        """The number of overflows for each element; None without elements."""
        if not self.elements:
            return None
        told = (n for (s, kind), n in self.counts.items() if kind in OVERFLOWS and s != INFORMATION)
        return sum(told) / self.elements

    @property
    def events(self) -> str:
        """Return the events in words, the worst severity first: `65 saturate`."""
        ranked = sorted(self.counts, key=lambda key: (SEVERITIES.index(key[0]), -self.counts[key]))
        return ", ".join(f"{self.counts[key]:,} {key[1]}" for key in ranked)


def join_marks(marks: Iterable[Mark]) -> Mark:
    """Return the mark of several values together: the worst of each."""
    marks = list(marks)
    if len(marks) == 1:
        (mark,) = marks
        return replace(mark, used=None, histogram=None)
    counts = Counter[tuple[str, str]]()
    for mark in marks:
        counts.update(mark.counts)
    known = {
        name: min((x for mark in marks if (x := getattr(mark, name)) is not None), default=None)
        for name in ("sqnr", "headroom", "room")
    }
    worst = next((mark.worst for mark in sorted(marks, key=badness) if mark.worst), "")
    return Mark(counts, max((mark.elements for mark in marks), default=0), worst=worst, **known)


def badness(mark: Mark) -> tuple[int, float, float]:
    """Return a key that sorts the worst mark first: by severity, signal-to-noise ratio and overflows."""
    place = SEVERITIES.index(mark.severity) if mark.severity else len(SEVERITIES)
    return place, inf if mark.sqnr is None else mark.sqnr, -(mark.overflow_rate or 0)


class Shade(NamedTuple):
    """A shade for values from `least` upwards, to the `least` of the next one."""

    least: float
    label: str
    style: str


NONE = Shade(-inf, "unknown", "none")
NOISE = (
    Shade(-inf, "below 10 dB", "more-6"),
    Shade(10, "10–20", "more-5"),
    Shade(20, "20–30", "more-3"),
    Shade(30, "30–40", "more-2"),
    Shade(40, "40 dB or more", "room-0"),
)
CLIPPED = (
    Shade(-inf, "none", "room-0"),
    Shade(5e-324, "below 0.1 %", "more-1"),
    Shade(1e-3, "0.1–1 %", "more-3"),
    Shade(1e-2, "1–10 %", "more-5"),
    Shade(1e-1, "10 % or more", "more-6"),
)
ROOM = (
    Shade(-inf, "−1 bit or less", "short-3"),
    Shade(-0.5, "0", "short-1"),
    Shade(0.5, "1", "room-1"),
    Shade(1.5, "2–3", "room-2"),
    Shade(3.5, "4 bits or more", "room-3"),
)
SEVERE = (
    Shade(0, "error", "error"),
    Shade(1, "warning", "warning"),
    Shade(2, "information", "information"),
    Shade(3, "nothing to tell", "none"),
)


class Scale(NamedTuple):
    """A way to colour a graph: its title, its shades, and whether some value may be unknown."""

    name: str
    title: str
    shades: tuple[Shade, ...]


SCALES = (
    Scale("severity", "Severity", SEVERE),
    Scale("noise", "Signal to noise", NOISE),
    Scale("clipped", "Overflows", CLIPPED),
    Scale("room", "Headroom", ROOM),
)


def value(mark: Mark, scale: str) -> float | None:
    """Return the number of a mark on a scale, or None if it is unknown."""
    rooms = [float(x) for x in (mark.headroom, mark.room) if x is not None]
    return {
        "severity": float(SEVERITIES.index(mark.severity) if mark.severity else len(SEVERITIES)),
        "noise": mark.sqnr,
        "clipped": mark.overflow_rate,
        "room": min(rooms, default=None),
    }[scale]


def shade(mark: Mark, scale: Scale) -> Shade:
    """Return the shade of a mark."""
    x = value(mark, scale.name)
    return NONE if x is None else next(s for s in reversed(scale.shades) if s.least <= x)


def text(mark: Mark, scale: str) -> str:
    """Return the number of a mark in a few characters, "" if there is none."""
    x = value(mark, scale)
    if x is None or scale == "severity":
        return ""
    if scale == "noise":
        return decibels(x)
    return percent(x) if scale == "clipped" else bits(x)


def decibels(x: float) -> str:
    """Return a ratio as text: `14.3 dB`; without noise "exact"."""
    return "exact" if x == inf else f"{signed_text(x, 1)} dB"


def percent(x: float) -> str:
    """Return a number of events for each element as text: `0.31 %`, from one upwards `1.4 each`."""
    if x >= 1:
        return f"{x:.3g} each"
    return "0" if not x else f"{100 * x:.2g} %" if x < 0.0995 else f"{100 * x:.0f} %"


def bits(x: float) -> str:
    """Return headroom as text: `−1 bit`, `3.2 bits`."""
    if abs(x) == inf:
        return "any" if x > 0 else "none"
    number = signed_text(x, 1).removesuffix(".0")
    return f"{number} bit{'s' * (number not in ('1', '−1'))}"


def signed_text(x: float, digits: int) -> str:
    return f"{x:,.{digits}f}".replace("-", "−")
