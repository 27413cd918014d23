"""Verbs that take a program without arguments: show, verify, lower, raise-qdq, prove, quantize; errata."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.command.answer import FINDING, FINE, Answer, conclude
from interp.command.options import (
    function_option,
    load_program,
    mode_option,
    program_options,
    reading_and_accumulators,
    reading_options,
    repeatable_option,
    run_settings,
    schedule_option,
    seconds_option,
    source,
    steps,
)
from interp.loading.load import load
from interp.loading.source import decode_text, excerpt
from spec.errors import InterpError, Malformed
from spec.ir import Func, Module, nested_ops

if TYPE_CHECKING:
    import numpy as np


LINT = "also print legal but suspicious properties, which do not change the exit status"
WRITTEN = "MLIR text; .mlirbc: portable artifact, .onnx: ONNX model, .tflite: LiteRT model (default: none)"


def show_options(new: argparse.ArgumentParser) -> None:
    program_options(new)
    full = "print constants in full: the output is the program, as every verb reads it"
    new.add_argument("--full", action="store_true", help=full)


def show(options: argparse.Namespace) -> Answer:
    from spec.ir import show as text

    module = load_program(options)
    options.say(module if options.full else text(module))
    options.say(summary(module))
    return Answer(FINE, module)


def verify_options(new: argparse.ArgumentParser) -> None:
    program_options(new)
    mode_option(new, "strict")
    new.add_argument("--lint", action="store_true", help=LINT)


def verify(options: argparse.Namespace) -> Answer:
    from interp.loading.load import as_written
    from spec.rules.verify import verify as violations

    module = as_written("", options.mode, partial(load_program, options))
    found = list(violations(module, mode=options.mode))
    lines = _explain(options, module, found, lambda each: violations(each, mode=options.mode))
    options.say(lines or f"no violations ({options.mode})")
    if not options.lint:
        return Answer(FINDING if found else FINE, found)
    from interp.questions.lint import lint

    suspicions = lint(module)
    options.say(_explain(options, module, suspicions, lint) or "nothing suspicious")
    return Answer(FINDING if found else FINE, [*found, *suspicions])


def _explain(options: argparse.Namespace, module: Module, found: Sequence[InterpError], judge: Judge) -> str:
    """Return findings with their lines of the source; `judge` finds them again in the program as printed."""

    again = lambda each: found if each is module else judge(each)
    return "\n".join(findings_with_lines(again, module, *source(options)))


def lower_options(new: argparse.ArgumentParser) -> None:
    program_options(new)
    output = "MLIR text, or for a name in .mlirbc a portable artifact (default: text to the screen)"
    new.add_argument("-o", "--output", type=Path, metavar="OUT", help=output)
    new.add_argument("--target", metavar="V", help="the artifact's StableHLO version, such as 1.0.0")
    new.add_argument(
        "--function", metavar="NAME", help="the only function to write (default: every public one)"
    )
    new.add_argument("--schedule", default="left", metavar="S", help="left, balanced, blocks(32)")
    reading_options(new)
    mode_option(new, "mlir")


def lower(options: argparse.Namespace) -> Answer:
    from interp.execute.lower import lower as lowered
    from interp.execute.lower import save

    module = lowered(load_program(options), **run_settings(options))
    if options.output is None:
        options.say(module)
    else:
        save(module, options.output, options.target)
    return Answer(FINE, module)


def raise_qdq_options(new: argparse.ArgumentParser) -> None:
    program_options(new)
    new.add_argument("-o", "--output", type=Path, metavar="OUT", help=WRITTEN)
    function_option(new)
    new.add_argument("--flow", default="stablehlo", metavar="F", help="stablehlo (default) or codegen")


def raise_qdq(options: argparse.Namespace) -> Answer:
    from interp.apps.onnx.writing.write import save_as
    from interp.apps.quantization.raise_qdq import raise_qdq as raised

    found = raised(load_program(options), options.function, options.flow)
    options.say(found)
    if options.output is not None:
        save_as(found.module, options.output)
    return Answer(FINE, found)


def prove_options(new: argparse.ArgumentParser) -> None:
    program_options(new)
    function_option(new)
    ranged = "stored elements of a parameter: x=-4:4 (default: all of its type, finite if floats); repeatable"
    repeatable_option(new, "--range", "ARG=LO:HI", ranged)
    schedule_option(new)
    reading_and_accumulators(new)
    mode_option(new, "mlir")
    seconds_option(new)
    strict = "exit with status 1 if a verdict is unknown, too"
    new.add_argument("--strict", action="store_true", help=strict)


def prove(options: argparse.Namespace) -> Answer:
    from interp.questions.proving.prove import parse_range
    from interp.questions.proving.prove import prove as proof

    ranges: dict[str | int, Any] = dict(map(parse_range, options.range))
    with steps() as bar:
        found = proof(
            load_program(options), ranges, **run_settings(options), seconds=options.seconds, progress=bar
        )
    options.say(found)
    doubt = options.strict and found.counts["unknown"]
    return conclude(found, found.ok and not doubt)


def errata_options(new: argparse.ArgumentParser) -> None:
    asked = "numbers (E7, which also prints its case), operations (reduce), 'not reported'; default: all"
    new.add_argument("what", nargs="*", metavar="WHAT", help=asked)


def errata(options: argparse.Namespace) -> Answer:
    from interp.apps.suite.cases import errata_about, show_errata

    options.say(show_errata(options.what))
    return Answer(FINE, errata_about(options.what))


# Findings about a program, each with the line of the source that it is about


Judge = Callable[[Module], Sequence[InterpError]]


def findings_with_lines(judge: Judge, module: Module, data: bytes, name: str) -> Iterator[str]:
    """Return the findings of `judge` on a file (its bytes and its name), each with its source line.

    The line is from the file if that is text. For bytecode, and if locations name other files, it is the
    operation as MLIR text.
    """
    found = judge(module)
    if not found:
        return
    text = decode_text(data)
    for error, printed in zip(found, in_print(judge, module), strict=False):
        own = excerpt(text, error.where) if error.where.file == name else []
        yield "\n".join([str(error), *(f"  {line}" for line in own or printed)])


def in_print(judge: Judge, module: Module) -> Iterator[list[str]]:
    """Yield the findings with lines of the text that the module prints as."""
    text = repr(module)
    for error in judge(load(text, dialect=module.dialect, checked=False)):
        yield excerpt(text, error.where)


# Summary of a program as MLIR comments


def summary(module: Module) -> str:
    """Return each function's signature and operations as MLIR comments."""
    return "\n".join(f"// {line}" for func in module.functions.values() for line in _lines(func))


