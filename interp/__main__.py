"""The command line: `interp show|verify|run|trace|compare|lower|permits|repl|conformance|fuzz|errata`."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spec.errors import InterpError, Malformed, Violation

if TYPE_CHECKING:
    from interp.evaluate import Listener
    from interp.plan import Seen
    from spec.ir import Module

FINE, FINDING, UNUSABLE = 0, 1, 2
KEPT = 10_000  # events in a trace's JSON
EXAMPLES = """
examples:
  interp show model.mlirbc                        the program as text, large constants abbreviated
  interp verify model.mlirbc                      every constraint of the specification that it breaks
  interp verify model.mlirbc --lint               and what is legal, but perhaps not meant
  interp run model.mlirbc x.npy init.npy          its results, under the schedule `left`
  interp run model.mlirbc args.npz --save out     ... written to out/out0.npy, ...
  interp run model.mlir --random 7 --schedule balanced
  interp run model.mlirbc args.npz --fail-on saturate && echo "nothing saturates"
  interp trace model.mlirbc args.npz              what saturated, wrapped or lost digits, and where
  interp trace model.mlirbc args.npz --budget     ... and what the error against floats is made of
  interp trace model.mlirbc args.npz --html a.html
                                                  as maps, plots and stories on one page
  interp compare model.mlirbc args.npz            beside the float program on XLA, errors in steps
  interp lower model.mlirbc -o plain.mlir         the same bits as plain StableHLO, no quantized types
  interp permits model.mlirbc args.npz --results out/out0.npy
                                                  whether some schedule gives these results
  interp repl model.mlirbc args.npz               the same verbs at a prompt, and a walk node by node
  interp fuzz --impl 'python mine.py' --seed 7    random programs, and what it gets wrong made small
  interp conformance --impl stablehlo --html report.html
                                                  what an implementation gives, and what it may give

Exit status: 0 fine; 1 a finding (a violation, a disagreement, a failed --fail-on); 2 unusable input.
"""
PROTOCOL = """
Built-in: numpy, compiled (ours), oracle, stablehlo (its reference interpreter), xla, iree where installed.
A command gets MODULE RESULTS IN0.npy IN1.npy ...: a file of MLIR text, an empty folder, stored elements. It
writes RESULTS/out0.npy, ... and exits with 0, or with 1 for a program that breaks the specification, or with
2 for one that it does not support; any other status, or a signal, is a crash.
"""
LINT = "also what is legal and yet suspicious; the exit status is that of the violations alone"
ARGUMENTS = """
Arguments: .npy files, or one .npz with arg0, arg1, ... or the parameters' names; FILE.npz:NAME picks one.
Quantized values are storage integers. Element types that NumPy cannot name in a file (bf16, f8) travel as
bits in unsigned integers, i4 and i2 with one element a byte, in arguments and in --save.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit status."""
    options = parser().parse_args(arguments)
    try:
        if "file" in options:
            start_reading()
        return options.verb(options)
    except InterpError as error:
        print(error, file=sys.stderr)
        return FINDING if isinstance(error, Violation) or is_finding(error) else UNUSABLE
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except KeyboardInterrupt:
        return 130
    except MemoryError as error:
        print(f"not enough memory: {error}", file=sys.stderr)
        return UNUSABLE
    except Exception:
        traceback.print_exc()
        print("a bug in interp: please report it with the program", file=sys.stderr)
        return UNUSABLE


def start_reading() -> None:
    """Let the process that reads programs start while this one imports what it needs afterwards."""
    from interp.reading.worker import WORKER

    WORKER.start()


def is_finding(error: InterpError) -> bool:
    from interp.tracing.events import Finding

    return isinstance(error, Finding)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        "interp",
        description="Runs StableHLO programs with quantized reductions, and shows what happens in them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    known = "show verify run trace compare lower permits repl conformance fuzz errata"
    verbs = top.add_subparsers(metavar=known.replace(" ", " | "), required=True)
    program(verbs, "show", show, "print the program as MLIR")
    checked = program(verbs, "verify", verify, "print every violated constraint")
    mode(checked, "strict")
    checked.add_argument("--lint", action="store_true", help=LINT)
    with_arguments(verbs, "run", run, "print the results")
    with_arguments(verbs, "trace", trace, "print what was noteworthy about a run")
    with_arguments(verbs, "compare", compare, "compare with the float program that XLA runs")
    lowering(verbs)
    with_arguments(verbs, "permits", permits, "judge results: does some schedule give them?")
    with_arguments(verbs, "repl", repl, "explore a program and its run at a prompt")
    suite(verbs)
    fuzzing(verbs)
    verbs.add_parser("errata", help="where the specification leaves a choice, and ours").set_defaults(
        verb=errata
    )
    return top


class Version(argparse.Action):
    """Looked up when asked for, which takes a while."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        print(f"interp {version()}")
        parser.exit()


def version() -> str:
    """Of the installed package."""
    from importlib import metadata

    try:
        return metadata.version("stablehlo-interp")
    except metadata.PackageNotFoundError:
        return "not installed"


