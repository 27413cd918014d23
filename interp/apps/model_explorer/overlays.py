"""Findings of a trace or a survey as Model Explorer's node data: a number and a colour for each node."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interp.apps.model_explorer import of_survey, of_trace
from interp.apps.model_explorer.nodes import Kind, Nodes, result
from interp.apps.surveys.result import Survey
from interp.engine.files import write_text
from interp.engine.work import Progress, Work
from interp.execute.record import Record
from interp.loading.load import Program, as_module
from spec.errors import Malformed, Unsupported
from spec.options import short_text

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
        kinds = of_trace.trace_kinds(found, nodes, Work(None, progress))
    elif isinstance(found, Survey):
        kinds = of_survey.survey_kinds(found, nodes)
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
