"""Findings of a trace or a survey as Model Explorer's node data: a number and a colour for each node."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from math import inf, isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interp.answers.view import views
from interp.apps.surveys.layer import Layer
from interp.apps.surveys.result import Survey
from interp.backends import Array, State, fl
from interp.engine.evaluate import Place
from interp.engine.facts import facts
from interp.engine.files import write_text
from interp.engine.storage import is_stored_as_integer
from interp.engine.work import Progress, Work
from interp.execute.record import Record
from interp.execute.run import run
from interp.loading.load import Program, as_module
from interp.questions.bounds import NOWHERE
from interp.recorder.batch import Batch, Judgement
from interp.recorder.event import ERROR, INFORMATION, WARNING, Group, severity, short
from interp.recorder.names import Named, find, operations
from interp.recorder.watcher import Watcher
from spec.errors import Malformed, Unsupported, short_text
from spec.ir import Module, Op
from spec.types import QuantizedType

# The nodes of a program's graphs, by the names that a trace and a survey give to operations.

Worse = Callable[[float, float], float]


class Node(NamedTuple):
    """A node: its graph and its id there."""

    graph: str
    id: str


class Kind(NamedTuple):
    """A kind of node data: its name, and the number and the colour of each node; counts add up."""

    name: str
    numbers: Mapping[Node, float]
    colors: Mapping[Node, str]
    counts: bool = False


class Nodes:
    """The nodes of the graphs of a program."""

    def __init__(self, program: Module) -> None:
        self.program = program
        self.known = operations(program)
        self.by_name = {str(named): named for named in self.known}

    def find(self, name: str, kind: str) -> Node:
        """Return the node of an operation, `%4`, `@pool/%4`, or of one of its runs, `%4#2`.

        `Malformed` if there is none, or if it is of another kind than `add` or the like.
        """
        run = re.sub(r"#\d+$", "", name)
        named = self.by_name.get(name) or self.by_name.get(run) or find(name, self.known, "operation")
        if short(named.op) != kind:
            what = f"{name} is {short(named.op)}, and was {kind} in the survey"
            raise Malformed("the survey is of another program", what)
        return _node(named)

    def of(self, module: Module) -> Mapping[int, Node]:
        """Return the nodes of a module's operations, by `id(op)`; `Malformed` if it is another program.

        The names of values may differ, as between text and bytecode.
        """
        if module is not self.program and module != self.program:
            remedy = "give the program that ran: if sizes were unknown, interp.refine(m, x), written as text"
            raise Malformed("the trace is of another program", remedy)
        pairs = zip(operations(module), self.known, strict=True)
        return {id(ours.op): _node(shown) for ours, shown in pairs}


def _node(named: Named) -> Node:
    return Node(named.function, named.op.results[0].name)


def worst(found: Iterable[tuple[Node, float]], of: Worse = max) -> dict[Node, float]:
    """Return one number for each node: the largest, or what `of` chooses from two."""
    numbers: dict[Node, float] = {}
    for node, number in found:
        numbers[node] = of(numbers.get(node, number), number)
    return numbers


def color_nodes(name: str, numbers: Mapping[Node, float], shades: Shades, counts: bool = False) -> Kind:
    """Return node data with the colours of the numbers."""
    return Kind(name, numbers, {node: shade(number, shades) for node, number in numbers.items()}, counts)


# Colours of node data: from pale to dark the worse a number is, as seen by colour-blind readers, too


FINE, SLIGHT, NOTABLE, BAD, WORST = "#e5f5e0", "#fff7bc", "#fec44f", "#d95f0e", "#8c2d04"
BY_SEVERITY = {ERROR: WORST, WARNING: NOTABLE, INFORMATION: FINE}
EXACT = 1 << 53  # integers that JavaScript has


class Shades(NamedTuple):
    """Colours of numbers: `colors[k]` up to `limits[k]`, the last colour beyond the last limit."""

    limits: tuple[float, ...]
    colors: tuple[str, ...]


SHARES = Shades((0, 0.001, 0.01, 0.1), (FINE, SLIGHT, NOTABLE, BAD, WORST))
ERRORS = Shades((0.5, 1, 4, 32), (FINE, SLIGHT, NOTABLE, BAD, WORST))  # steps; rounding alone gives 0.5
ROOM = Shades((-0.5, 0.5, 1.5, 3.5), (WORST, BAD, NOTABLE, SLIGHT, FINE))  # bits
NOISE = Shades((10, 20, 30, 40), (WORST, BAD, NOTABLE, SLIGHT, FINE))  # dB of signal to noise
COUNTS = Shades((0,), (FINE, NOTABLE))


def shade(number: float, shades: Shades) -> str:
    """Return the colour of a number, infinite ones included."""
    limits, colors = shades
    return next((color for limit, color in zip(limits, colors, strict=False) if number <= limit), colors[-1])


def result(number: float, color: str) -> dict[str, str | float]:
    """Return a number and its colour; a float has four digits, and what JSON has no number for is text."""
    return {"value": _value(number), "bgColor": color}


def _value(number: float) -> str | float:
    if isinstance(number, int) and abs(number) <= EXACT:
        return number
    with suppress(OverflowError):
        if isfinite(rounded := float(f"{number:.4g}")):
            return rounded
        if not isfinite(number):
            return "∞" if number > 0 else "-∞"
    return f"{Decimal(number):.3e}"


# Node data of a trace: its events, and overflow, error and headroom of each operation.


def trace_kinds(trace: Record, nodes: Nodes, work: Work) -> Iterator[Kind]:
    """Yield the kinds of node data of a trace; all but `events` take further runs of the program.

    The page shows the last one that it is given at first.
    """
    of = nodes.of(trace.module)
    seen = [(of[id(view.reduction.written)], view) for view in views(trace, work)]
    rooms = ((node, x) for node, view in seen if (x := view.bounds.headroom) is not None and x != NOWHERE)
    yield color_nodes("headroom", worst(rooms, min), ROOM)
    sums = ((node, error) for node, view in seen if (error := _error(view.errors)) is not None)
    yield color_nodes("error", worst([*_local(trace, of), *sums]), ERRORS)
    yield color_nodes("overflowed", {of[id(op)]: share for op, share in shares(trace)}, SHARES)
    yield _events(trace, of)


def _events(trace: Record, of: Mapping[int, Node]) -> Kind:
    """Return the number of errors and warnings at each operation, in the colour of the worst."""
    counts, colors = Counter[Node](), dict[Node, str]()
    for group in trace.shown:  # errors first
        node = of[id(group.first.op)]
        counts[node] += group.count
        colors.setdefault(node, BY_SEVERITY[group.severity])
    return Kind("events", counts, colors, counts=True)


def _local(trace: Record, of: Mapping[int, Node]) -> Iterator[tuple[Node, float]]:
    """Yield the largest error of a single result, in steps, that is not within an accumulation."""
    for group in trace.groups:
        if _has_steps(group):
            yield of[id(group.first.op)], float(group.size)


def _has_steps(group: Group) -> bool:
    """Return whether the error of these events is one of the operation's stored integers."""
    event = group.first
    counted = group.severity != INFORMATION or group.kind == "inexact"
    of_result = event.what == "result" and event.leaves is None and event.inner is event.op
    return counted and of_result and is_stored_as_integer(event.op.results[0].type.element_type)


