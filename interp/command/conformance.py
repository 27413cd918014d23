"""`interp conformance`: run, show, write reports."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from interp.engine.files import write_text
from interp.engine.inputs import writable
from interp.suite.conformance import CASES, Outcome, Report, conformance
from interp.suite.conformance_report import as_json, as_junit, show
from interp.suite.report_html import as_html


def command(options: argparse.Namespace) -> bool:
    """Whether everything conforms, after the reports were printed and written."""
    outputs = (options.junit, as_junit), (options.json, as_json), (options.html, as_html)
    for path, _ in outputs:
        if path:
            writable(path.parent)
    report = with_progress(options)
    console = Console()
    show(report, console if console.is_terminal else Console(width=120))
    for path, text in outputs:
        if path:
            write_text(path, text(report))
            print(path)
    return report.ok


def with_progress(options: argparse.Namespace) -> Report:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(options.impl)

        def progress(outcome: Outcome, total: int) -> None:
            bar.update(task, advance=1, total=total, description=f"{options.impl} {outcome.case.id}")

        return conformance(
            options.impl,
            cases=options.cases or CASES,
            only=options.filter,
            timeout=options.timeout,
            progress=progress,
        )
