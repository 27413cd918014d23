"""Accumulators that hardware may have: a type, what it does on overflow, and how it groups products."""

from __future__ import annotations

import re
from dataclasses import dataclass

from spec.accumulator import Accumulator
from spec.errors import Malformed
from spec.types import ELEMENT_TYPES, ElementType

FLOATS = ("f16", "bf16", "f32", "f64")
NAMED = {"maddubs": "i16 saturate blocks(2) i32"}  # x86's pmaddubsw, and vpdpbusd without its sum of four
_TEXT = re.compile(
    r"(i[0-9]{1,2}(?: (?:wrap|saturate))?|f16|bf16|f32|f64)"
    r"(?: (blocks|split)\(([1-9][0-9]*)\)(?: (i[0-9]{1,2}(?: (?:wrap|saturate))?|f16|bf16|f32|f64))?)?"
)
EXPECTED = (
    'expected "i16", "i20 saturate", "f16", "i16 saturate blocks(4) i32": sums of 4 products, summed in i32;'
    ' "i16 split(4) i32": 4 accumulators in turn, summed in i32; or "maddubs"'
)
Held = Accumulator | ElementType


@dataclass(frozen=True)
class Hardware:
    """An accumulator: sums are kept in `inner`; with a `size`, groups of products are, and summed in `outer`.

    grouping: "blocks" of `size` neighbours, or "split": `size` accumulators that take turns.
    """

    inner: Held
    grouping: str = ""
    size: int = 0
    outer: Held | None = None
    name: str = ""

    @property
    def outer_held(self) -> Held:
        """The accumulator that has the final sum."""
        return self.outer or self.inner

    def __repr__(self) -> str:
        if self.name or not self.grouping:
            return self.name or _text(self.inner)
        return f"{_text(self.inner)} {self.grouping}({self.size}) {_text(self.outer_held)}"


def hardware(given: str | Hardware | Accumulator) -> tuple[Hardware, ...]:
    """Return the accumulators that a name means: both overflow modes if it names an integer type alone."""
    if isinstance(given, Hardware):
        return (given,)
    if isinstance(given, Accumulator):
        return (Hardware(given),)
    text = NAMED.get(given.strip(), given.strip()) if isinstance(given, str) else ""
    match = _TEXT.fullmatch(text)
    if not match:
        raise Malformed(f"{given!r} is not an accumulator", EXPECTED)
    inner, grouping, size, outer = match.groups()
    name = given.strip() if given.strip() in NAMED else ""
    both = [inner] if inner in FLOATS or " " in inner else [f"{inner} wrap", f"{inner} saturate"]
    last = None if outer is None else _held(outer)
    return tuple(Hardware(_held(one), grouping or "", int(size or 0), last, name) for one in both)


def is_machine(text: str) -> bool:
    """Return whether a text names an accumulator."""
    return _TEXT.fullmatch(NAMED.get(text.strip(), text.strip())) is not None


def one(given: int | str | Hardware | Accumulator) -> Hardware:
    """Return the accumulator that a width or a name means; one of integers wraps unless its name says so."""
    if isinstance(given, int):
        return Hardware(Accumulator(given))
    return hardware(given)[0]


def _held(text: str) -> Held:
    if text in FLOATS:
        return ELEMENT_TYPES[text]
    width, _, mode = text.partition(" ")
    return Accumulator(int(width[1:]), mode == "saturate")


def _text(kept: Held) -> str:
    return repr(kept) if isinstance(kept, ElementType) or kept.saturates else f"{kept!r} wrap"
