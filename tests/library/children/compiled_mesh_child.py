"""Compiled manual computations beside `run`, on four devices.

Its process is `python -m tests.library.children.compiled_mesh_child FILE OUT`.
FILE has programs and their arguments, by name; OUT becomes, by name, the results of both as bytes.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import Any

os.environ["JAX_DISABLE_MOST_OPTIMIZATIONS"] = "1"  # XLA then compiles in half the time
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import numpy as np

import interp


def both(data: bytes | str, schedule: str, *args: np.ndarray) -> tuple[list[bytes], list[bytes]]:
    module = interp.load(data)
    ours = [x.storage.tobytes() for x in interp.run(module, *args, schedule=schedule)]
    return ours, [np.asarray(x).tobytes() for x in interp.compile(module, schedule=schedule)(*args)]


if __name__ == "__main__":
    programs: dict[str, Any] = pickle.loads(Path(sys.argv[1]).read_bytes())
    found = {name: both(*program) for name, program in programs.items()}
    Path(sys.argv[2]).write_bytes(pickle.dumps(found))
