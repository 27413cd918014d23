"""Measurement of a workload: each candidate prepared, its result compared, all timed in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from benchmarks.cases import Case, DataSet
from benchmarks.measure import TRIALS, Call, Timing, Unavailable, interleaved
from benchmarks.peers import Peer
from benchmarks.programs import Shape
from benchmarks.workloads import Workload
from spec.errors import InterpError

LIMIT = 0.5  # seconds that a call may take; what takes longer is measured on a smaller shape
EQUAL = "equal"
DIFFERENT = "DIFFERENT"


class Target(NamedTuple):
    """A limit on our time as a multiple of theirs; `measured` is None if one of them is missing."""

    ours: str
    theirs: str
    at_most: float
    measured: Timing | None

    @property
    def met(self) -> bool:
        return self.measured is not None and self.measured.median <= self.at_most


class Measurement(NamedTuple):
    """The result: `timings` by candidate, and `remarks` on how its result compares, or why there is none."""

    workload: Workload
    data: DataSet
    timings: dict[str, Timing]
    remarks: dict[str, str]

    @property
    def targets(self) -> Iterator[Target]:
        for ours, at_most in (("eager", self.workload.eager), ("compiled", self.workload.compiled)):
            for theirs, ratio in at_most.items():
                both = ours in self.timings and theirs in self.timings
                found = self.timings[ours].ratios(self.timings[theirs]) if both else None
                yield Target(ours, theirs, ratio, found)

    @property
    def wrong(self) -> list[str]:
        """Return the candidates whose result should equal ours and does not."""
        return [name for name, remark in self.remarks.items() if remark == DIFFERENT]


def measured(
    workload: Workload, data: DataSet, shapes: Sequence[Shape], rounds: int, progress: Callable[[str], object]
) -> Measurement:
    """Measure on the largest shape; candidates that take too long there on a smaller one."""
    calls, elements, remarks = {}, {}, {}
    case = cache(lambda shape: workload.case(shape, data))
    results: dict[Shape, np.ndarray] = {}
    for peer in (*workload.ours, *workload.peers):
        progress(f"{workload.id} {data.name}: {peer.name} is prepared")
        try:
            calls[peer.name], shape, remarks[peer.name] = fitted(peer, case, shapes, results)
            elements[peer.name] = case(shape).elements
        except (Unavailable, InterpError) as error:
            remarks[peer.name] = " ".join(str(error).split())
    turn = lambda: progress(f"{workload.id} {data.name}: {rounds} rounds of {len(calls)} candidates")
    timings = interleaved(calls, elements, rounds, turn) if calls else {}
    return Measurement(workload, data, timings, remarks)


def fitted(
    peer: Peer, case: Callable[[Shape], Case], shapes: Sequence[Shape], results: dict[Shape, np.ndarray]
) -> tuple[Call, Shape, str]:
    """Return the candidate on the largest shape on which a call takes at most `LIMIT` seconds.

    On every shape on the way its result is compared with that of the first candidate there, which is ours.
    """
    remarks = []
    for shape, larger in zip(shapes, [*shapes[1:], None], strict=True):
        call = peer.prepare(case(shape))
        result = np.asarray(call.result)
        remarks.append(
            peer.differs
            or (EQUAL if np.array_equal(result, results.setdefault(shape, result)) else DIFFERENT)
        )
        seconds = min(call.clock(1) for _ in range(TRIALS))  # the first ones may compile
        if larger is None or seconds * case(larger).elements > LIMIT * case(shape).elements:
            break
    return call, shape, DIFFERENT if DIFFERENT in remarks else remarks[-1]
