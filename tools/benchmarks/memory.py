"""Peak memory of an eager run, on the hardest data, in a process: `python -m benchmarks.memory FOLDER`."""

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

ALLOWANCE = 64 << 20  # bytes beside inputs and results
TIMEOUT = 60.0  # seconds


class Peak(NamedTuple):
    """Bytes of the results, and at the peak beyond the inputs; None if the run took too long."""

    workload: str
    results: int
    extra: int | None

    @property
    def met(self) -> bool:
        return self.extra is not None and self.extra <= self.results + ALLOWANCE


def peak(workload: Workload, shape: Shape) -> Peak:
    case = workload.case(shape, workload.data[-1])
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.mlir").write_text(str(case.program))
        np.savez(Path(folder, "args.npz"), *case.args)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
        command = [sys.executable, "-P", "-m", "benchmarks.memory", folder]
        try:
            run = subprocess.run(
                command, env=environment, timeout=TIMEOUT, check=True, stdout=subprocess.PIPE
            )
        except subprocess.TimeoutExpired:
            return Peak(workload.id, 0, None)
    return Peak(workload.id, *json.loads(run.stdout))


def status(field: str) -> int:
    """Return VmRSS (now) or VmHWM (at most so far) in bytes; unlike `ru_maxrss`, without the parent's."""
    found = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) << 10


def main(folder: Path) -> None:
    import interp

    module, run = interp.load(folder / "program.mlir"), interp.run
    with np.load(folder / "args.npz") as arrays:
        args = [arrays[name] for name in arrays.files]
    before = status("VmRSS")
    results = run(module, *args)
    print(json.dumps([sum(result.storage.nbytes for result in results), status("VmHWM") - before]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
