"""Numbers of events in every result element of the reductions of a run."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from interp.backends import Array, State
from interp.engine.evaluate import Place
from interp.execute.record import Record
from interp.recorder.batch import Batch
from interp.recorder.event import known_kinds
from interp.recorder.judgement import Judgement
from interp.recorder.severity import OVERFLOWS
from interp.recorder.watcher import Watcher
from spec.ir import Op


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

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        super().on_op(op, operands, results, place)
        if place is None and id(op) in self.ops:
            self.found.append(self._counts(op).reshape(op.results[0].type.shape))
            del self.running[id(op)]

    def _counts(self, op: Op) -> Array:
        return self.running.setdefault(id(op), np.zeros(op.results[0].type.size, np.int64))


def counted_kinds(trace: Record, op: Op) -> frozenset[str]:
    """Return the kinds that a picture of `op` counts: overflows if there are any, else all that are shown."""
    kinds = {group.kind for group in trace.shown if group.first.op is op}
    return known_kinds(kinds.intersection(OVERFLOWS) or kinds - {"erratum"})


def tallies(trace: Record) -> list[Array]:
    """Return, for each of `trace.reductions`, the number of counted events per result element."""
    known = list(trace.reductions.values())
    found = [np.zeros(reduction.shape, np.int64) for reduction in known]
    for kinds in {counted_kinds(trace, reduction.written) for reduction in known} - {frozenset[str]()}:
        tally = Tally(kinds, (reduction.written for reduction in known))
        trace.again(tally)
        for k, counts in enumerate(tally.found):
            if counted_kinds(trace, known[k].written) == kinds:
                found[k] = counts
    return found
