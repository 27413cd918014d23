"""Servers: implementations that answer one case after another over their standard input and output.

A conversation is lines of ASCII that end with a newline, each followed by as many bytes as it announces. The
server begins with `interp-server 1`, the version of this protocol. Then, for each case,

    case BYTES ARRAYS           the program, MLIR text of so many bytes, and so many arguments:
    int8 2 3                    an array: its elements' type and its dimensions (none for a scalar), and the
                                elements, little-endian, in row-major order
    results ARRAYS              the answer: so many arrays in the same form; or one of these,
    refused BYTES               with a message: the program breaks the specification
    unsupported BYTES           with a message: the server does not run such programs
    crashed BYTES               with a message: the implementation failed, and the server goes on

until the end of the input. An answer in another form ends the server, and is one case's failure.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from math import prod
from typing import IO, Any

import numpy as np

from interp.apps.runtimes.translation import Reply
from interp.engine.inputs import plain_array
from interp.loading.child_process import Start
from interp.loading.warm import Child, Death, Warm
from spec.errors import Malformed

GREETING = b"interp-server 1\n"
LINE = 1 << 12  # bytes of a line
MOST = 1 << 31  # bytes of an array or a message
REFUSALS = ("refused", "unsupported", "crashed")
TYPES = (
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    *("float16", "float32", "float64", "complex64", "complex128", "bool"),
)


class Broken(Exception):
    """Exception: a server wrote something else than an answer in the form of the protocol."""


class Server:
    """A command that serves the protocol; it is started at the first case, and again after its death."""

    def __init__(self, words: Sequence[str], timeout: float) -> None:
        self.words, self.timeout, self.greeted = words, timeout, False
        self.process = Warm(start_group(words), Speaker)

    def ask(self, text: str, args: Sequence[np.ndarray]) -> Reply:
        """Return its answer for a program and arguments; raise `Malformed` if it never spoke the protocol."""
        try:
            reply = self.process.ask((text, args), self.timeout)
        except Broken as error:
            reply = Reply("crashed", message=f"broke the protocol of servers: {error}")
            if not self.greeted and "as its first line" in str(error):
                self._refuse(str(error))
        except OSError as error:
            self._refuse(error.strerror or str(error))
        if not isinstance(reply, Death):
            self.greeted = True
            return reply
        if not reply.ready and not self.greeted:
            self._refuse("\n".join([f"it ended before its first line ({reply.cause})", *reply.last]))
        self.greeted = True
        if reply.late:
            return Reply(
                "timed out", message=": ".join([f"no answer in {self.timeout:g} s", *reply.last[-1:]])
            )
        return Reply("crashed", message=": ".join([f"the server ended ({reply.cause})", *reply.last[-1:]]))

    def _refuse(self, why: str) -> None:
        advice = "docs/conformance.md has the protocol and a server of 30 lines"
        raise Malformed(f"cannot start the server {self.words[0]}: {why}", advice) from None

    def close(self) -> None:
        self.process.close()


class Group(subprocess.Popen[bytes]):
    """A process that is killed with all processes that it started."""

    def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


def start_group(words: Sequence[str]) -> Start:
    """Return a function that starts a command with pipes to and from it."""
    pipe = subprocess.PIPE
    return lambda stderr: Group(words, stdin=pipe, stdout=pipe, stderr=stderr, start_new_session=True)


class Speaker(Child):
    """The client's end of a conversation with one process of a server."""

    def greet(self) -> bool:
        line = read_line(self.process.stdout)
        if line != GREETING:
            raise Broken(f"expected {GREETING!r} as its first line, got {line[:80]!r}")
        return True

    def exchange(self, request: Any) -> Reply:
        text, args = request
        program = text.encode()
        stream = self.process.stdin
        assert stream is not None
        stream.write(b"case %d %d\n" % (len(program), len(args)) + program)
        for x in args:
            write_array(stream, x)
        stream.flush()
        return read_reply(self.process.stdout)


def read_line(stream: IO[bytes] | None) -> bytes:
    """Return the next line with its end; raise EOFError at the end of the stream."""
    assert stream is not None
    line = stream.readline(LINE)
    if not line:
        raise EOFError
    return line


def read_reply(stream: IO[bytes] | None) -> Reply:
    """Return a server's answer to a case."""
    line = read_line(stream)
    match line.split():
        case [b"results", number] if number.isdigit():
            return Reply("results", tuple(read_array(stream) for _ in range(int(number))))
        case [kind, size] if size.isdigit() and (word := kind.decode("ascii", "replace")) in REFUSALS:
            return Reply(word, message=read_bytes(stream, int(size)).decode("utf-8", "replace"))
    raise Broken(f"expected `results ARRAYS` or `{'|'.join(REFUSALS)} BYTES`, got {line[:80]!r}")


def read_array(stream: IO[bytes] | None) -> np.ndarray:
    line = read_line(stream)
    name, *sizes = line.decode("ascii", "replace").split() or [""]
    if name not in TYPES or not all(size.isdigit() for size in sizes):
        raise Broken(f"expected a type and dimensions (`int8 2 3`), got {line[:80]!r}")
    shape, dtype = tuple(map(int, sizes)), np.dtype(name).newbyteorder("<")
    return np.frombuffer(read_bytes(stream, prod(shape) * dtype.itemsize), dtype).reshape(shape)


def write_array(stream: IO[bytes], array: np.ndarray) -> None:
    x = plain_array(array)
    x = x.astype(x.dtype.newbyteorder("<"), copy=False)
    stream.write(" ".join([x.dtype.name, *map(str, x.shape)]).encode() + b"\n" + x.tobytes())


def read_bytes(stream: IO[bytes] | None, size: int) -> bytes:
    assert stream is not None
    if size > MOST:
        raise Broken(f"expected at most {MOST:,} bytes, got {size:,}")
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
