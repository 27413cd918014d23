"""Plot of one element's partial results, exact and stored, in a limited width, and its explanation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interp.answers.view import View
from interp.backends import Array
from interp.questions.explain import explanation
from interp.recorder.accumulator import in_steps
from interp.recorder.event import number
from interp.recorder.exact import Number, unit_at

COLUMNS = 240  # of a plot


def partial_sums(view: View, index: tuple[int, ...]) -> dict[str, Any]:
    """Return one element's plot and explanation, in stored numbers of its first operand's accumulator.

    Step 0 is the init value. A column of the plot is one step, or several with their least and greatest
    value.
    """
    explained = explanation(view.reduction.element(index))
    init, unit = explained.element.leaves[0], unit_at(view.reduction.types[0], (), ())
    nodes = [row for row in explained.rows if row.node]
    stored = [init.after[0], *(row.node.result[0] for row in nodes if row.node)]
    exact = [
        None if x is None else in_steps(x, unit) for x in (init.exact_after[0], *(r.exact for r in nodes))
    ]
    bad = [step for step, row in enumerate(nodes, 1) if row.kinds]
    size = -(-len(stored) // COLUMNS)
    return {
        "index": list(index),
        "leaves": len(explained.element.leaves) - 1,
        "steps": len(nodes),
        "stored": legible(stored[-1]),
        "exact": legible(exact[-1]),
        "per_column": size,
        "stored_ends": _ends(stored, size),
        "exact_ends": _ends(exact, size),
        "bad": sorted({step // size for step in bad}),
        "first_bad": bad[0] if bad else None,
        "explanation": repr(explained),
    }


def legible(x: Number | None) -> str:
    """Return an integer as text with commas and a true minus sign: `−32,768`."""
    text = "unknown" if x is None else number(x)
    return (f"{int(text):,}" if text.lstrip("-").isdecimal() else text).replace("-", "−")


def _ends(numbers: Sequence[Number | None], size: int) -> list[list[float | None]]:
    """Return the least and the greatest value of every column; if each column is one step, the value."""
    real = [np.nan if value is None or isinstance(value, complex) else float(value) for value in numbers]
    x = np.where(np.isfinite(real), real, np.nan)
    firsts = range(0, len(x), size)
    least, greatest = np.fmin.reduceat(x, firsts), np.fmax.reduceat(x, firsts)
    return [_plain(least)] if size == 1 else [_plain(least), _plain(greatest)]


def _plain(x: Array) -> list[float | None]:
    return [None if np.isnan(value) else int(value) if value.is_integer() else value for value in x.tolist()]
