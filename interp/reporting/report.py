"""`Trace.report`: what a trace found as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from interp.inputs import write_text
from interp.reporting.page import page

if TYPE_CHECKING:
    from interp.trace import Trace


def report(trace: Trace, path: str | Path) -> Path:
    """Writes the page, and gives where; `Malformed` if it cannot be written."""
    path = Path(path)
    write_text(path, page(trace))
    return path
