"""Messages between two processes: a pickle and its length, followed by large bytes as they are.

A reply does not send bytes of its request again, but their position in it.
"""

from __future__ import annotations

import copyreg
import io
import pickle
import struct
from collections.abc import Iterator, Sequence
from typing import IO, Any, NamedTuple

from spec.ir import Dense

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
