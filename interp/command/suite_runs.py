"""Runs of `interp conformance` and `interp fuzz`: they show progress, print findings, and write files."""

from __future__ import annotations

import argparse
from collections import Counter

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from interp.apps.suite.cases import CASES
from interp.apps.suite.conformance import conformance
from interp.apps.suite.fuzz import Failure, Fuzzed, fuzz, saved_as
from interp.apps.suite.outcome import Outcome
from interp.apps.suite.report import WIDTH, Report, show
from interp.apps.suite.report_files import ReportFiles
from interp.engine.inputs import writable


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
            ops=options.ops,
            timeout=options.timeout,
            jobs=options.jobs,
            seconds=options.seconds,
            progress=progress,
        )


# `interp fuzz`: runs random programs, shows progress, prints the failures and writes them to files.


def report_fuzz(options: argparse.Namespace) -> Fuzzed:
    """Run the programs, print and write the failures, and return all."""
    if options.save:
        writable(options.save)
    found = run_programs(options)
    options.say(found.conclusion)
    return found


def run_programs(options: argparse.Namespace) -> Fuzzed:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(options.impl, total=options.seconds)

        def progress(seed: int, counts: Counter[str]) -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            bar.update(
                task,
                completed=elapsed,
                description=f"{options.impl} seed {seed}, {sum(counts.values())} programs",
            )

        def on_failure(failure: Failure) -> None:
            show_failure(failure, options)

        return fuzz(
            options.impl,
            sweep=options.sweep,
            ops=options.ops,
            jobs=options.jobs,
            seconds=options.seconds,
            seed=options.seed,
            timeout=options.timeout,
            save=options.save,
            progress=progress,
            found=on_failure,
        )


def show_failure(failure: Failure, options: argparse.Namespace) -> None:
    """Print a failure, as a case if it is the first of its kind, else as a line."""
    options.say(failure)
    if options.save and failure.like == failure.seed:
        options.say(saved_as(failure.seed, options.save))
