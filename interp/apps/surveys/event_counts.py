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

OVERFLOWS = ("saturate", "wrap")


class OfSamples(Recorder):
    """Recorder that leaves out events in the rows that only fill up a batch, and knows the samples of others.

    Loops that count events for all rows at once are not used, so that every event is seen by its place.
    `overflowing` has the rows in which a number saturates or wraps; all, if the place of an event is unknown.
    """

    def __init__(self, kinds: Iterable[str], samples: Samples, axes: Axes) -> None:
        super().__init__(kinds)
        self.samples, self.axes = samples, axes
        self.overflowing = set[int]()

    def tally(self, op: Op) -> Tally | None:
        return None

    def sums(self, op: Op) -> Sums | None:
        return Sums(self.kinds_of_sums(op))

    def note(self, batch: Batch, found: Judgement) -> None:
        at, shape = batch.columns(found), batch.op.results[0].type.shape
        if at is None and batch.place is None:
            at, shape = found.at + batch.offset, batch.whole or batch.shape
        axis = axis_of(batch.op, batch.what, self.axes)
        rows = np.arange(self.samples.count)
        if at is not None and axis is not None and axis < len(shape) and self.samples.size is not None:
            rows = np.unravel_index(at, shape)[axis]
            inside = rows < self.samples.count
            rows, found = rows[inside], found._replace(at=found.at[inside], error=found.error[inside])
        if found.at.size:
            super().note(batch, found)
            if found.kind in OVERFLOWS and not found.clips:
                self.overflowing.update(np.unique(rows).tolist())


def axis_of(op: Op, what: str, axes: Axes) -> int | None:
    """Return the dimension of the samples in the tensor of an operation that an event names."""
    name = what.removeprefix("operand ")
    return axes.get(op.results[0].name if what == "result" else name)


def recorder(kinds: Iterable[str], samples: Samples, axes: Axes, rates: bool = False) -> Recorder:
    """Return the fastest recorder of a batch's events; rates: that knows the samples of each."""
    filled = samples.size is not None and samples.count < samples.size
    return OfSamples(kinds, samples, axes) if filled or rates else Recorder(kinds)


def count_overflowing(seen: Recorder) -> int | None:
    """Return in how many samples of a batch a number overflowed, None if the recorder does not know."""
    if isinstance(seen, OfSamples):
        return len(seen.overflowing)
    groups = seen.groups.values()
    return None if any(group.kind in OVERFLOWS and not group.first.clips for group in groups) else 0


# Events of a survey, counted over samples.


@dataclass(frozen=True)
class Counted:
    """Events of one kind and severity at one operation: their number, and the first and the worst.

    `first_at` and `worst_at` are their samples, or all of their batches where an event has no sample. `scope`
    is the name of the layer that an exporter wrote, if any did. `position` is that of the operation in the
    program.
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
    position: int = 0

    @classmethod
    def of(
        cls,
        group: Group,
        layer: tuple[str, str],
        name: str,
        position: int,
        samples_of: Callable[[Event], Samples],
    ) -> Counted:
        """Return the events of one batch, at the operation of a name; layer: its value and its name."""
        first, worst = group.first, group.worst
        texts = [f"{e.place}: {e.explanation}" for e in (first, worst)]
        spans = [samples_of(e).at(e.index) for e in (first, worst)]
        kind, severity, size = group.kind, group.severity, float(group.size)
        known = texts[0], spans[0], texts[1], spans[1]
        return cls(layer[0], name, kind, severity, group.count, size, *known, layer[1], position)

    @property
    def key(self) -> tuple[int, str, str, str]:
        """The operation, the kind and the severity, which are the same for events that add up."""
        return self.position, self.name, self.kind, self.severity

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


def add_events(events: Iterable[Counted]) -> tuple[Counted, ...]:
    """Return the sums of the events at one operation of one kind, in the program's order."""
    sums: dict[tuple[int, str, str, str], Counted] = {}
    for event in events:
        sums[event.key] = sums[event.key] + event if event.key in sums else event
    return tuple(sums[key] for key in sorted(sums))


def span(samples: Span) -> str:
    """Return samples as text: `3`, or the first and the last of several."""
    return str(samples[0]) if samples[0] == samples[1] else f"{samples[0]}..{samples[1]}"