def program(verbs: Any, name: str, verb: Any, help: str, epilog: str = "") -> argparse.ArgumentParser:
    """A verb on a program."""
    formatter = argparse.RawDescriptionHelpFormatter
    new = verbs.add_parser(name, help=help, description=help, epilog=epilog, formatter_class=formatter)
    new.set_defaults(verb=verb)
    new.add_argument(
        "file", metavar="FILE", help="MLIR text or bytecode, a portable artifact, a jax.export blob"
    )
    new.add_argument(
        "--dialect", default="stablehlo", metavar="D", help="stablehlo, or rfc for the reduction RFC's form"
    )
    return new


def with_arguments(verbs: Any, name: str, verb: Any, help: str) -> None:
    """A verb on a program and its arguments."""
    new = program(verbs, name, verb, help, ARGUMENTS)
    new.add_argument("arguments", metavar="ARG", nargs="*", help=".npy files, or one .npz")
    new.add_argument("--random", type=int, metavar="SEED", help="random arguments instead")
    new.add_argument("--function", default="main", metavar="NAME", help="which function (default: main)")
    mode(new, "mlir")
    if verb is permits:
        new.add_argument(
            "--results", nargs="+", required=True, metavar="NPY", help="what was given, .npy files"
        )
        new.add_argument(
            "--inits", choices=["any", "one"], default="any", help="how many init values a tree has"
        )
        return
    new.add_argument("--schedule", default="left", metavar="S", help="left, balanced, blocks(32), random(7)")
    if verb in (run, trace):
        new.add_argument(
            "--fail-on", action="append", default=[], metavar="KIND", help="exit with 1 on such an event"
        )
    if verb is trace:
        new.add_argument("--budget", action="store_true", help="and what the error is made of")
        written = f"write counts, groups and the first {KEPT:,} events as JSON, too"
        new.add_argument("--json", type=Path, metavar="FILE", help=written)
        pictured = "draw every reduction on one page that opens without a network, too"
        new.add_argument("--html", type=Path, metavar="FILE", help=pictured)
    if verb is run:
        new.add_argument("--save", type=Path, metavar="DIR", help="write the results to DIR/out0.npy, ...")
        new.add_argument("--plan", action="store_true", help="also how each reduction was computed, and why")


def lowering(verbs: Any) -> None:
    new = program(verbs, "lower", lower, "write the program as StableHLO without quantized types")
    output = "MLIR text, or for a name in .mlirbc a portable artifact (default: text to the screen)"
    new.add_argument("-o", "--output", type=Path, metavar="OUT", help=output)
    new.add_argument("--target", metavar="V", help="the artifact's StableHLO version, such as 1.0.0")
    new.add_argument("--function", metavar="NAME", help="only this one (default: every public function)")
    new.add_argument("--schedule", default="left", metavar="S", help="left, balanced, blocks(32)")
    mode(new, "mlir")


def suite(verbs: Any) -> None:
    new = of_implementation(
        verbs, "conformance", conformance, "run the conformance suite on an implementation"
    )
    new.add_argument("--filter", action="append", default=[], metavar="WORD", help="only cases named so")
    new.add_argument("--cases", type=Path, metavar="DIR", help="other cases than testdata/<op>/<case>.mlir")
    for kind in ("junit", "json", "html"):
        new.add_argument(f"--{kind}", type=Path, metavar="FILE", help=f"write the report as {kind}, too")


def fuzzing(verbs: Any) -> None:
    new = of_implementation(
        verbs, "fuzz", fuzz, "run random programs on an implementation, and make small what it gets wrong"
    )
    new.add_argument("--seconds", type=float, default=60.0, metavar="N", help="how long (default: 60)")
    new.add_argument(
        "--seed", type=int, default=0, metavar="S", help="the first program; with --seconds 0 the only one"
    )
    new.add_argument("--save", type=Path, metavar="DIR", help="write each case to DIR/fuzz_<seed>.mlir, too")


def of_implementation(verbs: Any, name: str, verb: Any, help: str) -> argparse.ArgumentParser:
    """A verb that needs no program."""
    formatter = argparse.RawDescriptionHelpFormatter
    new = verbs.add_parser(name, help=help, description=help, epilog=PROTOCOL, formatter_class=formatter)
    new.set_defaults(verb=verb)
    new.add_argument("--impl", default="numpy", metavar="NAME", help="a built-in one, or a command")
    new.add_argument("--timeout", type=float, default=20.0, metavar="S", help="for a program (default: 20)")
    return new


def mode(verb: argparse.ArgumentParser, default: str) -> None:
    help = f"constraints as the text has them, or as jaxlib's verifier (default: {default})"
    verb.add_argument("--mode", choices=["strict", "mlir"], default=default, help=help)


def loaded(options: argparse.Namespace) -> Module:
    from interp.load import load

    return load(Path(options.file), dialect=options.dialect)


def show(options: argparse.Namespace) -> int:
    from interp.summary import summary
    from spec.printer import show as text

    module = loaded(options)
    print(text(module))
    print(summary(module))
    return FINE


