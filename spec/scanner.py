"""Scanner of MLIR's text: punctuation, words and numbers, and errors that point at their place."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import TypeVar

from spec.elements import ElementType, decimal, element_type
from spec.errors import InterpError, Malformed
from spec.formats import float_of_bits

Item = TypeVar("Item")

_SPACE = re.compile(r"[ \t\r\n]*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*")
_INTEGER = re.compile(r"(-?)[ \t\r\n]*(?:0x([0-9a-fA-F]+)|([0-9]+)(?![0-9.]))")
_FLOAT = re.compile(r"(-?)[ \t\r\n]*(?:0x([0-9a-fA-F]+)|([0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?)|([0-9]))")
_ITEM = r"[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?(?::-?[0-9]{1,18})?"
_ROW = re.compile(rf"{_ITEM}(?:,[ \t\r\n]*{_ITEM})*\}}")
_SIZE = re.compile(r"(?:\?|([0-9]+))[ \t\r\n]*x")
_OTHER_TYPE = re.compile(r"(?:[su]?i[0-9]+|index|none|tuple|vector|memref|tensor|complex.*)")
_SHOWN = 40  # characters on either side of the place


class Scanner:
    """Reader of tokens from left to right, which skips blanks before each."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.token = text, 0, 0

    def error(self, verdict: str, advice: str = "", kind: type[InterpError] = Malformed) -> InterpError:
        """Return an error that shows the text around the last token, with a caret, and the advice."""
        start = max(0, self.token - _SHOWN)
        shown = re.sub(r"\s", " ", self.text[start : self.token + _SHOWN])
        caret = " " * (self.token - start) + "^"
        return kind(verdict, "\n".join(filter(None, (shown, caret, advice))))

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self.peek("")
        match = pattern.match(self.text, self.position)
        if match:
            self.position = match.end()
        return match

    def peek(self, token: str) -> bool:
        """Return whether that punctuation comes next."""
        self.position = self.token = _SPACE.match(self.text, self.position).end()  # type: ignore[union-attr]
        return self.text.startswith(token, self.position)

    def accept(self, token: str) -> bool:
        """Read that punctuation if it comes next."""
        found = self.peek(token)
        self.position += len(token) * found
        return found

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise self.error(f"expected '{token}'")

    def end(self) -> None:
        """Raise an error unless the text ends here."""
        self.peek("")
        if self.position < len(self.text):
            raise self.error(f"found trailing characters: '{self.text[self.position :][:_SHOWN]}'")

    def word(self) -> str:
        """Return a keyword, or ""."""
        match = self._match(_WORD)
        return match[0] if match else ""

    def names_type(self, word: str) -> bool:
        """Return whether the word just read or, if it is empty, the next punctuation begins an MLIR type."""
        if not word:
            return self.peek("!") or self.peek("(")
        return element_type(word) is not None or _OTHER_TYPE.fullmatch(word) is not None

    def read_items(self, read: Callable[[], Item]) -> list[Item]:
        """Return items separated by commas."""
        items = [read()]
        while self.accept(","):
            items.append(read())
        return items

    def row(self) -> list[tuple[float, int]] | None:
        """Return scales and zero points up to a closing brace, `0.5:3, 0.25}`; None for other text."""
        match = self._match(_ROW)
        if match is None:
            return None
        pairs = (item.partition(":") for item in match[0][:-1].split(","))
        return [(float(scale), int(point or 0)) for scale, _, point in pairs]

    def sizes(self) -> tuple[int | None, ...]:
        """Return dimension sizes, each followed by `x`; None for `?`."""
        sizes: list[int | None] = []
        while match := self._match(_SIZE):
            sizes.append(decimal(match[1]) if match[1] else None)
            if (sizes[-1] or 0) >> 63:
                raise self.error("invalid dimension")
        return tuple(sizes)

    def integer_literal(self, bits: int) -> int:
        """Return a signed integer of the given width, decimal or hexadecimal."""
        match = self._match(_INTEGER)
        if not match:
            raise self.error("expected integer value")
        magnitude = int(match[2], 16) if match[2] else decimal(match[3])
        value = -magnitude if match[1] else magnitude
        if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
            raise self.error("integer value too large")
        return value

    def float_literal(self, type: ElementType) -> float:
        """Return a float literal: digits with a point, or the bits of a binary64 or of that type."""
        match = self._match(_FLOAT)
        if not match:
            raise self.error("expected floating point literal")
        minus, bits, digits, whole = match.groups()
        if whole:
            verdict = "unexpected decimal integer literal for a floating point value"
            raise self.error(verdict, "add a trailing dot to make the literal a float")
        if digits:
            return float(minus + digits)
        if minus:
            raise self.error("hexadecimal float literal should not have a leading minus")
        if len(bits) > 16:
            raise self.error("hexadecimal float constant out of range for type")
        own = float_of_bits(bits, type)
        return struct.unpack(">d", bytes.fromhex(bits.zfill(16)))[0] if own is None else own
