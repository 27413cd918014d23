"""The data from which the page is drawn, as JSON values: maps of each reduction, and its worst elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from interp.answers.summary import Grid, grid
from interp.answers.view import BY_SEVERITY, View
from interp.backends import Array
from interp.engine.storage import is_stored_as_integer, storage_range
from interp.engine.work import Work
from interp.questions.bounds import MOST, NOWHERE
from interp.questions.explain import explain_element
from interp.questions.verdicts import ALTERED, UNJUDGED, UNKNOWN
from interp.recorder.accumulator import in_steps
from interp.recorder.event import OVERFLOWS, number
from interp.recorder.exact import Number, unit_at
from spec.errors import Unsupported
from spec.verdict import INEVITABLE, ORDER_DEPENDENT, SAFE

# Maps of a reduction: a value and a shade for each cell.

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
    shades = [
        Shade(end, _range_label(end, end * factor - 1), f"more-{first + k}") for k, end in enumerate(ends)
    ]
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
ALIKE = {UNJUDGED: UNKNOWN, ALTERED: INEVITABLE}  # of verdicts that look like others
VERDICTS = tuple(Shade(k, kind, f"verdict-{ALIKE.get(kind, kind)}") for k, kind in enumerate(BY_SEVERITY))


CELLS = 1 << 15  # of all maps of one kind
ELEMENTS = 64  # whose partial results are shown
LEAVES = 1 << 16  # of these together
WORK = 1 << 30  # leaves that are gathered for them, with those of their neighbours


def facts(found: list[View], work: Work | None = None) -> dict[str, Any]:
    """Return `reductions`, each with its maps and its worst elements."""
    work, share = work or Work(), max(1, len(found))
    known = [_of(view, CELLS // share) for view in found]
    grids = [grid(view.reduction.shape, CELLS // share) if view.reduction.size else None for view in found]
    worst = [_worst(view, max(1, ELEMENTS // share)) for view in found]
    rounds = zip_longest(*([(k, index) for index in own] for k, own in enumerate(worst)))
    wanted = [each for row in rounds for each in row if each]  # the worst of every reduction first
    for k, index in work.through("worst elements", wanted):
        mapped, view = grids[k], found[k]
        assert mapped
        with suppress(Unsupported):
            element = work.attempt(partial(_element, view, mapped, index))
            known[k]["elements"] += [element] if element else []
    return {"reductions": known}


def _of(view: View, cells: int) -> dict[str, Any]:
    reduction = view.reduction
    known = {
        "name": view.name,
        "shape": list(reduction.shape),
        "size": reduction.size,
        "events": int(view.events.sum()),
        "range": _range(view),
        "maps": None,
        "elements": [],
    }
    if not reduction.size:
        return known
    mapped = grid(reduction.shape, cells)
    return {**known, "maps": _maps(view, mapped)}


def _range(view: View) -> list[float] | None:
    type = view.reduction.types[0]
    return list(storage_range(type)) if is_stored_as_integer(type) else None


def _maps(view: View, mapped: Grid) -> dict[str, Any]:
    return {
        "order": mapped.order,
        "cells": mapped.cells,
        "block": mapped.block,
        "width": mapped.width,
        "per_map": mapped.per_map,
        "layers": [layer.as_json() for layer in layers(view, mapped)],
    }


def _worst(view: View, most: int) -> list[tuple[int, ...]]:
    """Return as many of the worst elements as can be explained in a few seconds."""
    reduction = view.reduction
    leaves = max(1, reduction.terms)
    if leaves > LEAVES or not reduction.size:
        return []
    affordable = max(1, WORK // (leaves * reduction.size))
    return view.worst(min(most, LEAVES // leaves, affordable))


def _element(view: View, mapped: Grid, index: tuple[int, ...]) -> dict[str, Any]:
    rooms = view.bounds.headrooms
    return {
        **partial_sums(view, index),
        "cell": mapped.cell(index),
        "events": int(view.events[index]),
        "verdict": str(view.verdicts.kinds[index]),
        "headroom": None if rooms is None or rooms[index] == NOWHERE else int(rooms[index]),
        "better": _better(view, index),
    }


def _better(view: View, index: tuple[int, ...]) -> str | None:
    """Return the schedule that would have given a wrong element's exact sum, or None if none is known."""
    errors = view.errors
    if errors is None or not errors[index] or view.verdicts.kinds[index] != ORDER_DEPENDENT:
        return None
    schedule = view.verdicts.schedule(index)
    if schedule is None:
        return None
    return "neighbours of opposite sign first" if schedule.name == "tree" else repr(schedule)


# Plot of one element's partial results, exact and stored, in a limited width, and its explanation


COLUMNS = 240  # of a plot


def partial_sums(view: View, index: tuple[int, ...]) -> dict[str, Any]:
    """Return one element's plot and explanation, in stored numbers of its first operand's accumulator.

    Step 0 is the init value. A column of the plot is one step, or several with their least and greatest
    value.
    """
    explained = explain_element(view.reduction, index)
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
