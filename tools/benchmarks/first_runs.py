"""The first run of a program in a process of its own: `python -m benchmarks.first_runs FOLDER WAY` prints it.

What Python, the package and JAX take to begin is left out, but not what compiling takes.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from benchmarks.cases import Case

TIMEOUT = 240.0  # seconds


class FirstRun(NamedTuple):
    """Bytes of the results and at the peak beyond the inputs; seconds of all threads together."""

    results: int
    extra: int
    seconds: float


def first_run(case: Case, way: str) -> FirstRun | None:
    """Run a case eagerly, compiled, or its plain program in f32 by XLA; None if it takes too long."""
    by_xla = way == "XLA f32"
    assert not by_xla or case.plain is not None
    program = case.plain("f32") if by_xla and case.plain is not None else case.program
    args = [x.astype("f") for x in case.args] if by_xla else case.args
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.mlir").write_text(str(program))
        Path(folder, "args.pickle").write_bytes(pickle.dumps(args))  # .npz does not keep bf16
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
        command = [sys.executable, "-P", "-m", "benchmarks.first_runs", folder, way]
        try:
            run = subprocess.run(
                command, env=environment, timeout=TIMEOUT, check=True, stdout=subprocess.PIPE
            )
        except subprocess.TimeoutExpired:
            return None
    return FirstRun(*json.loads(run.stdout))


def status(field: str) -> int:
    """Return VmRSS (now) or VmHWM (at most so far) in bytes; unlike `ru_maxrss`, without the parent's."""
    found = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) << 10


def runner(way: str) -> Callable[..., Any]:
    """Return what runs a module on arguments for the first time, with JAX begun if it takes part."""
    import interp
    from interp.execute.xla import callable_on_xla

    if way == "eager":
        return interp.run
    import jax

    jax.block_until_ready(jax.jit(lambda x: x + 1)(1))
    function = callable_on_xla if way == "XLA f32" else interp.compile
    return lambda module, *args: jax.block_until_ready(function(module)(*args))


def main(folder: Path, way: str) -> None:
    import interp

    module, args = (
        interp.load(folder / "program.mlir"),
        pickle.loads((folder / "args.pickle").read_bytes()),
    )
    run = runner(way)
    if way != "eager":
        import jax

        args = [jax.block_until_ready(jax.device_put(x)) for x in args]
    before, start = status("VmRSS"), process_time()
    results = run(module, *args)
    seconds = process_time() - start
    sizes = [getattr(result, "storage", result).nbytes for result in results]
    print(json.dumps([sum(sizes), status("VmHWM") - before, seconds]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
