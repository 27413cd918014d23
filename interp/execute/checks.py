"""Checks of a compiled program: which events can happen where, and their counts on the host.

The host judges the very operands of each operation, by the code that a trace uses: there are no other rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from os import getpid
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.backends.threaded import counted_on_host
from interp.engine.evaluate import Context, Listener, Place
from interp.engine.facts import facts
from interp.engine.prepared import function_of
from interp.kernels import OPERATIONS
from interp.recorder.batch import SCATTER
from interp.recorder.event import KINDS, Event
from interp.recorder.recorder import Recorder
from spec.accumulator import Reading
from spec.errors import Unsupported
from spec.faults import has_fault
from spec.grid import MANUAL
from spec.ir import Func, Module, Op, Region, callee_names, captures, nested_ops
from spec.schedule import Schedule
from spec.types import is_tensor

MAP, SORT = "stablehlo.map", "stablehlo.sort"
COUNT, WHAT, INDEX = 0, 1, 2  # columns of a count: how many, a place of `Slot.places`, the index there
_FLOAT = frozenset(KINDS) - {"saturate", "wrap", "erratum"}


class Target(NamedTuple):
    """Tensor that an event's index points into: `result`, `operand %x`; no rank if there is no index."""

    what: str
    rank: int | None


@dataclass(frozen=True, eq=False)
class Slot:
    """An operation that is checked: the operations that its events may name, the kinds, and their places.

    reruns: whether the host runs the operation again, to hear what happens within.
    """

    op: Op
    named: tuple[Op, ...]
    kinds: tuple[str, ...]
    places: tuple[Target, ...]
    reruns: bool

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of its counts: operation, kind, column."""
        return len(self.named), len(self.kinds), INDEX + max(place.rank or 0 for place in self.places)


def slots(module: Module, func: Func, kinds: frozenset[str]) -> tuple[Slot, ...]:
    """Return the slots of checks for events of these kinds, in program order.

    Raises `Unsupported` for values from outside of a body and meshes of devices, which no check hears.
    """
    judging_thread(getpid())
    functions: dict[str, None] = {}
    found = [
        slot for op in _observable_operations(module, func.body, functions) if (slot := _slot(op, kinds))
    ]
    for op in (op for f in (func.name, *functions) for op in nested_ops(module[f].body) if op.name == MAP):
        within = {name for inner in nested_ops(op.regions[0]) for name in callee_names(inner)}
        if both := within & functions.keys():
            raise Unsupported(f"checks: @{min(both)} is called within a map and outside", _EAGER, op.location)
    return tuple(found)


_EAGER = "trace finds these events: interp.trace"


def _observable_operations(module: Module, region: Region, functions: dict[str, None]) -> Iterator[Op]:
    """Yield the operations outside of bodies of folds and maps, each function's once."""
    for op in region.ops[:-1]:
        if op.name == MANUAL:
            raise Unsupported(f"checks: {op.name} runs on several devices", _EAGER, op.location)
        yield op
        inner = () if _reruns(op) or op.name == SORT else op.regions
        for name in callee_names(op):
            if name not in functions:
                functions[name] = None
                inner = (*inner, module[name].body)
        for each in inner:
            yield from _observable_operations(module, each, functions)


def _reruns(op: Op) -> bool:
    """Return whether events happen within an operation, which the host must run again to hear them."""
    collects = facts(op).family == "parallel" and bool(op.regions)
    return facts(op).is_recorded or op.name == MAP or collects


def _slot(op: Op, kinds: frozenset[str]) -> Slot | None:
    possible = tuple(kind for kind in KINDS if kind in kinds & possible_kinds(op))
    values = (*op.operands, *op.results)
    if not possible or not all(is_tensor(value.type) for value in values):
        return None
    if _reruns(op) and (outside := captures(op)):
        what = f"checks: the body of {op.name} uses {outside[0].name} from outside"
        raise Unsupported(what, _EAGER, op.location)
    within = [inner for inner in nested_ops(op.regions[0]) if inner.results] if op.name == MAP else []
    return Slot(op, (op, *within), possible, tuple(_targets(op)), _reruns(op))


def _targets(op: Op) -> Iterator[Target]:
    """Yield the tensors to which the events of an operation point."""
    result = Target("result", op.results[0].type.rank)
    yield result
    if not _reruns(op):
        return
    if facts(op).family != "contraction":  # where a body may run element by element
        yield from {Target("result", rank): 0 for rank in (0, None) if rank != result.rank}
    if op.name == SCATTER:
        yield from (Target("window", op.operands[1].type.rank), Target("window", None))
    for value in op.operands:
        yield Target(f"operand {value.name}", value.type.rank)
        if facts(op).family == "reduction" and not value.type.rank:
            yield Target(f"init value {value.name}", 0)


