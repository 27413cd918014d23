"""Pairs by structure whose numbers tell that they are in other units: one is the other in steps of a scale.

PREMISE: `y = c x + d` with another c than 1 explains nearly all of y, where x itself explains little of it.
That is what a scale and a zero point between two values leave behind, and what wrong weights, or one wrong
number per channel, do not: they change elements one by one. A wrong factor of a whole layer does, so such a
pair is listed with its factor, and not dropped in silence. c is positive, as scales are; an offset alone is
an error and no unit. Few numbers fit any line: fewer than `FEWEST` are not judged.
"""

from __future__ import annotations

import numpy as np

from interp.backends import Array
from interp.comparison.sqnr import power, sqnr

FEWEST = 16  # numbers of a pair that is judged
ENOUGH = (
    20.0  # dB: a pair that is nearer is left alone, one that fits a line is no farther, and it gains as much
)
UNIT = 0.05  # how far from 1 a factor is no error of rounding


def other_units(x: Array, reference: Array) -> str:
    """Return why numbers and those of the reference are in other units; nothing if they seem to be in one.

    The ratio after the fit is that of what varies, so that a constant explains nothing.
    """
    if np.iscomplexobj(x) or np.iscomplexobj(reference):
        return ""
    x, y = (np.asarray(each).astype(np.float64).reshape(-1) for each in (x, reference))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        finite = np.isfinite(x - y)
        x, y = x[finite], y[finite]
        if len(x) < FEWEST or (before := sqnr(power(y), power(x - y))) >= ENOUGH:
            return ""
        x, y = x - x.mean(), y - y.mean()
        factor = (x @ y) / (x @ x)
        rest = y - factor * x
    if not (np.isfinite(rest).all() and factor > 0 and abs(factor - 1) > UNIT):
        return ""
    if sqnr(power(y), power(rest)) < max(ENOUGH, before + ENOUGH):
        return ""
    return f"differ by a factor of {max(factor, 1 / factor):.3g}"
