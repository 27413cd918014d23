"""`interp fuzz`: runs random programs, shows progress, prints the failures and writes them to files."""

from __future__ import annotations

import argparse
from collections import Counter

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from interp.apps.suite.fuzz import Failure, Fuzzed, fuzz, saved_as


def report_fuzz(options: argparse.Namespace) -> Fuzzed:
    """Run the programs, print and write the failures, and return all."""
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
