"""The processes of a grid: their groups, the devices of a mesh, their turns and their meetings."""

from __future__ import annotations

import contextvars
import threading
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from spec.errors import UNKNOWN, InterpError, Unspecified
from spec.grid import Axis, Mesh
from spec.ir import Op

# Process groups: the processes of a grid that a collective joins, given by their numbers.
#
# Process `(replica_id, partition_id)` has the number `replica_id * num_partitions + partition_id`.

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


# The devices of a mesh: their coordinates, and the part of a tensor that each of them has.

Slices = tuple[slice, ...]


@lru_cache
def coordinates(mesh: Mesh) -> dict[int, tuple[int, ...]]:
    """Return the coordinates of every device, by its id, in ascending order of the ids."""
    sizes = [size for _, size in mesh.axes]
    count = int(np.prod(sizes, dtype=int))
    table = np.stack(np.unravel_index(np.arange(count), sizes), -1) if sizes else np.zeros((1, 0), int)
    ids = np.array(mesh.device_ids or range(count))
    order = np.argsort(ids)
    rows = zip(ids[order].tolist(), table[order].tolist(), strict=True)
    return {device: tuple(row) for device, row in rows}


def slices(mesh: Mesh, device: int, dimensions: Sequence[Sequence[Axis]], shape: Sequence[int]) -> Slices:
    """Return the slices of a whole tensor that are a device's part; `shape` is the shape of a part."""
    own = dict(zip((name for name, _ in mesh.axes), coordinates(mesh)[device], strict=True))
    sizes = dict(mesh.axes)
    found = []
    for axes, size in zip(dimensions, shape, strict=True):
        parts = [(axis.size or sizes[axis.name], axis) for axis in axes]
        digits = [own[x.name] * x.pre_size * n // sizes[x.name] % n for n, x in parts]
        number = int(np.ravel_multi_index(digits, [n for n, _ in parts])) if parts else 0
        found.append(slice(number * size, (number + 1) * size))
    return tuple(found)


# The processes of a grid, each in its thread, one running at a time, and their meetings.
#
# Processes take turns in the order of their numbers: each runs until it waits for others. A run is
# therefore deterministic, and a deadlock is known as soon as all wait.

DEADLOCK = "deadlock: no process can go on"


# The ids of the process that this thread runs; None outside of a grid of several.
RUNNING: ContextVar[tuple[int, int] | None] = ContextVar("RUNNING", default=None)
NOBODY = threading.Semaphore(0)  # of a process that takes no turns: it is the only one


class Wait(NamedTuple):
    """A reason to wait: the operation, a test for its end, and a description of what is missing."""

    op: Op
    ready: Callable[[], bool]
    wanted: Callable[[], str]


class Meeting(NamedTuple):
    """One collective of a group, the operands that its processes have brought so far, and what all share."""

    op: Op
    brought: dict[int, Any]
    shared: dict[str, Any]


class _Ended(BaseException):
    """Exception that ends the thread of a process after another process has failed."""


class ProcessGrid:
    """A grid of processes: the meetings they wait at, their messages, infeeds and outfeeds."""

    def __init__(self, num_replicas: int = 1, num_partitions: int = 1) -> None:
        self.num_replicas, self.num_partitions = num_replicas, num_partitions
        self.meetings: dict[Hashable, Meeting] = {}
        self.messages: dict[Hashable, deque[Any]] = {}
        self.processes = [Process(self, k) for k in range(num_replicas * num_partitions)]
        self.baton = NOBODY
        self.ended = False
        self.mesh: Any = None  # whose devices the processes are

    @property
    def numbers(self) -> Any:
        """The numbers of the processes, a row for each replica."""
        return numbers(self.num_replicas, self.num_partitions)

    def run(self, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        """Return the results of one task for each process, run in turns."""
        if len(tasks) == 1:
            return [tasks[0]()]
        self.baton = threading.Semaphore(0)
        for process, task in zip(self.processes, tasks, strict=True):
            process.start(task)
        try:
            self._take_turns()
        finally:
            self._end()
        return [process.result for process in self.processes]

    def _take_turns(self) -> None:
        going = list(self.processes)
        while going:
            able = False
            for process in going:
                if process.wait is None or process.wait.ready():
                    able = True
                    process.go_on()
            if not able:
                raise deadlock(self.processes)
            going = [process for process in going if not process.done]

    def _end(self) -> None:
        """End the threads that still wait."""
        self.ended = True
        for process in self.processes:
            process.turn.release()


class Process:
    """One process of a grid; in compiled code its number is an array, known only when the code runs."""

    def __init__(self, grid: ProcessGrid, number: Any) -> None:
        self.grid, self.number = grid, number
        self.infeed: deque[Any] = deque()
        self.shared: dict[str, Any] = {}  # what the processes of the last meeting share
        self.outfed: list[Any] = []
        self.probed: dict[str, list[Any]] = {}  # the values that probes saw, by their ids
        self.wait: Wait | None = None
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None
        self.turn = NOBODY

    @property
    def is_known(self) -> bool:
        """Return whether the number is known now, and not only when compiled code runs."""
        return isinstance(self.number, int)

    @property
    def id(self) -> tuple[int, int]:
        """The ids of replica and partition."""
        return divmod(self.number, self.grid.num_partitions)

    def start(self, task: Callable[[], Any]) -> None:
        """Start a thread for the task, which waits for its turn."""
        self.turn = threading.Semaphore(0)
        context = contextvars.copy_context()  # has NumPy's way to treat floating-point errors
        threading.Thread(target=context.run, args=(self._run, task), daemon=True).start()

    def _run(self, task: Callable[[], Any]) -> None:
        try:
            self._await_turn()
            RUNNING.set(self.id)
            self.result = task()
        except _Ended:
            return
        except BaseException as error:
            self.error = error
        self.done = True
        self.grid.baton.release()

    def go_on(self) -> None:
        """Let this process run until it waits or is done; raise its exception if it failed."""
        self.wait = None
        self.turn.release()
        self.grid.baton.acquire()
        if self.error is not None:
            raise name_process(self.error, self.id)

    def _await_turn(self) -> None:
        self.turn.acquire()
        if self.grid.ended:
            raise _Ended

    def until(self, wait: Wait) -> None:
        """Let other processes run until this one can go on."""
        if wait.ready():
            return
        self.wait = wait
        if len(self.grid.processes) == 1:
            raise deadlock([self])
        self.grid.baton.release()
        self._await_turn()

    def meet(self, op: Op, group: Sequence[int], operands: Any) -> list[Any]:
        """Wait for all processes of a group, and return their operands in the order of the group."""
        self.shared = {}
        if len(group) == 1:
            return [operands]
        place = (op.name, op.attributes.get("channel_id"), tuple(group))
        meeting = self.grid.meetings.setdefault(place, Meeting(op, {}, {}))
        refuse_other(op, meeting.op, self.id)
        meeting.brought[self.number] = operands
        if len(meeting.brought) == len(group):
            del self.grid.meetings[place]
        missing = lambda: [self.grid.processes[k].id for k in group if k not in meeting.brought]
        wanted = lambda: f"processes {missing()} of its group {[self.grid.processes[k].id for k in group]}"
        self.until(Wait(op, lambda: not missing(), wanted))
        self.shared = meeting.shared if op is meeting.op else {}
        return [meeting.brought[k] for k in group]

    def send(self, channel: Hashable, operands: Any) -> None:
        """Put operands at the end of a channel."""
        self.grid.messages.setdefault(channel, deque()).append(operands)

    def receive(self, op: Op, channel: Hashable, wanted: str) -> Any:
        """Wait for a message of a channel, and take the first one."""
        messages = self.grid.messages.setdefault(channel, deque())
        self.until(Wait(op, lambda: bool(messages), lambda: wanted))
        return messages.popleft()

    def from_infeed(self, op: Op) -> Any:
        """Take the first element of the infeed; with an empty one wait, which is a deadlock if all do."""
        self.until(Wait(op, lambda: bool(self.infeed), lambda: "its infeed, which is empty"))
        return self.infeed.popleft()


def refuse_other(op: Op, first: Op, id: tuple[int, int]) -> None:
    """Raise `Unspecified` if a process joins a meeting with an operation unlike that of the first one."""
    mine, theirs = (([v.type for v in x.operands], dict(x.attributes)) for x in (op, first))
    if mine != theirs:
        evidence = f"process {id} comes with {op.operands} {dict(op.attributes)}\nanother came with "
        evidence += f"{first.operands} {dict(first.attributes)} ({first.location})"
        raise Unspecified(f"processes meet at different operations: {op.name}", evidence, op.location)


def deadlock(processes: Sequence[Process]) -> Unspecified:
    """Return the error for a grid in which all processes wait."""
    waits = [(process.id, process.wait) for process in processes if process.wait]
    lines = [
        f"process {id} at {wait.op.name} ({wait.op.location}) waits for {wait.wanted()}" for id, wait in waits
    ]
    lines += [f"process {process.id} is done" for process in processes if process.done]
    where = waits[0][1].op.location if waits else UNKNOWN
    return Unspecified(DEADLOCK, "\n".join(lines), where)


def name_process(error: BaseException, id: tuple[int, int]) -> BaseException:
    """Return an error that says in which process it was raised."""
    if isinstance(error, InterpError):
        *first, evidence, where = error.args
        kind: Callable[..., BaseException] = type(error)
        return kind(*first, f"{evidence}\nin process {id}".strip(), where).with_traceback(error.__traceback__)
    error.add_note(f"in process {id}")
    return error


ALONE = ProcessGrid().processes[0]  # of a context that nobody gave one
