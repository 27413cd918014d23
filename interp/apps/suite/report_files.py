"""The files that a conformance report is written to."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from interp.apps.suite.conformance_report import as_json, as_junit
from interp.apps.suite.report import Report
from interp.apps.suite.report_html import as_html
from interp.engine.files import write_text
from interp.engine.inputs import writable


class ReportFiles(NamedTuple):
    """Files of the report, by format; None for a format that is not wanted."""

    junit: str | Path | None = None
    json: str | Path | None = None
    html: str | Path | None = None

    def check(self) -> None:
        """Raise `Malformed` if a file's folder cannot be written to; called before a long run."""
        for path in self:
            if path:
                writable(Path(path).parent)

    def write(self, report: Report) -> list[Path]:
        """Write the report in every wanted format, and return the files."""
        formats = zip(self, (as_junit, as_json, as_html), strict=True)
        wanted = [(Path(path), text) for path, text in formats if path]
        for path, text in wanted:
            write_text(path, text(report))
        return [path for path, _ in wanted]