def _error(errors: Array | None) -> float | None:
    """Return the largest error of a reduction's elements in steps, None if it is not known."""
    return None if errors is None or not errors.size else errors.max().item()


# The share of every operation's result that overflowed in a run


OVERFLOWS = ("saturate", "wrap")


class Overflowed(Watcher):
    """Listener that counts result elements with at least one overflow, and all of them, in all runs of an op.

    Unsigned integers that wrap outside of accumulations, as in hashes, and numbers that are clipped at their
    zero point do not count.
    """

    def __init__(self) -> None:
        super().__init__(OVERFLOWS)
        self.running: dict[int, Array] = {}
        self.found: dict[int, tuple[Op, int, int]] = {}

    def note(self, batch: Batch, found: Judgement) -> None:
        columns = batch.columns(found)
        known = severity(found.kind, batch.place is not None, batch.inner, found.clips)
        if columns is None or known == INFORMATION:
            return
        hit = self.running.setdefault(id(batch.op), np.zeros(batch.op.results[0].type.size, bool))
        hit[columns] = True

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        super().on_op(op, operands, results, place)
        if place is not None or not (facts(op).computes or facts(op).is_recorded):
            return
        _, count, size = self.found.get(id(op), (op, 0, 0))
        hit = self.running.pop(id(op), None)
        count += 0 if hit is None else int(hit.sum())
        self.found[id(op)] = op, count, size + op.results[0].type.size


def shares(trace: Record) -> Iterator[tuple[Op, float]]:
    """Yield operations with the share of their results that overflowed, 0 only if the result is quantized."""
    listener = Overflowed()
    run(trace.module, *trace.args, **{**trace.options, "listeners": (listener,)})
    for op, count, size in listener.found.values():
        if count or (size and op.results[0].type.is_quantized):
            yield op, count / size


