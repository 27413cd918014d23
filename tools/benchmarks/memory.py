"""Peak memory of a first run, on the hardest data: with what compiling takes, not what JAX takes to begin."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from benchmarks.first_runs import first_run

if TYPE_CHECKING:
    from benchmarks.programs import Shape
    from benchmarks.workloads import Workload

ALLOWANCE = 64 << 20  # bytes beside inputs and results, of a reduction
NETWORKS = {"eager": 256 << 20, "compiled": 512 << 20}  # of contractions and networks


class Peak(NamedTuple):
    """Bytes of the results, and at the peak beyond the inputs; None if the run took too long."""

    workload: str
    results: int
    extra: int | None
    way: str = "eager"
    allowance: int = ALLOWANCE

    @property
    def met(self) -> bool:
        return self.extra is not None and self.extra <= self.results + self.allowance


def ways(workload: Workload) -> list[str]:
    """Return the ways to run a workload whose memory has a limit."""
    return ["eager"] if workload.unit == "element" else [*NETWORKS]


def peak(workload: Workload, shape: Shape, way: str = "eager") -> Peak:
    allowance = ALLOWANCE if workload.unit == "element" else NETWORKS[way]
    found = first_run(workload.case(shape, workload.data[-1]), way)
    results, extra = (found.results, found.extra) if found else (0, None)
    return Peak(workload.id, results, extra, way, allowance)
