"""Data of a reduction for pictures: events, errors and verdicts of every element of its result."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from interp.answers.tally import counted_kinds, tallies
from interp.backends import Array
from interp.engine.work import Covered, Work
from interp.execute.record import Record
from interp.questions.bounds import Bounds, bounds
from interp.questions.judged_bodies import UNJUDGED, UNKNOWN
from interp.questions.verdicts import Verdicts, verdicts
from interp.recorder.recorded import Reduction
from spec.errors import Unsupported
from spec.verdict import INEVITABLE, INEXACT, ORDER_DEPENDENT, SAFE

BY_SEVERITY = (SAFE, UNJUDGED, UNKNOWN, INEXACT, ORDER_DEPENDENT, INEVITABLE)


@dataclass(frozen=True, eq=False)
class View:
    """One run of a reduction; `events` counts those of `kinds` per result element."""

    name: str
    reduction: Reduction
    kinds: tuple[str, ...]
    events: Array
    verdicts: Verdicts
    bounds: Bounds

    @property
    def partial(self) -> bool:
        """Return whether the deadline came before the reduction was judged."""
        return self.verdicts.partial or self.bounds.partial

    @property
    def errors(self) -> Array | None:
        """Return the accumulators' distances from their leaves' exact sums, in steps; None if unknown."""
        total = self.verdicts.total
        if total is None:
            return None
        return np.asarray(abs(self.reduction.accumulators[0].astype(total.dtype) - total), total.dtype)

    @property
    def severities(self) -> Array:
        """Return the verdicts as positions in `BY_SEVERITY`."""
        found = np.zeros(self.reduction.shape, int)
        for place, kind in enumerate(BY_SEVERITY):
            found[self.verdicts.kinds == kind] = place
        return found

    def worst(self, count: int) -> list[tuple[int, ...]]:
        """Return the indices of elements sorted by error, verdict, number of events and headroom."""
        nothing = np.zeros(self.reduction.shape, int)
        errors, rooms = self.errors, self.bounds.headrooms
        keys = [nothing if rooms is None else rooms, -self.events, -self.severities]
        keys.append(nothing if errors is None else -errors.astype(float))
        order = np.lexsort([key.ravel() for key in keys])[:count]
        return [tuple(map(int, np.unravel_index(at, self.reduction.shape))) for at in order]


def views(trace: Record, work: Work | None = None) -> list[View]:
    """Return a view of every reduction, in the sequence in which they ran.

    Those with the most events for each element are judged first. What there was no time for is not judged.
    """
    work = work or Work()
    known = list(trace.reductions.items())
    counts = tallies(trace)
    order = sorted(range(len(known)), key=lambda k: -float(counts[k].sum()) / max(1, counts[k].size))
    found, loop = dict[int, View](), Covered("reductions", 0, len(known), work.seconds)
    for k in order:
        name, reduction = known[k]
        kinds = tuple(sorted(counted_kinds(trace, reduction.written)))
        found[k] = View(name, reduction, kinds, counts[k], *_judged(reduction, work))
        loop.done += not found[k].partial
        work.tell("reductions", len(found), len(known))
    work.covered.append(loop)
    return [found[k] for k in range(len(known))]


def _judged(reduction: Reduction, work: Work) -> tuple[Verdicts, Bounds]:
    """Return a reduction's verdicts and bounds; "unknown" where no theorem applies."""
    verdict = Verdicts(reduction, np.full(reduction.shape, UNKNOWN))
    bound = Bounds(reduction)
    with suppress(Unsupported):
        verdict = verdicts(reduction, work.left, work.progress)
    with suppress(Unsupported):
        bound = bounds(reduction, work.left, work.progress)
    return verdict, bound
