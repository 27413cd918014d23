"""The report as one HTML page that loads nothing: its text, and the data that its scripts draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from interp.answers.view import View, views
from interp.apps.pages.graph import Node, graph, link_target, worst
from interp.apps.pages.picture import picture
from interp.apps.pages.profile import profile
from interp.apps.pages.shell import Assets, Section, asset, frame, program
from interp.apps.reports.facts import facts
from interp.apps.reports.head import source, verdict
from interp.apps.reports.profiled import Known, value_facts
from interp.apps.reports.tables import events, options, reductions
from interp.comparison.budget_table import Budget
from interp.engine.markup import Html, table, tag, terms
from interp.engine.stored import storage_range
from interp.engine.work import Work, shortfall
from interp.execute.record import Record
from interp.questions.matrix import matrix
from interp.recorder.event import short
from spec.errors import Unsupported

STYLES = ("maps.css", "plot.css")
SCRIPTS = ("fold.js", "maps.js", "plot.js", "element.js", "page.js")
PICTURED = 16  # reductions
KEYS = (
    "In a map, arrow keys choose an element, Home and End the ends of its row, Page Up and Page Down another"
    " map, Enter goes to its plot. In a plot, arrow keys choose a step, Page Up and Page Down an event."
)


def page(trace: Record, budget: Budget | None = None, work: Work | None = None) -> str:
    """Return the report of a trace as HTML text, with its error budget if that is given.

    Half of the work's time is for verdicts and bounds. The page says what there was no time for.
    """
    work = work or Work()
    found = _judge_reductions(trace, work)
    pictured = _choose_pictures(found)
    what = value_facts(trace, found, work)
    data = facts(pictured, work)
    sections = [
        *_profile(what, pictured),
        Section("events", "Events", [options(trace), *events(trace)]),
        *_reductions(trace, found, pictured, work),
        *([Section("budget", "Error budget", [tag("pre", repr(budget), tabindex="0")])] if budget else []),
        *program(trace.module),
    ]
    here = "interp.apps.reports"
    styles, scripts = ("".join(asset(name, here) for name in names) for names in (STYLES, SCRIPTS))
    assets = Assets(styles, scripts, data)
    head = verdict(trace, found, what.layers)
    if work.partial:
        late = f"{shortfall(work.covered)}: report(path, seconds=None) takes the time."
        head = head._replace(evidence=[*head.evidence, late.capitalize()])
    return frame("Trace", source(trace), head, _graph(what, pictured), sections, assets)


def _judge_reductions(trace: Record, work: Work) -> list[View]:
    half = Work(None if work.seconds is None else work.left / 2, work.progress)
    found = views(trace, half)
    work.covered += [replace(each, seconds=work.seconds) for each in half.covered]
    return found


def _choose_pictures(found: list[View]) -> list[View]:
    """Return the reductions to draw, those with the most events, in program order."""
    most = sorted(found, key=lambda view: -int(view.events.sum()))[:PICTURED]
    return [view for view in found if view in most]


def _graph(what: Known, pictured: Sequence[View]) -> Section:
    drawn = graph(what.func, what.names, what.mark)
    first, rows = worst(drawn), {layer.name for layer in what.layers}
    named = {view.name for view in pictured}

    def links(node: Node) -> Iterator[Html]:
        for name in node.names:
            if name in named:
                yield tag("a", f"elements of {name}", href=f"#reduction/{name}")
            if name in rows:
                yield tag("a", f"{name} in the profile", href=f"#layer/{name}")

    return Section("graph", "Graph", [picture(drawn, lambda node: list(links(node)), first)])


def _profile(what: Known, pictured: Sequence[View]) -> Iterator[Section]:
    """Yield the profile of the layers, or why there is none."""
    missing = (
        [tag("p", f"No signal-to-noise ratios: {what.missing}.", class_="muted")] if what.missing else []
    )
    if not any(layer.mark.counts or layer.mark.sqnr is not None for layer in what.layers):
        yield Section("profile", "Layers", missing)
        return
    named = {view.name for view in pictured}

    def link(name: str) -> str:
        return f"#reduction/{name}" if name in named else f"#op/{link_target(name)}"

    against = "" if what.missing else ", beside the program's float reference on the same arguments"
    content = profile(f"Layers in program order{against}", what.layers, link=link)
    yield Section("profile", "Layers", [*missing, content])


def _reductions(
    trace: Record, found: Sequence[View], pictured: Sequence[View], work: Work
) -> Iterator[Section]:
    """Yield the section of the reductions, if any ran."""
    if not found:
        return
    left_out = f"Of {len(found):,} reductions the {len(pictured)} with the most events are pictured."
    omitted = [tag("p", left_out)] if len(pictured) < len(found) else []
    keys = tag("p", KEYS, id="keys", class_="muted keys small")
    drawn = tag(
        "div", *(section(trace, view, k, work) for k, view in enumerate(pictured)), class_="reductions"
    )
    yield Section("reductions", "Reductions", [*reductions(found), keys, *omitted, drawn])


# The section of one reduction: where it is, places for its maps and plots, verdicts, bounds, and what if


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
        *_suggestion(view, k),
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


def _suggestion(view: View, k: int) -> Iterator[Html]:
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
