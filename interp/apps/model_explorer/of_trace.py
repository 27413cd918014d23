"""Node data of a trace: its events, and overflow, error and headroom of each operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from interp.answers.view import views
from interp.apps.model_explorer.nodes import (
    BY_SEVERITY,
    ERRORS,
    ROOM,
    SHARES,
    Kind,
    Node,
    Nodes,
    color_nodes,
    worst,
)
from interp.backends import Array, State
from interp.engine.evaluate import Place
from interp.engine.facts import facts
from interp.engine.stored import is_stored_as_integer
from interp.engine.work import Work
from interp.execute.record import Record
from interp.execute.run import run
from interp.questions.bounds import NOWHERE
from interp.recorder.batch import Batch
from interp.recorder.event import Group
from interp.recorder.judgement import Judgement
from interp.recorder.severity import INFORMATION, severity
from interp.recorder.watcher import Watcher
from spec.ir import Op


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
