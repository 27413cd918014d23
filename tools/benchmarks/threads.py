"""A limit on threads. This module imports no NumPy, whose library reads the limit when it is imported."""

from __future__ import annotations

import os

LIBRARIES = "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"


def limit_threads(number: int) -> None:
    """Limit this process to so many threads, and cores where possible; before NumPy and JAX are imported."""
    flags = f"--xla_cpu_multi_thread_eigen={str(number > 1).lower()} intra_op_parallelism_threads={number}"
    os.environ.update(dict.fromkeys(LIBRARIES, str(number)), XLA_FLAGS=flags, JAX_PLATFORMS="cpu")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-number:])


def count_threads() -> int:
    """Return how many threads this process is limited to: by `limit_threads`, or by its cores."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(os.environ.get(LIBRARIES[0], cores))
