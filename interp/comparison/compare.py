"""`compare`: a program and its float reference, which XLA compiles and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.comparison.comparison import Comparison, distance, report
from interp.comparison.error_bound import bound_results
from interp.comparison.roundoff import Bounded, bound_input, clipping
from interp.comparison.side_by_side import (
    SideBySide,
    lower_reference,
    needs_wide_types,
    real_arguments,
    side_by_side,
)
from interp.comparison.witness import Witness, witness_of_function, witness_of_program
from interp.engine.arguments import accept_arguments
from interp.engine.evaluate import Context, Listener, listening
from interp.engine.limits import refuse_sizes
from interp.engine.tensor import Tensor
from interp.execute.accumulating import Given, Ways
from interp.execute.refine import refine
from interp.execute.refusals import refuse_bundles, refuse_processes
from interp.execute.run import introduce, operations_for, reading_and_ways, runnable
from interp.execute.unused import unused_options
from interp.loading.load import Program, as_module, is_program
from interp.loading.models import is_function, is_torch
from interp.recorder.recorder import Clips
from interp.rewrite.float_reference import Reference, reference_of
from interp.rewrite.float_reference_rules import plain
from spec.accumulator import Reading
from spec.errors import InterpError, Malformed, short_text
from spec.grid import ONE
from spec.integer_reading import has_integers
from spec.ir import Func, Module
from spec.schedule import LEFT, Schedule, parse

Array = np.ndarray


def compare(
    module: Module,
    *args: Any,
    against: Callable[..., Any] | Program | None = None,
    schedule: str | Schedule = "left",
    function: str = "main",
    mode: str = "mlir",
    listeners: Iterable[Listener] = (),
    reading: str | Reading = "dequantize",
    accumulator: Given | Mapping[Any, Given] | None = None,
    recipe: str | None = None,
) -> Comparison | SideBySide:
    """Run a program and its float reference: what it was made from, or itself with its types stripped.

    Stripped types are expressed types in place of quantized ones; a result clips at zero where its zero point
    is an end of its range. A program that `quantize` or `raise_qdq` made, or that was loaded with its
    reference, is measured against that; bounds are then of the program with its types stripped.
    The float reference runs on XLA's CPU backend with every operation kept as written. Where XLA does not
    keep them, there is no bound, and `Comparison.note` says so. Nor is there one in the integer reading: the
    differences are measured as in the other, but no rule bounds them, and the verdict is "no bound".

    against: your own JAX function in place of the float reference. It is jitted with the same options on the
    CPU, and called with the dequantized arguments. The bound then assumes that your function performs the
    operations of the program, each rounded to the reference's type; sums may be in any schedule, and in wider
    types. Where such a bound fails, the note says whether it holds against the program's own float reference.
    Your function need not clip: what the program clips, at zero points too, is saturated and has no bound. Or
    another program, in any form that `load` takes, which may also be the second argument: `compare(a, b, x)`.
    Then both run here, and the result is a `SideBySide`, in which all values of one number are compared.

    accumulator: that of all sums, also of two programs. A bound allows for its losses; there is none where a
    node of integers overflows. If a bound fails, `Comparison.ok` is false. Other arguments and errors are
    those of `run`, and `Unsupported` if storage is reinterpreted or XLA refuses.
    """
    read, ways = reading_and_ways(module, [function], schedule, (reading, accumulator, recipe))
    if against is not None and (is_torch(against) or not is_function(against)):
        sides = module, _program(against, runnable(module, function, mode), args), args
        return side_by_side(*sides, function, mode, schedule, read, listeners, accumulator if ways else None)
    func = runnable(module, function, mode, ONE, read)
    refuse_sizes(module, func)
    refuse_bundles(func, "compared")
    refuse_processes(module, func)
    inputs = [Tensor(v.type, x) for x, v in zip(accept_arguments(func, args), func.inputs, strict=True)]
    reals = real_arguments(inputs)
    known = reference_of(module, func) if against is None else None
    name, witness, bare = _beside(known, reals) if known else _yours(against, func, reals)
    heard = (*listening(listeners), clips := Clips())
    introduce(heard, read, module)
    with np.errstate(all="ignore"), clipping(against is None), operations_for(ways) as operations:
        ctx = Context(NUMPY, module, parse(schedule), operations, heard, reading=read)
        values, outputs = _run(ctx, func, inputs, ways)
    is_itself = bool(known and not (known.quantizes or ways or read.is_integer)) and ctx.schedule == LEFT
    reference = witness.reference(values if is_itself else None)
    judged = reference if bare is witness else bare.reference()
    with np.errstate(all="ignore"):
        alone = is_itself and reference.is_own
        claims = judged.is_as_written and not alone and (known is None or known.bare is not None)
        bounds = tuple(_claim_bounds(x.error, claims) for x in values)
        reports = tuple(map(report, outputs, reference.arrays, bounds, judged.arrays))
    if known and not known.quantizes:  # the differences are of two runs: none is lost by quantization
        reports = tuple(replace(each, sqnr=None) for each in reports)
    found = Comparison(
        reports,
        f"@{func.name} against {name} on {reference.place}, schedule {parse(schedule)}",
        outputs,
        reference.arrays,
        bounds,
        ALONE if alone else _note(module, read, ways, known, judged.is_as_written),
        reference.name,
        known.name if known else name,
        dict(clips.counts),
        unused_options(module, func.name, read),
        judged.arrays,
    )
    if known or found.ok:
        return found
    own = partial(compare, module, *args, schedule=schedule, function=function, mode=mode, reading=reading)
    own = partial(own, accumulator=accumulator, recipe=recipe)
    return replace(found, note="\n".join(filter(None, [found.note, _own_verdict(own, found, name)])))


def _run(
    ctx: Context, func: Func, inputs: Sequence[Tensor], ways: Ways
) -> tuple[Sequence[Bounded], tuple[Tensor, ...]]:
    """Return the results of a function with the bounds of their errors, and as tensors."""
    carried = [bound_input(NUMPY.decode(x.storage, x.type.storage_type), x.type) for x in inputs]
    values = bound_results(ctx, func.body, carried, ways)
    stored = (NUMPY.encode(x.value, t.storage_type) for x, t in zip(values, func.results, strict=True))
    return values, tuple(map(Tensor, func.results, stored))


def _own_verdict(compare_own: Callable[[], Any], found: Comparison, name: str) -> str:
    """Return whether a bound that fails against your function holds against the program's float reference."""
    try:
        own: Comparison = compare_own()
    except InterpError:  # the program has none
        return ""
    apart = max(
        float(distance(*pair).max(initial=0)) for pair in zip(found.reference, own.reference, strict=True)
    )
    reference = f"the program's own float reference ({own.reference_name})"
    if not own.ok:
        return f"a bound fails against {reference}, too"
    judged = all(result.bound is not None for result in own.results)
    holds = "every bound holds" if judged else "no bound fails"
    return f"{holds} against {reference}: {name} computes other numbers, up to {apart:.4g} apart from it"


