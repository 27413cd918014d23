"""Node data of a trace: its events, and overflow, error and headroom of each operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from interp.answers.view import views
from interp.apps.model_explorer.nodes import Kind, Node, Nodes, shaded, worst
from interp.apps.model_explorer.overflowed import shares
from interp.apps.model_explorer.shades import BY_SEVERITY, ERRORS, ROOM, SHARES
from interp.backends import Array
from interp.engine.stored import is_stored_as_integer
from interp.engine.work import Work
from interp.execute.record import Record
from interp.questions.bounds import NOWHERE
from interp.recorder.event import Group
from interp.recorder.severity import INFORMATION


def kinds(trace: Record, nodes: Nodes, work: Work) -> Iterator[Kind]:
    """Yield the kinds of node data of a trace; all but `events` take further runs of the program.

    The page shows the last one that it is given at first.
    """
    of = nodes.of(trace.module)
    seen = [(of[id(view.reduction.written)], view) for view in views(trace, work)]
    rooms = ((node, x) for node, view in seen if (x := view.bounds.headroom) is not None and x != NOWHERE)
    yield shaded("headroom", worst(rooms, min), ROOM)
    sums = ((node, error) for node, view in seen if (error := _error(view.errors)) is not None)
    yield shaded("error", worst([*_local(trace, of), *sums]), ERRORS)
    yield shaded("overflowed", {of[id(op)]: share for op, share in shares(trace)}, SHARES)
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
