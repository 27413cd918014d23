"""Inputs of a verb: the program, its arguments, and the options of its run."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spec.errors import Malformed

if TYPE_CHECKING:
    from interp.command.progress import ProgressBar
    from spec.ir import Module

PIPED = 1 << 30  # bytes of a program in standard input, which may have no end


def load_program(options: argparse.Namespace, checked: bool = True) -> Module:
    from interp.loading.load import load_bytes

    return load_bytes(*source(options), dialect=options.dialect, checked=checked)


def source(options: argparse.Namespace) -> tuple[bytes, str]:
    """Return the program's bytes, and its name in locations; standard input is read only once."""
    from interp.loading.load import content

    if "source" not in options:
        path = Path(options.file)
        options.source = (read_stdin(), "<stdin>") if options.file == "-" else (content(path), str(path))
    return options.source


def read_stdin() -> bytes:
    """Return all of standard input; `Malformed` if it is too long."""
    data = sys.stdin.buffer.read(PIPED + 1) if sys.stdin else b""
    if len(data) > PIPED:
        raise Malformed(
            f"standard input has more than {PIPED:,} bytes", "write it to a file, and pass its name"
        )
    return data


def ready(options: argparse.Namespace) -> tuple[Module, list[Any]]:
    """Return the program, refined to known sizes, and its arguments."""
    from interp.execute.refine import refine

    module = load_program(options)
    arguments = load_arguments(options, module)
    return refine(module, *arguments), arguments


def load_arguments(options: argparse.Namespace, module: Module) -> list[Any]:
    """Return the arguments from files, or random ones."""
    from interp.engine.arguments import function_named
    from interp.engine.inputs import random_arguments, read_arguments
    from interp.execute.refine import refuse_dynamic

    func = function_named(module, options.function)
    if options.random is None:
        found = read_arguments(options.arguments, func)
        return _quantize(found, func) if options.quantize_inputs else found
    if options.arguments:
        raise Malformed("arguments and --random", "give one or the other")
    refuse_dynamic(module)
    return random_arguments(func, options.random)


def _quantize(arrays: list[Any], func: Any) -> list[Any]:
    """Return the arguments, floats for quantized parameters quantized; print how many saturated."""
    from interp.engine.quantized_inputs import quantized_inputs

    found, notes = quantized_inputs(arrays, func)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    return found


def run_settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of a run."""
    ways = {key: getattr(options, key) for key in ("schedule", "function", "mode")}
    return {**ways, **reading_and_accumulator(options)}


def reading_and_accumulator(options: argparse.Namespace) -> dict[str, Any]:
    """Return the reading of quantized operations, with its recipe, and the accumulators of sums.

    An integer type alone is the accumulator of the integer reading.
    """
    from spec.accumulator import INTEGER, is_accumulator, reading_named

    asked = accumulators(options.accumulator)
    if asked is None or (options.reading == INTEGER and is_accumulator(asked)):
        return {"reading": reading_named(options.reading, asked, options.recipe)}  # type: ignore[arg-type]
    return {"reading": reading_named(options.reading, None, options.recipe), "accumulator": asked}


def accumulators(texts: str | list[str] | None) -> str | dict[str, str] | None:
    """Return the accumulator of all sums, or those of the named ones: `%5=i16`."""
    texts = [texts] if isinstance(texts, str) else texts or []
    pairs = [re.fullmatch(r"(.*[^>])=(.*)", text, re.DOTALL) for text in texts]  # not the = of n >= 64
    named = {pair[1].strip(): pair[2] for pair in pairs if pair}
    if len(named) == len(texts):
        return named or None
    if len(texts) > 1:
        evidence = "expected one for all, i16, or each with its name: %5=i16 --accumulator %7=i32"
        raise Malformed(f"several accumulators: {', '.join(texts)}", evidence)
    return texts[0]


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


@contextlib.contextmanager
def steps() -> Iterator[Any]:
    """Yield the function that a verb tells its progress, or None if there is no terminal."""
    with progress() as bars:
        yield next((bar.step for bar in bars), None)
