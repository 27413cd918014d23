"""Options that several verbs have, one spelling for all, and what they name: a program and its arguments."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spec.accumulator import DEQUANTIZE, INTEGER, READINGS, is_profile
from spec.errors import Malformed
from spec.recipes import RECIPES

if TYPE_CHECKING:
    from interp.command.progress import ProgressBar
    from spec.ir import Module


LONG = 1e9  # seconds, thirty years


def program_options(new: argparse.ArgumentParser) -> None:
    program = "MLIR text or bytecode, a portable artifact, a jax.export blob; - for standard input"
    new.add_argument("file", metavar="FILE", help=program)
    named = "a size of an ONNX model that has a name, repeatable; or the shapes of a sequence: x=2x3,4x3"
    repeatable_option(new, "--dims", "N=100", named)
    forms = "rfc for the reduction RFC's form (default: stablehlo)"
    new.add_argument("--dialect", choices=["stablehlo", "rfc"], default="stablehlo", help=forms)


def function_option(new: argparse.ArgumentParser) -> None:
    new.add_argument("--function", default="main", metavar="NAME", help="the function (default: main)")


def mode_option(new: argparse.ArgumentParser, default: str) -> None:
    help = f"the constraints: those of the text (strict) or of jaxlib's verifier (mlir) (default: {default})"
    new.add_argument("--mode", choices=["strict", "mlir"], default=default, help=help)


def schedule_option(new: argparse.ArgumentParser) -> None:
    help = "left, balanced, blocks(32), random(7); or a processor: nvidia.h100.f16"
    new.add_argument("--schedule", default="left", metavar="S", action=ScheduleAction, help=help)


class ScheduleAction(argparse.Action):
    """Action of --schedule: the profile of hardware becomes the accumulator of all sums."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Any = None) -> None:
        if is_profile(values) and isinstance(getattr(namespace, "accumulator", None), list):
            namespace.accumulator = [*namespace.accumulator, values]
        else:
            namespace.schedule = values


def argument_options(new: argparse.ArgumentParser) -> None:
    """Add the options of a verb that takes a program and its arguments."""
    program_options(new)
    new.add_argument(
        "arguments", metavar="ARG", nargs="*", default=[], help=".npy files, or .npz or .safetensors"
    )
    new.add_argument("--random", type=int, metavar="SEED", help="draw random arguments instead")
    floats = "quantize arrays of floats that are given for quantized parameters, by the parameters' types"
    new.add_argument("--quantize-inputs", action="store_true", help=floats)
    function_option(new)
    mode_option(new, "mlir")


def reading_options(new: argparse.ArgumentParser) -> None:
    """Add the options that say how quantized operations execute."""
    what = "of products in the integer reading: i32, i16, 'i16 saturate' (default: i32, which wraps)"
    _reading(new, accumulator=what)


def reading_and_accumulators(new: argparse.ArgumentParser, what: str = "") -> None:
    """Add the options of a verb that can run each sum in another accumulator; `what` says which it tries."""
    what = what or (
        "of every contraction and sum: i16, 'i20 saturate', 'i16 blocks(4) i32', maddubs, bf16; or of one: "
        "%%5=i16, repeatable. In the integer reading an integer type is also that of products"
    )
    _reading(new, action="append", default=[], accumulator=what)


def _reading(new: argparse.ArgumentParser, accumulator: str, **how: Any) -> None:
    usual = f"(default: the program's own, or {DEQUANTIZE})"
    quantized = f"how quantized operations execute: {' or '.join(READINGS)} {usual}"
    new.add_argument("--reading", choices=list(READINGS), help=quantized)
    new.add_argument("--accumulator", metavar="A", help=accumulator, **how)
    what = "by which the integer reading rescales integers (default: exact)"
    new.add_argument("--recipe", choices=list(RECIPES), help=f"the recipe of requantization {what}")


def execution_options(new: argparse.ArgumentParser) -> None:
    """Add the options of a verb that runs the program."""
    argument_options(new)
    reading_and_accumulators(new)
    schedule_option(new)


def fail_on_option(new: argparse.ArgumentParser) -> None:
    """Add the option of a verb that fails on some events."""
    new.add_argument(
        "--fail-on",
        action="append",
        default=[],
        metavar="KIND",
        help="exit with status 1 on an event of this kind, such as saturate",
    )


def seconds_option(new: argparse.ArgumentParser, default: float | None = None) -> None:
    """Add the option of a verb whose answer may be partial when a deadline comes."""
    usual = "any time" if default is None else f"{default:g}; inf for any time"
    limit = f"answer after S seconds, and say what was not looked at: exit status 1 (default: {usual})"
    new.add_argument("--seconds", type=number(float, 0, inf), default=default, metavar="S", help=limit)


def repeatable_option(new: argparse.ArgumentParser, name: str, metavar: str, help: str) -> None:
    """Add an option that may be given several times."""
    new.add_argument(name, action="append", default=[], metavar=metavar, help=help)


def number(kind: type, least: float, most: float) -> Callable[[str], Any]:
    """Return a function that parses a number, of a kind such as int, from `least` to `most`."""

    def read(text: str) -> Any:
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not from {least:g} to {most:g}")
        return value

    return read


def verbs_of(top: argparse.ArgumentParser) -> dict[str, Any]:
    """Return the parsers of the verbs by name."""
    (found,) = (a.choices for a in top._actions if isinstance(a, argparse._SubParsersAction))
    return dict(found)


# Inputs of a verb: the program, its arguments, and the options of its run.

PIPED = 1 << 30  # bytes of a program in standard input, which may have no end


def load_program(options: argparse.Namespace, checked: bool = True) -> Module:
    from interp.loading.load import load_bytes

    dims = dict(map(dimension, options.dims))
    module = load_bytes(*source(options), dialect=options.dialect, checked=checked, dims=dims)
    if "reading" in options:
        settle_reading(options, module)
    if getattr(options, "reading", None) == INTEGER:
        from interp.loading.scaled_dots import in_reading

        module = in_reading(module, INTEGER)
    return module


def settle_reading(options: argparse.Namespace, module: Module) -> None:
    """Write the program's own reading and recipe, or else the usual ones, where none are asked for."""
    own = module.defaults
    options.reading = options.reading or (own.reading if own else DEQUANTIZE)
    if own and options.reading == own.reading:
        options.recipe = options.recipe or own.recipe


def dimension(text: str) -> tuple[str, Any]:
    """Return the name and the size in `N=100`, or the shapes of a sequence in `x=2x3,4x3`."""
    name, _, said = text.rpartition("=")
    if not name or not re.fullmatch(r"\d+|(\d+(x\d+)*,?)*", said):
        raise Malformed(f"--dims {text}", "expected a name and its size: --dims N=100")
    if said.isdigit():
        return name, int(said)
    return name, [tuple(map(int, shape.split("x"))) for shape in said.split(",") if shape]


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
    from interp.execute.refusals import refuse_dynamic

    func = function_named(module, options.function)
    if options.random is None:
        found = read_arguments(options.arguments, func)
        return _quantize(found, func) if options.quantize_inputs else found
    if options.arguments:
        raise Malformed("arguments and --random", "give one or the other")
    if any(None in v.type.shape for v in func.inputs):
        refuse_dynamic(module)
    return random_arguments(func, options.random)


def _quantize(arrays: list[Any], func: Any) -> list[Any]:
    """Return the arguments, floats for quantized parameters quantized; print how many saturated."""
    from interp.engine.inputs import quantized_inputs

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
    from spec.accumulator import is_accumulator, reading_named

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
