"""Verdicts on bodies that do not add integers, element by element."""

from __future__ import annotations

import numpy as np

from interp.backends import NUMPY, Array
from interp.comparison.roundoff import holds_sums, quantum
from interp.engine.bodies import only_op
from interp.engine.evaluate import Context
from interp.engine.facts import facts_of
from interp.engine.fold import Node
from interp.engine.quant import Type
from interp.engine.stored import to_reals
from interp.kernels import OPERATIONS
from interp.questions import landed
from interp.questions.permitted.extremes import schedules_agree, extremes
from interp.questions.permitted.monotone import may_be_monotone
from interp.recorder.recorded import Reduction
from spec.types import QuantizedType
from spec.verdict import INEXACT, ORDER_DEPENDENT, SAFE

UNKNOWN = "unknown"
UNJUDGED = "not judged"
WORK = 1 << 28  # applications of a body to find the least and the greatest result


def float_verdicts(reduction: Reduction) -> Array:
    """Return "safe" where all leaves are multiples of one number, and the type holds every sum exactly.

    Then no sum is rounded. More leaves make the step smaller or equal and the magnitude larger or equal, so
    that an element is left alone once the type does not hold its sums.
    """
    (type,) = reduction.types
    assert not isinstance(type, QuantizedType)
    init = reduction.seeds().astype(np.float64)
    step, size = quantum(init[None], 0), abs(init)
    for columns, values, present in reduction.blocks():
        with np.errstate(invalid="ignore"):
            open = np.flatnonzero(holds_sums(type, step[columns], size[columns]))
            some = columns[open]
            own = np.asarray(values if present is None else np.where(present, values, 0), np.float64)[:, open]
            step[some] = np.minimum(step[some], quantum(own, 0))
            size[some] += np.abs(own).sum(0)
    return np.where(holds_sums(type, step, size), SAFE, INEXACT)


def body_verdicts(reduction: Reduction) -> Array:
    """Return "safe" where the body returns a leaf unchanged; else judge by the least and greatest result."""
    row = facts_of(only_op(reduction.body))
    if row.identity and not row.wraps:  # a result is no further out than its operands
        init = reduction.seeds()
        safe = schedules_agree(reduction.body, init[None], False) & _are_numbers(reduction.types[0], init[None])
        for columns, values, present in reduction.blocks():
            kept = values if present is None else np.where(present, values, init[columns])
            safe[columns] &= schedules_agree(reduction.body, kept, False) & _are_numbers(reduction.types[0], kept)
        return np.where(safe, SAFE, INEXACT)
    if reduction.is_scatter:
        return np.array([kind or UNKNOWN for kind in landed.update_verdicts(reduction)], "U16")
    kinds = np.full(reduction.size, UNKNOWN, "U16")
    work = reduction.n**3 * reduction.size
    if (
        may_be_monotone(reduction.body)
        and len(reduction.types) == 1
        and work <= WORK
        and all(not part.leaves.present for part in reduction.parts)
    ):
        kinds[_differ(reduction)] = ORDER_DEPENDENT
    return kinds


def _are_numbers(type: Type, leaves: Array) -> Array:
    """Return, per element, whether no leaf represents NaN, which would win every choice."""
    if not isinstance(type, QuantizedType):
        return np.ones(leaves.shape[1:], bool)
    return ~np.isnan(to_reals(leaves.astype(NUMPY.carrier(type.storage_type)), type)).any(0)


def _differ(reduction: Reduction) -> Array:
    """Return where the least and the greatest result over all schedules differ."""
    context = Context(NUMPY, reduction.module, reduction.schedule, OPERATIONS)
    body = context.body(reduction.op, len(reduction.op.regions) - 1)
    differ = np.zeros(reduction.size, bool)
    for part in reduction.parts:
        init = reduction.seeds()[None, part.columns]
        leaves = np.concatenate([init, *(values for values, _ in part.blocks())])
        with np.errstate(all="ignore"):
            apply = lambda a, b: body(a, b, Node(0, 0, None, False))
            ends = extremes(reduction.body, (leaves,), apply, False)
        if ends:
            differ[part.columns] = ends.hold & (ends.least[0] != ends.greatest[0])
    return differ
