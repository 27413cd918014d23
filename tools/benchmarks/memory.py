"""Peak memory of a first run, on the hardest data, in a process: `python -m benchmarks.memory FOLDER WAY`.

Of a compiled run that is what compiling takes, too, but not what JAX takes to begin.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from benchmarks.programs import Shape
    from benchmarks.workloads import Workload

ALLOWANCE = 64 << 20  # bytes beside inputs and results, of a reduction
NETWORKS = {"eager": 256 << 20, "compiled": 512 << 20}  # of contractions and networks
TIMEOUT = 240.0  # seconds


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
    case = workload.case(shape, workload.data[-1])
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.mlir").write_text(str(case.program))
        np.savez(Path(folder, "args.npz"), *case.args)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
        command = [sys.executable, "-P", "-m", "benchmarks.memory", folder, way]
        try:
            run = subprocess.run(
                command, env=environment, timeout=TIMEOUT, check=True, stdout=subprocess.PIPE
            )
        except subprocess.TimeoutExpired:
            return Peak(workload.id, 0, None, way, allowance)
    return Peak(workload.id, *json.loads(run.stdout), way, allowance)


def status(field: str) -> int:
    """Return VmRSS (now) or VmHWM (at most so far) in bytes; unlike `ru_maxrss`, without the parent's."""
    found = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) << 10


def main(folder: Path, way: str) -> None:
    import interp

    module, run = interp.load(folder / "program.mlir"), interp.run
    with np.load(folder / "args.npz") as arrays:
        args = [arrays[name] for name in arrays.files]
    if way == "compiled":
        import jax

        args = [jax.block_until_ready(jax.device_put(x)) for x in args]
        jax.block_until_ready(jax.jit(lambda x: x + 1)(1))  # what JAX takes to begin
        run = lambda module, *args: jax.block_until_ready(interp.compile(module)(*args))
    before = status("VmRSS")
    results = run(module, *args)
    sizes = [getattr(result, "storage", result).nbytes for result in results]
    print(json.dumps([sum(sizes), status("VmHWM") - before]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
