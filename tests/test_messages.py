"""Messages between processes: what was sent arrives, and what the other side has is not sent again."""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence

import numpy as np
import pytest

import interp
from interp.loading import child_process
from interp.loading.child_process import LARGE, NEAR, apart, places, receive, send
from spec.attributes import Dense
from spec.types import parse_type

MANY = np.random.default_rng(0).integers(0, 256, 4 * LARGE, np.uint8).tobytes()
TYPE = parse_type(f"tensor<{LARGE}xui8>")


def sent(content: object, request: Sequence[bytes] = ()) -> io.BytesIO:
    stream = io.BytesIO()
    send(stream, content, request)
    stream.seek(0)
    return stream


def test_a_message_arrives() -> None:
    message = receive(sent((apart(MANY), "name", apart(b"few"))))
    data, name, few = message.content
    assert (bytes(data), name, bytes(few)) == (MANY, "name", b"few")
    assert message.large == [MANY]


def test_arrays_arrive_as_they_are() -> None:
    """They can be written to; and views of bytes, large or not, as bytes."""
    x, view = np.arange(LARGE, dtype=np.int64), memoryview(MANY)
    message = receive(sent((x, Dense(TYPE, view[1 : 1 + LARGE]), Dense(TYPE, view[1:3]))))
    y, large, small = message.content
    assert np.array_equal(x, y)
    assert y.flags.writeable
    assert (large.data, small.data) == (MANY[1 : 1 + LARGE], MANY[1:3])


def test_constants_of_the_request_are_not_sent_back() -> None:
    """They are views of it; a constant that is not in it comes along."""
    other = bytes(LARGE)
    reply = [
        Dense(TYPE, MANY[100 : 100 + LARGE]),
        Dense(TYPE, other),
        Dense(TYPE, MANY[2 * LARGE : 3 * LARGE]),
    ]
    stream = sent(reply, [MANY])
    assert len(stream.getvalue()) < 2 * LARGE
    first, second, third = receive(stream, [MANY]).content
    assert [first, second, third] == reply
    assert isinstance(first.data, memoryview)
    assert first.data.obj is MANY
    assert second.data == other


def test_only_equal_bytes_are_found() -> None:
    """Bytes that begin alike and end otherwise are sent, and so are those far from the last ones."""
    one, two = MANY[:LARGE], MANY[3 * LARGE :]
    assert list(places([one, two], one + two)) == [0, LARGE]
    assert list(places([one, one], one + bytes(NEAR) + one)) == [0, child_process.SENT]
    assert list(places([one[:-1] + b"?"], one)) == [child_process.SENT]
    assert list(places([one], b"")) == [child_process.SENT]


def test_a_message_that_ends_early_is_the_end() -> None:
    whole = sent((apart(MANY), "name")).getvalue()
    for size in (0, 8, 20, len(whole) - 1):
        with pytest.raises(EOFError):
            receive(io.BytesIO(whole[:size]))


def test_large_constants_of_bytecode_are_views_of_it() -> None:
    """They run, print, are equal to copies, and can be pickled."""
    from jax import export, jit, numpy

    weights = np.arange(LARGE, dtype=np.float32)
    exported = export.export(jit(lambda x: x + weights))(numpy.zeros(LARGE, np.float32))
    module = interp.load(bytes(exported.mlir_module_serialized))
    (constant,) = (op["value"] for op in module.ops() if op.name == "stablehlo.constant")
    assert isinstance(constant.data, memoryview)
    assert constant.data == weights.tobytes()
    (result,) = interp.run(module, weights)
    assert np.array_equal(result.storage, 2 * weights)
    copy = pickle.loads(pickle.dumps(module))
    assert copy == module == interp.load(repr(module))
    assert hash(constant) == hash(Dense(constant.type, bytes(constant.data)))
