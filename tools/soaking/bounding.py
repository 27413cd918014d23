"""Bounds: of accumulators, against brute force; of `compare`, against XLA; and the parts of a budget."""

from __future__ import annotations

from typing import Any

import numpy as np

import interp
from interp.engine.bodies import only_op
from interp.recorder.recorded import Reduction
from soaking.drawing import COMBINING, Trial
from soaking.equality import unequal
from soaking.judgements import traced
from soaking.outcome import Counts, Finding, claiming
from spec.errors import InterpError, Unsupported
from spec.ir import Op
from spec.rules.members import is_per_axis_quantized
from spec.types import QuantizedType
from tests.library.oracles.claims_checked import check_claims, check_events, schedules_held
from tests.library.oracles.exact_model import is_nan, modelled
from tests.library.strategies.sums_drawn import Drawn

LEAVES = 40  # of an element, of which all contiguous sums are tried


def bounds(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` where bounds of a sum or an extreme, or its verdict, contradict brute force."""
    trace = traced(trial)
    draw = drawn_of(trace.reduction()) if trace else None
    if not draw or (draw.selected and trial.schedule.name != "left"):
        return
    counts["bounds, suggestions and verdicts checked"] += 1
    with claiming("bounds"), np.errstate(all="ignore"):
        found = check_claims(draw, trace.reduction(), trial.rng)
        check_events(found, trial.program.args, [trial.rng.choice(schedules_held(found))])


def drawn_of(reduction: Reduction) -> Drawn | None:
    """Return a sum or an extreme of integers as `Drawn`, or None of anything else.

    The leaves that a select_and_scatter left out are not among its windows.
    """
    values = (*reduction.inputs, *reduction.init_values, *reduction.body.returns)
    types, body = [value.type.element_type for value in values], only_op(reduction.body)
    if body not in COMBINING or not all(map(is_modelled, types)):
        return None
    rows = [reduction.element(index).leaves[1:] for index in np.ndindex(reduction.shape)]
    if max(map(len, rows)) > LEAVES:
        return None
    place = lambda leaf: np.ravel_multi_index(leaf.origin, reduction.inputs[0].type.shape)
    windows = [[None if leaf.origin == "padding" else int(place(leaf)) for leaf in row] for row in rows]
    data = reduction.before[0].ravel().tolist(), reduction.init_before[0].item(), False
    selected = reduction.op.name == "stablehlo.select_and_scatter"
    unordered = selected and has_nan(types[0], reduction.operands[0])
    known = reduction.module, reduction.operands, *types, body, windows, *data, selected, unordered
    return Drawn(*known)


def has_nan(type: Any, x: np.ndarray) -> bool:
    """Return whether a stored number stands for NaN."""
    return isinstance(type, QuantizedType) and any(is_nan(modelled(type).real(q)) for q in x.ravel().tolist())


def is_modelled(type: Any) -> bool:
    """Return whether `tests/library/oracles/exact_model.py` has the arithmetic of a type."""
    if isinstance(type, QuantizedType):
        return not type.is_per_axis and type.expressed_type.special != "fnu"
    return type.is_integer and type.bits > 1


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


def is_refused_by_jaxlib(op: Op) -> bool:
    """Return whether jaxlib refuses the types of an operation, which the specification allows."""
    if op.name == "stablehlo.dynamic_conv":
        return any(map(is_per_axis_quantized, (*op.operands, *op.results)))
    return op.name == "stablehlo.triangular_solve" and op.results[0].type.is_quantized


def read_back(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` unless the text of the program is read as a program of the same results."""
    if is_refused_by_jaxlib(trial.op):
        return
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
