"""The report as one HTML page that loads nothing: its text, and the data that its scripts draw."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from interp.engine.arguments import function_named
from interp.engine.markup import Html, document, table, tag, terms
from interp.engine.stored import storage_range
from interp.events.event import KINDS, short, signature, totals
from interp.reductions.matrix import matrix
from interp.reductions.record import Record
from interp.reductions.verdicts import KINDS as VERDICTS
from interp.reporting.facts import facts
from interp.reporting.view import View, views
from spec.errors import Unsupported
from spec.printer import show
from spec.readings import reading_of
from spec.verdict import INEVITABLE, ORDER_DEPENDENT

SCRIPTS = ("tags.js", "maps.js", "plot.js", "element.js", "page.js")
LONGEST = 100_000  # characters of a program that is shown
MATRIX = 1 << 12, 1 << 8  # elements and leaves of a reduction that is done again in other ways
NO_SCRIPTS = "Maps, plots and explanations are drawn by scripts, which are switched off here."
PICTURED = 16  # reductions
KEYS = (
    "In a map, arrow keys choose an element, Home and End the ends of its row, Page Up and Page Down another"
    " map, Enter goes to its plot. In a plot, arrow keys choose a step, Page Up and Page Down an event."
)


def page(trace: Record) -> str:
    """Return the report of a trace as HTML text."""
    found = views(trace)
    pictured = _pictured(found)
    title = f"Trace of {_source(trace)}"
    data = json.dumps(facts(pictured), separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    content = tag(
        "main",
        tag("h1", title),
        *(tag("p", sentence, class_="lead") for sentence in sentences(found)),
        *summary(trace, found),
        tag("noscript", tag("p", NO_SCRIPTS)),
        tag("p", KEYS, id="keys", class_="muted keys"),
        *([tag("p", _omitted(found, pictured))] if len(pictured) < len(found) else []),
        *(section(trace, view, k) for k, view in enumerate(pictured)),
        *_program(trace),
    )
    scripts = f'<script type="application/json" id="facts">{data}</script>\n<script>\n'
    scripts += f"{''.join(map(asset, SCRIPTS))}</script>"
    return document(title, asset("page.css"), content, scripts)


def _pictured(found: list[View]) -> list[View]:
    """Return the reductions to draw, those with the most events, in program order."""
    most = sorted(found, key=lambda view: -int(view.events.sum()))[:PICTURED]
    return [view for view in found if view in most]


def _omitted(found: list[View], pictured: list[View]) -> str:
    return f"Of {len(found):,} reductions the {len(pictured)} with the most events are pictured."


def asset(name: str) -> str:
    return resources.files("interp.reporting").joinpath(name).read_text("utf-8")


def _source(trace: Record) -> str:
    """Return the name of the program's file, or of the function that ran."""
    func = function_named(trace.module, trace.options.get("function", "main"))
    files = [op.location.file for op in func.body.ops if op.location.file]
    return Path(files[0]).name if files else f"@{func.name}"


def sentences(found: list[View]) -> Iterator[str]:
    """Yield a sentence for every reduction with wrong elements: their number, and a remedy."""
    for view in found:
        wrong, counts = int((view.events > 0).sum()), view.verdicts.counts
        if not wrong:
            continue
        where = f"{wrong:,} of {view.reduction.size:,} elements"
        text = f"{view.name} has events in {where} ({', '.join(view.kinds)})"
        one = " with one init value" if view.reduction.sums_inits else ""
        ways = [
            f"{counts[kind]:,} would overflow in {which}{one}"
            for kind, which in ((INEVITABLE, "every schedule"), (ORDER_DEPENDENT, "only some schedules"))
            if counts[kind]
        ]
        suggested = view.bounds.suggested
        if ways and suggested is None:
            ways.append(f"suggested is {view.bounds.suggestion!r}")
        elif ways and suggested != view.reduction.types[0]:
            ways.append(f"{suggested!r} holds them all")
        yield f"{'; '.join([text, *ways])}."


