"""Facts about each value of a trace: events, error against the reference, and room in accumulators."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from interp.answers.view import View
from interp.apps.pages.mark import Mark, join_marks
from interp.apps.pages.profile import Layer
from interp.apps.surveys.layer import layer_mark
from interp.apps.surveys.study import Batch, Study, samples_of
from interp.engine.arguments import function_named
from interp.engine.work import Work
from interp.execute.record import Record
from interp.questions.bounds import NOWHERE
from interp.recorder.event import Event, short
from interp.rewrite.inlined import inline_and_name
from spec.errors import InterpError
from spec.fake_quant import FORMS
from spec.ir import Func, Op

RUN = re.compile(r"(?<=[^%])#\d+$")


@dataclass(frozen=True)
class Known:
    """The program without calls, the names of its values, marks by name, and the rows of the profile.

    `missing` is the reason why there are no signal-to-noise ratios, "" if there are.
    """

    func: Func
    names: Mapping[str, str]
    marks: Mapping[str, Mark]
    layers: Sequence[Layer]
    missing: str

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
        layers = [Layer(name, short(by_op[name]), marks[name]) for name in by_op if name in marks]
    whole = dict(marks)
    for layer in of_layers:
        own = replace(layer.mark, counts={}, worst="")
        whole[layer.name] = join_marks([own, *([marks[layer.name]] if layer.name in marks else [])])
    return Known(program.main, names, whole, layers, missing)


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
        study = Study(trace.module, None, options)
        batch = Batch(trace.args)
        samples = samples_of(study.func, batch, 0)
        compared = work.whole("runs of the float reference", 1, lambda: study.compare(batch, samples))
    except InterpError as error:
        return [], {}, str(error.args[0])
    if compared is None:
        return [], {}, "the deadline came first"
    layers, _, _ = compared
    return [Layer(x.name, x.op, layer_mark(x)) for x in layers], study.chains, ""


def _is_quantized(op: Op) -> bool:
    return op.name in FORMS or any(value.type.is_quantized for value in op.results)


def _row(layer: Layer, chain: Sequence[str], marks: Mapping[str, Mark]) -> Layer:
    """Return a layer's row with the events and the accumulators of its values."""
    every = join_marks([marks[name] for name in chain if name in marks])
    return layer._replace(mark=replace(layer.mark, counts=every.counts, room=every.room, worst=every.worst))
