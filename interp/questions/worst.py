"""The worst element of a reduction's result."""

from __future__ import annotations

import numpy as np

from interp.backends import Array
from interp.execute.record import Record
from interp.questions.verdicts import verdicts
from interp.recorder.recorded import Reduction


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
    total = verdicts(reduction).total if reduction.is_sum else None
    return None if total is None else abs(reduction.accumulators[0].astype(total.dtype) - total)
