"""Options that several verbs of the command line have, one spelling for all."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import inf
from typing import Any

from spec.accumulator import DEQUANTIZE, READINGS
from spec.recipes import RECIPES

LONG = 1e9  # seconds, thirty years


def program_options(new: argparse.ArgumentParser) -> None:
    program = "MLIR text or bytecode, a portable artifact, a jax.export blob; - for standard input"
    new.add_argument("file", metavar="FILE", help=program)
    new.add_argument(
        "--dialect", default="stablehlo", metavar="D", help="stablehlo, or rfc for the reduction RFC's form"
    )


def function_option(new: argparse.ArgumentParser) -> None:
    new.add_argument("--function", default="main", metavar="NAME", help="the function (default: main)")


def mode_option(new: argparse.ArgumentParser, default: str) -> None:
    help = f"the constraints: those of the text (strict) or of jaxlib's verifier (mlir) (default: {default})"
    new.add_argument("--mode", choices=["strict", "mlir"], default=default, help=help)


def schedule_option(new: argparse.ArgumentParser) -> None:
    new.add_argument("--schedule", default="left", metavar="S", help="left, balanced, blocks(32), random(7)")


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


def reading_and_accumulators(new: argparse.ArgumentParser) -> None:
    """Add the options of a verb that can run each sum in another accumulator."""
    what = (
        "of every contraction and sum: i16, 'i20 saturate', 'i16 blocks(4) i32', maddubs, bf16; or of one: "
        "%%5=i16, repeatable. In the integer reading an integer type is also that of products"
    )
    _reading(new, action="append", default=[], accumulator=what)


def _reading(new: argparse.ArgumentParser, accumulator: str, **how: Any) -> None:
    quantized = f"how quantized operations execute: {' or '.join(READINGS)} (default: {DEQUANTIZE})"
    new.add_argument("--reading", choices=list(READINGS), default=DEQUANTIZE, help=quantized)
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
