"""Damage: bytes and texts of programs, changed as files are damaged and as people mistype."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from soaking import attributes, corpora, models
from soaking.drawing import trial

HEAD = 8  # bytes that say what a file is: mostly left alone, or nothing else would be met
NUMBERS = (
    "0",
    "1",
    "-1",
    "2",
    "255",
    "65536",
    "2147483648",
    "9223372036854775807",
    "99999999999999999999",
    "1e400",
)
WORDS = (
    "é",
    "\u2028",
    "\ufeff",
    "\x00",
    "日本",
    '"',
    "{",
    "}",
    "!quant",
    "tensor<?xf32>",
    "dense<",
    "%0",
    "\\FF",
    "func.func",
)
TOKEN = re.compile(r"[A-Za-z_][\w.]*|\d+|\s+|.", re.DOTALL)
TYPES = (
    "i1",
    "i4",
    "i8",
    "ui8",
    "i32",
    "i64",
    "bf16",
    "f16",
    "f32",
    "f64",
    "f8E4M3FN",
    "complex<f32>",
    "index",
)

Bytes = Callable[[bytes, Random], bytes]


class Damaged(NamedTuple):
    """A damaged program, what it was made of, and how."""

    data: bytes | str
    source: str
    how: str

    @property
    def kind(self) -> str:
        if isinstance(self.data, str):
            return "text"
        return "model" if self.source.endswith(".onnx") else "bytes"

    @property
    def suffix(self) -> str:
        """Return how a file of this kind is named."""
        return {"text": ".mlir", "bytes": ".mlirbc", "model": ".onnx"}[self.kind]


def damaged(seed: int, number: int) -> Damaged:
    """Return the damaged input with this number: the same for the same seed, in every process.

    Damaged bytes are seldom read at all, so that half of the inputs are texts whose words or attributes are
    changed, and a sixth are ONNX models, most of them changed as graphs.
    """
    rng = Random(f"soak {seed}, damaged {number}")
    return rng.choices((_artifact, _text, _model), (2, 3, 1))[0](seed, rng)


def _artifact(seed: int, rng: Random) -> Damaged:
    name, data = rng.choice(corpora.artifacts() if rng.random() < 0.5 else corpora.exports())
    data, kinds = _in_bytes(data, rng)
    return Damaged(data, name, kinds)


def _in_bytes(data: bytes, rng: Random) -> tuple[bytes, str]:
    kinds = rng.choices(BYTES, k=rng.randrange(1, 4))
    head = 0 if rng.random() < 0.1 else HEAD
    for kind in kinds:
        body = data[head:]
        data = data[:head] + kind(body, rng) if body else data
    return data, _names(kinds)


def _model(seed: int, rng: Random) -> Damaged:
    name, data = rng.choice(corpora.models())
    if rng.random() < 0.2:
        data, kinds = _in_bytes(data, rng)
        return Damaged(data, name, kinds)
    changes = rng.choices(models.CHANGES, k=rng.choice((1, 1, 1, 2, 3)))
    return Damaged(models.changed(data, changes, rng), name, _names(changes))


def _text(seed: int, rng: Random) -> Damaged:
    """Return a damaged text: one of the test data, of an export, or that of a random program."""
    name, text = _whole(seed, rng)
    if rng.random() < 0.5:
        changes = rng.choices(attributes.CHANGES, k=rng.choice((1, 1, 1, 2)))
        for attribute in changes:
            text = attribute(text, rng)
        return Damaged(text, name, _names(changes))
    tokens = TOKEN.findall(text)
    kinds = rng.choices(TEXTS, k=rng.randrange(1, 4))
    for change in kinds:
        tokens = change(tokens, rng) if tokens else tokens
    return Damaged("".join(tokens), name, _names(kinds))


def _whole(seed: int, rng: Random) -> tuple[str, str]:
    if (drawn := rng.random()) < 0.3:
        number = rng.randrange(1 << 40)
        return f"program {number}", repr(trial(seed, number).program.module)
    return rng.choice(
        corpora.texts() if drawn < 0.4 else corpora.cases() if drawn < 0.6 else corpora.export_texts()
    )


def _names(changes: Sequence[Callable[..., object]]) -> str:
    return ", ".join(change.__name__ for change in changes)


def flipped_bit(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def another_byte(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.randbytes(1) + data[at + 1 :]


def truncated(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data))]


def cut(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randrange(1, 16) :]


def doubled(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at : at + rng.randrange(1, 64)] + data[at:]


def spliced(data: bytes, rng: Random) -> bytes:
    """Splice in the end of another file, or a piece of it in the middle."""
    other = rng.choice(corpora.artifacts())[1]
    at, start = rng.randrange(len(data)), rng.randrange(len(other))
    if rng.random() < 0.5:
        return data[:at] + other[start:]
    piece = other[start : start + rng.randrange(1, 200)]
    return data[:at] + piece + data[at + len(piece) :]


def another_length(data: bytes, rng: Random) -> bytes:
    """Return a number of one, four or eight bytes made huge, negative, zero or one more."""
    size = rng.choice((1, 1, 4, 8))
    at = rng.randrange(len(data))
    old = int.from_bytes(data[at : at + size], "little")
    new = rng.choice((0, 0xFF, 1 << 31, 2**64 - 1, old + 1, old - 1, old * 2)) % (1 << 8 * size)
    return data[:at] + new.to_bytes(size, "little") + data[at + size :]


def deleted(tokens: Sequence[str], rng: Random) -> list[str]:
    at = rng.randrange(len(tokens))
    return [*tokens[:at], *tokens[at + rng.choice((1, 1, 1, 3, 20)) :]]


def repeated(tokens: Sequence[str], rng: Random) -> list[str]:
    at, n = rng.randrange(len(tokens)), rng.choice((1, 1, 3, 20))
    return [*tokens[: at + n], *tokens[at:]]


def swapped(tokens: Sequence[str], rng: Random) -> list[str]:
    a, b = (rng.randrange(len(tokens)) for _ in range(2))
    changed = list(tokens)
    changed[a], changed[b] = changed[b], changed[a]
    return changed


def another_number(tokens: Sequence[str], rng: Random) -> list[str]:
    return _replaced(tokens, str.isdecimal, (*NUMBERS, str(rng.randrange(10)), str(rng.randrange(10))), rng)


def another_type(tokens: Sequence[str], rng: Random) -> list[str]:
    return _replaced(tokens, lambda token: token.removeprefix("x") in TYPES, TYPES, rng)


def another_word(tokens: Sequence[str], rng: Random) -> list[str]:
    """Return one word in another's place: the name of another operation, attribute or value."""
    words = [token for token in tokens if token[0].isalpha()]
    return _replaced(tokens, lambda token: token[0].isalpha(), words or WORDS, rng)


def inserted(tokens: Sequence[str], rng: Random) -> list[str]:
    at = rng.randrange(len(tokens))
    return [*tokens[:at], rng.choice(WORDS), *tokens[at:]]


def cut_short(tokens: Sequence[str], rng: Random) -> list[str]:
    return list(tokens[: rng.randrange(len(tokens))])


def _replaced(
    tokens: Sequence[str], fits: Callable[[str], bool], new: Sequence[str], rng: Random
) -> list[str]:
    places = [at for at, token in enumerate(tokens) if fits(token)]
    changed = list(tokens)
    if places:
        changed[rng.choice(places)] = rng.choice(new)
    return changed


BYTES: tuple[Bytes, ...] = (flipped_bit, another_byte, truncated, cut, doubled, spliced, another_length)
TEXTS = (
    deleted,
    repeated,
    swapped,
    another_number,
    another_number,
    another_type,
    another_word,
    inserted,
    cut_short,
)