def summary(trace: Record, found: list[View]) -> Iterator[Html]:
    """Return the head of the page: the program, its arguments and options, and the number of events."""
    function = trace.options.get("function", "main")
    yield terms(
        [
            ("results", ", ".join(map(repr, trace.result_types)) or "none"),
            ("schedule", str(trace.options.get("schedule", "left"))),
            ("reading of quantized operations", reading_of(trace.module, function, trace.reading)),
            ("events", _counted(totals(trace.shown)) or "none"),
            *([("information", _counted(trace.hidden))] if trace.hidden else []),
            *([("stopped", repr(trace.stopped))] if trace.stopped else []),
        ]
    )
    if trace.shown:
        rows = [_group(group) for group in trace.shown]
        heads = ["operation", "where", "severity", "kind", "count", "first", "worst"]
        yield table("Events by operation", heads, rows)
        meanings = [(kind, KINDS[kind]) for kind in totals(trace.shown)]
        yield tag("details", tag("summary", "What the kinds mean"), terms(meanings))
    if found:
        kinds = [kind for kind in VERDICTS if any(view.verdicts.counts[kind] for view in found)]
        heads = ["reduction", "elements", "leaves", "events", *kinds, "bits of room", "suggested accumulator"]
        yield table("Reductions", heads, (_reduction(view, kinds) for view in found))


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} × {count:,}" for kind, count in counts.items())


def _group(group: Any) -> list[str | int]:
    first, worst = (f"{event.place}: {event.explanation}" for event in (group.first, group.worst))
    op = group.first.op
    return [
        signature(op, group.first.qualifier),
        str(op.location),
        group.severity,
        group.kind,
        group.count,
        first,
        "the first" if worst == first else worst,
    ]


def _reduction(view: View, kinds: list[str]) -> list[str | int]:
    reduction, counts, bounds = view.reduction, view.verdicts.counts, view.bounds
    room = bounds.room.removesuffix(" bits")
    numbers = reduction.size, reduction.terms, int(view.events.sum()), *(counts[kind] for kind in kinds)
    return [f"{view.name} {short(reduction.written)}", *numbers, room, repr(bounds.suggestion)]


def section(trace: Record, view: View, k: int) -> Html:
    """Return the section of one reduction; scripts fill its empty elements with drawings."""
    reduction = view.reduction
    about = [
        ("where", reduction.heading),
        ("elements", f"{reduction.size:,} in {reduction.shape}, each of at most {reduction.terms:,} leaves"),
        ("accumulates in", ", ".join(map(repr, reduction.types))),
    ]
    verdicts = [
        (kind, view.verdicts.counts[kind], meaning)
        for kind, meaning in view.verdicts.meanings.items()
        if view.verdicts.counts[kind]
    ]
    return tag(
        "section",
        tag("h2", f"{view.name} {short(reduction.op)}", id=f"title-{k}"),
        terms(about),
        tag("div", class_="pictures"),
        tag("div", class_="element", hidden="hidden"),
        tag(
            "div",
            table("Would another schedule have saved it?", ["verdict", "elements", ""], verdicts),
            *_bounds(view),
            class_="facts",
        ),
        *_suggested(view, k),
        *_matrix(trace, view),
        id=f"reduction-{k}",
        aria_labelledby=f"title-{k}",
    )


def _bounds(view: View) -> Iterator[Html]:
    """Return the table of accumulator widths: needed and present."""
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


def _matrix(trace: Record, view: View) -> Iterator[Html]:
    if view.reduction.size > MATRIX[0] or view.reduction.n > MATRIX[1]:
        return
    try:
        text = repr(matrix(trace, view.name))
    except Unsupported:
        return
    yield tag(
        "details", tag("summary", "Other types, arithmetics and schedules"), tag("pre", text, tabindex="0")
    )


def _program(trace: Record) -> Iterator[Html]:
    text = show(trace.module)
    if len(text) <= LONGEST:
        yield tag("details", tag("summary", "The program"), tag("pre", text, tabindex="0"))
