"""The verbs of the command line: each takes its options and returns the exit status."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spec.errors import InterpError, Malformed

if TYPE_CHECKING:
    from interp.command.progress import ProgressBar
    from interp.execute.plan import Seen
    from spec.accumulator import Reading
    from spec.ir import Module

FINE, FINDING, UNUSABLE = 0, 1, 2
KEPT = 10_000  # events in a trace's JSON
PIPED = 1 << 30  # bytes of a program in standard input, which may have no end


def loaded(options: argparse.Namespace, checked: bool = True) -> Module:
    from interp.reading.load import load_bytes

    return load_bytes(*source(options), dialect=options.dialect, checked=checked)


def source(options: argparse.Namespace) -> tuple[bytes, str]:
    """Return the program's bytes, and its name in locations; standard input is read only once."""
    from interp.reading.load import content

    if "source" not in options:
        path = Path(options.file)
        options.source = (piped(), "<stdin>") if options.file == "-" else (content(path), str(path))
    return options.source


def piped() -> bytes:
    """Return all of standard input; `Malformed` if it is too long."""
    data = sys.stdin.buffer.read(PIPED + 1) if sys.stdin else b""
    if len(data) > PIPED:
        raise Malformed(
            f"standard input has more than {PIPED:,} bytes", "write it to a file, and pass its name"
        )
    return data


def show(options: argparse.Namespace) -> int:
    from interp.command.show import summary
    from spec.printer import show as text

    module = loaded(options)
    print(module if options.full else text(module))
    print(summary(module))
    return FINE


def as_written(options: argparse.Namespace) -> Module:
    """Return the program, even if jaxlib refuses it, so that `verify` can name the violated constraint."""
    from spec.verify import verify as violations

    try:
        return loaded(options)
    except Malformed:
        with contextlib.suppress(InterpError):
            module = loaded(options, checked=False)
            if violations(module, mode=options.mode):
                return module
        raise


def verify(options: argparse.Namespace) -> int:
    from interp.command.findings import explained
    from spec.verify import verify as violations

    module = as_written(options)
    found = list(explained(lambda module: violations(module, mode=options.mode), module, *source(options)))
    print("\n".join(found) or f"no violations ({options.mode})")
    if options.lint:
        from interp.reductions.lint import lint

        print("\n".join(explained(lint, module, *source(options))) or "nothing suspicious")
    return FINDING if found else FINE


def run(options: argparse.Namespace) -> int:
    from interp.engine.inputs import writable, write_results
    from interp.execute.run import run as results_of

    module, arguments = ready(options)
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
    """Return a list with a listener that records the fast paths if --plan is given, else empty."""
    if not options.plan:
        return []
    from interp.execute.plan import Seen
    from spec.schedule import parse

    return [Seen(parse(options.schedule), reading(options))]


def trace(options: argparse.Namespace) -> int:
    from interp.command import explorer
    from interp.engine.files import write_text
    from interp.events.event import known_kinds
    from interp.reporting.summary import is_quick
    from interp.reporting.trace import trace as traced

    known_kinds(options.fail_on)
    module, arguments = ready(options)
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
    for op in options.explain:
        print(found.explain(op))
    if options.explorer:
        print(explorer.written(loaded(options), found, options))
    if options.budget:
        with progress() as listeners:
            print(found.budget(progress=next((bar.step for bar in listeners), None)))
    return FINDING if found.has(*options.fail_on) else FINE


def compare(options: argparse.Namespace) -> int:
    from interp.comparison.compare import compare as comparison

    module, arguments = ready(options)
    with progress() as listeners:
        found = comparison(
            module, *arguments, against=options.against, **chosen(options), listeners=listeners
        )
    print(found)
    return FINE if found.ok else FINDING


def survey(options: argparse.Namespace) -> int:
    from interp.command.survey import lines

    module = loaded(options)
    with progress() as bars:
        step = next((bar.step for bar in bars), None)
        for line in lines(module, given(options, module), options, chosen(options), step):
            print(line)
    return FINE


def lower(options: argparse.Namespace) -> int:
    from interp.execute.lower import lower as lowered
    from interp.execute.lower import save

    module = lowered(loaded(options), **chosen(options))
    if options.output is None:
        print(module)
    else:
        save(module, options.output, options.target)
    return FINE