def _lines(func: Func) -> Iterator[str]:
    ops = [op for op in nested_ops(func.body) if not op.name.endswith(".return")]
    counts = Counter(op.name.removeprefix("stablehlo.") for op in ops)
    quantized = sum(any(v.type.is_quantized for v in (*op.operands, *op.results)) for op in ops)
    yield f"@{func.name}: {len(ops)} operations, {quantized} of them on quantized types"
    yield f"  takes {', '.join(v.type.brief for v in func.inputs) or 'nothing'}"
    yield f"  gives {', '.join(map(repr, func.results)) or 'nothing'}"
    yield f"  {', '.join(f'{name} x {n}' if n > 1 else name for name, n in counts.most_common())}"


# `interp quantize`: a float program and files of samples become a quantized program.

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
    targets = "int8, int8_weights, int16x8, int4_weights or int4_weight_only (default: int8)"
    new.add_argument("--target", default="int8", metavar="T", help=targets)
    blocks = "a scale for each block of N weights along the sums of products"
    new.add_argument("--block", type=int, metavar="N", help=blocks)
    new.add_argument("--method", default="minmax", metavar="M", help="how ranges follow (default: minmax)")
    new.add_argument("--constraint", action="append", default=[], metavar="C", help="VALUE=..., see below")
    new.add_argument("--until", default="materialize", metavar="STAGE", help=STEPS)
    new.add_argument("--flow", default="stablehlo", metavar="F", help="stablehlo (default) or codegen")
    masks = "values with a mask such as -1e9: float (default) or quantize"
    new.add_argument("--masks", default="float", metavar="M", help=masks)
    new.add_argument("-o", "--output", type=Path, metavar="OUT", help=WRITTEN)
    new.add_argument("--html", type=Path, metavar="FILE", help="write types and their reasons as a page, too")
    new.add_argument("--decisions", action="store_true", help="print why each value has its type")


def quantize(options: argparse.Namespace) -> Answer:
    from interp.apps.quantization.quantize import quantize as quantized

    module = load_program(options)
    places = dict(map(constraint, options.constraint))
    how = {name: getattr(options, name) for name in ("block", "method", "flow", "masks", "until")}
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
