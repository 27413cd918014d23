"""Verbs that judge others: permits, diagnose, judge, blame; conformance and fuzz of implementations."""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path
from typing import Any

from interp.command.answer import FINDING, FINE, Answer, conclude
from interp.command.options import (
    LONG,
    argument_options,
    dimension,
    execution_options,
    function_option,
    load_program,
    mode_option,
    number,
    program_options,
    reading_and_accumulator,
    ready,
    repeatable_option,
    run_settings,
    schedule_option,
    seconds_option,
    steps,
)
from interp.command.options import reading_and_accumulators as of_reading
from interp.command.options import seconds_option as deadline
from spec.accumulator import READINGS
from spec.errors import Malformed, Unsupported
from spec.ir import Module
from spec.recipes import RECIPES

SECONDS = 15.0  # as `interp.apps.diagnosing.diagnose.SECONDS`


def permits_options(new: argparse.ArgumentParser) -> None:
    argument_options(new)
    of_reading(new)
    new.add_argument(
        "--results", nargs="+", required=True, metavar="NPY", help="the results to judge, .npy files"
    )
    new.add_argument(
        "--inits",
        choices=["any", "one"],
        default="any",
        help="number of init values in a tree (default: any)",
    )
    new.add_argument(
        "--only",
        nargs="+",
        metavar="SCHEDULE",
        help="the schedules that the implementation states; a result that differs in one bit is wrong",
    )
    seconds_option(new)


def permits(options: argparse.Namespace) -> Answer:
    from interp.engine.arguments import function_named
    from interp.engine.inputs import read_arguments
    from interp.questions.permitted.permits import permits as judgement

    module, arguments = ready(options)
    results = read_arguments(options.results, function_named(module, options.function))
    ways = {"function": options.function, "mode": options.mode, "inits": options.inits}
    if options.only:
        ways |= {"schedules": options.only, "only": True}
    asked = {**ways, **reading_and_accumulator(options), "seconds": options.seconds}
    with steps() as bar:
        found = judgement(module, arguments, results, **asked, progress=bar)
    options.say(found)
    return conclude(found, found.ok)


def diagnose_options(new: argparse.ArgumentParser) -> None:
    execution_options(new)
    files = "the results of the device, .npy files"
    new.add_argument("--results", nargs="+", required=True, metavar="NPY", help=files)
    value = "a value of the function on the device: %%sum=sum.npy; repeatable"
    repeatable_option(new, "--intermediate", "NAME=NPY", value)
    adds = "first reveal how this implementation adds, and start from that"
    new.add_argument("--revealed", metavar="IMPL", help=adds)
    runs = "the largest number of runs (default: that of interp.diagnose)"
    new.add_argument("--limit", type=number(int, 1, inf), metavar="N", help=runs)
    seconds_option(new, SECONDS)


def diagnose(options: argparse.Namespace) -> Answer:
    from interp.apps.diagnosing.diagnose import LIMIT
    from interp.apps.diagnosing.diagnose import diagnose as diagnosis
    from interp.engine.inputs import read_array

    module, arguments = ready(options)
    results = [read_array(file) for file in options.results]
    values = {name: read_array(file) for name, file in map(_name_and_file, options.intermediate)}
    ways = {**run_settings(options), "limit": options.limit or LIMIT, "seconds": options.seconds}
    if options.revealed:
        ways["revealed"] = _reveal_sums(module, options.function, options.revealed)
    with steps() as bar:
        found = diagnosis(module, arguments, results, values, **ways, progress=bar)
    options.say(found)
    return conclude(found, found.ok)


def _reveal_sums(module: Module, function: str, impl: str) -> list[Any]:
    """Return what is stated of the sums of a program in an implementation, of those that are probed."""
    from interp.apps.revealing.reveal import reveal as revealed
    from interp.apps.revealing.site import sums_of

    found = list[Any]()
    for name in sums_of(module, function):
        try:
            found.append(revealed(module, impl, of=name, function=function))
        except Unsupported:
            continue
    if not any(each.ok for each in found):
        said = "; ".join(each.statement for each in found) or "no sum of the program is probed"
        raise Malformed(f"nothing is revealed of {impl}", said)
    return [each for each in found if each.ok]