# Node data of a survey: overflows, error, noise and headroom of each layer over all samples.


def survey_kinds(survey: Survey, nodes: Nodes) -> Iterator[Kind]:
    """Yield the kinds of node data of a survey. The rows of the program's results have no node."""
    layers = [(nodes.find(x.name, x.op), x) for x in survey.layers if x.how != "result"]
    of = {x.name: node for node, x in layers}
    ranked = survey.ranking.layers if survey.ranking else ()
    alone = ((of[x.layer], x.alone.sqnr) for x in ranked if x.layer in of)  # arguments are in no layer
    yield color_nodes("alone", worst(alone, min), NOISE)
    rooms = ((node, x.headroom) for node, x in layers if x.headroom is not None)
    yield color_nodes("headroom", worst(rooms, min), ROOM)
    known = dict(zip((x.name for x in survey.layers), survey.rows(), strict=True))
    counts = ((node, known[x.name]["overflows"]) for node, x in layers)
    yield color_nodes("overflows", worst(counts), COUNTS, counts=True)
    errors = ((node, error) for node, x in layers if (error := worst_steps(x)) is not None)
    yield color_nodes("error", worst(errors), ERRORS)
    yield color_nodes("sqnr", worst(((node, x.sqnr) for node, x in layers), min), NOISE)


def worst_steps(layer: Layer) -> float | None:
    """Return the largest error of one number in steps of the largest scale; None if it is not quantized."""
    element = layer.type.element_type
    if not isinstance(element, QuantizedType):
        return None
    error = 0.0 if layer.worst is None else layer.worst.error
    return inf if error == inf else error / max(float(fl(s, element.expressed_type)) for s in element.scales)


Overlay = Mapping[str, Mapping[str, Any]]  # Model Explorer's `GraphNodeData`, by the name of the graph


def overlays(
    program: Program, found: Record | Survey, progress: Progress | None = None
) -> dict[str, Overlay]:
    """Return the overlays of a program's graphs, by their names, as JSON values.

    Of a trace: `events` (errors and warnings, coloured by the worst), `overflowed` (the share of the result's
    elements), `error` (that of the worst element against exact arithmetic on the operation's operands, in
    steps) and `headroom` (of a reduction, in bits). Of a survey, for each layer: `overflows`, `error` (of the
    worst number against the reference, in steps), `sqnr` (in dB), `headroom` (in bits), and `alone` (in dB)
    if it has a ranking. A node that ran several times has its worst number. An overlay without any number is
    left out. progress: called with what is done, how many of it, and of how many. Raises `Malformed` if
    `found` is about another program, and `Unsupported` if sizes are unknown.
    """
    module = as_module(program)
    if module.is_dynamic:
        remedy = "write repr(interp.refine(m, x)) to a file, and run and show that"
        raise Unsupported("the program shown has unknown sizes, and another one ran", remedy)
    nodes = Nodes(module)
    if isinstance(found, Record):
        kinds = trace_kinds(found, nodes, Work(None, progress))
    elif isinstance(found, Survey):
        kinds = survey_kinds(found, nodes)
    else:
        raise Malformed(f"no overlays of {short_text(found)}", "expected a trace or a survey")
    return {kind.name: _overlay(kind) for kind in kinds if kind.numbers}


def save(
    program: Program, found: Record | Survey, folder: str | Path, progress: Progress | None = None
) -> list[Path]:
    """Write each overlay into a folder, `events.json` and so on, and return the paths."""
    if not isinstance(folder, str | os.PathLike):
        raise Malformed(f"{short_text(folder)} is not a path", "expected the name of a folder")
    paths = {Path(folder, f"{name}.json"): data for name, data in overlays(program, found, progress).items()}
    for path, data in paths.items():
        write_text(path, json.dumps(data, indent=1) + "\n")
    return list(paths)


def _overlay(kind: Kind) -> Overlay:
    # The page would show sums and means of numbers of which these say nothing.
    hidden = {} if kind.counts else {"hideAggregatedStats": ["sum", "avg"], "hideInChildrenStatsTable": True}
    data: dict[str, dict[str, Any]] = {}
    for node, number in kind.numbers.items():
        of_graph = data.setdefault(node.graph, {"name": kind.name, "results": {}, **hidden})
        of_graph["results"][node.id] = result(number, kind.colors[node])
    return data
