"""Verbs that run a program on its arguments or on a data set: run, trace, compare, survey, the prompt."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.command.answer import FINDING, FINE, UNUSABLE, Answer, conclude
from interp.command.options import (
    accumulators,
    argument_options,
    execution_options,
    fail_on_option,
    load_arguments,
    load_program,
    number,
    progress,
    reading_and_accumulators,
    ready,
    repeatable_option,
    run_settings,
    schedule_option,
    seconds_option,
    steps,
)
from spec.accumulator import INTEGER, Reading, is_accumulator, reading_named
from spec.errors import Malformed

if TYPE_CHECKING:
    from interp.answers.trace import Trace
    from interp.apps.surveys.batches import Batches
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


BEFORE = ("merge", "status")  # options of a survey whose files are parts
ALONE = (*BEFORE, "output", "html", "json", "csv")  # options that these may have beside them


# Options of verbs over a data set


def metric_options(new: argparse.ArgumentParser) -> None:
    """Add the options of a verb that computes a metric over a data set."""
    new.add_argument("--metric", choices=["accuracy"], help="what to compute of the results and the labels")
    new.add_argument("--labels", metavar="FILE", help=".npy, or FILE.npz:NAME: the metric's target")


def sampling_options(new: argparse.ArgumentParser) -> None:
    """Add the options that choose samples of a data set."""
    most = 1 << 62
    new.add_argument("--limit", type=number(int, 1, most), metavar="N", help="only the first N samples")
    drawn = "only N samples, drawn without replacement, in the order drawn; the same on every machine"
    new.add_argument("--sample", type=number(int, 1, most), metavar="N", help=drawn)
    seed = "the seed of --sample (default: 0)"
    new.add_argument("--seed", type=number(int, 0, most), metavar="S", help=seed)


def metric_target(options: argparse.Namespace) -> Any:
    """Return the labels of a metric, or None without one."""
    from interp.apps.surveys.columns import SEVERAL, open_columns
    from interp.engine.inputs import choose_member

    if (options.labels is None) != (options.metric is None):
        raise Malformed("a metric and its labels go together", "give --metric accuracy --labels FILE.npy")
    return choose_member(options.labels, open_columns, SEVERAL) if options.labels else None


def load_batches(options: argparse.Namespace, module: Module, **choice: Any) -> Batches:
    """Return the batches of the samples in files or folders, which are read as they are needed."""
    from interp.apps.surveys.batches import batched
    from interp.apps.surveys.columns import SEVERAL, open_columns
    from interp.engine.arguments import function_named
    from interp.engine.inputs import choose_arguments

    labels: Any = metric_target(options)
    if options.random is not None or options.quantize_inputs:
        arrays = load_arguments(options, module)
    else:
        func = function_named(module, options.function)
        arrays = choose_arguments(options.arguments, func, open_columns, SEVERAL)
    return batched(module, *arrays, targets=labels, function=options.function, **choice)


# `interp survey`


def survey_options(new: argparse.ArgumentParser) -> None:
    execution_options(new)
    new.add_argument("--against", metavar="FILE", help="the reference (default: the program in float)")
    metric_options(new)
    sampling_options(new)
    new.add_argument(
        "--ranking", action="store_true", help="also rank the layers by what quantizing each alone costs"
    )
    room = "also print the headroom of the accumulators, which takes longer; --html has it"
    new.add_argument("--sums", action="store_true", help=room)
    rates = "also count the samples with an overflow, and print their rate with its confidence"
    new.add_argument("--rates", action="store_true", help=rates)
    until = "stop when that rate is known to be below or above R: with --sample, which draws at random"
    new.add_argument("--until", type=number(float, 0, 1), metavar="R", help=until)
    shard_options(new)
    seconds_option(new)
    picture_options(new, "the program and its layers")


def shard_options(new: argparse.ArgumentParser) -> None:
    """Add the options of a survey in shards."""
    new.add_argument("--shard", type=shard, metavar="I/N", help="only shard I of N, from 0/N to N-1/N")
    part = "write the part to PART, and go on from it where it stopped; with --merge, what is merged"
    new.add_argument("-o", "--output", type=Path, metavar="PART", help=part)
    skips = "leave out batches that cannot be read, and list them: exit status 1"
    new.add_argument("--skip-unreadable", action="store_true", help=skips)
    merge = "the files are the parts of all shards: print their survey"
    new.add_argument("--merge", action="store_true", help=merge)
    state = "the files are parts: print how far each is; exit status 1 if shards are missing or unfinished"
    new.add_argument("--status", action="store_true", help=state)


def shard(text: str) -> tuple[int, int]:
    """Return the shard and the number of shards in `3/8`."""
    first, slash, second = text.partition("/")
    if not (slash and first.isdecimal() and second.isdecimal() and int(first) < int(second)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a shard: expected I/N, from 0/8 to 7/8")
    return int(first), int(second)


def survey(options: argparse.Namespace) -> Answer:
    from interp.apps.surveys.survey import survey as surveyed

    if options.merge or options.status:
        return join(options)
    if options.seed is not None and options.sample is None:
        raise Malformed("--seed without --sample", "expected --sample N --seed S")
    if options.shard and options.output is None:
        raise Malformed(
            "--shard without a file for its part", "give -o PART, and merge the parts with --merge"
        )
    module, ways = load_program(options), run_settings(options)
    batches = load_batches(
        options, module, limit=options.limit, sample=options.sample, seed=options.seed or 0
    )
    asked: dict[str, Any] = {name: getattr(options, name) for name in SETTINGS}
    asked |= {"save": options.output, "sums": options.sums or bool(options.html), **ways}
    with steps() as bar:
        found = surveyed(module, batches, options.metric, options.against, progress=bar, **asked)
    options.say(found)
    if options.html:
        found.report(options.html, module)
    if options.explorer:
        options.say(write_overlays(module, found, options))
    return conclude(found)


SETTINGS = ("ranking", "rates", "until", "shard", "skip_unreadable", "seconds")


def join(options: argparse.Namespace) -> Answer:
    """Print the survey of all parts, or how far they are."""
    from interp.apps.surveys.merge import list_parts, merge_surveys
    from interp.apps.surveys.part_file import save_survey

    refuse_others(options, "--merge" if options.merge else "--status")
    files: Sequence[str] = [options.file, *options.arguments]
    if options.status:
        listed = list_parts(files)
        options.say(listed)
        return conclude(listed, listed.is_complete)
    found = merge_surveys(files)
    options.say(found)
    if options.output:
        save_survey(found, options.output)
    if options.html:
        found.report(options.html)
    return conclude(found)


def refuse_others(options: argparse.Namespace, verb: str) -> None:
    """Raise `Malformed` for an option that only running a program uses."""
    new = argparse.ArgumentParser()
    survey_options(new)
    usual = {action.dest: action.default for action in new._actions if action.option_strings}
    ours = ALONE if verb == "--merge" else (*BEFORE, "json", "csv")
    given = [name for name, value in usual.items() if getattr(options, name, value) != value]
    others = [name for name in given if name not in ours and name != "help"]
    if others or (options.merge and options.status):
        said = "--status" if not others else f"--{others[0].replace('_', '-')}"
        raise Malformed(f"{said} with {verb}", "the parts say what they are of: leave it out")


# `interp widths`


def widths_options(new: argparse.ArgumentParser) -> None:
    argument_options(new)
    tried = "one to try, in each layer alone and in all: 'i20 saturate', i16, 'i16 blocks(4) i32'; repeatable"
    reading_and_accumulators(new, tried)
    metric_options(new)
    simulated = "raise simulated quantization (QDQ) to integers first"
    new.add_argument("--raise-qdq", action="store_true", help=simulated)
    seconds_option(new)
    new.add_argument(
        "--html", type=Path, metavar="FILE", help="draw the layers and their channels on one page"
    )


def widths(options: argparse.Namespace) -> Answer:
    from interp.apps.accumulator_study.widths import widths as study

    module, batches = load_program(options), None
    if options.arguments or options.random is not None:
        batches = load_batches(options, module)
    elif metric_target(options) is not None:
        raise Malformed("labels without samples", "give the samples, too")
    ways = {
        key: getattr(options, key)
        for key in ("raise_qdq", "function", "mode", "reading", "recipe", "seconds")
    }
    with steps() as bar:
        found = study(module, batches, options.accumulator, options.metric, progress=bar, **ways)
    options.say(found)
    if options.html:
        found.report(options.html)
    return conclude(found)


def repl(options: argparse.Namespace) -> Answer:
    from interp.apps.prompt.prompt import repl as session

    if options.file == "-":
        raise Malformed("standard input is what is typed", "give the program as a file")
    asked = options.arguments or options.random is not None
    module, arguments = ready(options) if asked else (load_program(options), [])
    return Answer(
        FINE if session(options.file, module, arguments, run_settings(options), progress) else UNUSABLE
    )
