"""The share of every operation's result that overflowed in a run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from interp.backends import Array, State
from interp.engine.evaluate import Place
from interp.engine.facts import facts
from interp.execute.record import Record
from interp.execute.run import run
from interp.recorder.batch import Batch
from interp.recorder.judgement import Judgement
from interp.recorder.severity import INFORMATION, severity
from interp.recorder.watcher import Watcher
from spec.ir import Op

OVERFLOWS = ("saturate", "wrap")


class Overflowed(Watcher):
    """Listener that counts result elements with at least one overflow, and all of them, in all runs of an op.

    Unsigned integers that wrap outside of accumulations, as in hashes, and numbers that are clipped at their
    zero point do not count.
    """

    def __init__(self) -> None:
        super().__init__(OVERFLOWS)
        self.running: dict[int, Array] = {}
        self.found: dict[int, tuple[Op, int, int]] = {}

    def note(self, batch: Batch, found: Judgement) -> None:
        columns = batch.columns(found)
        known = severity(found.kind, batch.place is not None, batch.inner, found.clips)
        if columns is None or known == INFORMATION:
            return
        hit = self.running.setdefault(id(batch.op), np.zeros(batch.op.results[0].type.size, bool))
        hit[columns] = True

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        super().on_op(op, operands, results, place)
        if place is not None or not (facts(op).computes or facts(op).is_recorded):
            return
        _, count, size = self.found.get(id(op), (op, 0, 0))
        hit = self.running.pop(id(op), None)
        count += 0 if hit is None else int(hit.sum())
        self.found[id(op)] = op, count, size + op.results[0].type.size


def shares(trace: Record) -> Iterator[tuple[Op, float]]:
    """Yield operations with the share of their results that overflowed, 0 only if the result is quantized."""
    listener = Overflowed()
    run(trace.module, *trace.args, **{**trace.options, "listeners": (listener,)})
    for op, count, size in listener.found.values():
        if count or (size and op.results[0].type.is_quantized):
            yield op, count / size
