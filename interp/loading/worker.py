"""The parent's side of the child process that reads programs; jaxlib crashes or hangs on some bad bytes."""

from __future__ import annotations

import gc
from typing import IO, Any

from interp.loading import server
from interp.loading.child_process import Forked, Process, can_fork, spawner
from interp.loading.messages import apart
from interp.loading.warm import Child, Death, Warm
from spec.errors import Bug, InterpError, Location, Malformed

TIMEOUT = 20.0  # seconds; and one more for each megabyte


def error(death: Death, name: str) -> InterpError:
    """Return the error that says why the child died while it read the program `name`."""
    if not death.ready:
        return Bug(f"the reader process cannot start ({death.cause})", "\n".join(death.last))
    verdict = "reader hung" if death.late else f"reader crashed ({death.cause})"
    return Malformed(verdict, "\n".join(["jaxlib cannot cope with this input", *death.last]), Location(name))


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
