"""The report as one HTML page that loads nothing: its text, facts about each value, and data for scripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interp.answers.view import View, counted_kinds, tallies, views
from interp.apps.pages.graph import Node, graph, link_target, worst
from interp.apps.pages.mark import Mark, join_marks
from interp.apps.pages.picture import picture
from interp.apps.pages.profile import MOST, Layer, profile, worst_of
from interp.apps.pages.shell import Assets, Section, asset, frame, program
from interp.apps.pages.tree_drawing import draw
from interp.apps.reports.facts import facts
from interp.apps.reports.findings import events, options, reductions, source, verdict
from interp.apps.reports.operations import are_many, fragment, operations
from interp.apps.surveys.batches import Batch, samples_of
from interp.apps.surveys.layer import Layer as Compared
from interp.apps.surveys.layer import layer_mark
from interp.apps.surveys.study import Study
from interp.comparison.budget import Budget
from interp.engine.arguments import function_named
from interp.engine.markup import Html, table, tag, terms
from interp.engine.storage import storage_range
from interp.engine.work import Work, beat, shortfall
from interp.execute.record import Record
from interp.questions.block_bounds import BlockBounds
from interp.questions.bounds import NOWHERE
from interp.questions.matrix import matrix
from interp.recorder.event import Event, short
from interp.recorder.layers import layer_of, layers_of
from interp.recorder.recorded import Reduction
from interp.rewrite.inlining import inline_and_name
from spec.errors import InterpError, Unsupported
from spec.ir import Func, Op
from spec.op_attributes import FORMS

# Facts about each value of a trace: events, error against the reference, and room in accumulators.

RUN = re.compile(r"(?<=[^%])#\d+$")


@dataclass(frozen=True)
class Known:
    """The program without calls, the names of its values, marks by name, and the rows of the profile.

    `scopes` has the layers that an exporter named, by the values' names. `missing` is the reason why
    there are no signal-to-noise ratios, "" if there are.
    """

    func: Func
    names: Mapping[str, str]
    marks: Mapping[str, Mark]
    layers: Sequence[Layer]
    missing: str
    scopes: Mapping[str, str]

    def mark(self, name: str) -> Mark | None:
        """Return what is known of a value; events of all runs of an operation count for each of them."""
        return self.marks.get(name) or self.marks.get(RUN.sub("", name))


def value_facts(trace: Record, found: Iterable[View], work: Work | None = None) -> Known:
    """Return what is known of the values of a trace's function."""
    entry = function_named(trace.module, trace.options.get("function", "main"))
    program, names = inline_and_name(trace.module, entry)
    marks = {name: join_marks([mark]) for name, mark in _events(trace).items()}
    for view in found:
        room = view.bounds.headroom
        mine = Mark(room=None if room in (None, NOWHERE) else room, elements=view.reduction.size)
        marks[view.name] = join_marks([mine, *([marks[view.name]] if view.name in marks else [])])
    of_layers, chains, missing = _against_reference(trace, work or Work())
    layers = [_row(layer, chains[layer.name], marks) for layer in of_layers]
    by_op = {names.get(v.name, v.name): op for op in program.main.body.ops for v in op.results}
    if not layers:
        ops = [(name, op) for name, op in by_op.items() if name in marks]
        layers = [Layer(name, short(op), marks[name], layer=layer_of(program, op)) for name, op in ops]
    whole = dict(marks)
    for layer in of_layers:
        own = replace(layer.mark, counts={}, worst="")
        whole[layer.name] = join_marks([own, *([marks[layer.name]] if layer.name in marks else [])])
    return Known(program.main, names, whole, layers, missing, layers_of(program, "main"))


def _events(trace: Record) -> dict[str, Mark]:
    """Return the marks of the operations with events that are shown."""
    found: dict[str, list[Mark]] = {}
    for group in trace.shown:
        counts = {(group.severity, group.kind): group.count}
        size = group.first.op.results[0].type.size
        mark = Mark(counts, size, worst=f"{group.kind} at {_describe_event(group.worst)}")
        found.setdefault(group.first.name, []).append(mark)
    return {name: join_marks(marks) for name, marks in found.items()}


def _describe_event(event: Event) -> str:
    return f"{event.place}: {event.explanation}"