def _name_and_file(text: str) -> tuple[str, str]:
    """Return the name of a value and the file that has it, from `%sum=sum.npy`."""
    name, equals, file = text.partition("=")
    if not (name and equals and file):
        raise Malformed(f"--intermediate {text}", "expected NAME=FILE: %sum=sum.npy, sum=values.npz:sum")
    return name, file


# The verb judge: a program and a dump of a device


def judge_options(new: argparse.ArgumentParser) -> None:
    program_options(new)
    files = "the device's tensors: a folder of .npy or .npz files, an archive, or a mapping in .json"
    new.add_argument("dump", metavar="DUMP", help=files)
    function_option(new)
    mode_option(new, "mlir")
    names = "how the device may execute quantized operations; repeatable (default: all)"
    new.add_argument("--reading", action="append", dest="readings", choices=list(READINGS), help=names)
    trees = "a schedule that it may have; repeatable (default: left, balanced, blocks(32))"
    repeatable_option(new, "--schedule", "S", trees)
    rules = "a recipe of requantization that it may have; repeatable"
    new.add_argument("--recipe", action="append", default=[], choices=list(RECIPES), help=rules)
    sums = "an accumulation that it may have: 'lanes(8: left fma; balanced)', i16; repeatable"
    repeatable_option(new, "--accumulation", "A", sums)
    many = "elements of each layer that are looked at (default: 1000)"
    new.add_argument("--elements", type=number(int, 1, inf), default=1000, metavar="N", help=many)
    new.add_argument("--all", action="store_true", help="look at every element")
    new.add_argument("--seed", type=number(int, 0, inf), default=0, metavar="S", help="of the draw")
    new.add_argument("--no-explain", action="store_true", help="do not look for the deviation of a fault")
    seconds_option(new)


def judge(options: argparse.Namespace) -> Answer:
    from interp.apps.judging.judge import SCHEDULES
    from interp.apps.judging.judge import judge as judgement

    module = load_program(options)
    ways: dict[str, Any] = {key: getattr(options, key) for key in ("function", "mode", "seed", "seconds")}
    ways |= {"schedules": options.schedule or SCHEDULES, "readings": options.readings}
    ways |= {"recipes": options.recipe, "accumulations": options.accumulation}
    ways |= {"elements": None if options.all else options.elements, "explain": not options.no_explain}
    with steps() as bar:
        found = judgement(module, options.dump, **ways, progress=bar)
    options.say(found)
    return conclude(found, found.ok)


# The verb blame: its options, and the files that it writes


def blame_options(new: argparse.ArgumentParser) -> None:
    argument_options(new)
    schedule_option(new)
    other = "another implementation than XLA: a name or a command, as conformance takes it"
    new.add_argument("--impl", "--against", dest="against", metavar="IMPL", help=other)
    value = "an option of XLA's compiler: xla_disable_hlo_passes=cse; repeatable"
    repeatable_option(new, "--xla-option", "NAME=VALUE", value)
    new.add_argument("--no-slices", action="store_true", help="name the passes only, which is quicker")
    new.add_argument("--seconds", type=number(float, 0, inf), metavar="N", help="a deadline")
    written = "write each slice and its arguments to this folder: slice.mlir, slice0.npy, ..."
    new.add_argument("-o", "--output", type=Path, metavar="DIR", help=written)


def blame(options: argparse.Namespace) -> Answer:
    from interp.apps.blaming.blame import blame as blamed
    from interp.engine.inputs import writable

    module, arguments = ready(options)
    folder = options.output and writable(options.output)
    ways: dict[str, Any] = {"function": options.function, "mode": options.mode, "schedule": options.schedule}
    ways |= {"against": options.against, "options": dict(map(_option, options.xla_option))}
    ways["slices"] = not options.no_slices
    with steps() as bar:
        found = blamed(module, *arguments, **ways, seconds=options.seconds, progress=bar)
    options.say(found)
    for path in found.save(folder) if folder else ():
        options.say(f"wrote {path}")
    return Answer(FINE if found.ok and not found.partial else FINDING, found)


