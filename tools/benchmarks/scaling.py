"""Time per element over sizes, of ours and the first peer, on the hardest data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.measure import Unavailable, growth, interleaved
from benchmarks.workloads import Workload
from spec.errors import InterpError

SIZES = tuple(10**k for k in range(3, 9))
LIMIT = 5.0  # seconds that a call may take
ROUNDS = 5
STEADY = 10**5  # elements from which the time must be linear
LINEAR = 1.1  # the exponent at most: caches end on the way


class Scaling(NamedTuple):
    """Seconds per element by size; sizes that take too long are missing."""

    workload: str
    candidate: str
    is_ours: bool
    seconds: dict[int, float]

    @property
    def exponent(self) -> float | None:
        """Return the exponent of the size that the time follows; None if too few sizes were measured."""
        steady = {size: seconds for size, seconds in self.seconds.items() if size >= STEADY}
        if len(steady) < 2:
            return None
        return growth(list(steady), [size * seconds for size, seconds in steady.items()])

    @property
    def is_linear(self) -> bool:
        return self.exponent is not None and self.exponent <= LINEAR


def scaled(
    workload: Workload, sizes: Sequence[int], rounds: int, progress: Callable[[str], object]
) -> list[Scaling]:
    """Measure candidates over sizes; one drops out when, by the size before, it would take over `LIMIT`."""
    ours, candidates = len(workload.ours), (*workload.ours, workload.peers[0])
    found = {peer.name: Scaling(workload.id, peer.name, i < ours, {}) for i, peer in enumerate(candidates)}
    running = {peer.name: peer for peer in candidates}
    for size in sizes:
        progress(f"{workload.id}: {size:.0e} elements")
        case = workload.case(workload.family.of(size), workload.data[-1])
        calls = {}
        for name in list(running):
            try:
                calls[name] = running[name].prepare(case)
            except (Unavailable, InterpError):
                del running[name]
        elements = dict.fromkeys(calls, case.elements)
        timings = interleaved(calls, elements, rounds, lambda: None) if calls else {}
        for name, timing in timings.items():
            found[name].seconds[size] = timing.median
            if timing.median * 10 * size > LIMIT:
                del running[name]
    return list(found.values())
