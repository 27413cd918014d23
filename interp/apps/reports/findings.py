"""The findings of a trace in words and tables: the head of its page, and its view in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path

import numpy as np

from interp.answers.summary import is_quick
from interp.answers.view import View, views
from interp.apps.pages.mark import decibels
from interp.apps.pages.profile import Layer
from interp.apps.pages.rows import columns_of, rows_of
from interp.apps.pages.shell import Verdict
from interp.apps.reports.operations import fragment
from interp.engine.arguments import function_named
from interp.engine.markup import Cell, Html, table, tag, terms
from interp.engine.work import Work
from interp.execute.record import Record
from interp.questions.verdicts import KINDS as VERDICTS
from interp.recorder.event import ERROR, KINDS, SEVERITIES, WARNING, Group, short, signature, totals
from interp.recorder.names import with_layer
from spec.readings import reading_of
from spec.verdict import INEVITABLE, ORDER_DEPENDENT

SENTENCES = 5  # about reductions with events, in the head of a page
TEXT = "<text>"  # the file of a program that was given as text
EVERYWHERE = "any"  # the reading where all agree


def source(trace: Record) -> str:
    """Return the name of the program's file, or of the function that ran: exporters name their own files."""
    func = function_named(trace.module, trace.options.get("function", "main"))
    files = (Path(file) for op in func.body.ops if (file := op.location.file) and file != TEXT)
    return next((file.name for file in files if file.suffix != ".py"), f"@{func.name}")


def verdict(trace: Record, found: Sequence[View], layers: Sequence[Layer]) -> Verdict:
    """Return the headline: the worst event first, by severity; then wrong sums, and the noisiest layer."""
    groups = trace.shown
    worst = max(groups, key=_badness, default=None)
    evidence = [f"Worst: {_describe(worst)}"] if worst else []
    evidence += [*_few_sentences(found), *_worst_element(found), *noisiest(layers)]
    return Verdict(_severity(groups), _finding(groups, worst), evidence, premises(trace))


def _few_sentences(found: Sequence[View]) -> Iterator[str | Html]:
    """Yield the sentences about the reductions that fare worst, and how many others have events."""
    wrong = [view for view in found if view.events.any()]
    few = wrong if len(wrong) <= SENTENCES + 1 else sorted(wrong, key=_fare)[:SENTENCES]
    names = {view.name for view in few}
    yield from sentences([view for view in wrong if view.name in names])
    if len(few) < len(wrong):
        table = tag("a", "the table of reductions", href="#reductions")
        yield tag("p", f"{len(wrong) - len(few):,} more reductions have events: see ", table, ".")


def _fare(view: View) -> tuple[int, float]:
    """Return a key that is least for the worst reduction: by elements that overflow, then by events."""
    counts = view.verdicts.counts
    share = np.count_nonzero(view.events) / view.events.size
    return -counts[INEVITABLE] - counts[ORDER_DEPENDENT], -share


def _worst_element(found: Sequence[View]) -> Iterator[Html]:
    """Yield a sentence about the element that is off by the most steps, with a link to its explanation."""
    off = [(int(view.errors.max(initial=0)), view) for view in found if view.errors is not None]
    most, view = max(off, key=lambda pair: pair[0], default=(0, None))
    if view is None or not most:
        return
    (index,) = view.worst(1)
    element = tag("a", f"{index}", href=f"#reduction/{view.name}/element/{','.join(map(str, index))}")
    told = f"Furthest from its exact sum: {view.reduction.title} at "
    yield tag("p", told, element, f", {most:,} steps off.")


def noisiest(layers: Sequence[Layer]) -> Iterator[str]:
    """Yield a sentence about the layer with the least signal-to-noise ratio, if any differs."""
    noisy = [x for x in layers if x.mark.sqnr not in (None, inf)]
    if noisy:
        worst = min(noisy, key=lambda x: x.mark.sqnr or 0.0)
        where = f"{with_layer(worst.name, worst.layer)} {worst.op}"
        yield f"Least signal-to-noise ratio: {decibels(worst.mark.sqnr or 0.0)} at {where}."


def _severity(groups: Sequence[Group]) -> str:
    known = {group.severity for group in groups}
    return next((s for s in (ERROR, WARNING) if s in known), "fine")


def _badness(group: Group) -> tuple[int, float]:
    """Return a key that is largest for the worst group: by severity, then by events for each element."""
    size = group.first.op.results[0].type.size
    return -SEVERITIES.index(group.severity), group.count / max(1, size)


