"""`explain`: the computation of one element: of a reduction, or back to the nearest ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from interp.backends import Array
from interp.execute.record import Record
from interp.questions.chain import Chain, chain, named_operation
from interp.questions.explanation import Explanation, explanation
from interp.questions.verdicts import verdicts
from interp.recorder.names import result_number
from interp.recorder.recorded import Reduction
from spec.errors import Malformed, whole


def explain(
    trace: Record, op: str | None = None, index: Any = None, k: int | None = None
) -> Explanation | Chain:
    """Explain element `index`, or the worst one, of the operation `op`, or of that with the worst event.

    Without a name it is a reduction, if one ran. k: the number of the result, by default the one that
    the name says: of `%4#1` it is 1.
    """
    if (named := named_operation(trace, op)) is not None:
        return chain(trace, named, index, result_number(named.op, op) if k is None else k)
    reduction = trace.reduction(op)
    k = result_number(reduction.op, op) if k is None else k
    if whole(k, "operand") >= len(reduction.types):
        raise Malformed(f"no operand {k} of {reduction.name}", f"it reduces {len(reduction.types)}")
    where = worst_element(trace, reduction) if index is None else index
    return explain_element(reduction, where, k)


def explain_element(reduction: Reduction, index: tuple[int, ...] | int, k: int = 0) -> Explanation:
    """Return the explanation of one element; of a contraction by blocks of scales, block by block."""
    if reduction.by_blocks:
        from interp.questions.explain_blocks import explain_blocks  # which few runs need

        return explain_blocks(reduction, index)
    return explanation(reduction.element(index), k)


# The worst element of a reduction's result.


def worst_element(trace: Record, reduction: Reduction) -> tuple[int, ...]:
    """Return the index of the element whose result is farthest from the exact sum of its leaves.

    Where no such sum is known, or none is wrong, it is the element with the worst event, or else the first.
    """
    off = _errors(reduction)
    if off is not None and off.any():
        return tuple(map(int, np.unravel_index(int(off.argmax()), reduction.shape)))
    for group in trace.groups:
        event = group.worst
        index = event.index if event.op is reduction.written and event.leaves else None
        if index is not None and event.what == "result" and event.run == reduction.run:
            return index
    return (0,) * len(reduction.shape)


def _errors(reduction: Reduction) -> Array | None:
    """Return the distances of the accumulators from the exact sums of integers, if these are known."""
    if reduction.by_blocks:
        with np.errstate(invalid="ignore"):
            return np.asarray(abs(reduction.accumulators[0] - reduction.by_blocks.exact_results))
    total = verdicts(reduction).total if reduction.is_sum and not reduction.along else None
    return None if total is None else abs(reduction.accumulators[0].astype(total.dtype) - total)
