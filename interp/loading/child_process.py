"""A child process: the two ways to start one, and the messages that it and its parent exchange."""

from __future__ import annotations

import copyreg
import io
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import IO, Any, NamedTuple, NoReturn

from spec.attributes import Dense

# Messages between two processes: a pickle and its length, followed by large bytes as they are.
#
# A reply does not send bytes of its request again, but their position in it.

Buffer = bytes | memoryview

LARGE = 1 << 16  # bytes that are worth a way of their own
NEAR = 1 << 16  # bytes of the request between two constants
SENT = -1  # the place of bytes that follow


class Message(NamedTuple):
    """Content that was received, and the large bytes in it."""

    content: Any
    large: Sequence[Buffer]


def send(stream: IO[bytes] | None, content: Any, request: Sequence[Buffer] = ()) -> list[bytes]:
    """Send `content`, and return its large bytes; `request` has those of the message that it answers."""
    assert stream is not None
    file, large = io.BytesIO(), list[bytes]()

    def within(buffer: pickle.PickleBuffer) -> bool:
        """Return whether a buffer stays within the pickle, as the elements of NumPy's arrays do."""
        data = memoryview(buffer).obj
        if isinstance(data, bytes):
            large.append(data)
        return not isinstance(data, bytes)

    pickler = pickle.Pickler(file, pickle.HIGHEST_PROTOCOL, buffer_callback=within)
    pickler.dispatch_table = copyreg.dispatch_table | {Dense: _without_elements}
    pickler.dump(content)
    stream.write(struct.pack("<QQ", file.tell(), len(large)))
    stream.write(file.getbuffer())
    for data, place in zip(large, places(large, b"".join(request)), strict=True):
        stream.write(struct.pack("<qQ", place, len(data)))
        if place == SENT:
            stream.write(data)
    stream.flush()
    return large


def apart(data: Buffer) -> Any:
    """Return bytes so that a message carries them without a copy if they are large."""
    return pickle.PickleBuffer(data) if len(data) >= LARGE else bytes(data)


def _without_elements(dense: Dense) -> tuple[Any, ...]:
    return Dense, (dense.type, apart(dense.data), dense.splat)


def places(large: Sequence[bytes], request: bytes) -> Iterator[int]:
    """Yield the position of each of `large` in the request, if it stands there in this order, else SENT."""
    end = 0
    for data in large:
        place = request.find(data[:64], end, end + NEAR)
        found = place >= 0 and request.startswith(data, place)
        yield place if found else SENT
        end = place + len(data) if found else end


def receive(stream: IO[bytes] | None, request: Sequence[Buffer] = ()) -> Message:
    """Return the next message, or raise EOFError; `request` has the large bytes of the one it answers."""
    length, count = struct.unpack("<QQ", _exactly(stream, 16))
    pickled = _exactly(stream, length)
    known = b"".join(request)
    large = [_part(stream, known) for _ in range(count)]
    return Message(pickle.loads(pickled, buffers=large), large)


def _part(stream: IO[bytes] | None, request: bytes) -> Buffer:
    place, size = struct.unpack("<qQ", _exactly(stream, 16))
    return _exactly(stream, size) if place == SENT else memoryview(request)[place : place + size]


def _exactly(stream: IO[bytes] | None, size: int) -> bytes:
    assert stream is not None
    message = stream.read(size)
    if len(message) < size:
        raise EOFError
    return message


# The two ways to start a child process: a fresh interpreter, or a copy of this process.
#
# A copy has all modules that are imported here, which saves most of the time until it is ready. It is sound
# only where this process has one thread: a lock that another thread held would stay locked in the copy.


def spawner(module: str) -> Start:
    """Return a function that starts a fresh interpreter on a module, with pipes to and from it."""

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
    """Return whether a fork is sound: on Linux, if this process has only one thread.

    macOS's own libraries start threads. So does jaxlib, and Python does not count all of them.
    """
    alone = threading.active_count() == 1 and "jaxlib" not in sys.modules
    closed = None in (sys.stdin, sys.stdout, sys.stderr)  # then a pipe may have the number of one of them
    return sys.platform == "linux" and alone and not closed


class Forked:
    """A copy of this process that does `work` and ends, with the pipes and methods of `Popen`."""

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
    """Return the reading and the writing end of a new pipe."""
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb"), os.fdopen(writing, "wb")


def _do(work: Callable[[], None], standard: Iterable[IO[bytes]], parents: Iterable[IO[bytes]]) -> NoReturn:
    """Do the work of the copy, with `standard` as its streams 0, 1 and 2, and exit.

    The copy runs none of the parent's exit handlers, and prints none of its buffered output. It closes the
    parent's ends of the pipes, since a pipe ends only when no process holds its other end.
    """
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
