"""The report as one HTML page that loads nothing: its text, and the data that its scripts draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from interp.answers.view import View, views
from interp.apps.pages.graph import Node, graph, linked, worst
from interp.apps.pages.picture import picture
from interp.apps.pages.profile import profile
from interp.apps.pages.shell import Assets, Section, asset, framed, program
from interp.apps.reports.facts import facts
from interp.apps.reports.head import source, verdict
from interp.apps.reports.profiled import Known, known
from interp.apps.reports.section import section
from interp.apps.reports.tables import events, options, reductions
from interp.comparison.budget_table import Budget
from interp.engine.markup import Html, tag
from interp.engine.work import Work, shortfall
from interp.execute.record import Record

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
    found = _judged(trace, work)
    pictured = _pictured(found)
    what = known(trace, found, work)
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
    return framed("Trace", source(trace), head, _graph(what, pictured), sections, assets)


def _judged(trace: Record, work: Work) -> list[View]:
    half = Work(None if work.seconds is None else work.left / 2, work.progress)
    found = views(trace, half)
    work.covered += [replace(each, seconds=work.seconds) for each in half.covered]
    return found


def _pictured(found: list[View]) -> list[View]:
    """Return the reductions to draw, those with the most events, in program order."""
    most = sorted(found, key=lambda view: -int(view.events.sum()))[:PICTURED]
    return [view for view in found if view in most]


def _graph(what: Known, pictured: Sequence[View]) -> Section:
    drawn = graph(what.func, what.names, what.marked)
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
        return f"#reduction/{name}" if name in named else f"#op/{linked(name)}"

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