def _option(text: str) -> tuple[str, Any]:
    """Return the name and the value of an option of XLA's compiler."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise Malformed(f"--xla-option {text}", "expected NAME=VALUE: xla_disable_hlo_passes=cse")
    return name, {"true": True, "false": False}.get(value.lower(), value)


# The verb reveal: the accumulation of an implementation


def reveal_options(new: argparse.ArgumentParser) -> None:
    from interp.apps.suite.implementations import available

    program_options(new)
    function_option(new)
    names = f"one that is installed ({', '.join(available())}), a command, or server:COMMAND (default: xla)"
    new.add_argument("--impl", default="xla", metavar="NAME", help=names)
    new.add_argument("--of", metavar="NAME", help="the sum, where the program has several: %%4")
    inputs = "on how many inputs both must be equal (default: 1000)"
    new.add_argument("--check", type=number(int, 6, 10**6), default=1000, metavar="N", help=inputs)
    sizes = "numbers that the program's unknown sizes have in turn: one text for all"
    new.add_argument("--sizes", nargs="+", type=number(int, 1, 1 << 20), metavar="N", help=sizes)
    new.add_argument("--html", type=Path, metavar="FILE", help="draw the tree on a page")


def reveal(options: argparse.Namespace) -> Answer:
    from interp.apps.revealing.reveal import reveal as revealed

    module = load_program(options)
    asked = {"of": options.of, "check": options.check, "function": options.function, "sizes": options.sizes}
    page = options.html
    found = revealed(module, options.impl, **asked)
    options.say(found)
    if page:
        found.report(page)
    return Answer(FINE if found.ok else FINDING, found)


def invariant_options(new: argparse.ArgumentParser) -> None:
    program_options(new)
    new.add_argument("--impl", default="xla", metavar="NAME", help="the implementation, as for reveal")
    new.add_argument("--of", metavar="NAME", help="the sum, where the program has several: %%4")
    sizes = "numbers of rows to ask about (default: 1 2 4 8 16 32 64 128)"
    new.add_argument("--sizes", nargs="+", type=number(int, 1, 1 << 20), metavar="N", help=sizes)
    inputs = "on how many inputs each call must be equal (default: 1000)"
    new.add_argument("--check", type=number(int, 6, 10**6), default=1000, metavar="N", help=inputs)


def invariant(options: argparse.Namespace) -> Answer:
    from interp.apps.revealing.invariance import SIZES
    from interp.apps.revealing.invariance import invariant as judgement

    ways: dict[str, Any] = {"impl": options.impl, "of": options.of, "check": options.check}
    found = judgement(load_program(options), sizes=options.sizes or SIZES, **ways)
    options.say(found)
    return Answer(FINE if found.ok else FINDING, found)


# Verbs that take an implementation, and no program: conformance and fuzz.


def implementation_options(new: argparse.ArgumentParser) -> None:
    from interp.apps.suite.implementations import available

    names = f"one that is installed ({', '.join(available())}), a command, server:COMMAND or pjrt:PATH"
    names = f"{names} (default: numpy)"
    new.add_argument("--impl", default="numpy", metavar="NAME", help=names)
    processes = "how many cases to ask at a time, each in a process of its own (default: 1)"
    new.add_argument("--jobs", type=number(int, 1, 1024), default=1, metavar="N", help=processes)
    new.add_argument(
        "--timeout",
        type=number(float, 0.001, LONG),
        default=20.0,
        metavar="S",
        help="seconds for each program (default: 20)",
    )


def conformance_options(new: argparse.ArgumentParser) -> None:
    implementation_options(new)
    repeatable_option(new, "--filter", "WORD", "only cases whose id contains WORD; repeatable")
    operations_option(new, "only cases whose programs have one of these: reduce,dot_general")
    folder = "folder of the cases, <op>/<case>.mlir (default: those of interp)"
    new.add_argument("--cases", type=Path, metavar="DIR", help=folder)
    deadline(new)
    for kind in ("junit", "html"):
        new.add_argument(f"--{kind}", type=Path, metavar="FILE", help=f"write the report as {kind}, too")


def operations_option(new: argparse.ArgumentParser, help: str) -> None:
    names = lambda text: tuple(filter(None, text.split(",")))
    new.add_argument("--ops", type=names, default=(), metavar="OP,OP", help=help)


def conformance(options: argparse.Namespace) -> Answer:
    from interp.command.suite_runs import report_conformance

    report = report_conformance(options)
    return conclude(report, report.ok)


def fuzz_options(new: argparse.ArgumentParser) -> None:
    from interp.apps.suite.generate import MAKERS

    implementation_options(new)
    operations_option(new, f"only these operations: {','.join(MAKERS)}")
    seconds = number(float, 0, LONG)
    new.add_argument(
        "--seconds", type=seconds, default=60.0, metavar="N", help="how many seconds to run (default: 60)"
    )
    new.add_argument(
        "--seed",
        type=number(int, 0, inf),
        default=0,
        metavar="S",
        help="the seed of the first program; with --seconds 0 of the only one",
    )
    new.add_argument(
        "--sweep",
        action="store_true",
        help="chains of plain operations with sizes up to 100,000, ranks up to 8",
    )
    new.add_argument("--save", type=Path, metavar="DIR", help="write each case to DIR/fuzz_<seed>.mlir, too")


def fuzz(options: argparse.Namespace) -> Answer:
    from interp.command.suite_runs import report_fuzz

    found = report_fuzz(options)
    return Answer(FINE if found.ok else FINDING, found)


# The verb check: what a build asks of its models, from options and from [tool.interp] in pyproject.toml.


def check_options(new: argparse.ArgumentParser) -> None:
    from interp.apps.checking.formats import FORMATS

    new.add_argument("files", nargs="*", metavar="FILE", help="models (default: those of [tool.interp])")
    new.add_argument("--config", type=Path, metavar="TOML", help="default: pyproject.toml, if it is here")
    new.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    new.add_argument("-o", "--output", type=Path, metavar="OUT", help="a file to write to, beside text")
    new.add_argument("--strict", action="store_true", help="every remark counts, not only errors")
    repeatable_option(new, "--ignore", "RULE", "a rule whose remarks do not count: lint_overflow; repeatable")
    repeatable_option(new, "--stage", "STAGE", "load, verify, lint, prove or run (default: all); repeatable")
    repeatable_option(new, "--dims", "NAME=N", "a size with a name: N=1; repeatable")
    repeatable_option(new, "--range", "ARG=LO:HI", "stored elements of a parameter: x=-4:4; repeatable")
    new.add_argument("--seconds", type=number(float, 0, inf), metavar="N", help="for the proofs of a model")


def check(options: argparse.Namespace) -> Answer:
    from interp.apps.checking.formats import FORMATS, as_text
    from interp.apps.checking.project import NAME, Config, check_models, models_of, read_config
    from interp.engine.files import write_text
    from interp.questions.proving.prove import parse_range

    path = options.config or Path(NAME)
    config = read_config(path) if options.config or path.is_file() else Config()
    config.models = options.files or models_of(config, path.parent)
    if not config.models:
        raise Malformed("no models", f"name files, or list models in [tool.interp] of {NAME}")
    config.dims |= dict(map(dimension, options.dims))
    config.ranges |= dict(map(parse_range, options.range))
    config.stages, config.ignore = options.stage or config.stages, [*config.ignore, *options.ignore]
    config.strict = options.strict or config.strict
    config.seconds = config.seconds if options.seconds is None else options.seconds
    with steps() as bar:
        found = check_models(config, bar)
    if options.output:
        write_text(options.output, FORMATS[options.format](found))
    options.say(as_text(found) if options.output else FORMATS[options.format](found))
    return conclude(found, all(each.ok for each in found.values()))
