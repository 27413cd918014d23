"""A trace as JSON: counts, groups and events, for other programs to read."""

from __future__ import annotations

import json
from fractions import Fraction
from math import isfinite
from typing import Any

from interp.execute.record import Record
from interp.recorder.event import Event, Group
from spec.readings import reading_of


def as_json(trace: Record) -> str:
    """Return a trace as JSON values: `reading`, `counts`, `groups` and `events`.

    `reading` is that of quantized operations, "any" where all agree; `counts` are by kind; `groups`,
    by severity, have their first and worst event; `events` are those that the trace kept.

    An event's numbers are stored ones. Numbers that JSON lacks are strings: a fraction `"1/3"`, `"nan"`,
    `"inf"`, a complex number. `leaves` are the first and the last one under the node, or null.
    """
    document = {
        "schedule": str(trace.options.get("schedule", "left")),
        "reading": reading_of(trace.module, trace.options.get("function", "main"), trace.reading),
        "results": [*map(repr, trace.result_types)],
        "counts": dict(trace.counts),
        "groups": [_group(group) for group in trace.groups],
        "events": [_event(event) for event in trace.kept],
        "stopped": None if trace.stopped is None else repr(trace.stopped),
        "unused": trace.unused.plain,
    }
    return json.dumps(document, indent=1) + "\n"


def _group(group: Group) -> dict[str, Any]:
    ends = {"first": _event(group.first), "worst": _event(group.worst)}
    return {"kind": group.kind, "severity": group.severity, "count": group.count, **ends}


def _event(event: Event) -> dict[str, Any]:
    process = {} if event.process is None else {"process": event.process}
    return {
        **process,
        "kind": event.kind,
        "op": event.name,
        "operation": event.op.name,
        "inner": event.inner.name,
        "location": str(event.location),
        "what": event.what,
        "index": event.index,
        "leaves": event.leaves,
        "operands": [_number(x) for x in event.operands],
        "exact": _number(event.exact),
        "stored": _number(event.stored),
    }


def _number(x: Any) -> Any:
    if isinstance(x, Fraction):
        return x.numerator if x.denominator == 1 else str(x)
    return str(x) if isinstance(x, complex) or (isinstance(x, float) and not isfinite(x)) else x
