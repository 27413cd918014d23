"""Warm child processes, which answer requests in turn: their time limit, and a new one where one died.

The one that reads programs is `WORKER`.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, NamedTuple

from interp.loading import server
from interp.loading.child_process import Forked, Process, Start, apart, can_fork, receive, send, spawner
from interp.loading.server import READY
from spec.errors import Bug, InterpError, Location, Malformed

# A warm child process: it answers one request after another, within a time limit, and may die of any.
#
# One child serves all threads of a process, one request at a time. It is started by the first request, and
# again after its death, a timeout or a fork, and ends with its parent. If it dies in a request, a fresh
# child gets the same request: damage from an earlier one may show only later.

INFORMATION = re.compile(r"I\d{4} \d\d:")  # how a line of XLA's log begins that is no error
START = 120.0  # seconds until it is ready, which on a busy machine is no fault of the program's


class Death(NamedTuple):
    """The end of a child process that was to answer: the `cause`, and the `last` lines of its error output.

    late: it was killed because the answer took too long. ready: it had started.
    """

    cause: str
    last: tuple[str, ...]
    late: bool
    ready: bool


def widen(pipe: IO[bytes] | None) -> None:
    """Enlarge a pipe to a megabyte, where the system can, so that weights pass in fewer turns."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        assert pipe is not None
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, 1 << 20)


class Child:
    """The parent's end of one child process, which runs `server.serve`."""

    def __init__(self, start: Start) -> None:
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = start(self.stderr)
        for stream in (self.process.stdin, self.process.stdout):
            widen(stream)
        self.ready = self.late = False
        self.replies = 0

    def ask(self, request: Any, timeout: float) -> Any:
        """Return the reply; raise EOFError or OSError if the child dies, or is killed after `timeout` s."""
        if not self.ready:
            with self._within(START):
                self.ready = self.greet()
        with self._within(timeout):
            reply = self.exchange(request)
        self.replies += 1
        return reply

    def greet(self) -> bool:
        """Wait until the process says that it is ready."""
        return bool(receive(self.process.stdout).content == READY)

    def exchange(self, request: Any) -> Any:
        """Send a request, and return the reply."""
        large = send(self.process.stdin, request)
        return receive(self.process.stdout, large).content

    @contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        clock = threading.Timer(seconds, self._expire)
        clock.daemon = True
        clock.start()
        try:
            yield
        finally:
            clock.cancel()

    def _expire(self) -> None:
        self.late = True
        self.process.kill()

    def death(self) -> Death:
        """Wait for the end of the dying child, and return it."""
        code = self.process.wait()
        self.stderr.seek(0)
        lines = self.stderr.read().decode("utf-8", "replace").strip().splitlines()
        last = [line for line in lines if not INFORMATION.match(line)][-3:]
        cause = f"signal {-code}" if code < 0 else f"exit status {code}"
        return Death(cause, tuple(last), self.late, self.ready)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.stderr):
            assert stream is not None
            with suppress(OSError):  # what the dead child never read is lost with it
                stream.close()


class Warm:
    """Client of one child process, which `fresh` starts; safe to use from several threads."""

    def __init__(self, fresh: Start, kind: type[Child] = Child) -> None:
        self.fresh, self.kind = fresh, kind
        self.lock = threading.Lock()
        self.child: Child | None = None
        CLIENTS.add(self)

    def start(self) -> None:
        """Start the child, which imports what it needs while the caller goes on; `ask` starts it, too."""
        with self.lock:
            self.child = self.child or self.kind(self.fresh)

    def ask(self, request: Any, seconds: float) -> Any:
        """Return the child's reply, or its `Death` if it dies, or answers not within `seconds`."""
        with self.lock:
            return self._reply(request, seconds)

    def _reply(self, request: Any, seconds: float) -> Any:
        """Return the child's reply; if it dies after it has served other requests, a fresh child's."""
        if self.child and self.child.process.poll() is not None:
            self.close()
        child = self.child = self.child or self.kind(self.fresh)
        try:
            return child.ask(request, seconds)
        except (EOFError, OSError):
            death = child.death()
            self.close()
            return self._reply(request, seconds) if child.replies and not child.late else death
        except BaseException:  # an interrupt, say: whatever still comes would answer the wrong request
            self.close()
            raise

    def end(self) -> None:
        """Kill the child in the middle of a request of another thread, which hears of its death."""
        if self.child:
            self.child.late = True  # no fresh child gets the same request
            self.child.process.kill()

    def close(self) -> None:
        if self.child:
            self.child.close()
        self.child = None


CLIENTS: weakref.WeakSet[Warm] = weakref.WeakSet()


def _after_fork() -> None:
    """Drop the child processes and the locks, which may be held: both belong to the parent."""
    for client in CLIENTS:
        client.lock, client.child = threading.Lock(), None


def _close() -> None:
    for client in CLIENTS:
        client.close()


atexit.register(_close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# The parent's side of the child process that reads programs; jaxlib crashes or hangs on some bad bytes.

TIMEOUT = 60.0  # seconds, on a busy machine, too; and one more for each megabyte


def error(death: Death, name: str) -> InterpError:
    """Return the error that says why the child died while it read the program `name`."""
    if not death.ready:
        return Bug(f"the reader process cannot start ({death.cause})", "\n".join(death.last))
    verdict, why = f"reader crashed ({death.cause})", "jaxlib cannot cope with this input"
    if death.late:
        verdict, why = (
            "reader hung",
            f"no answer in {TIMEOUT:g} s: jaxlib cannot cope, or the machine is busy: try once more",
        )
    return Malformed(verdict, "\n".join([why, *death.last]), Location(name))


def forked_reader(stderr: IO[bytes]) -> Process:
    """Import the modules that both processes need, and return a copy of this process as the reader."""
    import numpy  # noqa: F401

    import interp.loading.ir_import  # noqa: F401

    gc.freeze()  # a collection would write to all that they share
    return Forked(server.main, stderr)


class Worker(Warm):
    """Client of one child process that reads programs."""

    def __init__(self) -> None:
        super().__init__(spawner("interp.loading.server"))

    def start(self, fork: bool = False) -> None:
        """Start the child, which imports jaxlib while the caller goes on; `request` also starts it if needed.

        fork: this process runs only one command, so the child may be a copy of it, which is ready sooner.
        """
        with self.lock:
            self.child = self.child or Child(forked_reader if fork and can_fork() else self.fresh)

    def request(self, data: str | bytes, name: str, *rest: Any, timeout: float | None = None) -> Any:
        """Return `interp.loading.reader.read(data, name, *rest)`, evaluated in the child."""
        seconds = (TIMEOUT if timeout is None else timeout) + len(data) / 1e6
        content = apart(data) if isinstance(data, bytes) else data
        reply = self.ask((content, name, *rest), seconds)
        if isinstance(reply, Death):
            raise error(reply, name)
        if isinstance(reply, InterpError):
            raise reply
        return reply


WORKER = Worker()
