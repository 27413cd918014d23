"""`interp fuzz`: run, show how far it is, print and write what fails."""

from __future__ import annotations

import argparse
from collections import Counter

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from interp.engine.files import write_text
from interp.suite.fuzz import Failure, Fuzzed, fuzz
from spec.readings import NOT_PERMITTED


def command(options: argparse.Namespace) -> bool:
    """Whether nothing failed, after the failures were printed and written."""
    found = with_progress(options)
    print(", ".join(f"{n} {verdict}" for verdict, n in found.counts.most_common()))
    if open := sum(failure.answer.is_open for failure in found.failures):
        print(f"of the wrong, {open} are {NOT_PERMITTED}")
    print(f"seeds {options.seed} to {found.next_seed - 1}; go on with --seed {found.next_seed}")
    return found.ok


def with_progress(options: argparse.Namespace) -> Fuzzed:
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

        def found(failure: Failure) -> None:
            show(failure, options)

        return fuzz(
            options.impl,
            seconds=options.seconds,
            seed=options.seed,
            timeout=options.timeout,
            progress=progress,
            found=found,
        )


def show(failure: Failure, options: argparse.Namespace) -> None:
    """The first of its sort as a case, the others as a line."""
    head = f"seed {failure.seed}: {failure.answer.said}"
    if failure.like < failure.seed:
        print(f"{head}, like seed {failure.like}")
        return
    print(head + "\n" + failure.text)
    if options.save:
        path = options.save / f"fuzz_{failure.seed}.mlir"
        write_text(path, failure.text)
        print(path)
