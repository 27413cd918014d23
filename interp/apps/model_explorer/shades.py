"""Colours of node data: from pale to dark the worse a number is, as seen by colour-blind readers, too."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from math import isfinite
from typing import NamedTuple

from interp.recorder.severity import ERROR, INFORMATION, WARNING

FINE, SLIGHT, NOTABLE, BAD, WORST = "#e5f5e0", "#fff7bc", "#fec44f", "#d95f0e", "#8c2d04"
BY_SEVERITY = {ERROR: WORST, WARNING: NOTABLE, INFORMATION: FINE}
EXACT = 1 << 53  # integers that JavaScript has


class Shades(NamedTuple):
    """Colours of numbers: `colors[k]` up to `limits[k]`, the last colour beyond the last limit."""

    limits: tuple[float, ...]
    colors: tuple[str, ...]


SHARES = Shades((0, 0.001, 0.01, 0.1), (FINE, SLIGHT, NOTABLE, BAD, WORST))
ERRORS = Shades((0.5, 1, 4, 32), (FINE, SLIGHT, NOTABLE, BAD, WORST))  # steps; rounding alone gives 0.5
ROOM = Shades((-0.5, 0.5, 1.5, 3.5), (WORST, BAD, NOTABLE, SLIGHT, FINE))  # bits
NOISE = Shades((10, 20, 30, 40), (WORST, BAD, NOTABLE, SLIGHT, FINE))  # dB of signal to noise
COUNTS = Shades((0,), (FINE, NOTABLE))


def shade(number: float, shades: Shades) -> str:
    """Return the colour of a number, infinite ones included."""
    limits, colors = shades
    return next((color for limit, color in zip(limits, colors, strict=False) if number <= limit), colors[-1])


def result(number: float, color: str) -> dict[str, str | float]:
    """Return a number and its colour; a float has four digits, and what JSON has no number for is text."""
    return {"value": _value(number), "bgColor": color}


def _value(number: float) -> str | float:
    if isinstance(number, int) and abs(number) <= EXACT:
        return number
    with suppress(OverflowError):
        if isfinite(rounded := float(f"{number:.4g}")):
            return rounded
        if not isfinite(number):
            return "∞" if number > 0 else "-∞"
    return f"{Decimal(number):.3e}"
