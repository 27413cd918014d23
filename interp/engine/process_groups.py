"""Process groups: the processes of a grid that a collective joins, given by their numbers.

Process `(replica_id, partition_id)` has the number `replica_id * num_partitions + partition_id`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spec.ir import Op

Groups = list[tuple[int, ...]]


def numbers(num_replicas: int, num_partitions: int) -> np.ndarray:
    """Return the numbers of all processes, a row for each replica."""
    return np.arange(num_replicas * num_partitions).reshape(num_replicas, num_partitions)


def by_device(op: Op, grid: np.ndarray) -> Groups:
    """Return the groups of all_gather, all_reduce and reduce_scatter."""
    lists = [_members(group) for group in op["replica_groups"]]
    if op["use_global_device_ids"]:
        return [tuple(members) for members in lists]
    if op["channel_id"] > 0:
        return [tuple(grid[members].T.ravel().tolist()) for members in lists]
    return _rows([grid[members].T for members in lists])


def by_channel(op: Op, grid: np.ndarray, name: str = "replica_groups") -> Groups:
    """Return the groups of the other collectives, and the pairs of send and recv."""
    lists = [_members(group) for group in op[name]]
    if op["channel_id"] > 0:
        return _rows([grid[:, members] for members in lists])
    return _rows([grid[members].T for members in lists])


def _members(group: Sequence[int]) -> list[int]:
    """Return a group without the -1 entries that pad it."""
    return [member for member in group if member >= 0]


def _rows(tables: Sequence[np.ndarray]) -> Groups:
    return [tuple(row) for table in tables for row in table.tolist()]
