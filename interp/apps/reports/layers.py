"""Maps of a reduction: a value and a shade for each cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from interp.answers.grid import Grid
from interp.answers.view import BY_SEVERITY, View
from interp.questions.bounds import MOST
from interp.questions.judged_bodies import UNJUDGED, UNKNOWN
from interp.recorder.severity import OVERFLOWS
from spec.verdict import SAFE

SHADES = 6  # beside the one of zero
PRECISE = 1 << 53  # up to here a reader of JSON has integers


class Shade(NamedTuple):
    """A shade for cells with values from `least` up to the `least` of the next shade."""

    least: float
    label: str
    style: str


class Layer(NamedTuple):
    """One map: its values by cell, and the shades that show them."""

    name: str
    title: str
    unit: str
    values: list[float]
    shades: tuple[Shade, ...]

    def as_json(self) -> dict[str, Any]:
        return {**self._asdict(), "shades": [shade._asdict() for shade in self.shades]}


def layers(view: View, grid: Grid) -> Iterator[Layer]:
    """Yield the maps of events, errors, headroom and verdicts; a cell shows its worst element."""
    events = grid.largest(view.events)
    what = "Overflow" if set(view.kinds) <= set(OVERFLOWS) else "Events"
    title = f"{what}: {', '.join(view.kinds) or 'none'}"
    yield Layer("events", title, "events", events.tolist(), growing(int(events.max())))
    if view.errors is not None:
        off = grid.largest(view.errors).tolist()
        values = [x if x < PRECISE else float(x) for x in off]
        yield Layer("error", "Error, in steps", "steps off", values, growing(int(max(off))))
    if view.bounds.headrooms is not None:
        least = -grid.largest(-view.bounds.headrooms)
        yield Layer("headroom", "Headroom, in bits", "bits of room", least.tolist(), ROOM)
    verdict = grid.largest(view.severities)
    here = tuple(shade for shade in VERDICTS if shade.label == SAFE or (verdict == shade.least).any())
    yield Layer("verdict", "Verdict", "", verdict.tolist(), here)


def growing(most: int) -> tuple[Shade, ...]:
    """Return a shade for zero, and up to six shades whose limits grow by a factor."""
    factor = next(f for f in (2, 4, 10, *(10**k for k in range(2, 40))) if f**SHADES > most)
    ends = [factor**k for k in range(SHADES) if factor**k <= most]
    first = 1 + (SHADES - len(ends)) // 2
    shades = [Shade(end, _range_label(end, end * factor - 1), f"more-{first + k}") for k, end in enumerate(ends)]
    return (Shade(0, "0", "none"), *shades)


def _range_label(first: int, last: int) -> str:
    return f"{_short(first)}" if first == last else f"{_short(first)}–{_short(last)}"


def _short(x: int) -> str:
    return f"{x:,}" if x < 10**6 else f"{x:.0e}"


ROOM = (
    Shade(-MOST, "−3 or less", "short-3"),
    Shade(-2, "−2", "short-2"),
    Shade(-1, "−1", "short-1"),
    Shade(0, "0", "room-0"),
    Shade(1, "1", "room-1"),
    Shade(2, "2–3", "room-2"),
    Shade(4, "4 or more", "room-3"),
)
VERDICTS = tuple(
    Shade(k, kind, f"verdict-{UNKNOWN if kind == UNJUDGED else kind}") for k, kind in enumerate(BY_SEVERITY)
)