def as_written(options: argparse.Namespace) -> Module:
    """The program, even if jaxlib refuses it: then our own rows say which constraint it breaks."""
    from interp.load import load
    from spec.verify import verify as violations

    try:
        return loaded(options)
    except Malformed:
        with contextlib.suppress(InterpError):
            module = load(Path(options.file), dialect=options.dialect, checked=False)
            if violations(module, mode=options.mode):
                return module
        raise


def verify(options: argparse.Namespace) -> int:
    from interp.reading.source import explained
    from spec.verify import verify as violations

    path, module = Path(options.file), as_written(options)
    found = list(explained(lambda module: violations(module, mode=options.mode), module, path))
    print("\n".join(found) or f"no violations ({options.mode})")
    if options.lint:
        from interp.lint import lint

        print("\n".join(explained(lint, module, path)) or "nothing suspicious")
    return FINDING if found else FINE


def run(options: argparse.Namespace) -> int:
    from interp.inputs import writable, write_results
    from interp.run import run as results_of

    module = loaded(options)
    arguments = given(options, module)
    folder = options.save and writable(options.save)
    seen = planned(options)
    with progress() as listeners:
        results = results_of(
            module, *arguments, **chosen(options), fail_on=options.fail_on, listeners=[*listeners, *seen]
        )
    print(*results, *(listener.plan for listener in seen), sep="\n")
    if folder:
        print(*write_results(results, folder), sep="\n")
    return FINE


def planned(options: argparse.Namespace) -> list[Seen]:
    """What listens for --plan."""
    if not options.plan:
        return []
    from interp.plan import Seen
    from spec.schedule import parse

    return [Seen(parse(options.schedule))]


def trace(options: argparse.Namespace) -> int:
    from interp.inputs import write_text
    from interp.reporting.summary import is_quick
    from interp.trace import trace as traced
    from interp.tracing.events import known_kinds

    known_kinds(options.fail_on)
    module = loaded(options)
    arguments = given(options, module)
    with progress() as listeners:
        keep = KEPT if options.json else 0
        found = traced(module, *arguments, **chosen(options), listeners=listeners, keep=keep)
    print(found)
    if is_quick(module) and found.reductions:
        print(found.summary())
    if options.html:
        found.report(options.html)
    if options.json:
        write_text(options.json, found.to_json())
    if options.budget:
        print(found.budget())
    return FINDING if found.has(*options.fail_on) else FINE


def compare(options: argparse.Namespace) -> int:
    from interp.compare import compare as comparison

    module = loaded(options)
    arguments = given(options, module)
    with progress() as listeners:
        found = comparison(module, *arguments, **chosen(options), listeners=listeners)
    print(found)
    return FINE if found.ok else FINDING


def lower(options: argparse.Namespace) -> int:
    from interp.lower import lower as lowered
    from interp.lower import save

    module = lowered(loaded(options), **chosen(options))
    if options.output is None:
        print(module)
    else:
        save(module, options.output, options.target)
    return FINE


def conformance(options: argparse.Namespace) -> int:
    from interp.suite.conformance_command import command

    return FINE if command(options) else FINDING


def permits(options: argparse.Namespace) -> int:
    from interp.inputs import read_arguments
    from interp.permits import permits as judged
    from interp.run import function_named

    module = loaded(options)
    results = read_arguments(options.results, function_named(module, options.function))
    chosen = {"function": options.function, "mode": options.mode, "inits": options.inits}
    found = judged(module, given(options, module), results, **chosen)
    print(found)
    return FINE if found.ok else FINDING


def repl(options: argparse.Namespace) -> int:
    from interp.repl import repl as session

    module = loaded(options)
    arguments = given(options, module) if options.arguments or options.random is not None else []
    return FINE if session(options.file, module, arguments, chosen(options), progress) else UNUSABLE


def fuzz(options: argparse.Namespace) -> int:
    from interp.suite.fuzz_command import command

    return FINE if command(options) else FINDING


def errata(options: argparse.Namespace) -> int:
    from spec.errata import table

    print(table())
    return FINE


def given(options: argparse.Namespace, module: Module) -> list[Any]:
    """The arguments from files, or random ones."""
    from interp.inputs import random_arguments, read_arguments
    from interp.run import function_named

    func = function_named(module, options.function)
    if options.random is None:
        return read_arguments(options.arguments, func)
    if options.arguments:
        raise Malformed("arguments and --random", "give one or the other")
    return random_arguments(func, options.random)


def chosen(options: argparse.Namespace) -> dict[str, Any]:
    return {"schedule": options.schedule, "function": options.function, "mode": options.mode}


@contextlib.contextmanager
def progress() -> Iterator[list[Listener]]:
    """A progress bar on a terminal, shown after a second."""
    if not sys.stderr.isatty():
        yield []
        return
    from rich.console import Console

    from interp.progress import ProgressBar

    with ProgressBar(Console(stderr=True)) as bar:
        yield [bar]


if __name__ == "__main__":
    sys.exit(main())
