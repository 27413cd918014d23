"""Notebook view of a trace: the report without its pictures."""

from __future__ import annotations

from interp.engine.markup import tag
from interp.reductions.record import Record
from interp.reporting.page import sentences, summary
from interp.reporting.summary import is_quick
from interp.reporting.view import views


def notebook(trace: Record) -> str:
    """Return HTML without scripts, in the notebook's style; if more would take long, only the events."""
    found = views(trace) if is_quick(trace.module) else []
    return tag("div", *(tag("p", sentence) for sentence in sentences(found)), *summary(trace, found))
