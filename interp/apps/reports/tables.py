"""The tables of a trace: its results and options, its events by operation, and its reductions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from interp.answers.view import View
from interp.engine.markup import Cell, Html, table, tag, terms
from interp.execute.record import Record
from interp.questions.verdicts import KINDS as VERDICTS
from interp.recorder.event import KINDS, Group, short, signature, totals
from spec.readings import reading_of


def options(trace: Record) -> Html:
    """Return the results, the options of the run, and the number of events."""
    function = trace.options.get("function", "main")
    return terms(
        [
            ("results", ", ".join(map(repr, trace.result_types)) or "none"),
            ("schedule", str(trace.options.get("schedule", "left"))),
            ("reading of quantized operations", reading_of(trace.module, function, trace.reading)),
            ("events", _list_counts(totals(trace.shown)) or "none"),
            *([("information", _list_counts(trace.hidden_counts))] if trace.hidden_counts else []),
            *([("stopped", repr(trace.stopped))] if trace.stopped else []),
        ]
    )


def events(trace: Record) -> Iterator[Html]:
    """Yield the table of events, and the meaning of their kinds."""
    if trace.shown:
        rows = [_group(group) for group in trace.shown]
        heads = ["operation", "count", "severity and kind", "first", "worst", "where"]
        yield table("Events by operation", heads, rows)
        meanings = [(kind, KINDS[kind]) for kind in totals(trace.shown)]
        yield tag("details", tag("summary", "What the kinds mean"), terms(meanings))


def reductions(found: Sequence[View]) -> Iterator[Html]:
    """Yield the table of reductions."""
    if found:
        kinds = [kind for kind in VERDICTS if any(view.verdicts.counts[kind] for view in found)]
        heads = ["reduction", "elements", "leaves", "events", *kinds, "bits of room", "suggested accumulator"]
        yield table("Reductions", heads, [_reduction(view, kinds) for view in found])


def _list_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} × {count:,}" for kind, count in counts.items())


def _group(group: Group) -> list[Cell]:
    first, worst = (f"{event.place}: {event.explanation}" for event in (group.first, group.worst))
    op = group.first.op
    dot = tag("i", class_=f"dot {group.severity}", aria_hidden="true")
    return [
        signature(op, group.first.qualifier),
        group.count,
        tag("span", dot, f"{group.severity}: {group.kind}"),
        first,
        "the first" if worst == first else worst,
        str(op.location),
    ]


def _reduction(view: View, kinds: list[str]) -> list[Cell]:
    reduction, counts, bounds = view.reduction, view.verdicts.counts, view.bounds
    room = bounds.room.removesuffix(" bits")
    numbers = reduction.size, reduction.terms, int(view.events.sum()), *(counts[kind] for kind in kinds)
    return [f"{view.name} {short(reduction.written)}", *numbers, room, repr(bounds.suggestion)]
