"""Sub-channel types past jaxlib's verifier, which refuses them in every operation of StableHLO.

The verifier compares the types of values, but does not read the encoding of a tensor type. So each quantized
type of the text is replaced by a per-tensor type of the same storage and expressed type, and its number
becomes the encoding: `tensor<4x!quant.uniform<i8:f32,1.>,7>`. jaxlib verifies shapes, attributes and regions;
the importer puts type number 7 back, whose parameters our own rows judge (`spec/rules/blocks.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from spec.errors import Location, Unsupported
from spec.ir import Value
from spec.types import QuantizedType, TensorType, parse_element_type, parse_type

_UNIFORM = r"!quant(?:\.uniform<[^<>]*(?:<[^<>]*>)?[^<>]*>|<uniform<[^<>]*(?:<[^<>]*>)?[^<>]*>>)"
_ELEMENT = re.compile(rf"(?<=[x<])({_UNIFORM})(\s*,\s*#)?")
_BASELINE = re.compile(r"uniform<\s*([^:<>\s]*\s*(?:<[^<>]*>)?)\s*:\s*(\w+)")
_ALIAS = re.compile(rf"^[ \t]*(![\w.$-]+)[ \t]*=[ \t]*({_UNIFORM})[ \t]*$", re.MULTILINE)
# The type of a constant's value, which has to have the encoding of the result.
_CONSTANT = re.compile(
    r"(:\s*tensor<(?:\d+x)*\w+)(>\s*\}?>?\s*:\s*\(\)\s*->\s*tensor<[^!>]*!quant\.uniform<[^<>]*(?:<[^<>]*>)?[^<>]*>(,\d+))"
)
_HIDDEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*')
_NUMBER = re.compile(r", (\d+) : i64>$")
_PLACEHOLDER = re.compile(r"!quant\.uniform<[^<>]*(?:<[^<>]*>)?[^<>]*>(?:, (\d+) : i64)?")
SHOWN = 200  # characters of a type in a message


class Encoded(NamedTuple):
    """A text that jaxlib verifies, and the quantized types of the original by their number."""

    text: str
    types: tuple[str, ...]

    def restore(self, message: str) -> str:
        """Return a message of jaxlib with the types that the text has, long ones without their middle."""

        def original(match: re.Match[str]) -> str:
            type = match[0] if match[1] is None else self.types[int(match[1])]
            return type if len(type) <= SHOWN else f"{type[: SHOWN // 2]} ... {type[-SHOWN // 2 :]}"

        return _PLACEHOLDER.sub(original, message)


def encode(text: str, name: str) -> Encoded:
    """Return the text with a number in place of each quantized type.

    Places stay where they are: a placeholder is filled up with blanks to the length of the original.
    `Unsupported` for a tensor type that has bounds of its sizes as well, which is an encoding, too.
    """
    text = _without_aliases(text)
    numbers: dict[str, int] = {}

    def placeholder(match: re.Match[str]) -> str:
        if match[2]:
            line = text.count("\n", 0, match.start()) + 1
            advice = "a tensor type has one encoding: write the sizes without `?`"
            raise Unsupported("bounds of sizes beside scales per block", advice, Location(name, line))
        number = numbers.setdefault(match[1], len(numbers))
        storage, expressed = _BASELINE.search(match[1]).groups()  # type: ignore[union-attr]
        short = f"!quant.uniform<{_storage(storage)}:{expressed},1.>,{number}"
        return short.ljust(len(match[0]))

    spans = [match.span() for match in _HIDDEN.finditer(text)]
    parts, at = [], 0
    for start, end in [*spans, (len(text), len(text))]:
        parts += [_ELEMENT.sub(placeholder, text[at:start]), text[start:end]]
        at = end
    return Encoded(_CONSTANT.sub(r"\1\3\2", "".join(parts)), tuple(numbers))


def _storage(text: str) -> str:
    """Return the storage of a placeholder, whose zero point is 0: without a range that excludes that.

    jaxlib demands a zero point in the range, and of weights 0. Our own rows see the range.
    """
    bounds = re.search(r"<\s*(-?\d+)\s*:\s*(-?\d+)\s*>", text)
    least, most = map(int, bounds.groups()) if bounds else (0, 0)
    return text.strip() if least <= 0 <= most else text.partition("<")[0].strip()


def _without_aliases(text: str) -> str:
    """Return the text with each alias of a quantized type written out."""
    aliases = dict(_ALIAS.findall(text))
    if not aliases:
        return text
    names = "|".join(map(re.escape, sorted(aliases, key=len, reverse=True)))
    text = _ALIAS.sub("", text)
    return re.sub(rf"({names})(?![\w.$-])", lambda match: aliases[match[1]], text)


class Types:
    """The quantized types of an encoded text; each is parsed once, however often it occurs.

    inner: the element type of values that have no number. jaxlib builds the body of `reduce ... applies add`
    from the element type of the operand; the body's own type is that of the init value.
    """

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.texts = texts
        self.elements: dict[int, QuantizedType] = {}
        self.inner: Any = None

    @staticmethod
    def plain(text: str) -> str:
        """Return the text of a constant without the number that is its encoding."""
        return _NUMBER.sub(">", text)

    @contextmanager
    def inside(self, operands: Sequence[Value]) -> Iterator[None]:
        """Read regions of an operation with these operands; the last one of a reduction is an init value."""
        before = self.inner
        self.inner = operands[-1].type.element_type if operands else None
        yield
        self.inner = before

    def parse(self, text: str) -> TensorType:
        """Return the type of a value, from jaxlib's text."""
        if self.inner is not None and "!quant.uniform<" in text and not re.search(r", \d+ : i64", text):
            return TensorType((), self.inner)
        match = _PLACEHOLDER.fullmatch(text, text.find("!quant"), len(text) - 1)
        if not text.startswith("tensor<") or match is None or match[1] is None:
            original = lambda m: m[0] if m[1] is None else self.texts[int(m[1])]
            return parse_type(_PLACEHOLDER.sub(original, text))
        sizes = parse_type(f"{text[: match.start()]}i1>").shape
        return TensorType(sizes, self._element(int(match[1])))

    def _element(self, number: int) -> QuantizedType:
        if number not in self.elements:
            type = parse_element_type(self.texts[number])
            assert isinstance(type, QuantizedType)
            self.elements[number] = type
        return self.elements[number]
