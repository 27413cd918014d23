"""The options of the command line, `interp show | verify | run | ...`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from interp.command import explorer, quantize
from interp.command import verbs as do
from interp.command.quantize import SAMPLES
from spec.accumulator import DEQUANTIZE, READINGS
from spec.recipes import RECIPES

EXAMPLES = """
examples:
  interp show model.mlirbc                        the program as text, large constants abbreviated
  interp show model.mlirbc --full > model.mlir    ... with every constant in full: a program like the first
  interp verify model.mlirbc                      every constraint of the specification that it breaks
  interp verify model.mlirbc --lint               and what is legal, but perhaps not meant
  interp run model.mlirbc x.npy init.npy          its results, under the schedule `left`
  interp run model.mlirbc args.npz --save out     ... written to out/out0.npy, ...
  interp run model.mlir --random 7 --schedule balanced
  interp run model.mlir --random 7 --reading integer --accumulator "i16 saturate"
  interp run model.mlirbc args.npz --fail-on saturate && echo "nothing saturates"
  interp trace model.mlirbc args.npz              what saturated, wrapped or lost digits, and where
  interp trace model.mlirbc args.npz --budget     ... and what the error against floats is made of
  interp trace model.mlirbc args.npz --html a.html
                                                  as maps, plots and explanations on one page
  interp compare model.mlirbc args.npz            beside the float program on XLA, errors in steps
  interp compare float.mlirbc args.npz --against int8.mlir
                                                  beside another program, value by value
  interp survey int8.mlirbc images.npz --metric accuracy --labels images.npz:labels --ranking
                                                  what every layer loses over a data set
  interp lower model.mlirbc -o plain.mlir         the same bits as plain StableHLO, no quantized types
  interp quantize float.mlirbc samples.npz -o int8.mlir
                                                  a float program in int8, calibrated on samples
  interp raise-qdq qdq.mlirbc -o int8.mlir        simulated quantization as operations on quantized types
  interp permits model.mlirbc args.npz --results out/out0.npy
                                                  whether some schedule gives these results
  interp diagnose model.mlirbc args.npz --results device.npy
                                                  which deviation from the program's meaning gives them
  interp prove model.mlirbc --range x=-1:1        whether a sum can overflow, for every input in a range
  interp repl model.mlirbc args.npz               the same verbs at a prompt, and a walk node by node
  interp fuzz --impl 'python mine.py' --seed 7    random programs, each failure made small
  interp conformance --impl stablehlo --html report.html
                                                  whether an implementation gives permitted results

Exit status: 0 fine; 1 a finding (a violation, a disagreement, a failed --fail-on); 2 unusable input.
"""
PROTOCOL = """
Built-in: numpy, compiled (ours), oracle, stablehlo (its reference interpreter), xla; where installed iree,
and onnxruntime, litert, litert-reference, tosa and torch, for which a program is translated if it can be.
A command gets MODULE RESULTS IN0.npy IN1.npy ...: a file of MLIR text, an empty folder, stored elements. It
writes RESULTS/out0.npy, ... and exits with 0, or with 1 for a program that breaks the specification, or with
2 for one that it does not support; any other status, a signal, or a traceback is a crash.
"""
READING = """
Verdicts on quantized operations hold for the dequantize reading. The suite judges a result that is wrong
there in the integer reading, too: it may be permitted, or not known; --reading integer asks for it alone.
"""
LONG = 1e9  # seconds, thirty years
LINT = "also print legal but suspicious properties, which do not change the exit status"
ARGUMENTS = """
Arguments: .npy files, or .npz and .safetensors files with arg0, arg1, ... or the parameters' names
(params['w']); FILE.npz:NAME picks one.
Quantized values are storage integers. Element types that NumPy cannot name in a file (bf16, f8) travel as
bits in unsigned integers, i4 and i2 with one element a byte, in arguments and in --save.
"""
DIAGNOSED = (
    ARGUMENTS
    + """
