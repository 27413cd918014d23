"""The listener that counts and keeps the noteworthy events of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from interp.backends import NUMPY, State
from interp.engine.evaluate import Context, Place
from interp.engine.fold import Node
from interp.engine.tally import Extreme, Found, Sums, Tally
from interp.kernels import OPERATIONS
from interp.recorder import detect
from interp.recorder.batch import Batch, result_index
from interp.recorder.event import KINDS, Event, Group, signature, totals
from interp.recorder.event_tally import tally
from interp.recorder.judgement import Judgement
from interp.recorder.names import qualifier
from interp.recorder.severity import SEVERITIES
from interp.recorder.watcher import Watcher
from spec.errors import Finding
from spec.ir import Op
from spec.schedule import LEFT

Judged = Callable[[Op, str, Extreme], tuple[Batch, Judgement]]


class Recorder(Watcher):
    """Recorder of the number of events, the first and the worst, by operation and kind, and the first `keep`.

    `Recorder(["saturate"])` counts saturated results: `recorder.counts["saturate"]`. Events of these
    `severities` are kept.
    """

    def __init__(
        self,
        kinds: str | Iterable[str] = tuple(KINDS),
        keep: int = 0,
        severities: Sequence[str] = SEVERITIES,
    ) -> None:
        super().__init__(kinds)
        self.keep, self.kept, self.severities = keep, list[Event](), severities
        self.groups: dict[tuple[int, int, str, bool, bool, bool], Group] = {}
        self.runs: Counter[int] = Counter()  # of each operation, by the identity of a result

    @property
    def counts(self) -> Counter[str]:
        return totals(self.groups.values())

    def refuse(self) -> None:
        """Raise the first event as a `Finding`, if there was one; clipping at a zero point is none."""
        if groups := [group for group in self.groups.values() if not group.first.clips]:
            counted = ", ".join(f"{kind} x {n:,}" for kind, n in totals(groups).items())
            event = groups[0].first
            name = signature(event.op, event.qualifier, event.run)
            evidence = f"first at {event.place} of {name}: {event.explanation}"
            raise Finding(counted, evidence, event.location)

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        super().on_op(op, operands, results, place)
        if place is None:
            self.runs.update(map(id, op.results))

    def tally(self, op: Op) -> Tally | None:
        return (
            None if self.keep else tally(op, self.kinds, lambda found: self._add_counts(op, found, self._node_event))
        )

    def sums(self, op: Op) -> Sums | None:
        kinds = self.kinds_of_sums(op)
        return Sums(kinds, None if self.keep else lambda found: self._add_counts(op, [found], self._sum_event))

    def _add_counts(self, op: Op, found: Sequence[Found], judged: Judged) -> None:
        """Add events that a fold's loop has counted, with the first and the worst of each kind."""
        for each in found:
            first, worst = (judged(op, each.kind, extreme) for extreme in (each.first, each.worst))
            self.note(*first)
            group = self.groups[_key(first[0], each.kind)]
            self.note(*worst)
            group.count += each.number - 2

    def _sum_event(self, op: Op, kind: str, at: Extreme) -> tuple[Batch, Judgement]:
        """Return the events of one sum of a contraction, and the one of this kind."""
        shape = op.result.type.shape
        column = np.ravel_multi_index(result_index(op, at.column, shape), shape) if shape else 0
        place = Place(op, 0, Node(0, at.leaf, None, False), np.array([column]))
        operands = np.asarray(at.lhs).reshape(1), np.asarray(at.rhs).reshape(1)
        batch = Batch(op, op, operands, self.sum_of(op, operands), place, (1,))
        return batch, next(found for found in self.sum_events(op, batch, True) if found.kind == kind)

    def _node_event(self, op: Op, kind: str, at: Extreme) -> tuple[Batch, Judgement]:
        """Return the batch of one node, recomputed, and its event of this kind."""
        assert self.module
        (inner, _), node = op.regions[0].ops, Node(0, at.leaf, None, False)
        operands = np.asarray(at.lhs).reshape(1), np.asarray(at.rhs).reshape(1)
        (stored,) = Context(NUMPY, self.module, LEFT, OPERATIONS).run(op.regions[0], operands)
        place = Place(op, 0, node, np.array([at.column]))
        batch = Batch(op, inner, operands, stored, place, stored.shape)
        judgements = detect.operation_events(inner, operands, stored, rounding=True)
        return batch, next(found for found in judgements if found.kind == kind)

    def _runs_of(self, op: Op) -> int:
        return self.runs[id(op.results[0])] if op.results else 0

    def note(self, batch: Batch, found: Judgement) -> None:
        sizes = found.sizes
        worst = int(sizes.argmax())
        key = _key(batch, found.kind, found.clips)
        group = self.groups.get(key)
        named = qualifier(self.module, batch.op), self._runs_of(batch.op), self.process
        if group is None:
            event = batch.event(found, 0, *named)
            self.groups[key] = group = Group(0, event, event, sizes[0])
        group.count += len(found.at)
        if sizes[worst] > group.size:
            group.worst, group.size = batch.event(found, worst, *named), sizes[worst]
        room = max(0, self.keep - len(self.kept)) if group.severity in self.severities else 0
        self.kept += (batch.event(found, k, *named) for k in range(min(room, len(found.at))))


def _key(batch: Batch, kind: str, clips: bool = False) -> tuple[int, int, str, bool, bool, bool]:
    """Return the key of a group of events."""
    return id(batch.op), id(batch.inner), kind, batch.place is not None, batch.is_product, clips