def _finding(groups: Sequence[Group], worst: Group | None) -> str:
    """Return what was found in a sentence: errors and where, else warnings."""
    if worst is None:
        return "No errors and no warnings"
    severity = worst.severity
    alike = [group for group in groups if group.severity == severity]
    count, ops = sum(group.count for group in alike), {id(group.first.op) for group in alike}
    plural = "" if count == 1 or severity == "information" else "s"
    kinds = ", ".join(f"{kind} × {n:,}" for kind, n in _counts(alike).items())
    where = f"in {_name(worst)} ({kinds})"
    if len(ops) > 1:
        own = sum(group.count for group in alike if group.first.op is worst.first.op)
        where = f"({kinds}) in {len(ops):,} operations, worst in {_name(worst)}, which has {own:,}"
    head = "" if severity == ERROR else "No errors; "
    return f"{head}{count:,} {severity}{plural} {where}"


def _counts(groups: Sequence[Group]) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for group in sorted(groups, key=lambda group: -group.count):
        counts[group.kind] = counts.get(group.kind, 0) + group.count
    return counts


def _name(group: Group) -> str:
    return signature(group.first.op, group.first.qualifier)


def _describe(group: Group) -> str:
    event = group.worst
    return f"{group.kind} in {_name(group)} at {event.place}: {event.explanation}."


def premises(trace: Record) -> str:
    """Return for what the findings hold: these arguments, a schedule, a reading, and the kinds asked for."""
    function = trace.options.get("function", "main")
    count = len(trace.args)
    these = "these arguments" if count != 1 else "this argument"
    reading = reading_of(trace.module, function, trace.reading)
    said = [f"This holds for {these}, in schedule {trace.options.get('schedule', 'left')}"]
    said += [] if reading == EVERYWHERE else [f"in the {reading} reading of quantized operations"]
    kinds = "" if trace.severities != SEVERITIES else " Only kinds of events that were asked for count."
    stopped = (
        f" The run stopped: {trace.stopped!r}; nothing is known of what follows." if trace.stopped else ""
    )
    return f"{', '.join(said)}; other inputs may do otherwise.{kinds}{stopped}"


def sentences(found: Sequence[View]) -> Iterator[str]:
    """Yield a sentence for every reduction with wrong elements: their number, and a remedy."""
    for view in found:
        wrong, counts = int((view.events > 0).sum()), view.verdicts.counts
        if not wrong:
            continue
        where = f"{wrong:,} of {view.reduction.size:,} elements"
        text = f"{view.reduction.title} has events in {where} ({', '.join(view.kinds)})"
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


# The tables of a trace: its results and options, its events by operation, and its reductions.


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


def events(trace: Record, lists: bool = False) -> Iterator[Html]:
    """Yield the table of events, and the meaning of their kinds.

    lists: the page lists the operations, to which the table leads then, and it may be of any length.
    """
    if trace.shown:
        rows = [_group(group) for group in trace.shown]
        heads, title = (
            ["operation", "count", "severity and kind", "first", "worst", "where"],
            "Events by operation",
        )
        names = [fragment(group.first.name) for group in trace.shown]
        yield rows_of("events", title, columns_of(heads, rows, names)) if lists else table(title, heads, rows)
        meanings = [(kind, KINDS[kind]) for kind in totals(trace.shown)]
        yield tag("details", tag("summary", "What the kinds mean"), terms(meanings))


def reductions(found: Sequence[View], lists: bool = False) -> Iterator[Html]:
    """Yield the table of reductions; lists: as for `events`."""
    if found:
        counts = [view.verdicts.counts for view in found]
        kinds = [kind for kind in VERDICTS if any(each[kind] for each in counts)]
        heads = ["reduction", "elements", "leaves", "events", *kinds, "bits of room", "suggested accumulator"]
        rows, names = (
            [_reduction(*each, kinds) for each in zip(found, counts, strict=True)],
            [fragment(view.name) for view in found],
        )
        columns = columns_of(heads, rows, names)
        yield rows_of("sums", "Reductions", columns) if lists else table("Reductions", heads, rows)


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


def _reduction(view: View, counts: Mapping[str, int], kinds: list[str]) -> list[Cell]:
    reduction, bounds = view.reduction, view.bounds
    room = bounds.room.removesuffix(" bits")
    numbers = reduction.size, reduction.terms, int(view.events.sum()), *(counts[kind] for kind in kinds)
    return [f"{view.reduction.title} {short(reduction.written)}", *numbers, room, repr(bounds.suggestion)]


# Notebook view of a trace: the report without its pictures.

SECONDS = 5.0  # that a notebook waits for a cell's picture


def notebook(trace: Record) -> str:
    """Return HTML without scripts, in the notebook's style; if more would take long, only the events."""
    found = views(trace, Work(SECONDS)) if is_quick(trace.module) else []
    told = [tag("p", sentence) for sentence in sentences(found)]
    return tag("div", *told, options(trace), *events(trace), *reductions(found))
