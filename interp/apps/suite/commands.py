"""A foreign command in a process of its own: with a time limit, without input, with any amount of output."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import IO, NamedTuple

KEPT = 1 << 16  # bytes at the end of an output
SHOWN = 500  # characters of a message
GRACE = 5.0  # seconds for the end of an output after that of its process
# How runtimes tell of an error that nothing handled, before they exit with 1 or 2 of their own accord.
UNHANDLED = re.compile(
    r"^(Traceback \(most recent call last\):|panic: |Exception in thread |Node\.js v\d)", re.M
)


class Ended(NamedTuple):
    """The end of a process: `status` is None if it took too long, negative for a signal.

    `message`: the end of its output. `unhandled`: whether that shows an error that nothing handled.
    """

    status: int | None
    message: str
    unhandled: bool


class Tail(Thread):
    """Thread that reads a stream to its end, and keeps the last part of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.stream, self.kept = stream, b""
        self.start()

    def run(self) -> None:
        with suppress(OSError, ValueError):  # closed while it was read
            while part := os.read(self.stream.fileno(), KEPT):
                self.kept = (self.kept + part)[-KEPT:]

    def text(self) -> str:
        self.join(GRACE)
        return self.kept.decode("utf-8", "replace").strip()


def run_command(words: Sequence[str], seconds: float) -> Ended:
    """Run a command, with all processes that it starts, for at most `seconds`; OSError if it cannot start."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, start_new_session=True
    ) as process:
        assert process.stdout
        assert process.stderr
        tails = Tail(process.stderr), Tail(process.stdout)
        status: int | None = None
        try:
            with suppress(subprocess.TimeoutExpired):
                status = process.wait(seconds)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        errors, output = (tail.text() for tail in tails)
    return Ended(status, error_first(shorten(errors or output)), bool(UNHANDLED.search(errors)))


def error_first(message: str) -> str:
    """Return a traceback with its last line, the error itself, in front."""
    *above, last = message.split("\n")
    return "\n".join([last, *above]) if any(line.startswith('  File "') for line in above) else message


def shorten(message: str) -> str:
    """Return a text's last complete lines, or the end of one long line."""
    end = message[-SHOWN:]
    return end if end == message else end.partition("\n")[2] or end
