"""The parent's side of the child process that reads programs; jaxlib crashes or hangs on some bad bytes.

One warm child serves all threads of a process, one request at a time. It is started by the first request, and
again after a crash, a timeout or a fork, and ends with its parent. If it dies in a request, a fresh child
gets the same request: damage from earlier bad bytes may show only later.
"""

from __future__ import annotations

import atexit
import gc
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from interp.reading import server
from interp.reading.child_process import Forked, Process, Start, can_fork, spawned
from interp.reading.messages import apart, receive, send
from interp.reading.server import READY
from spec.errors import Bug, InterpError, Location, Malformed

TIMEOUT = 20.0  # seconds; and one more for each megabyte
START = 120.0  # seconds until it is ready, which on a busy machine is no fault of the program's


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
                self.ready = receive(self.process.stdout).content == READY
        with self._within(timeout):
            large = send(self.process.stdin, request)
            reply = receive(self.process.stdout, large).content
        self.replies += 1
        return reply

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

    def obituary(self, name: str) -> InterpError:
        """Return the error that says why the child died while it read the program `name`."""
        code = self.process.wait()
        self.stderr.seek(0)
        last = self.stderr.read().decode("utf-8", "replace").strip().splitlines()[-3:]
        cause = f"signal {-code}" if code < 0 else f"exit status {code}"
        if not self.ready:
            return Bug(f"the reader process cannot start ({cause})", "\n".join(last))
        verdict = "reader hung" if self.late else f"reader crashed ({cause})"
        return Malformed(verdict, "\n".join(["jaxlib cannot cope with this input", *last]), Location(name))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.stderr):
            assert stream is not None
            with suppress(OSError):  # what the dead child never read is lost with it
                stream.close()


FRESH = spawned("interp.reading.server")


def forked_reader(stderr: IO[bytes]) -> Process:
    """Import the modules that both processes need, and return a copy of this process as the reader."""
    import numpy  # noqa: F401

    import interp.reading.ir_import  # noqa: F401

    gc.freeze()  # a collection would write to all that they share
    return Forked(server.main, stderr)


class Worker:
    """Client of one child process; safe to use from several threads."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.child: Child | None = None

    def start(self, fork: bool = False) -> None:
        """Start the child, which imports jaxlib while the caller goes on; `request` also starts it if needed.

        fork: this process runs only one command, so the child may be a copy of it, which is ready sooner.
        """
        with self.lock:
            self.child = self.child or Child(forked_reader if fork and can_fork() else FRESH)

    def request(self, data: str | bytes, name: str, *rest: Any, timeout: float | None = None) -> Any:
        """Return `interp.reading.reader.read(data, name, *rest)`, evaluated in the child."""
        seconds = (TIMEOUT if timeout is None else timeout) + len(data) / 1e6
        with self.lock:
            content = apart(data) if isinstance(data, bytes) else data
            reply = self._reply((content, name, *rest), seconds, name)
        if isinstance(reply, InterpError):
            raise reply
        return reply

    def _reply(self, request: Any, seconds: float, name: str) -> Any:
        """Return the child's reply; if it dies after it has served other requests, a fresh child's."""
        if self.child and self.child.process.poll() is not None:
            self.close()
        child = self.child = self.child or Child(FRESH)
        try:
            return child.ask(request, seconds)
        except (EOFError, OSError):
            death = child.obituary(name)
            self.close()
            return self._reply(request, seconds, name) if child.replies and not child.late else death
        except BaseException:  # an interrupt, say: whatever still comes would answer the wrong request
            self.close()
            raise

    def close(self) -> None:
        if self.child:
            self.child.close()
        self.child = None


WORKER = Worker()
atexit.register(WORKER.close)


def _after_fork() -> None:
    """Drop the child process and the lock, which may be held: both belong to the parent."""
    WORKER.lock, WORKER.child = threading.Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