Chains = Mapping[str, Sequence[str]]  # of each layer, the names of the values in it


def _against_reference(trace: Record, work: Work) -> tuple[list[Layer], Chains, str]:
    """Return the layers as a survey of this one run has them, their values, and why there are none."""
    ops = list(trace.module.ops())
    if not any(_is_quantized(op) for op in ops):
        return (
            [],
            {},
            "nothing is quantized, so that the program is its own float reference",
        )
    if trace.stopped:
        return [], {}, "the run stopped before its end"
    try:
        options = {key: x for key, x in trace.options.items() if key != "listeners"}
        compared = work.whole("runs of the float reference", 1, lambda: _compare(trace, options))
    except InterpError as error:
        return [], {}, str(error.args[0])
    if compared is None:
        return [], {}, "the deadline came first"
    layers, chains = compared
    return [Layer(x.name, x.op, layer_mark(x), layer=x.layer) for x in layers], chains, ""


def _compare(trace: Record, options: dict[str, Any]) -> tuple[list[Compared], Chains]:
    """Return the layers of a trace beside the float reference, and their values."""
    beat()
    study, batch = Study(trace.module, None, options), Batch(trace.args)
    layers, _, _ = study.compare(batch, samples_of(study.func, batch, 0))
    return layers, study.chains


def _is_quantized(op: Op) -> bool:
    return op.name in FORMS or any(value.type.is_quantized for value in op.results)


def _row(layer: Layer, chain: Sequence[str], marks: Mapping[str, Mark]) -> Layer:
    """Return a layer's row with the events and the accumulators of its values."""
    every = join_marks([marks[name] for name in chain if name in marks])
    return layer._replace(mark=replace(layer.mark, counts=every.counts, room=every.room, worst=every.worst))


STYLES = ("maps.css", "plot.css")
SCRIPTS = ("fold.js", "maps.js", "plot.js", "element.js", "operation.js", "page.js")
PICTURED = 16  # reductions
LEAST = 0.25  # of its time, for verdicts and bounds if counting events took more than the rest
WORST = 100  # layers of a profile beside the list of all operations
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
    data, lists = facts(pictured, work), are_many(what.func)
    sections = [
        *_profile(what, pictured, lists),
        *operations(what.func, what.names, what.mark, what.scopes, what.layers),
        Section("events", "Events", [options(trace), *events(trace, lists)]),
        *_reductions(trace, found, pictured, lists, work),
        *([Section("budget", "Error budget", [tag("pre", repr(budget), tabindex="0")])] if budget else []),
        *program(trace.module),
    ]
    here = "interp.apps.reports"
    styles, scripts = ("".join(asset(name, here) for name in names) for names in (STYLES, SCRIPTS))
    assets = Assets(styles, scripts, data)
    head = verdict(trace, found, what.layers)
    if work.partial:
        late = f"{shortfall(work.covered)}: report(path, seconds=None) takes the time."
        head = head._replace(evidence=[*head.evidence, late[:1].upper() + late[1:]])
    return frame("Trace", source(trace), head, _graph(what, pictured, lists), sections, assets)


def _judge_reductions(trace: Record, work: Work) -> list[View]:
    counts = tallies(trace, counted_kinds(trace))
    seconds = None if work.seconds is None else max(work.left, work.seconds * LEAST) / 2
    half = Work(seconds, work.progress)
    found = views(trace, half, counts)
    work.covered += [replace(each, seconds=work.seconds) for each in half.covered]
    return found


def _choose_pictures(found: list[View]) -> list[View]:
    """Return the reductions to draw, those with the most events, in program order."""
    most = sorted(found, key=lambda view: -int(view.events.sum()))[:PICTURED]
    return [view for view in found if view in most]


def _graph(what: Known, pictured: Sequence[View], lists: bool) -> Section:
    drawn = graph(what.func, what.names, what.mark, layers=what.scopes)
    first, rows = worst(drawn), {layer.name for layer in worst_of(what.layers, _most_layers(lists))}
    named = {view.name for view in pictured}

    def links(node: Node) -> Iterator[Html]:
        name = next((v.name for op in node.block.ops for v in op.results), None)
        if lists and name is not None:
            listed = fragment(what.names.get(name, name))
            yield tag("a", "in the list of operations", href=f"#{listed}")
        for name in node.names:
            if name in named:
                yield tag("a", f"elements of {name}", href=f"#reduction/{name}")
            if name in rows:
                yield tag("a", f"{name} in the profile", href=f"#layer/{name}")

    return Section("graph", "Graph", [picture(drawn, lambda node: list(links(node)), first)])


