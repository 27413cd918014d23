"""Processes of a soak: the CPU time of one with its descendants, and an end with its parent."""

from __future__ import annotations

import os
import threading
import time
from multiprocessing import parent_process
from multiprocessing.connection import wait
from pathlib import Path

PROCESSES = Path("/proc")


def seconds_of(pid: int | None) -> float:
    """Return the CPU seconds of a process and its descendants; without /proc those of the clock."""
    if not PROCESSES.is_dir():
        return time.monotonic()
    parents, seconds = {}, {}
    for stat in PROCESSES.glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        number = int(stat.parent.name)
        parents[number] = int(fields[1])
        seconds[number] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # children that ended, too
    return sum(own for number, own in seconds.items() if _descends(number, pid, parents))


def _descends(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    while pid not in (0, ancestor):
        pid = parents.get(pid, 0)
    return pid == ancestor


def end_with_parent() -> None:
    """End this process, whatever it is doing, when the process that started it has ended."""
    if parent := parent_process():
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
