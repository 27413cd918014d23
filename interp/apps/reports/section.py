"""The section of one reduction: where it is, places for its maps and plots, verdicts, bounds, and what if."""

from __future__ import annotations

from collections.abc import Iterator

from interp.answers.view import View
from interp.engine.markup import Html, table, tag, terms
from interp.engine.stored import storage_range
from interp.engine.work import Work
from interp.execute.record import Record
from interp.questions.matrix import matrix
from interp.recorder.event import short
from spec.errors import Unsupported

MATRIX = 1 << 12, 1 << 8  # elements and leaves of a reduction that is done again in other ways


def section(trace: Record, view: View, k: int, work: Work) -> Html:
    """Return the section; scripts fill its empty elements with drawings."""
    reduction = view.reduction
    about = [
        ("where", reduction.heading),
        ("elements", f"{reduction.size:,} in {reduction.shape}, each of at most {reduction.terms:,} leaves"),
        ("accumulates in", ", ".join(map(repr, reduction.types))),
    ]
    return tag(
        "section",
        tag("h3", f"{view.name} {short(reduction.written)}", id=f"title-{k}"),
        terms(about),
        tag("div", class_="pictures"),
        tag("div", class_="element", hidden="hidden"),
        tag("div", *_verdicts(view), *_bounds(view), class_="facts"),
        *_suggested(view, k),
        *_matrix(trace, view, work),
        id=f"reduction/{view.name}",
        class_="reduction",
        aria_labelledby=f"title-{k}",
    )


def _verdicts(view: View) -> Iterator[Html]:
    """Yield the table of verdicts: how many elements have each."""
    counts = view.verdicts.counts
    rows = [(kind, counts[kind], meaning) for kind, meaning in view.verdicts.meanings.items() if counts[kind]]
    yield table("Would another schedule have saved it?", ["verdict", "elements", ""], rows)


def _bounds(view: View) -> Iterator[Html]:
    """Yield the table of accumulator widths: needed and present."""
    bounds, type = view.bounds, view.reduction.types[0]
    known = [(scope, *bound[:3]) for scope, bound in bounds.scopes.items() if bound]
    if known:
        present = "as it is", *storage_range(type), bounds.present
        yield table("How wide must the accumulator be?", ["for", "from", "to", "bits"], [*known, present])


def _suggested(view: View, k: int) -> Iterator[Html]:
    found = view.bounds.suggestion
    if found.type is None:
        yield tag("p", f"Suggested: {found!r}")
        return
    copy = tag("button", "copy", class_="copy", type="button", hidden="hidden", data_from=f"type-{k}")
    scope = f"{found.scope}{view.bounds.proviso}"
    yield tag("p", f"Suggested for {scope}: ", tag("code", repr(found.type), id=f"type-{k}"), copy)


def _matrix(trace: Record, view: View, work: Work) -> Iterator[Html]:
    if view.reduction.size > MATRIX[0] or view.reduction.terms > MATRIX[1]:
        return
    try:
        found = work.whole("tables of other types", 1, lambda: matrix(trace, view.name))
    except Unsupported:
        return
    text = repr(found) if found else "not computed: the deadline came first"
    heading = tag("summary", "Other types, arithmetics and schedules")
    yield tag("details", heading, tag("pre", text, tabindex="0"))
