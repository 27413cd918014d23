"""The two ways of starting a child process: a fresh interpreter, or a copy of this process.

A copy has everything that is imported here, which saves most of the time until it is ready. It is sound only
where this process has one thread: a lock that another one held would stay locked in the copy.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import IO, NoReturn


def spawned(module: str) -> Start:
    """Return a fresh interpreter that runs a module, with pipes to it and from it."""

    def start(stderr: IO[bytes]) -> Process:
        path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)
        return subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**os.environ, "PYTHONPATH": path},
        )

    return start


def can_fork() -> bool:
    """Return whether a fork is sound. Not on macOS, whose own libraries start threads; jaxlib starts
    some that Python does not count."""
    alone = threading.active_count() == 1 and "jaxlib" not in sys.modules
    closed = None in (sys.stdin, sys.stdout, sys.stderr)  # then a pipe may have the number of one of them
    return sys.platform == "linux" and alone and not closed


class Forked:
    """A copy of this process that does `work` and ends, with pipes to it and from it: as `Popen` has them."""

    def __init__(self, work: Callable[[], None], stderr: IO[bytes]) -> None:
        self.returncode: int | None = None
        requests, self.stdin = _pipe()
        self.stdout, replies = _pipe()
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _do(work, (requests, replies, stderr), (self.stdin, self.stdout))
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        requests.close()
        replies.close()

    def poll(self) -> int | None:
        """Return the exit status, or the negative number of the signal that ended it; None while it runs."""
        return self._collect(os.WNOHANG)

    def wait(self) -> int:
        status = self._collect(0)
        assert status is not None
        return status

    def kill(self) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _collect(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode


Process = subprocess.Popen[bytes] | Forked
Start = Callable[[IO[bytes]], Process]  # what the child writes to its error output goes to the file


def _pipe() -> tuple[IO[bytes], IO[bytes]]:
    """Its end to read from, its end to write to."""
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb"), os.fdopen(writing, "wb")


def _do(work: Callable[[], None], standard: Iterable[IO[bytes]], parents: Iterable[IO[bytes]]) -> NoReturn:
    """Live the copy's whole life, with streams for 0, 1 and 2. What the parent has yet to print, or do at its
    end, is the parent's; and as long as the copy held an end of the parent's, that would not seem gone."""
    status = 1
    try:
        for stream in parents:
            stream.close()
        for number, stream in enumerate(standard):
            os.dup2(stream.fileno(), number)
        work()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
