"""Notebook view of a trace: the report without its pictures."""

from __future__ import annotations

from interp.engine.markup import tag
from interp.engine.work import Work
from interp.reductions.record import Record
from interp.reporting.head import sentences
from interp.reporting.summary import is_quick
from interp.reporting.tables import events, options, reductions
from interp.reporting.view import views

SECONDS = 5.0  # that a notebook waits for a cell's picture


def notebook(trace: Record) -> str:
    """Return HTML without scripts, in the notebook's style; if more would take long, only the events."""
    found = views(trace, Work(SECONDS)) if is_quick(trace.module) else []
    told = [tag("p", sentence) for sentence in sentences(found)]
    return tag("div", *told, options(trace), *events(trace), *reductions(found))
