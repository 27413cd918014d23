"""Damaged attributes in a text of MLIR: one is renamed, left out, moved, or given a value of another kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

KEY = re.compile(r'(?<=[{,(])\s*((?:[A-Za-z_][\w.$]*|"[^"\\\n]*"))\s*=\s*')
OPEN, CLOSE = "([{<", ")]}>"
LONGEST = 2000  # characters of a value that is scanned
VALUES = (
    "true",
    "unit",
    "0 : i64",
    "-1 : i64",
    "9223372036854775807 : i64",
    "3 : i32",
    "76 : ui8",
    "300 : i64",
    "1.5 : f32",
    "0x7FC00000 : f32",
    '""',
    '"text"',
    '"{\\22a\\22: 1}"',
    "@main",
    "@nowhere",
    "[]",
    "[1, 2]",
    '["a", "b"]',
    "{}",
    "{a = 1 : i64}",
    "array<i64>",
    "array<i64: 0>",
    "array<i64: 0, 0, 0, 0, 0, 0, 0>",
    "array<i64: -1, 9223372036854775807>",
    "array<i1: true, false>",
    "dense<1> : tensor<2xi64>",
    "dense<-1> : tensor<2x2xi64>",
    "dense<[[0, 1]]> : tensor<1x2xi64>",
    "dense<2.0> : tensor<f32>",
    "i8",
    "tensor<2xf32>",
    "!quant.uniform<i8:f32, 5.0e-01:3>",
)
Change = Callable[[str, Random], str]


class Field(NamedTuple):
    """Place of one attribute in a text: its name begins at `start`, its value lies from `value` to `end`."""

    start: int
    value: int
    end: int
    name: str


def fields(text: str, rng: Random, most: int = 8) -> list[Field]:
    """Return some attributes of a text: those that follow a random place in it."""
    at = rng.randrange(len(text))
    found = [field for field, _ in zip(_from(text, at), range(most), strict=False)]
    return found or [field for field, _ in zip(_from(text, 0), range(most), strict=False)]


def _from(text: str, at: int) -> Iterator[Field]:
    for match in KEY.finditer(text, at):
        if end := _end(text, match.end()):
            yield Field(match.start(1), match.end(), end, match[1])


def _end(text: str, at: int) -> int:
    """Return where the value that begins at `at` ends: at a comma or a bracket of its own depth; 0 if far."""
    depth, quoted = 0, False
    for k in range(at, min(len(text), at + LONGEST)):
        c = text[k]
        if quoted:
            quoted = c != '"' or text[k - 1] == "\\"
        elif c == '"':
            quoted = True
        elif c in OPEN:
            depth += 1
        elif c in CLOSE and text[k - 1] != "-":
            depth -= 1
            if depth < 0:
                return k
        elif c == "," and depth == 0:
            return k
    return 0


def renamed_attribute(text: str, rng: Random) -> str:
    """Rename an attribute: one letter more, another prefix, or the name of another attribute."""
    some = fields(text, rng)
    if not some:
        return text
    field = rng.choice(some)
    others = [f"{field.name}x", f"mhlo.{field.name}", field.name.rpartition(".")[2], rng.choice(some).name]
    return text[: field.start] + rng.choice(others) + text[field.start + len(field.name) :]


def deleted_attribute(text: str, rng: Random) -> str:
    some = fields(text, rng)
    if not some:
        return text
    field = rng.choice(some)
    end = field.end + (text[field.end] == ",")
    return text[: field.start] + text[end:].lstrip(" ")


def retyped_attribute(text: str, rng: Random) -> str:
    """Give an attribute a value of another kind, or the value of another attribute."""
    some = fields(text, rng)
    if not some:
        return text
    field, other = rng.choice(some), rng.choice(some)
    value = rng.choice(VALUES) if rng.random() < 0.8 else text[other.value : other.end]
    return text[: field.value] + value + text[field.end :]


def added_attribute(text: str, rng: Random) -> str:
    """Write another attribute of the program beside one, or the same name twice."""
    some = fields(text, rng)
    if not some:
        return text
    field, other = rng.choice(some), rng.choice(some)
    return f"{text[: field.start]}{other.name} = {rng.choice(VALUES)}, {text[field.start :]}"


def number_in_an_attribute(text: str, rng: Random) -> str:
    """Change one number or one character of text inside an attribute's value, which keeps its kind."""
    some = [f for f in fields(text, rng) if re.search(r"\d", text[f.value : f.end])]
    if not some:
        return text
    field = rng.choice(some)
    places = list(re.finditer(r"-?\d+", text[field.value : field.end]))
    place = rng.choice(places)
    old = int(place[0])
    numbers = (0, 1, -1, old + 1, old - 1, 2 * old, 77, 255, 256, 65536, 2**31, 2**62)
    start = field.value + place.start()
    return text[:start] + str(rng.choice(numbers)) + text[start + len(place[0]) :]


CHANGES: tuple[Change, ...] = (
    renamed_attribute,
    deleted_attribute,
    deleted_attribute,
    retyped_attribute,
    retyped_attribute,
    retyped_attribute,
    added_attribute,
    number_in_an_attribute,
)