REWRITTEN = "no bound: XLA rewrites the float program in this version of jaxlib; 0.8.1 and 0.10.2 do not"


INTEGERS = (
    "no bound after operations on integers: the rules of bounds are those of float arithmetic; "
    "the differences are measured"
)


ALONE = "not judged: without XLA's results, the program's own run on this engine is all that there is"
NO_BARE = "no bound: the program reinterprets storage, so that its types cannot be stripped"
OF_BARE = "bounds are of the program with its types stripped, which XLA ran, too"


def _note(module: Module, read: Reading, ways: Ways, known: Reference | None, is_as_written: bool) -> str:
    """Return of what the bounds are, or why there is none, where the reason is the reading or XLA."""
    opaque = read.is_integer and any(has_integers(op) and id(op) not in ways for op in module.ops())
    notes = [INTEGERS] if opaque else []
    if known and not known.is_bare:
        notes = notes or [OF_BARE if known.bare else NO_BARE]
    return "\n".join(notes if is_as_written else [*notes, REWRITTEN])


def _claim_bounds(error: Any, claims: bool) -> Array:
    """Return a bound for every element; none if nothing is claimed."""
    error = np.asarray(error)
    return error if claims else np.where(np.isnan(error), np.nan, np.inf)


def _program(against: Program, func: Func, args: Sequence[Any]) -> Module:
    """Return the program to compare with, for arguments of these shapes."""
    if is_torch(against):
        return lower_reference(against, func, args)
    if not is_program(against):
        raise Malformed(
            f"{short_text(against)} is neither a function nor a program",
            "expected as against= your JAX function of the float arguments, or anything that load takes",
        )
    return refine(as_module(against), *args)


def _beside(known: Reference, args: Sequence[Array]) -> tuple[str, Witness, Witness]:
    """Return the name of a reference, and the witnesses of it and of the program that bounds are of."""
    name = f"its float reference ({known.name})" if known.quantizes else known.name
    witness = witness_of_program(known.floats, args)
    if known.bare is None or known.is_bare:
        return name, witness, witness
    return name, witness, witness_of_program(known.bare, args)


def _yours(against: Any, func: Func, args: Sequence[Array]) -> tuple[str, Witness, Witness]:
    """Return the caller's JAX function on dequantized arguments, with 64-bit types if the program has any."""
    results = [plain(type) for type in func.results]
    witness = witness_of_function(against, args, needs_wide_types(func))
    shapes, wanted = [type.shape for type in witness.results], [type.shape for type in results]
    if shapes != wanted:
        raise Malformed("your function returns other shapes", f"expected {wanted}\ngot {shapes}")
    return getattr(against, "__name__", repr(against)), witness, witness
