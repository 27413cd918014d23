"""Verbs that run a program on its arguments: run, trace, compare, survey, and the prompt."""

from __future__ import annotations

import argparse
import shlex
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.command.answer import FINDING, FINE, UNUSABLE, Answer, conclude
from interp.command.options import (
    accumulators,
    argument_options,
    execution_options,
    fail_on_option,
    load_program,
    number,
    progress,
    reading_and_accumulators,
    ready,
    repeatable_option,
    run_settings,
    schedule_option,
    steps,
)
from spec.accumulator import INTEGER, Reading, is_accumulator, reading_named
from spec.errors import Malformed

if TYPE_CHECKING:
    from interp.answers.trace import Trace
    from interp.apps.surveys.result import Survey
    from interp.engine.work import Progress
    from interp.execute.plan import Seen
    from interp.execute.unused import Unused
    from spec.ir import Module


# `--explorer`: overlays for Model Explorer, and the command that shows them on the program.


def explorer_option(new: argparse.ArgumentParser) -> None:
    """Add the option of a verb whose findings Model Explorer shows."""
    folder = "write overlays for Model Explorer into DIR, and print the command that shows them"
    new.add_argument("--explorer", type=Path, metavar="DIR", help=folder)


def write_overlays(
    module: Module, found: Trace | Survey, given: argparse.Namespace, progress: Progress | None = None
) -> str:
    """Write the overlays into the folder that was asked for; return the command that shows them."""
    from interp.model_explorer import save

    if given.file == "-":
        raise Malformed("--explorer with standard input", "give the program as a file, which the page shows")
    if "," in f"{given.file}{given.explorer}":
        raise Malformed("a comma in a name", "model-explorer takes it for the end of a name: use others")
    paths = ",".join(map(str, save(module, found, given.explorer, progress)))
    data = [f"--node_data_paths={paths}"] if paths else []
    return shlex.join(["model-explorer", given.file, "--extensions=interp.model_explorer", *data])


KEPT = 10_000  # events in a trace's JSON


def run_options(new: argparse.ArgumentParser) -> None:
    argument_options(new)
    reading_and_accumulators(new)
    schedule_option(new)
    fail_on_option(new)
    new.add_argument("--save", type=Path, metavar="DIR", help="write the results to DIR/out0.npy, ...")
    new.add_argument(
        "--plan", action="store_true", help="also print which fast path computed each reduction, and why"
    )


def run(options: argparse.Namespace) -> Answer:
    from interp.engine.inputs import writable, write_results
    from interp.execute.run import run as results_of

    module, arguments = ready(options)
    folder = options.save and writable(options.save)
    kept = accumulators(options.accumulator)
    seen = plan_listeners(options, kept)
    ways = {key: getattr(options, key) for key in ("schedule", "function", "mode", "reading", "recipe")}
    with progress() as listeners:
        heard = [*listeners, *seen]
        results = results_of(
            module, *arguments, **ways, accumulator=kept, fail_on=options.fail_on, listeners=heard
        )
    options.say(*results, *(listener.plan for listener in seen), sep="\n")
    if folder:
        options.say(*write_results(results, folder), sep="\n")
    return Answer(FINE, results, _unused_options(options, module, kept))


def _unused_options(options: argparse.Namespace, module: Module, kept: Any) -> Unused:
    """Return what the program does not use of the options of its reading."""
    from interp.engine.arguments import function_named
    from interp.execute.unused import unused_options

    function = function_named(module, options.function).name
    return unused_options(module, function, read_by(options, kept))


def plan_listeners(options: argparse.Namespace, kept: str | dict[str, str] | None) -> list[Seen]:
    """Return a list with a listener that records the fast paths if --plan is given, else empty."""
    if not options.plan:
        return []
    from interp.execute.plan import Seen
    from spec.schedule import parse

    return [Seen(parse(options.schedule), read_by(options, kept))]


def read_by(options: argparse.Namespace, kept: Any) -> Reading:
    """Return the reading of a run, with the accumulator if that is an integer type alone."""
    own = kept if options.reading == INTEGER and is_accumulator(kept) else None
    return reading_named(options.reading, own, options.recipe)


def picture_options(new: argparse.ArgumentParser, what: str) -> None:
    """Add the options of a verb whose findings are drawn, here or by Model Explorer."""
    page = f"draw {what} on one page that opens without a network, too"
    new.add_argument("--html", type=Path, metavar="FILE", help=page)
    explorer_option(new)


def trace_options(new: argparse.ArgumentParser) -> None:
    execution_options(new)
    fail_on_option(new)
    explained = "also explain the worst element of reduction OP, leaf by leaf: %%sum, @pool/%%0, @pool/%%0#2"
    repeatable_option(new, "--explain", "OP", explained)
    new.add_argument(
        "--budget", action="store_true", help="also print the error against floats in parts, by source"
    )
    usual = "of the summary and the page each, which say what was not judged (default: 10; inf: any)"
    limit = f"at most S seconds {usual}"
    new.add_argument("--seconds", type=number(float, 0, inf), default=10.0, metavar="S", help=limit)
    picture_options(new, "every reduction")


def trace(options: argparse.Namespace) -> Answer:
    from interp.answers.summary import is_quick
    from interp.answers.trace import trace as traced
    from interp.recorder.event import known_kinds

    known_kinds(options.fail_on)
    module, arguments = ready(options)
    with progress() as listeners:
        keep = KEPT if options.json else 0
        found = traced(module, *arguments, **run_settings(options), listeners=listeners, keep=keep)
    options.say(found)
    if is_quick(module) and found.reductions:
        with steps() as bar:
            options.say(found.summary(options.seconds, bar))
    for op in options.explain:
        options.say(found.explain(op))
    budget = None
    if options.budget:
        with steps() as bar:
            budget = found.budget(progress=bar)
        options.say(budget)
    if options.html:
        with steps() as bar:
            found.report(options.html, budget, seconds=options.seconds, progress=bar)
    if options.explorer:
        with steps() as bar:
            options.say(write_overlays(load_program(options), found, options, bar))
    doubt = options.fail_on and found.unused.sums  # whether these would fail in the accumulator is open
    return Answer(FINDING if doubt or found.has(*options.fail_on) else FINE, found, found.unused)


def compare_options(new: argparse.ArgumentParser) -> None:
    execution_options(new)
    other = "another program: compare all values that stand for the same number (default: the float program)"
    new.add_argument("--against", metavar="FILE", help=other)


def compare(options: argparse.Namespace) -> Answer:
    from interp.comparison.compare import compare as comparison

    module, arguments = ready(options)
    with progress() as listeners:
        found = comparison(
            module, *arguments, against=options.against, **run_settings(options), listeners=listeners
        )
    options.say(found)
    return conclude(found, found.ok)


def repl(options: argparse.Namespace) -> Answer:
    from interp.apps.prompt.prompt import repl as session

    if options.file == "-":
        raise Malformed("standard input is what is typed", "give the program as a file")
    asked = options.arguments or options.random is not None
    module, arguments = ready(options) if asked else (load_program(options), [])
    return Answer(
        FINE if session(options.file, module, arguments, run_settings(options), progress) else UNUSABLE
    )