def quantize(options: argparse.Namespace) -> int:
    from interp.command.quantize import quantized

    with progress() as bars:
        for line in quantized(loaded(options), options, next((bar.step for bar in bars), None)):
            print(line)
    return FINE


def raise_qdq(options: argparse.Namespace) -> int:
    from interp.onnx.write import save_as
    from interp.quantization.raise_qdq import raise_qdq as raised

    found = raised(loaded(options), options.function, options.flow)
    print(found)
    if options.output is not None:
        save_as(found.module, options.output)
    return FINE


def conformance(options: argparse.Namespace) -> int:
    from interp.command.conformance import command

    return FINE if command(options) else FINDING


def permits(options: argparse.Namespace) -> int:
    from interp.engine.arguments import function_named
    from interp.engine.inputs import read_arguments
    from interp.permitted.permits import permits as judged

    module, arguments = ready(options)
    results = read_arguments(options.results, function_named(module, options.function))
    chosen = {"function": options.function, "mode": options.mode, "inits": options.inits}
    found = judged(module, arguments, results, **chosen, reading=reading(options))
    print(found)
    return FINE if found.ok else FINDING


def diagnose(options: argparse.Namespace) -> int:
    from interp.command.diagnose import diagnosis

    module, arguments = ready(options)
    with progress() as bars:
        found = diagnosis(module, arguments, options, chosen(options), next((bar.step for bar in bars), None))
    print(found)
    return FINE if found.ok else FINDING


def prove(options: argparse.Namespace) -> int:
    from interp.engine.files import write_text
    from interp.proving.parameters import parsed
    from interp.proving.prove import prove as proof

    ranges: dict[str | int, Any] = dict(map(parsed, options.range))
    with progress() as bars:
        bar = next((bar.step for bar in bars), None)
        found = proof(loaded(options), ranges, **chosen(options), progress=bar)
    print(found)
    if options.json:
        write_text(options.json, found.to_json())
    return FINE if found.ok else FINDING


def repl(options: argparse.Namespace) -> int:
    from interp.command.repl import repl as session

    if options.file == "-":
        raise Malformed("standard input is what is typed", "give the program as a file")
    asked = options.arguments or options.random is not None
    module, arguments = ready(options) if asked else (loaded(options), [])
    return FINE if session(options.file, module, arguments, chosen(options), progress) else UNUSABLE


def fuzz(options: argparse.Namespace) -> int:
    from interp.command.fuzz import command

    return FINE if command(options) else FINDING


def errata(options: argparse.Namespace) -> int:
    from spec.errata import table

    print(table())
    return FINE


def ready(options: argparse.Namespace) -> tuple[Module, list[Any]]:
    """Return the program, refined to known sizes, and its arguments."""
    from interp.execute.refine import refine

    module = loaded(options)
    arguments = given(options, module)
    return refine(module, *arguments), arguments


def given(options: argparse.Namespace, module: Module) -> list[Any]:
    """Return the arguments from files, or random ones."""
    from interp.engine.arguments import function_named
    from interp.engine.inputs import random_arguments, read_arguments
    from interp.execute.refine import refuse_dynamic

    func = function_named(module, options.function)
    if options.random is None:
        return read_arguments(options.arguments, func)
    if options.arguments:
        raise Malformed("arguments and --random", "give one or the other")
    refuse_dynamic(module)
    return random_arguments(func, options.random)


def chosen(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "schedule": options.schedule,
        "function": options.function,
        "mode": options.mode,
        "reading": reading(options),
    }


def reading(options: argparse.Namespace) -> Reading:
    """Return the reading of quantized operations, with its accumulator and recipe."""
    from spec.accumulator import reading_named

    return reading_named(options.reading, options.accumulator, options.recipe)


@contextlib.contextmanager
def progress() -> Iterator[list[ProgressBar]]:
    """Yield a progress bar on a terminal, shown after a second."""
    if not sys.stderr.isatty():
        yield []
        return
    from rich.console import Console

    from interp.command.progress import ProgressBar

    with ProgressBar(Console(stderr=True)) as bar:
        yield [bar]
