"""Time of a network's first call, beside that of XLA's own float program."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.first_runs import first_run
from benchmarks.measure import Timing
from benchmarks.programs import Shape
from benchmarks.workload import Workload

AT_MOST = {"eager": 1.0, "compiled": 3.0}  # times the first call of XLA's own float program
XLA = "XLA f32"


class FirstCall(NamedTuple):
    """Seconds of all threads by round of one way, and of XLA's float program; NaN where one took too long."""

    workload: str
    way: str
    timing: Timing
    xla: Timing

    @property
    def ratio(self) -> float:
        return self.timing.ratios(self.xla).median

    @property
    def met(self) -> bool:
        return self.ratio <= AT_MOST[self.way]


def first_calls(
    workload: Workload, shape: Shape, rounds: int, say: Callable[[str], object]
) -> list[FirstCall]:
    """Call a network for the first time in a new process, in turns with XLA's float program.

    An eager call is made once before, so that what it keeps on disk is there.
    """
    case = workload.case(shape, workload.data[-1])
    first_run(case, "eager")
    seconds: dict[str, list[float]] = {way: [] for way in (*AT_MOST, XLA)}
    for k in range(rounds):
        for way, found in seconds.items():
            say(f"{workload.id}: first call {k + 1} of {rounds}, {way}")
            run = first_run(case, way)
            found.append(np.nan if run is None else run.seconds)
    timings = {way: Timing(tuple(found)) for way, found in seconds.items()}
    return [FirstCall(workload.id, way, timings[way], timings[XLA]) for way in AT_MOST]
