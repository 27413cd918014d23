"""The recorder of events in those samples of a batch that count."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from interp.apps.surveys.measure import Samples
from interp.engine.tally import Sums, Tally
from interp.recorder.batch import Batch
from interp.recorder.judgement import Judgement
from interp.recorder.recorder import Recorder
from interp.rewrite.sample_axis import Axes
from spec.ir import Op


class OfSamples(Recorder):
    """Recorder that leaves out events in the rows that only fill up a batch.

    Loops that count events for all rows at once are not used, so that every event is seen by its place.
    """

    def __init__(self, kinds: Iterable[str], samples: Samples, axes: Axes) -> None:
        super().__init__(kinds)
        self.samples, self.axes = samples, axes

    def tally(self, op: Op) -> Tally | None:
        return None

    def sums(self, op: Op) -> Sums | None:
        return Sums(self.kinds_of_sums(op))

    def note(self, batch: Batch, found: Judgement) -> None:
        at, shape = batch.columns(found), batch.op.results[0].type.shape
        if at is None and batch.place is None:
            at, shape = found.at + batch.offset, batch.whole or batch.shape
        axis = axis_of(batch.op, batch.what, self.axes)
        if at is not None and axis is not None and axis < len(shape):
            inside = np.unravel_index(at, shape)[axis] < self.samples.count
            found = found._replace(at=found.at[inside], error=found.error[inside])
        if found.at.size:
            super().note(batch, found)


def axis_of(op: Op, what: str, axes: Axes) -> int | None:
    """Return the dimension of the samples in the tensor of an operation that an event names."""
    name = what.removeprefix("operand ")
    return axes.get(op.results[0].name if what == "result" else name)


def recorder(kinds: Iterable[str], samples: Samples, axes: Axes) -> Recorder:
    """Return a recorder of the events of a batch, the fastest that there is."""
    filled = samples.size is not None and samples.count < samples.size
    return OfSamples(kinds, samples, axes) if filled else Recorder(kinds)