Exit status: 0 if the declared meaning or a deviation reproduces every element; 1 if none was found.
"""
)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        "interp",
        description="Runs StableHLO programs with quantized reductions, and shows what happens in them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    verbs: Any = top.add_subparsers(metavar=" | ".join(VERBS), required=True, parser_class=VerbParser)
    for name, verb in VERBS.items():
        new = verbs.add_parser(name, help=verb.help, verb=verb)
        new.set_defaults(verb=verb.do)
    return top


class VerbParser(argparse.ArgumentParser):
    """Parser that creates its options when its verb is chosen; creating all takes as long as a small run."""

    def __init__(self, verb: Verb, **rest: Any) -> None:
        formatter = argparse.RawDescriptionHelpFormatter
        super().__init__(description=verb.help, epilog=verb.epilog, formatter_class=formatter, **rest)
        self.add_options = verb.options

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.add_options(self)
        return super().parse_known_args(args, namespace)


class Version(argparse.Action):
    """Option that looks up the version only when it is used, since that takes time."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        import interp

        print(f"interp {interp.version()}")
        parser.exit()


def of_program(new: argparse.ArgumentParser) -> None:
    program = "MLIR text or bytecode, a portable artifact, a jax.export blob; - for standard input"
    new.add_argument("file", metavar="FILE", help=program)
    new.add_argument(
        "--dialect", default="stablehlo", metavar="D", help="stablehlo, or rfc for the reduction RFC's form"
    )


def of_show(new: argparse.ArgumentParser) -> None:
    of_program(new)
    full = "print constants in full: the output is the program, as every verb reads it"
    new.add_argument("--full", action="store_true", help=full)


def of_verify(new: argparse.ArgumentParser) -> None:
    of_program(new)
    mode(new, "strict")
    new.add_argument("--lint", action="store_true", help=LINT)


def with_arguments(new: argparse.ArgumentParser) -> None:
    of_program(new)
    new.add_argument("arguments", metavar="ARG", nargs="*", help=".npy files, or .npz or .safetensors")
    new.add_argument("--random", type=int, metavar="SEED", help="draw random arguments instead")
    new.add_argument("--function", default="main", metavar="NAME", help="the function to run (default: main)")
    mode(new, "mlir")


def reading(new: argparse.ArgumentParser) -> None:
    """Add the options that say how quantized operations execute."""
    how = f"how quantized operations execute: {' or '.join(READINGS)} (default: {DEQUANTIZE})"
    new.add_argument("--reading", choices=list(READINGS), default=DEQUANTIZE, help=how)
    what = "of products in the integer reading: i32, i16, 'i16 saturate' (default: i32, which wraps)"
    new.add_argument("--accumulator", metavar="A", help=what)
    what = "by which the integer reading rescales integers (default: exact)"
    new.add_argument("--recipe", choices=list(RECIPES), help=f"the recipe of requantization {what}")


def scheduled(new: argparse.ArgumentParser) -> None:
    """Add the options of a verb that runs the program."""
    with_arguments(new)
    reading(new)
    new.add_argument("--schedule", default="left", metavar="S", help="left, balanced, blocks(32), random(7)")


def failing(new: argparse.ArgumentParser) -> None:
    """Add the options of a verb that fails on some events."""
    scheduled(new)
    new.add_argument(
        "--fail-on",
        action="append",
        default=[],
        metavar="KIND",
        help="exit with status 1 on an event of this kind, such as saturate",
    )


def of_run(new: argparse.ArgumentParser) -> None:
    failing(new)
    new.add_argument("--save", type=Path, metavar="DIR", help="write the results to DIR/out0.npy, ...")
    new.add_argument(
        "--plan", action="store_true", help="also print which fast path computed each reduction, and why"
    )


def of_compare(new: argparse.ArgumentParser) -> None:
    scheduled(new)
    other = "another program: compare all values that stand for the same number (default: the float program)"
    new.add_argument("--against", metavar="FILE", help=other)


