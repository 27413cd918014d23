"""The process grid: its process groups, and the data that processes exchange.

A process is run again from its start whenever others may have sent more; it sends the same each time. All
data is therefore kept, and a process that lacks some is `Blocked`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from spec.errors import Unspecified
from spec.grid import ONE, Grid, ProcessId
from spec.ir import Op

Groups = Sequence[Sequence[int]]


def members(groups: Groups) -> list[list[int]]:
    """Return the groups without the -1 entries that pad shorter ones."""
    return [[member for member in group if member != -1] for group in groups]


def cross_replica(grid: Grid, replica_groups: Groups) -> list[list[ProcessId]]:
    """[(replica_id, partition_id) for replica_id in replica_group], for each partition_id"""
    return [
        [(replica_id, partition_id) for replica_id in replica_group]
        for replica_group in members(replica_groups)
        for partition_id in range(grid.num_partitions)
    ]


def cross_partition(grid: Grid, partition_groups: Groups) -> list[list[ProcessId]]:
    """[(replica_id, partition_id) for partition_id in partition_group], for each replica_id"""
    return [
        [(replica_id, partition_id) for partition_id in partition_group]
        for partition_group in members(partition_groups)
        for replica_id in range(grid.num_replicas)
    ]


def cross_replica_and_partition(grid: Grid, replica_groups: Groups) -> list[list[ProcessId]]:
    """[(replica_id, partition_id) for partition_id in partition_ids for replica_id in replica_group]"""
    return [
        [(replica_id, partition_id) for partition_id in range(grid.num_partitions) for replica_id in group]
        for group in members(replica_groups)
    ]


def flattened_ids(grid: Grid, flattened_id_groups: Groups) -> list[list[ProcessId]]:
    """[(flattened_id // num_partitions, flattened_id % num_partitions) for flattened_id in group]"""
    return [
        [(flattened_id // grid.num_partitions, flattened_id % grid.num_partitions) for flattened_id in group]
        for group in members(flattened_id_groups)
    ]


Strategy = Callable[[Grid, Groups], list[list[ProcessId]]]


def by_device(op: Op) -> Strategy:
    """Return the strategy of all_gather, all_reduce and reduce_scatter."""
    if op["use_global_device_ids"]:
        return flattened_ids
    return cross_replica_and_partition if op["channel_id"] > 0 else cross_replica


def by_channel(op: Op) -> Strategy:
    """Return the strategy of the other collectives, and of send and recv."""
    return cross_partition if op["channel_id"] > 0 else cross_replica


class Blocked(Unspecified):
    """Exception of a process that waits for others, or for its infeed."""

    def __init__(self, op: Op, process: ProcessId, wanted: str) -> None:
        self.line = f"process {process} at {op.name} ({op.location}) waits for {wanted}"
        super().__init__("deadlock: no process can go on", self.line, op.location)


@dataclass
class Exchange:
    """All data exchanged: operands of collectives, messages, and elements taken from the infeeds."""

    infeeds: dict[ProcessId, list[Any]] = field(default_factory=dict)
    joined: dict[Hashable, dict[ProcessId, Any]] = field(default_factory=dict)
    messages: dict[Hashable, list[Any]] = field(default_factory=dict)
    sent: set[Hashable] = field(default_factory=set)
    taken: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Return the amount of data exchanged, which never shrinks."""
        return sum(map(len, self.joined.values())) + len(self.sent) + len(self.taken)


@dataclass
class Process:
    """One run of one process: `counts` numbers its actions, and `outfed` has the values in its outfeed."""

    id: ProcessId = (0, 0)
    grid: Grid = ONE
    exchange: Exchange = field(default_factory=Exchange)
    counts: Counter[Hashable] = field(default_factory=Counter)
    outfed: list[tuple[Any, ...]] = field(default_factory=list)
    probed: dict[str, list[Any]] = field(default_factory=dict)  # the values that probes saw, by their ids
    mesh: Any = None  # the mesh whose devices the processes are

    def _again(self, what: Hashable) -> tuple[Hashable, ...]:
        """Count one more action of a kind by this process; return the kind with its number, from 1 on."""
        self.counts[what] += 1
        return what, self.counts[what]

    def meet(self, op: Op, group: Sequence[ProcessId], operands: Any) -> list[Any]:
        """Return the operands of a group's processes, in its order, each at its n-th such operation."""
        place = self._again((op.name, op.attributes.get("channel_id"), tuple(group)))
        joined = self.exchange.joined.setdefault(place, {})
        joined.setdefault(self.id, operands)
        if missing := [id for id in group if id not in joined]:
            raise Blocked(op, self.id, f"processes {missing} of its group {list(group)}")
        return [joined[id] for id in group]

    def send(self, channel: Hashable, operands: Any) -> None:
        """Put operands at the end of a channel."""
        message = (self.id, *self._again(("send", channel)))
        if message not in self.exchange.sent:
            self.exchange.sent.add(message)
            self.exchange.messages.setdefault(channel, []).append(operands)

    def receive(self, op: Op, channel: Hashable, wanted: str) -> Any:
        """Take the first remaining message of a channel."""
        return self._take(op, ("recv", channel), self.exchange.messages.get(channel, []), wanted)

    def infeed(self, op: Op) -> Any:
        """Take the first remaining element of the infeed."""
        return self._take(op, "infeed", self.exchange.infeeds.get(self.id, []), "its infeed, which is empty")

    def _take(self, op: Op, what: Hashable, queue: list[Any], wanted: str) -> Any:
        place = (self.id, *self._again(what))
        if place not in self.exchange.taken:
            if not queue:
                raise Blocked(op, self.id, wanted)
            self.exchange.taken[place] = queue.pop(0)
        return self.exchange.taken[place]


class Done(NamedTuple):
    """The results of one process, and the values in its outfeed."""

    results: Any
    outfed: list[tuple[Any, ...]]


def take_turns(
    grid: Grid,
    tasks: Mapping[ProcessId, Callable[[Process], Any]],
    infeeds: Mapping[ProcessId, list[Any]] | None = None,
) -> dict[ProcessId, Done]:
    """Run the task of each process again and again until all processes are done."""
    exchange, done = Exchange(dict(infeeds or {})), dict[ProcessId, Done]()
    while len(done) < len(tasks):
        known, blocked = (len(done), exchange.size), []
        for id in [id for id in tasks if id not in done]:
            process = Process(id, grid, exchange)
            try:
                done[id] = Done(tasks[id](process), process.outfed)
            except Blocked as error:
                blocked.append(error)
        if known == (len(done), exchange.size):
            lines = "\n".join(error.line for error in blocked)
            raise Unspecified("deadlock: no process can go on", lines, blocked[0].where)
    return {id: done[id] for id in tasks}
