"""The page of a survey: what it lost, its layers, worst first, their histograms, and the worst samples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from interp.apps.pages.graph import graph, link_target, worst
from interp.apps.pages.mark import Mark, decibels, join_marks, signed_text
from interp.apps.pages.picture import picture
from interp.apps.pages.profile import Layer as Row
from interp.apps.pages.profile import histogram, loudness, number, profile
from interp.apps.pages.shell import Section, Verdict, frame, program
from interp.apps.surveys.event_counts import Counted, span
from interp.apps.surveys.layer import Layer, layer_mark
from interp.apps.surveys.measure import Effect, Measured, Ranking
from interp.apps.surveys.rates import Rate
from interp.comparison.side_by_side import list_names
from interp.engine.markup import Cell, Html, table, tag
from interp.engine.storage import storage_range
from interp.recorder.event import ERROR, SEVERITIES, WARNING
from interp.recorder.layers import layers_of
from interp.recorder.names import with_layer
from interp.rewrite.inlining import inline_and_name
from spec.ir import Module

EXTRA = ("worst sample", "noisiest sample", "largest error", "RMSE", "in steps", "unequal")
SAMPLES = 20  # that are listed
SIDES = ("the reference", "the program")


class Surveyed(Protocol):
    """The part of a `Survey` that a page needs."""

    @property
    def samples(self) -> int: ...
    @property
    def layers(self) -> tuple[Layer, ...]: ...
    @property
    def events(self) -> tuple[Counted, ...]: ...
    @property
    def metric(self) -> Measured | None: ...
    @property
    def unmatched(self) -> tuple[tuple[str, ...], tuple[str, ...]]: ...
    @property
    def function(self) -> str: ...
    @property
    def ranking(self) -> Ranking | None: ...
    @property
    def reference(self) -> str: ...
    @property
    def left_out(self) -> tuple[tuple[str, str, str], ...]: ...
    @property
    def quantizes(self) -> bool: ...
    @property
    def accumulator(self) -> str: ...
    @property
    def reading(self) -> str: ...
    @property
    def worst(self) -> Layer | None: ...
    @property
    def rates(self) -> tuple[Rate, ...]: ...
    @property
    def gaps(self) -> list[str]: ...
    def rows(self) -> list[dict[str, Any]]: ...


def page(found: Surveyed, module: Module | None = None) -> str:
    """Return the page of a survey as HTML text, with a graph if the program that was surveyed is given."""
    rows = {x.name: _row(found, x, told) for x, told in zip(found.layers, found.rows(), strict=True)}
    drawn = None if module is None else _graph(found, module, {name: row.mark for name, row in rows.items()})
    ordered = [rows[x.name] for x in sorted(found.layers, key=lambda x: (not x.not_finite, x.sqnr))]
    link = (lambda name: f"#op/{link_target(name)}") if drawn else None
    title = "Layers, the one with the least signal-to-noise ratio first"
    profiled = profile(title, ordered, EXTRA, link)
    sections = [
        Section("profile", "Layers", [profiled, *_lone_values(found)]),
        *_ranking(found),
        *_histograms(found.layers),
        *_samples(found),
        *_events(found.events),
        *(program(module) if module else []),
    ]
    return frame("Survey", f"@{found.function}", _verdict(found), drawn, sections)


def _row(found: Surveyed, layer: Layer, told: dict[str, Any]) -> Row:
    """Return what is known of a layer, and the cells of the further columns."""
    every = join_marks(
        Mark({(e.severity, e.kind): e.count}, worst=f"{e.kind} at {e.name}: {e.worst}")
        for e in found.events
        if e.layer == layer.name
    )
    mark = replace(layer_mark(layer), counts=every.counts, worst=every.worst)
    if not found.quantizes:
        mark = replace(mark, sqnr=None)
    cells = [number(x) if isinstance(x := told[key], float | None) else str(x) for key in EXTRA]
    return Row(layer.name, layer.op, mark, cells, layer.layer)


def _graph(found: Surveyed, module: Module, marks: dict[str, Mark]) -> Section:
    program, names = inline_and_name(module, module[found.function])
    drawn = graph(program.main, names, marks.get, layers=layers_of(program, "main"))
    return Section("graph", "Graph", [picture(drawn, lambda node: _links(node.names, marks), worst(drawn))])


def _links(names: Iterable[str], marks: dict[str, Mark]) -> list[Html]:
    return [tag("a", f"{name} in the profile", href=f"#layer/{name}") for name in names if name in marks]


def _verdict(found: Surveyed) -> Verdict:
    """Return the headline: overflows by severity, the metric, and the layer that loses most."""
    known = {e.severity for e in found.events}
    severity = next((s for s in (ERROR, WARNING) if s in known), "fine")
    evidence = []
    if found.metric:
        evidence.append("Metric {:.4g}, of the reference {:.4g}.".format(*found.metric.means))
    evidence += [sentence(str(each)) for each in (*found.rates, *found.gaps)]
    evidence += _noise(found)
    own = "the program's own accumulators"
    accumulator = f"the accumulator {found.accumulator}" if found.accumulator else own
    reading = "" if found.reading in ("", "any") else f" and the {found.reading} reading"
    premises = (
        f"This holds for these {found.samples:,} samples with {accumulator}{reading}, "
        f"beside {found.reference}; others may differ."
    )
    return Verdict(severity, _finding(found.events), evidence, premises)


def sentence(text: str) -> str:
    """Return a line as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith("?") else ".")