def of_survey(new: argparse.ArgumentParser) -> None:
    scheduled(new)
    new.add_argument("--against", metavar="FILE", help="the reference (default: the program in float)")
    new.add_argument("--metric", choices=["accuracy"], help="what to compute of the results and the labels")
    new.add_argument("--labels", metavar="FILE", help=".npy, or FILE.npz:NAME: the metric's target")
    new.add_argument(
        "--ranking", action="store_true", help="also rank the layers by what quantizing each alone costs"
    )
    for kind in ("json", "csv"):
        new.add_argument(f"--{kind}", type=Path, metavar="FILE", help=f"write the layers as {kind}, too")
    explorer.options(new)


def of_trace(new: argparse.ArgumentParser) -> None:
    failing(new)
    explained = "also explain the worst element of reduction OP, leaf by leaf: %%sum, @pool/%%0, @pool/%%0#2"
    new.add_argument("--explain", action="append", default=[], metavar="OP", help=explained)
    new.add_argument(
        "--budget", action="store_true", help="also print the error against floats in parts, by source"
    )
    written = f"write counts, groups and the first {do.KEPT:,} events as JSON, too"
    new.add_argument("--json", type=Path, metavar="FILE", help=written)
    pictured = "draw every reduction on one page that opens without a network, too"
    new.add_argument("--html", type=Path, metavar="FILE", help=pictured)
    explorer.options(new)


def of_permits(new: argparse.ArgumentParser) -> None:
    with_arguments(new)
    reading(new)
    new.add_argument(
        "--results", nargs="+", required=True, metavar="NPY", help="the results to judge, .npy files"
    )
    new.add_argument(
        "--inits",
        choices=["any", "one"],
        default="any",
        help="number of init values in a tree (default: any)",
    )


def of_diagnose(new: argparse.ArgumentParser) -> None:
    scheduled(new)
    files = "the results of the device, .npy files"
    new.add_argument("--results", nargs="+", required=True, metavar="NPY", help=files)
    value = "a value of the function on the device: %%sum=sum.npy; repeatable"
    new.add_argument("--intermediate", action="append", default=[], metavar="NAME=NPY", help=value)
    runs = "the largest number of runs (default: that of interp.diagnose)"
    new.add_argument("--limit", type=number(int, 1, inf), metavar="N", help=runs)
    new.add_argument("--json", type=Path, metavar="FILE", help="write all that was tried as JSON, too")


def of_prove(new: argparse.ArgumentParser) -> None:
    of_program(new)
    new.add_argument("--function", default="main", metavar="NAME", help="the function (default: main)")
    ranged = "stored elements of a parameter: x=-4:4 (default: all of its type, finite if floats); repeatable"
    new.add_argument("--range", action="append", default=[], metavar="ARG=LO:HI", help=ranged)
    new.add_argument("--schedule", default="left", metavar="S", help="left, balanced, blocks(32), random(7)")
    reading(new)
    mode(new, "mlir")
    new.add_argument("--json", type=Path, metavar="FILE", help="write verdicts and witnesses as JSON, too")


def of_lower(new: argparse.ArgumentParser) -> None:
    of_program(new)
    output = "MLIR text, or for a name in .mlirbc a portable artifact (default: text to the screen)"
    new.add_argument("-o", "--output", type=Path, metavar="OUT", help=output)
    new.add_argument("--target", metavar="V", help="the artifact's StableHLO version, such as 1.0.0")
    new.add_argument(
        "--function", metavar="NAME", help="the only function to write (default: every public one)"
    )
    new.add_argument("--schedule", default="left", metavar="S", help="left, balanced, blocks(32)")
    reading(new)
    mode(new, "mlir")


def of_quantize(new: argparse.ArgumentParser) -> None:
    of_program(new)
    quantize.options(new)


