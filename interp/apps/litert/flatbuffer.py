"""Reader of flatbuffers in which every offset is checked, since the file may be damaged.

A table may be reached from several places, so that a small file can describe a large tree. What is visited is
therefore counted, and a file of n bytes may have at most a few times n visited.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from spec.errors import Location, Malformed

SHARED = 8  # times that a byte may be visited, on average
OVERHEAD = 1 << 16  # bytes that may be visited in any file


@dataclass
class File:
    """The bytes of a flatbuffer; `left`: how many may still be visited."""

    data: bytes
    where: Location
    left: int = 0

    def __post_init__(self) -> None:
        self.left = SHARED * len(self.data) + OVERHEAD

    def root(self) -> Table:
        return self.table(self.offset(0))

    def table(self, at: int) -> Table:
        """Return the table at a place."""
        self.visit(4)
        vtable = at - self.number("<i", at)
        size, length = self.number("<H", vtable), self.number("<H", vtable + 2)
        if size < 4 or size % 2 or length < 4 or at + length > len(self.data):
            raise self.error(f"no table at byte {at}")
        self.visit(size)
        slots = struct.unpack(f"<{(size - 4) // 2}H", self.read(vtable + 4, size - 4))
        if any(slot >= length for slot in slots):
            raise self.error(f"a field of the table at byte {at} lies outside of it")
        return Table(self, at, slots)

    def offset(self, at: int) -> int:
        """Return the place that an offset at a place points to."""
        return at + int(self.number("<I", at))

    def number(self, form: str, at: int) -> Any:
        return struct.unpack(form, self.read(at, struct.calcsize(form)))[0]

    def read(self, at: int, size: int) -> bytes:
        if at < 0 or size < 0 or at + size > len(self.data):
            raise self.error(f"{size} bytes at {at}, in a file of {len(self.data)}")
        return self.data[at : at + size]

    def visit(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise self.error("its tables overlap")

    def error(self, reason: str) -> Malformed:
        return Malformed("not a LiteRT model, or a damaged one", f"flatbuffer: {reason}", self.where)


@dataclass
class Table:
    """A table: the places of its fields, relative to `at`, 0 for those that have their default."""

    file: File
    at: int
    slots: tuple[int, ...]

    def has(self, field: int) -> bool:
        return field < len(self.slots) and self.slots[field] != 0

    def place(self, field: int) -> int:
        return self.at + self.slots[field]

    def number(self, field: int, form: str, default: Any = 0) -> Any:
        return self.file.number(form, self.place(field)) if self.has(field) else default

    def table(self, field: int) -> Table | None:
        return self.file.table(self.file.offset(self.place(field))) if self.has(field) else None

    def tables(self, field: int) -> list[Table]:
        start, count = self._vector(field, 4)
        return [self.file.table(self.file.offset(start + 4 * k)) for k in range(count)]

    def array(self, field: int, dtype: str) -> np.ndarray:
        """Return a vector of numbers, as a view of the file."""
        start, count = self._vector(field, np.dtype(dtype).itemsize)
        return np.frombuffer(self.file.data, np.dtype(dtype).newbyteorder("<"), count, start)

    def numbers(self, field: int, dtype: str = "i4") -> list[int]:
        found: list[int] = self.array(field, dtype).tolist()
        return found

    def text(self, field: int) -> str:
        start, count = self._vector(field, 1)
        return self.file.read(start, count).decode("utf-8", "replace")

    def _vector(self, field: int, size: int) -> tuple[int, int]:
        """Return the place of a vector's elements and their number."""
        if not self.has(field):
            return 0, 0
        at = self.file.offset(self.place(field))
        count = int(self.file.number("<I", at))
        if at + 4 + count * size > len(self.file.data):
            raise self.file.error(f"a vector of {count} elements at {at} goes beyond the end")
        self.file.visit(count * size)
        return at + 4, count
