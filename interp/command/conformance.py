"""`interp conformance`: runs the cases, prints the report and writes it to files."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from interp.apps.suite.conformance import CASES, conformance
from interp.apps.suite.report import WIDTH, Outcome, Report, show
from interp.apps.suite.report_files import ReportFiles


def report_conformance(options: argparse.Namespace) -> Report:
    """Run the cases, print and write the report, and return it."""
    files = ReportFiles(options.junit, None, options.html)
    files.check()
    report = run_cases(options)
    console = Console()
    if options.say is print:
        show(report, console if console.is_terminal else Console(width=WIDTH))
    for path in files.write(report):
        options.say(path)
    return report


def run_cases(options: argparse.Namespace) -> Report:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(options.impl)

        def progress(outcome: Outcome, total: int) -> None:
            bar.update(task, advance=1, total=total, description=f"{options.impl} {outcome.case.id}")

        return conformance(
            options.impl,
            cases=options.cases or CASES,
            filter=options.filter,
            timeout=options.timeout,
            seconds=options.seconds,
            progress=progress,
        )
