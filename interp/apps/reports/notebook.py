"""Notebook view of a trace: the report without its pictures."""

from __future__ import annotations

from interp.answers.summary import is_quick
from interp.answers.view import views
from interp.apps.reports.head import sentences
from interp.apps.reports.tables import events, options, reductions
from interp.engine.markup import tag
from interp.engine.work import Work
from interp.execute.record import Record

SECONDS = 5.0  # that a notebook waits for a cell's picture


def notebook(trace: Record) -> str:
    """Return HTML without scripts, in the notebook's style; if more would take long, only the events."""
    found = views(trace, Work(SECONDS)) if is_quick(trace.module) else []
    told = [tag("p", sentence) for sentence in sentences(found)]
    return tag("div", *told, options(trace), *events(trace), *reductions(found))
