"""`interp quantize`: a float program and files of samples become a quantized program."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.command.answer import FINE, Answer
from interp.command.inputs import load_program, steps
from interp.command.options import program_options
from spec.errors import Malformed

if TYPE_CHECKING:
    import numpy as np

    from spec.ir import Func

SAMPLES = """
Samples: one file each, .npz with arg0, arg1, ... or the parameters' names, or .npy for a program of one
argument. An array with one dimension more than the parameter, in all arguments, is a sample for each index.
Constraints: VALUE=float, VALUE=16 (bits), VALUE=-1:4 (a range), VALUE='!quant.uniform<i8:f32, 0.1>'; VALUE
may be an operation, a kernel, or an element type.
"""
STEPS = "prepare, instrument, calibrate, fuse, constrain, propagate, materialize (default: the last)"


def quantize_options(new: argparse.ArgumentParser) -> None:
    program_options(new)
    new.add_argument(
        "samples", metavar="SAMPLE", nargs="*", default=[], help=".npz or .npy files of arguments"
    )
    new.add_argument("--random", type=int, metavar="N", help="draw N random samples instead, to try it out")
    targets = "int8, int8_weights, int16x8 or int4_weights (default: int8)"
    new.add_argument("--target", default="int8", metavar="T", help=targets)
    new.add_argument("--method", default="minmax", metavar="M", help="how ranges follow (default: minmax)")
    new.add_argument("--constraint", action="append", default=[], metavar="C", help="VALUE=..., see below")
    new.add_argument("--until", default="materialize", metavar="STAGE", help=STEPS)
    new.add_argument("--flow", default="stablehlo", metavar="F", help="stablehlo (default) or codegen")
    output = "MLIR text; a name in .mlirbc: portable artifact, in .onnx: ONNX model (default: none)"
    new.add_argument("-o", "--output", type=Path, metavar="OUT", help=output)
    new.add_argument("--html", type=Path, metavar="FILE", help="write types and their reasons as a page, too")
    new.add_argument("--decisions", action="store_true", help="print why each value has its type")


def quantize(options: argparse.Namespace) -> Answer:
    from interp.apps.quantization.quantize import quantize as quantized

    module = load_program(options)
    places = dict(map(constraint, options.constraint))
    how = {"method": options.method, "flow": options.flow, "until": options.until}
    with steps() as bar:
        given = samples(options, module.main)
        found = quantized(module, given, options.target, constraints=places, **how, progress=bar)
    options.say(found)
    if options.decisions:
        options.say(*found.decisions, *found.rescales, *found.choices, sep="\n")
    if options.output:
        found.save(options.output)
    if options.html:
        found.report(options.html)
    return Answer(FINE, found)


def constraint(text: str) -> tuple[str, Any]:
    """Return the place and the constraint in `%4=float`, `%4=16`, `%4=-1:4` or `%4=!quant.uniform<...>`."""
    from interp.apps.quantization.constraints import Any as Bits
    from interp.apps.quantization.constraints import Calibrated, NoQuant, Uniform

    place, _, wanted = text.partition("=")
    if wanted == "float":
        return place, NoQuant()
    if wanted.startswith("!quant"):
        return place, Uniform(wanted)
    try:
        low, colon, high = wanted.partition(":")
        return place, Calibrated(float(low), float(high)) if colon else Bits(int(wanted))
    except ValueError:
        advice = "expected VALUE=float, VALUE=16, VALUE=-1:4 or VALUE=!quant.uniform<...>"
        raise Malformed(f"{text!r} is not a constraint", advice) from None


def samples(options: argparse.Namespace, main: Func) -> Iterator[list[np.ndarray]]:
    """Yield the arguments of each sample: of a file, of each index of its arrays, or random ones."""
    from interp.engine.inputs import random_arguments, read_arguments

    if options.random is not None:
        if options.samples:
            raise Malformed("samples and --random", "give one or the other")
        for seed in range(options.random):
            yield random_arguments(main, seed)
    for file in options.samples:
        yield from apart(read_arguments([file], main), main)


def apart(arrays: list[np.ndarray], main: Func) -> Iterator[list[np.ndarray]]:
    """Yield the samples in arrays that may have a dimension for them in front."""
    ranks = [v.type.rank for v in main.inputs]
    if [x.ndim for x in arrays] == [rank + 1 for rank in ranks] and arrays:
        if len({len(x) for x in arrays}) > 1:
            numbers = ", ".join(str(len(x)) for x in arrays)
            raise Malformed("the arguments have different numbers of samples", f"got {numbers}")
        yield from (list(each) for each in zip(*arrays, strict=True))
    else:
        yield arrays
