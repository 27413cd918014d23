"""Listeners that count and keep the events of a run, and the counts that a loop of a fold makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, Namespace, State, fl, max_finite
from interp.backends.base import Chunk, Moment
from interp.engine.bodies import only_op
from interp.engine.evaluate import ACROSS, Context, Place
from interp.engine.fold import Extreme, Found, Node, Sums, Tally
from interp.engine.storage import may_clip
from interp.kernels import OPERATIONS
from interp.recorder import detect
from interp.recorder.batch import Batch, Judgement, result_index
from interp.recorder.detect import may_be_nan
from interp.recorder.event import KINDS, SEVERITIES, Event, Group, signature, totals
from interp.recorder.names import qualifier, qualify
from interp.recorder.watcher import Watcher
from interp.speed.order_free import Form
from interp.theory.quantized_arithmetic import adds_integers
from spec.errors import Finding
from spec.ir import Op
from spec.schedule import LEFT
from spec.types import QuantizedType

# Counts of events of quantized additions in the loop of a fold: the number, the first and the worst.

PRECISE = 8  # bits of an expressed type, from which on a rounding error of a sum is less than its half


class Counts(NamedTuple):
    """Events of one kind among a few leaves, per result element: how many, and the largest error."""

    number: Array
    size: Array


FIELDS = len(Counts._fields)


def tally(op: Op, kinds: frozenset[str], done: Callable[[list[Found]], None]) -> Tally | None:
    """Return a tally that gives `done` a reduction's events of these kinds, or None if it cannot.

    THEOREM: when adding numbers of one type whose zero point is 0, the exact minus the stored result is an
    integer. If it is not 0, the result is saturated if the exact one is beyond the storage range and the
    stored one its bound; otherwise it is inexact, provided that neither NaN nor infinity can arise on the
    way: twice the largest stored number is finite in the expressed type, and so is the real number it
    represents, doubled.
    """
    if op.name != "stablehlo.reduce" or not _counts(op):
        return None
    type = op.regions[0].arguments[0].type.quantized_element_type
    counted = [kind for kind in ("saturate", "inexact") if kind in kinds]
    if adds_integers(type):
        counted = [kind for kind in counted if kind == "saturate"]
    wide = _wide(type)
    dtypes = Counts(wide, np.dtype(f"u{wide}"))
    tracks = [Track(kind) for kind in counted]

    def start(xp: Namespace, shape: tuple[int, ...]) -> State:
        return tuple(xp.zeros(shape, dtype) for dtype in dtypes) * len(counted)

    def step(xp: Namespace, counts: State, lhs: State, rhs: State, results: State) -> State:
        by_kind = _errors_by_kind(xp, type, wide, lhs[0], rhs[0], results[0])
        kinds = zip(counted, _counts_by_kind(counts), strict=True)
        return tuple(chain(*(_count_node(xp, before, *by_kind[kind]) for kind, before in kinds)))

    def look(chunk: Chunk, counts: slice, enter: Callable[[State], State]) -> None:
        for k, track in enumerate(tracks):
            track.look(chunk, counts.start + FIELDS * k, enter)

    def finish() -> None:
        done(sorted((found for track in tracks for found in track.events), key=lambda each: each.first.leaf))

    return Tally(start, step, look, finish)


class Track:
    """The events of one kind in a whole fold, as far as its leaves were looked at."""

    def __init__(self, kind: str) -> None:
        self.kind, self.number, self.size = kind, 0, 0
        self.first: Extreme | None = None
        self.worst: Extreme | None = None

    def look(self, chunk: Chunk, at: int, enter: Callable[[State], State]) -> None:
        """Add the events of a chunk, whose counts stand at this place in the state.

        The fold is taken again only where there may be an earlier event than the first, or a worse one.
        """
        number, sizes = chunk.after[at : at + FIELDS]
        if not (here := number > 0).any():
            return
        self.number += int(number.sum(dtype=np.int64))
        if self.first is None or chunk.first < self.first.leaf:
            moment = chunk.earliest(lambda state: state[at] > 0, np.flatnonzero(here))
            self.first = _earlier(_extreme(moment, enter), self.first)
        size = int(sizes.max())
        again = self.worst and size == self.size and chunk.first < self.worst.leaf
        if size > self.size or again:
            same = lambda state: state[at + 1] == size
            moment = chunk.earliest(same, np.flatnonzero(sizes == size))
            found = _extreme(moment, enter)
            self.worst = _earlier(found, self.worst if size == self.size else None)
            self.size = size
        number[...] = sizes[...] = 0

    @property
    def events(self) -> Iterator[Found]:
        if self.first and self.worst:
            yield Found(self.kind, self.number, self.first, self.worst)


def _extreme(moment: Moment, enter: Callable[[State], State]) -> Extreme:
    (rhs,) = enter(moment.taken)
    return Extreme(moment.column, moment.leaf, moment.state[0], rhs)


def _earlier(found: Extreme, known: Extreme | None) -> Extreme:
    """Return the one that comes first, leaf by leaf."""
    if known is None:
        return found
    return min(found, known, key=lambda each: (each.leaf, each.column))


def _wide(type: QuantizedType) -> np.dtype:
    """Return a dtype for exact less stored sums, modulo its width.

    THEOREM: where a sum of two numbers saturates, it is at most one of them away from the stored bound: at
    most 2^31 - 1, or -2^31. Else it is only rounded, by less than 2^31. So differences of 32 bits are right
    although the sums wrap.
    """
    size = np.dtype(type.storage_type.numpy).itemsize
    return np.dtype(f"i{4 if size == 4 and type.expressed_type.precision >= PRECISE else 2 * size}")


def _counts(op: Op) -> bool:
    """Return whether the theorem holds for the body of a reduction."""
    type = op.regions[0].arguments[0].type.element_type
    if only_op(op.regions[0]) != "add" or not isinstance(type, QuantizedType) or not type.is_per_tensor:
        return False
    least, most = type.storage_min, type.storage_max
    bounded = fl(least, type.expressed_type) <= least and most <= fl(most, type.expressed_type)
    narrow = type.storage_type.is_integer and type.storage_type.bits <= 32
    bounded &= 2 * max(-least, most) <= max_finite(type.expressed_type)
    return narrow and bounded and type.zero_point == 0 and not may_be_nan("add", (type,) * 3)


def _counts_by_kind(counts: State) -> Iterator[Counts]:
    """Yield the counts of each kind."""
    for first in range(0, len(counts), FIELDS):
        yield Counts(*counts[first : first + FIELDS])


def _errors_by_kind(
    xp: Namespace, type: QuantizedType, wide: np.dtype, lhs: Array, rhs: Array, stored: Array
) -> dict[str, tuple[Array, Array]]:
    """Return, by kind, where a sum has an event, and how far the stored result is from it, else 0."""
    stored = stored.astype(wide)
    error = lhs.astype(wide) + rhs.astype(wide) - stored
    size = xp.abs(error).astype(f"u{wide}")
    if adds_integers(type):
        return {"saturate": (error != 0, size)}
    above = (error > 0) & (stored == type.storage_max)
    below = (error < 0) & (stored == type.storage_min)
    saturated, nothing = above | below, xp.zeros_like(size)
    inexact = (error != 0) & ~saturated
    return {
        "saturate": (saturated, xp.where(saturated, size, nothing)),
        "inexact": (inexact, xp.where(saturated, nothing, size)),
    }


def _count_node(xp: Namespace, before: Counts, here: Array, size: Array) -> Counts:
    """Return the counts after a node, which has an event where `here` says so, `size` being its error."""
    number = before.number + here.astype(before.number.dtype)
    return Counts(number, xp.maximum(before.size, size))


Judged = Callable[[Op, str, Extreme], tuple[Batch, Judgement]]
Key = tuple[int, int, str, bool, bool, bool, bool]


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
        self.groups: dict[Key, Group] = {}
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
            None
            if self.keep
            else tally(op, self.kinds, lambda found: self._add_counts(op, found, self._node_event))
        )

    def sums(self, op: Op) -> Sums | None:
        kinds = self.kinds_of_sums(op)
        if self.keep:
            return Sums(kinds)
        return Sums(
            kinds,
            lambda found: self._add_counts(op, [found], self._sum_event),
            lambda number: self._count_additions(op, number),
        )

    def _count_additions(self, op: Op, number: int) -> None:
        """Count additions that are not exact, of which the first and the worst have been heard."""
        self.groups[id(op), id(op), "inexact", True, False, False, False].count += number - 2

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


def _key(batch: Batch, kind: str, clips: bool = False) -> Key:
    """Return the key of a group of events."""
    place = batch.place
    across = place is not None and place.block == ACROSS
    return id(batch.op), id(batch.inner), kind, place is not None, batch.is_product, clips, across


# The listener that counts the numbers which a program clips at zero points.


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
            self.counts[qualify(batch.op.results[0].name, qualifier(self.module, batch.op))] += len(found.at)
