"""Verbs over a data set: survey, whole, in shards or merged, and widths."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.command.answer import Answer, conclude
from interp.command.options import (
    argument_options,
    execution_options,
    load_arguments,
    load_program,
    number,
    reading_and_accumulators,
    run_settings,
    seconds_option,
    steps,
)
from interp.command.runs import picture_options, write_overlays
from spec.errors import Malformed

if TYPE_CHECKING:
    from interp.apps.surveys.batches import Batches
    from spec.ir import Module

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

    refuse_others(options, "--merge" if options.merge else "--status")
    files: Sequence[str] = [options.file, *options.arguments]
    if options.status:
        listed = list_parts(files)
        options.say(listed)
        return conclude(listed, listed.is_complete)
    found = merge_surveys(files)
    options.say(found)
    if options.output:
        found.save(options.output)
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
