"""The listener that counts the numbers which a program clips at zero points."""

from __future__ import annotations

from collections import Counter

from interp.backends import Array, State
from interp.engine.clipping import may_clip
from interp.engine.evaluate import Place
from interp.recorder.batch import Batch
from interp.recorder.judgement import Judgement
from interp.recorder.names import qualify, qualifier
from interp.recorder.watcher import Watcher
from interp.speed.form import Form
from spec.ir import Op


class Clips(Watcher):
    """Listener that counts, by the names of values, numbers that were clipped at the zero point.

    It looks at no reduction, so that fast paths of folds stay as they are.
    """

    sees_nodes = False

    def __init__(self) -> None:
        super().__init__(("saturate",))
        self.counts = Counter[str]()

    def instead(self, form: Form) -> Form | None:
        return form

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is None and may_clip(op):
            super().on_op(op, operands, results, place)

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        if may_clip(op):
            super().on_result(op, result, before, after)

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        """Skip the leaves of reductions."""

    def on_leaves(self, op: Op, operand: int, before: Array) -> None:
        """Skip the leaves of reductions."""

    def note(self, batch: Batch, found: Judgement) -> None:
        if found.clips:
            self.counts[qualify(batch.op.results[0].name, qualifier(self.module, batch.op))] += len(
                found.at
            )