def _finding(events: Sequence[Counted]) -> str:
    """Return the worst severity, the number of events, and where most are."""
    told = [e for e in events if e.severity in (ERROR, WARNING)]
    if not told:
        return "No errors and no warnings"
    severity = min((e.severity for e in told), key=SEVERITIES.index)
    alike = [e for e in told if e.severity == severity]
    total, most = sum(e.count for e in alike), max(alike, key=lambda e: e.count)
    places = len({e.name for e in alike})
    name = with_layer(most.name, most.scope)
    where = f"at {name}" if places == 1 else f"at {places:,} operations, most at {name}"
    kinds = ", ".join(dict.fromkeys(e.kind for e in alike))
    head = "" if severity == ERROR else "No errors; "
    return f"{head}{total:,} {severity}{'s' * (total != 1)} {where} ({kinds})"


def _noise(found: Surveyed) -> Iterator[str]:
    """Yield sentences about the layer that loses most, and about the worst of its elements."""
    layer = found.worst
    if not found.quantizes:
        return
    if layer is None:
        yield "Every layer equals the reference."
        return
    yield f"Least signal-to-noise ratio: {decibels(layer.sqnr)} at {layer.title} {layer.op}."
    if layer.worst:
        sample = f"sample {span(layer.worst.samples)}"
        value, expected = signed_text(layer.worst.value, 4), signed_text(layer.worst.reference, 4)
        yield f"Its largest error: {value} instead of {expected}, in {sample}."


def _lone_values(found: Surveyed) -> Iterator[Html]:
    if found.left_out:
        pairs = list_names([f"{right} beside {left} ({why})" for left, right, why in found.left_out], SAMPLES)
        text = f"{len(found.left_out):,} pairs that do not mean the same are left out: {pairs}"
        yield tag("p", text, class_="muted small")
    for names, side in zip(found.unmatched, SIDES, strict=True):
        if names:
            listed = ", ".join(names[:SAMPLES]) + (", …" if len(names) > SAMPLES else "")
            text = f"{len(names):,} values of {side} have no partner, and no row: {listed}"
            yield tag("p", text, class_="muted small")


def _ranking(found: Surveyed) -> Iterator[Section]:
    """Yield the ranking of the layers by what their quantization costs alone."""
    ranking = found.ranking
    if not ranking:
        return
    heads = ["layer", "result with it alone", "result with all but it"]
    heads += ["metric with it alone", "metric with all but it"] if ranking.whole.metric else []
    rows = [[x.layer, *_effects(x.alone, x.without)] for x in ranking.layers]
    rows.append(["all", *_effects(ranking.whole, ranking.whole)])
    text = "Each layer's quantization, simulated in the reference: what it costs the first result"
    yield Section("ranking", "Sensitivity", [table(text, heads, rows)])


def _effects(*effects: Effect) -> list[str]:
    metrics = [number(x.metric.means[0]) for x in effects if x.metric]
    return [*(loudness(x.sqnr) for x in effects), *metrics]


def _histograms(layers: Sequence[Layer]) -> Iterator[Section]:
    """Yield the histograms of the stored numbers of all quantized layers, with the ends of the range."""
    figures = [_figure(x) for x in layers if x.histogram is not None and x.op != "return"]
    if figures:
        text = "Counts on a logarithmic scale, over the storage range; the first and the last bin stand out."
        grid = tag("div", *figures, class_="histograms")
        yield Section("histograms", "Stored numbers", [tag("p", text, class_="muted"), grid])


def _figure(layer: Layer) -> Html:
    low, high = (signed_text(x, 0) for x in storage_range(layer.type.element_type))
    assert layer.histogram is not None
    drawn = histogram(layer.histogram, f"Stored numbers of {layer.title} from {low} to {high}")
    ends = tag("span", tag("span", low), tag("span", high), class_="ends", aria_hidden="true")
    return tag("figure", tag("figcaption", tag("b", layer.title), f" {layer.op}"), drawn, ends)


def _samples(found: Surveyed) -> Iterator[Section]:
    """Yield the samples in which most layers have their largest error or most of their noise."""
    of: dict[tuple[int, int], dict[str, list[str]]] = defaultdict(lambda: {"error": [], "noise": []})
    for layer in found.layers:
        if layer.worst:
            of[layer.worst.samples]["error"].append(layer.title)
        if layer.noise:
            of[layer.noisiest.samples]["noise"].append(layer.title)
    ranked = sorted(of, key=lambda at: (-len(of[at]["error"]) - len(of[at]["noise"]), at))
    rows = [
        [span(at), *(", ".join(of[at][key]) or "–" for key in ("error", "noise"))] for at in ranked[:SAMPLES]
    ]
    if rows:
        left = f" (the first {SAMPLES} of {len(ranked):,})" if len(ranked) > SAMPLES else ""
        heads = ["sample", "largest error of", "most noise of"]
        listed = table(f"Samples that are the worst of a layer{left}", heads, rows)
        yield Section("samples", "Worst samples", [listed])


def _events(events: Sequence[Counted]) -> Iterator[Section]:
    if events:
        ranked = sorted(events, key=lambda e: (SEVERITIES.index(e.severity), -e.count))
        rows: list[list[Cell]] = [
            [e.title, e.count, f"{e.severity}: {e.kind}", e.name, e.worst] for e in ranked
        ]
        yield Section("events", "Events", [table("Events by operation", EVENTS, rows)])


EVENTS = ("layer", "count", "severity and kind", "operation", "worst")
