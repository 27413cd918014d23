"""The size of a process grid."""

from __future__ import annotations

from typing import NamedTuple

ProcessId = tuple[int, int]  # replica_id and partition_id


class Grid(NamedTuple):
    """The process grid of `num_replicas` by `num_partitions` processes."""

    num_replicas: int = 1
    num_partitions: int = 1

    @property
    def process_ids(self) -> list[ProcessId]:
        return [(r, p) for r in range(self.num_replicas) for p in range(self.num_partitions)]

    @property
    def num_processes(self) -> int:
        return self.num_replicas * self.num_partitions


ONE = Grid()
