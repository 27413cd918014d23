"""Bounds: of accumulators, against sums and reruns; of `compare`, against XLA; and the parts of a budget."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

import interp
from interp.backends import fl
from interp.reductions.suggestion import with_storage
from soaking.drawing import Trial, storage_ends
from soaking.equality import unequal
from soaking.judgements import leaves_of, traced
from soaking.outcome import Counts, Finding, claiming
from spec.errors import InterpError, Unsupported, Violation
from spec.ir import Module
from spec.types import QuantizedType, integer
from tests.programs import stored

ORDERS = ("left", "balanced", "random(7)", "random(8)")
REPEATING = ("blocks(2)", "windows(2)")  # they have the init value several times
WRONG = ("saturate", "wrap", "inexact", "inf", "nan")


def bounds(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` where a bound or a suggested type contradicts the sums."""
    if trace := traced(trial):
        with claiming("bounds"), np.errstate(all="ignore"):
            bounds_of(trial, trace.bounds(), counts)


def bounds_of(trial: Trial, found: Any, counts: Counts) -> None:
    """Rerun the program in the suggested type; sum all contiguous leaves for the bound by value."""
    if not found.is_known:
        counts["bounds: unknown"] += 1
        return
    counts["bounds: known"] += 1
    _by_value(trial, found, counts)
    suggested = found.suggestion
    if suggested.type is None:
        if not suggested.why:
            raise Finding("bounds", "there is no suggestion, and no reason")
        return
    reduction = found.reduction
    module = interp.with_accumulator(trial.program.module, reduction.name, suggested.type)
    counts["bounds: suggestions rerun"] += 1
    identity = reduction.init[0] == getattr(reduction.types[0], "zero_point", 0)
    orders = [*ORDERS, *(REPEATING if identity else ())]
    data = [trial.program.args]
    if suggested.scope == "any data":
        data += [extreme(trial, module) for _ in range(2)]
        orders = list(ORDERS)
    for args in data:
        order = trial.rng.choice(orders)
        _is_clean(module, args, reduction.name, order, repr(suggested))


def extreme(trial: Trial, module: Module) -> tuple[np.ndarray, ...]:
    """Return other arguments of the same types: each all least, all greatest, or any."""
    values = np.random.default_rng(trial.rng.getrandbits(32))

    def one(type: Any) -> np.ndarray:
        x = stored(values, type)
        ends = storage_ends(type.element_type)
        return np.full_like(x, trial.rng.choice(ends)) if trial.rng.random() < 0.7 else x

    return tuple(one(value.type) for value in module.main.inputs)


def _is_clean(module: Module, args: Any, name: str, order: str, suggested: str) -> None:
    """Raise `Finding` where a sum is wrong in the suggested type, or its result is not the exact sum."""
    trace = interp.trace(module, *args, schedule=order, kinds=WRONG)
    events = [event for event in trace.events if event.op.result.name == name]
    if events:
        raise Finding("bounds", f"suggested {suggested}, and in it under {order}: {events[0]!r}")
    reduction = trace.reduction(name)
    if not reduction.is_sum or order in REPEATING:
        return
    z = getattr(reduction.types[0], "zero_point", 0)
    for index in np.ndindex(reduction.shape):
        total = sum(leaf[0] - z for leaf in leaves_of(reduction, index)) + z
        if int(reduction.accumulators[0][index]) != total:
            raise Finding("bounds", f"suggested {suggested}, and in it {index} is not {total} under {order}")


def _by_value(trial: Trial, found: Any, counts: Counts) -> None:
    """Raise `Finding` unless the bound by value is the reach of all contiguous sums of unclamped leaves."""
    reduction, bound = found.reduction, found.by_value
    type = reduction.types[0]
    if not reduction.is_sum or bound is None or max(map(abs, bound[:2])) >= 2**31:
        return
    wide = reduction
    if {value.type.element_type for value in (*reduction.inputs, *reduction.init_values)} != {type}:
        if not isinstance(type, QuantizedType) or any(
            isnan(fl(end, type.expressed_type)) for end in (-(2.0**31), 2.0**31)
        ):
            return  # no storage of 32 bits holds unclamped leaves: a bound of it is NaN in the expressed type
        try:
            module = interp.with_accumulator(
                trial.program.module, reduction.name, with_storage(type, integer(32, True))
            )
        except (Violation, Unsupported):
            return
        wide = interp.trace(module, *trial.program.args, kinds=(), schedule=trial.schedule).reduction()
    z, sums = getattr(type, "zero_point", 0), set()
    for index in np.ndindex(wide.shape):
        numbers = [leaf[0] - z for leaf in leaves_of(wide, index)]
        if len(numbers) > 40:
            return
        sums |= {sum(numbers[i:j]) for i in range(len(numbers)) for j in range(i + 1, len(numbers) + 1)}
    counts["bounds: by value replayed"] += 1
    if (bound.least, bound.greatest) != (min(sums) + z, max(sums) + z):
        raise Finding("bounds", f"by value {bound}, the sums reach {min(sums) + z} to {max(sums) + z}")


def compared(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` where the bound of `compare` does not hold."""
    module, args = trial.program
    try:
        with claiming("compare", Unsupported):
            found = interp.compare(module, *args, schedule=trial.schedule)
    except Unsupported:
        counts["compare: XLA has no such program"] += 1
        return
    counts["compare: bounds checked"] += 1
    if not found.ok:
        raise Finding("compare", repr(found))


def budgeted(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` where the parts of the error do not sum to it exactly."""
    module, args = trial.program
    try:
        with claiming("budget", Unsupported):
            budget = interp.trace(module, *args, kinds=(), schedule=trial.schedule).budget()
    except Unsupported:
        counts["budget: XLA has no such program"] += 1
        return
    counts["budgets summed"] += 1
    for result in budget.results:
        for index in np.argwhere(result.total.counted):
            at = tuple(map(int, index))
            if sum(part.at(at) for part in result.parts) != result.total.at(at):
                raise Finding(
                    "budget", f"result {result.number}{list(at)}: the parts do not sum to the total"
                )


def read_back(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` unless the text of the program is read as a program of the same results."""
    if trial.op.name == "stablehlo.triangular_solve" and trial.op.results[0].type.is_quantized:
        return  # jaxlib's verifier refuses what the specification allows
    text = repr(trial.program.module)
    try:
        with claiming("text", InterpError):
            module = interp.load(text)
    except InterpError as error:
        raise Finding("text", f"{text}\n{error}") from None
    counts["texts read back"] += 1
    with claiming("text"):
        ours, theirs = (
            [out.storage for out in interp.run(m, *trial.program.args, schedule=trial.schedule)]
            for m in (trial.program.module, module)
        )
        unequal("text", "as built", ours, "read back", theirs)
        if interp.load(repr(module)) != module:
            raise Finding("text", f"{text}\nread twice it is another program")
