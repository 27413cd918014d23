"""`Trace.report`: the findings of a trace as one HTML file."""

from __future__ import annotations

import os
from pathlib import Path

from interp.comparison.budget_table import Budget
from interp.engine.files import write_text
from interp.reductions.record import Record
from interp.reporting.page import page
from spec.errors import Malformed
from spec.options import shown


def report(trace: Record, path: str | Path, budget: Budget | None = None) -> Path:
    """Write the page, with the budget if given, and return its path; `Malformed` if that fails."""
    if not isinstance(path, str | os.PathLike):
        raise Malformed(f"{shown(path)} is not a path", "expected the name of the file to write")
    path = Path(path)
    write_text(path, page(trace, budget))
    return path
