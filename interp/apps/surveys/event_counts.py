"""Events of a survey: the recorder of those samples of a batch that count, and sums over samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from interp.apps.surveys.layer import Span
from interp.apps.surveys.measure import Samples
from interp.engine.fold import Sums, Tally
from interp.recorder.batch import Batch, Judgement
from interp.recorder.event import INFORMATION, Event, Group
from interp.recorder.names import with_layer
from interp.recorder.recorder import Recorder
from interp.rewrite.fewer_samples import Axes
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


# Events of a survey, counted over samples.


@dataclass(frozen=True)
class Counted:
    """Events of one kind and severity at one operation: their number, and the first and the worst.

    `first_at` and `worst_at` are their samples, or all of their batches where an event has no sample.
    `scope` is the name of the layer that an exporter wrote, if any did.
    """

    layer: str
    name: str
    kind: str
    severity: str
    count: int
    size: float
    first: str = field(repr=False)
    first_at: Span
    worst: str
    worst_at: Span
    scope: str = ""

    @classmethod
    def of(
        cls, group: Group, layer: tuple[str, str], name: str, samples_of: Callable[[Event], Samples]
    ) -> Counted:
        """Return the events of one batch, at the operation of a name; layer: its value and its name."""
        first, worst = group.first, group.worst
        texts = [f"{e.place}: {e.explanation}" for e in (first, worst)]
        spans = [samples_of(e).at(e.index) for e in (first, worst)]
        kind, severity, size = group.kind, group.severity, float(group.size)
        known = texts[0], spans[0], texts[1], spans[1]
        return cls(layer[0], name, kind, severity, group.count, size, *known, layer[1])

    @property
    def key(self) -> tuple[str, str, str]:
        """The operation, the kind and the severity, which are the same for events that add up."""
        return self.name, self.kind, self.severity

    @property
    def title(self) -> str:
        """The name of the layer, with that which an exporter wrote: `conv2 (%4)`."""
        return with_layer(self.layer, self.scope)

    @property
    def clips(self) -> bool:
        """Return whether these are numbers that were clipped at their zero point: no overflow."""
        return self.kind == "saturate" and self.severity == INFORMATION

    def __str__(self) -> str:
        several = "s" * (self.worst_at[0] != self.worst_at[1])
        where = f"worst in sample{several} {span(self.worst_at)}"
        return f"{self.title}: {self.kind} at {self.name} x {self.count:,}, {where}: {self.worst}"

    def __add__(self, other: Counted) -> Counted:
        early, late = sorted((self, other), key=lambda x: x.first_at)
        worst = min(early, late, key=lambda x: (-x.size, x.worst_at))
        return replace(
            early, count=self.count + other.count, size=worst.size, worst=worst.worst, worst_at=worst.worst_at
        )


def span(samples: Span) -> str:
    """Return samples as text: `3`, or the first and the last of several."""
    return str(samples[0]) if samples[0] == samples[1] else f"{samples[0]}..{samples[1]}"
