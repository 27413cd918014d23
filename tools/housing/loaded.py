"""Modules of ours that a run imports: in the process of the command, and in its child that reads programs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from housing.imports import ROOT, name_modules

PROGRAM = "testdata/programs/global_sum.current.mlirbc"  # that of the workload `start` of tools/bench
MEANING = "spec.meaning"  # the oracle
# A finder that finds nothing, but notes which process looks for a module of ours; a fork inherits it.
RECORDER = """
import os, sys
LOG = sys.argv[1]
class Recorder:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in ('interp', 'spec'):
            file = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(file, f'{os.getpid()} {name}\\n'.encode())
            os.close(file)
sys.meta_path.insert(0, Recorder())
from interp.__main__ import main
print(os.getpid(), flush=True)
sys.argv = ['interp', 'run', sys.argv[2], '--random', '1']
main()
"""


class Loaded(NamedTuple):
    """Modules that the command's process imports, and those that only its child imports."""

    parent: set[str]
    child: set[str]

    @property
    def oracle(self) -> set[str]:
        return {name for name in self.parent | self.child if is_oracle(name)}


def is_oracle(module: str) -> bool:
    return f"{module}.".startswith(f"{MEANING}.")


def measure_run() -> Loaded:
    """Run a small file in a fresh interpreter, and return which modules of ours were imported where.

    The child is a fork of the parent: it also has what the parent had imported when it started.
    """
    known = name_modules("interp", "spec").keys()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "modules.txt")
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-P", "-c", RECORDER, str(log), str(ROOT / PROGRAM)]
        run = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        lines = [line.split() for line in log.read_text().splitlines()]
    own = run.stdout.split()[0]
    parent = {name for process, name in lines if process == own} & known
    return Loaded(parent, {name for _, name in lines} & known - parent)