def of_raise_qdq(new: argparse.ArgumentParser) -> None:
    of_program(new)
    output = "MLIR text; a name in .mlirbc: portable artifact, in .onnx: ONNX model (default: none)"
    new.add_argument("-o", "--output", type=Path, metavar="OUT", help=output)
    new.add_argument("--function", default="main", metavar="NAME", help="the function (default: main)")
    new.add_argument("--flow", default="stablehlo", metavar="F", help="stablehlo (default) or codegen")


def of_implementation(new: argparse.ArgumentParser) -> None:
    """Add the options of a verb that takes an implementation, and no program."""
    new.add_argument(
        "--impl",
        default="numpy",
        metavar="NAME",
        help="a built-in implementation, or a command (default: numpy)",
    )
    new.add_argument(
        "--timeout",
        type=number(float, 0.001, LONG),
        default=20.0,
        metavar="S",
        help="seconds for each program (default: 20)",
    )


def of_conformance(new: argparse.ArgumentParser) -> None:
    of_implementation(new)
    new.add_argument(
        "--filter", action="append", default=[], metavar="WORD", help="only cases whose id contains WORD"
    )
    new.add_argument(
        "--cases",
        type=Path,
        metavar="DIR",
        help="folder of the cases, <op>/<case>.mlir (default: those of interp)",
    )
    for kind in ("junit", "json", "html"):
        new.add_argument(f"--{kind}", type=Path, metavar="FILE", help=f"write the report as {kind}, too")


def of_fuzz(new: argparse.ArgumentParser) -> None:
    of_implementation(new)
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
    new.add_argument("--save", type=Path, metavar="DIR", help="write each case to DIR/fuzz_<seed>.mlir, too")


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


def mode(new: argparse.ArgumentParser, default: str) -> None:
    help = f"the constraints: those of the text (strict) or of jaxlib's verifier (mlir) (default: {default})"
    new.add_argument("--mode", choices=["strict", "mlir"], default=default, help=help)


class Verb(NamedTuple):
    do: Callable[[argparse.Namespace], int]
    options: Callable[[argparse.ArgumentParser], None]
    help: str
    epilog: str = ""


VERBS = {
    "show": Verb(do.show, of_show, "print the program as MLIR"),
    "verify": Verb(do.verify, of_verify, "print every violated constraint"),
    "run": Verb(do.run, of_run, "print the results", ARGUMENTS),
    "trace": Verb(do.trace, of_trace, "print the noteworthy events of a run", ARGUMENTS),
    "compare": Verb(
        do.compare, of_compare, "compare with the float program that XLA runs, or another", ARGUMENTS
    ),
    "survey": Verb(
        do.survey, of_survey, "run on a data set, and print what every layer loses against float", ARGUMENTS
    ),
    "lower": Verb(do.lower, of_lower, "write the program as StableHLO without quantized types"),
    "quantize": Verb(
        do.quantize, of_quantize, "quantize a float program on samples, and say why each type", SAMPLES
    ),
    "raise-qdq": Verb(
        do.raise_qdq, of_raise_qdq, "turn simulated quantization (QDQ) into operations on quantized types"
    ),
    "permits": Verb(
        do.permits, of_permits, "judge results: does some schedule give them?", ARGUMENTS + READING
    ),
    "diagnose": Verb(
        do.diagnose, of_diagnose, "find the deviation that reproduces a device's wrong results", DIAGNOSED
    ),
    "prove": Verb(do.prove, of_prove, "prove for every input that no sum overflows, or find one that does"),
    "repl": Verb(do.repl, scheduled, "explore a program and its run at a prompt", ARGUMENTS),
    "conformance": Verb(
        do.conformance, of_conformance, "run the conformance suite on an implementation", PROTOCOL + READING
    ),
    "fuzz": Verb(
        do.fuzz,
        of_fuzz,
        "run random programs on an implementation, and shrink each failure",
        PROTOCOL + READING,
    ),
    "errata": Verb(
        do.errata, lambda _: None, "print where the specification leaves a choice, and our choices"
    ),
}