def _profile(what: Known, pictured: Sequence[View], lists: bool) -> Iterator[Section]:
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
    content = profile(f"Layers in program order{against}", what.layers, (), link, _most_layers(lists))
    yield Section("profile", "Layers", [*missing, content])


def _most_layers(lists: bool) -> int:
    """Return how many layers the profile has; fewer beside a list of the operations."""
    return WORST if lists else MOST


def _reductions(
    trace: Record, found: Sequence[View], pictured: Sequence[View], lists: bool, work: Work
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
    yield Section("reductions", "Reductions", [*reductions(found, lists), keys, *omitted, drawn])


# The section of one reduction: where it is, places for its maps and plots, verdicts, bounds, and what if


MATRIX = 1 << 12, 1 << 8  # elements and leaves of a reduction that is done again in other ways


def section(trace: Record, view: View, k: int, work: Work) -> Html:
    """Return the section; scripts fill its empty elements with drawings."""
    reduction = view.reduction
    leaves = reduction.leaves_in_all
    about = [
        ("where", reduction.heading),
        ("elements", f"{reduction.size:,} in {reduction.shape}, each of at most {leaves:,} leaves"),
        ("accumulates in", accumulators(reduction)),
    ]
    return tag(
        "section",
        tag("h3", f"{reduction.title} {short(reduction.written)}", id=f"title-{k}"),
        terms(about),
        *_tree(view),
        tag("div", class_="pictures"),
        tag("div", class_="element", hidden="hidden"),
        tag("div", *_verdicts(view), *_bounds(view), class_="facts"),
        *_suggestion(view, k),
        *_matrix(trace, view, work),
        id=f"reduction/{view.name}",
        class_="reduction",
        aria_labelledby=f"title-{k}",
    )


def accumulators(reduction: Reduction) -> str:
    """Return the types in which a reduction adds, as text."""
    own = ", ".join(map(repr, reduction.types))
    if not (blocks := reduction.by_blocks):
        return own
    return f"{blocks.within!r} within {len(blocks.edges):,} blocks, {own} across them"


def _tree(view: View) -> Iterator[Html]:
    """Yield the tree of an accumulation, in which parts that repeat are drawn once."""
    reduction = view.reduction
    if reduction.along and reduction.n:
        accumulation = reduction.along.adding.accumulation
        own = reduction.has_own_inits
        yield draw(accumulation, reduction.n + own, not own)


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
        if isinstance(bounds, BlockBounds):
            present = (held.type for held in bounds.present_types)
            known += [(f"as it is, {x!r}", x.min_value, x.max_value, x.bits) for x in present]
        elif view.reduction.along is None:
            known.append(("as it is", *storage_range(type), bounds.present))
        yield table("How wide must the accumulator be?", ["for", "from", "to", "bits"], known)


def _suggestion(view: View, k: int) -> Iterator[Html]:
    found = view.bounds.suggestion
    if found.type is None:
        yield tag("p", f"Suggested: {found!r}")
        return
    copy = tag("button", "copy", class_="copy", type="button", hidden="hidden", data_from=f"type-{k}")
    scope = f"{found.scope}{view.bounds.proviso}"
    weighted = f", {found.weight_bits} with these weights" if found.weight_bits else ""
    needed = f" ({found.bits} bits are needed{weighted})" if found.bits else ""
    yield tag("p", f"Suggested for {scope}: ", tag("code", repr(found.type), id=f"type-{k}"), copy, needed)


def _matrix(trace: Record, view: View, work: Work) -> Iterator[Html]:
    if view.reduction.size > MATRIX[0] or view.reduction.leaves_in_all > MATRIX[1]:
        return
    try:
        found = work.whole("tables of other types", 1, lambda: matrix(trace, view.name))
    except Unsupported:
        return
    text = repr(found) if found else "not computed: the deadline came first"
    heading = tag("summary", "Other types, arithmetics and schedules")
    yield tag("details", heading, tag("pre", text, tabindex="0"))
