"""Data of a reduction for pictures: events, errors and verdicts of every element of its result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from interp.backends import Array, State
from interp.engine.evaluate import Place
from interp.engine.work import Covered, Work
from interp.execute.record import Record
from interp.questions.along import bounds, verdicts
from interp.questions.bounds import Bounds
from interp.questions.verdicts import ALTERED, UNJUDGED, UNKNOWN, Verdicts
from interp.recorder.batch import Batch, Judgement
from interp.recorder.event import OVERFLOWS, known_kinds
from interp.recorder.recorded import Reduction
from interp.recorder.watcher import Watcher
from spec.errors import Unsupported
from spec.ir import Op
from spec.verdict import INEVITABLE, INEXACT, ORDER_DEPENDENT, SAFE

BY_SEVERITY = (SAFE, UNJUDGED, UNKNOWN, INEXACT, ORDER_DEPENDENT, INEVITABLE, ALTERED)


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


def views(trace: Record, work: Work | None = None, counts: Sequence[Array] | None = None) -> list[View]:
    """Return a view of every reduction, in the sequence in which they ran.

    Those with the most events for each element are judged first. What there was no time for is not judged.
    counts: the `tallies` of the kinds that are counted, if they are known.
    """
    work = work or Work()
    known = list(trace.reductions.items())
    counted = counted_kinds(trace)
    counts = tallies(trace, counted) if counts is None else counts
    order = sorted(range(len(known)), key=lambda k: -float(counts[k].sum()) / max(1, counts[k].size))
    found, loop = dict[int, View](), Covered("reductions", 0, len(known), work.seconds)
    for k in order:
        name, reduction = known[k]
        kinds = tuple(sorted(counted.get(id(reduction.written), ())))
        found[k] = View(name, reduction, kinds, counts[k], *_judge(reduction, work))
        loop.done += not found[k].partial
        work.tell("reductions", len(found), len(known))
    work.covered.append(loop)
    return [found[k] for k in range(len(known))]


def _judge(reduction: Reduction, work: Work) -> tuple[Verdicts, Bounds]:
    """Return a reduction's verdicts and bounds; "unknown" where no theorem applies."""
    verdict = Verdicts(reduction, np.full(reduction.shape, UNKNOWN))
    bound = Bounds(reduction)
    with suppress(Unsupported):
        verdict = verdicts(reduction, work.left, work.progress)
    with suppress(Unsupported):
        bound = bounds(reduction, work.left, work.progress)
    return verdict, bound


# Numbers of events in every result element of the reductions of a run


class Tally(Watcher):
    """Listener that counts events: `found` has, for each run of an operation, the number per element."""

    def __init__(self, kinds: Iterable[str], ops: Iterable[Op]) -> None:
        super().__init__(tuple(kinds))
        self.ops = {id(op) for op in ops}
        self.running: dict[int, Array] = {}
        self.found: list[Array] = []

    def note(self, batch: Batch, found: Judgement) -> None:
        columns = batch.columns(found) if id(batch.op) in self.ops else None
        if columns is not None:
            np.add.at(self._counts(batch.op), columns, 1)

    def _judge(self, batch: Batch, judged: Callable[[Batch], Iterator[Judgement]]) -> None:
        if id(batch.op) in self.ops:
            super()._judge(batch, judged)

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        super().on_op(op, operands, results, place)
        if place is None and id(op) in self.ops:
            self.found.append(self._counts(op).reshape(op.results[0].type.shape))
            del self.running[id(op)]

    def _counts(self, op: Op) -> Array:
        return self.running.setdefault(id(op), np.zeros(op.results[0].type.size, np.int64))


def counted_kinds(trace: Record) -> dict[int, frozenset[str]]:
    """Return the kinds that a picture of an operation counts, by the operation's identity, if it has any.

    They are overflows if there are any, else all kinds that are shown.
    """
    shown: defaultdict[int, set[str]] = defaultdict(set)
    for group in trace.shown:
        shown[id(group.first.op)].add(group.kind)
    return {
        k: known_kinds(kinds.intersection(OVERFLOWS) or kinds - {"erratum"}) for k, kinds in shown.items()
    }


def tallies(trace: Record, counted: Mapping[int, frozenset[str]]) -> list[Array]:
    """Return, for each of `trace.reductions`, the number of counted events per result element."""
    known = list(trace.reductions.values())
    wanted = [counted.get(id(reduction.written), frozenset[str]()) for reduction in known]
    found = [np.zeros(reduction.shape, np.int64) for reduction in known]
    for kinds in {*wanted} - {frozenset[str]()}:
        tally = Tally(kinds, (reduction.written for reduction in known))
        trace.again(tally)
        for k, counts in enumerate(tally.found):
            if wanted[k] == kinds:
                found[k] = counts
    return found