def possible_kinds(op: Op) -> frozenset[str]:
    """Return the kinds of events that may happen at an operation; others are certain not to happen."""
    row, values = facts(op), [*op.operands, *op.results]
    named = frozenset({"fault"} if has_fault(op) else ())
    if not (row.computes and len(op.results) == 1) and not _reruns(op):
        return named
    values += [
        v for inner in op.regions for each in nested_ops(inner) for v in (*each.operands, *each.results)
    ]
    quantized = any(value.type.is_quantized for value in values)
    if _reruns(op):
        floats = all(value.type.storage_type.kind in ("float", "complex") for value in values)
        return _FLOAT if floats and not quantized else frozenset(KINDS)
    result = op.result.type
    if op.name == "stablehlo.custom_call":
        return frozenset(KINDS)
    if result.is_quantized:
        product = {"wrap"} if row.error == "product" else set()  # of integers, in the integer reading
        return frozenset({"saturate", "inexact", "nan", "inf", "erratum"} | product) | named
    read = named | ({"erratum"} if quantized else set())
    if result.storage_type.kind in ("float", "complex"):
        return frozenset({"nan", "inf"} | read)
    happens = {"wrap": row.wraps, "unspecified": bool(row.undefined)}
    happens |= dict.fromkeys(("nan", "saturate"), row.family == "conversion")
    return frozenset(read | {kind for kind, may in happens.items() if may})


@cache
def judging_thread(process: int) -> ThreadPoolExecutor:
    """Return the thread of this process in which events are judged; to be called first outside of callbacks.

    XLA flushes subnormal numbers in the threads of its callbacks, and a thread begins in the floating-point
    mode of the one that starts it.
    """
    thread = ThreadPoolExecutor(1, "interp checks")
    thread.submit(int).result()  # which starts it
    return thread


@dataclass(frozen=True)
class Judge:
    """The program and the ways to run it, which the host needs to count events."""

    module: Module
    schedule: Schedule
    contractions: str
    reading: Reading

    def count(self, slot: Slot, *arrays: Any) -> np.ndarray:
        """Return the counts of the events of one run of an operation, as `Slot.shape` says."""
        return judging_thread(getpid()).submit(self._count, slot, *arrays).result()

    def _count(self, slot: Slot, *arrays: Any) -> np.ndarray:
        op = slot.op
        values = (*op.operands, *op.results)[: len(arrays)]
        carried = tuple(
            np.asarray(x).astype(NUMPY.carrier(v.type.storage_type))
            for x, v in zip(arrays, values, strict=True)
        )
        operands, results = carried[: len(op.operands)], carried[len(op.operands) :]
        recorder = Recorder(slot.kinds)
        recorder.on_reading(self.reading)
        recorder.on_start(self.module)
        with np.errstate(all="ignore"):
            if slot.reruns:
                results = self._run(op, operands, recorder)
            recorder.on_op(op, operands, results, None)
        return _count_events(slot, recorder)

    def _run(self, op: Op, operands: State, recorder: Recorder) -> State:
        ways = self.schedule, OPERATIONS, (recorder,), self.contractions
        ctx = Context(NUMPY, self.module, *ways, reading=self.reading)
        function, alone = function_of(op, NUMPY, OPERATIONS, self.reading)
        return (function(*operands),) if alone else tuple(function(ctx, op, *operands))


def _count_events(slot: Slot, recorder: Recorder) -> np.ndarray:
    counts = np.zeros(slot.shape, np.int64)
    for group in recorder.groups.values():
        if group.first.clips:  # at a zero point, which is no overflow
            continue
        named = next(k for k, op in enumerate(slot.named) if op is group.first.op)
        row = counts[named, slot.kinds.index(group.kind)]
        if not row[COUNT]:
            row[WHAT], row[INDEX : INDEX + len(group.first.index or ())] = _place(slot, group.first)
        row[COUNT] += group.count
    return counts


def _place(slot: Slot, event: Event) -> tuple[int, Sequence[int]]:
    """Return the number of the tensor that an event is in, and its index there."""
    index = event.index or ()
    known = [k for k, place in enumerate(slot.places) if place.what == event.what]
    fits = (k for k in known if slot.places[k].rank == (None if event.index is None else len(index)))
    return next(fits, 0), index


class Checks(Listener):
    """Listener that lets the host count the events of each operation, and adds up the counts of its runs."""

    sees_nodes = False

    def __init__(self, xp: Any, judge: Judge, found: Sequence[Slot]) -> None:
        self.xp, self.judge = xp, judge
        self.slots = {id(slot.op): (k, slot) for k, slot in enumerate(found)}

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is not None or id(op) not in self.slots:
            return
        k, slot = self.slots[id(op)]
        arrays = operands if slot.reruns else (*operands, *results)
        judged = partial(self.judge.count, slot)
        new = counted_on_host(self.xp, judged, slot.shape, tuple(arrays))
        carried = list(self.xp.carried)
        carried[k] = self._sum(carried[k], new)
        self.xp.carried = tuple(carried)

    def _sum(self, before: Array, new: Array) -> Array:
        """Return the counts of both, with the first event's place."""
        place = self.xp.where(before[..., :1] > 0, before[..., WHAT:], new[..., WHAT:])
        return self.xp.concatenate([before[..., :1] + new[..., :1], place], axis=-1)
