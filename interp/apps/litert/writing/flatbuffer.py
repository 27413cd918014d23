"""Writer of flatbuffers: tables as dicts from the numbers of fields to numbers, texts, vectors and tables.

What a table refers to follows it in the file, so that all offsets are positive. Every number is aligned to
its size, and vectors of bytes, which are elements of tensors, to 16.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

ALIGNED = 16  # bytes: what runtimes assume of constants


class Number(NamedTuple):
    """A number in a table, in a form of `struct`."""

    form: str
    value: Any


Table = Mapping[int, Any]  # of numbers, texts, NumPy vectors, tables, and sequences of tables


def file_of(root: Table, identifier: bytes) -> bytes:
    """Return the bytes of a file with a root table; identifier: 4 bytes behind the first offset."""
    writer = _Writer(bytearray(b"\0\0\0\0" + identifier))
    writer.refer(0, root)
    return bytes(writer.data)


class _Writer:
    def __init__(self, data: bytearray) -> None:
        self.data = data

    def align(self, size: int, behind: int = 0) -> None:
        """Append zeros so that what stands `behind` bytes further is aligned."""
        self.data += bytes(-(len(self.data) + behind) % size)

    def refer(self, at: int, value: Any) -> None:
        """Append a value, and write at a place how far away it is."""
        place = self.append(value)
        struct.pack_into("<I", self.data, at, place - at)

    def append(self, value: Any) -> int:
        """Append a value; return its place."""
        if isinstance(value, Mapping):
            return self._table(value)
        if isinstance(value, str):
            return self._vector(np.frombuffer(value.encode(), np.uint8), end=b"\0")
        if isinstance(value, np.ndarray):
            return self._vector(value)
        return self._tables(value)

    def _table(self, fields: Table) -> int:
        """Append a table behind the places of its fields."""
        count, size, slots = max(fields, default=-1) + 1, 4, dict[int, int]()
        for field in sorted(fields, key=lambda k: -_size(fields[k])):
            width = _size(fields[field])
            slots[field] = size = -(-size // width) * width
            size += width
        head = struct.pack(f"<HH{count}H", 4 + 2 * count, size, *(slots.get(k, 0) for k in range(count)))
        self.align(8, len(head))
        self.data += head
        at = len(self.data)
        self.data += struct.pack("<i", len(head)) + bytes(size - 4)
        for field, slot in slots.items():
            value = fields[field]
            if isinstance(value, Number):
                struct.pack_into(value.form, self.data, at + slot, value.value)
        for field in sorted(slots):
            if not isinstance(fields[field], Number):
                self.refer(at + slots[field], fields[field])
        return at

    def _vector(self, numbers: np.ndarray, end: bytes = b"") -> int:
        itemsize = numbers.dtype.itemsize
        self.align(ALIGNED if numbers.dtype == np.uint8 and not end else max(itemsize, 4), 4)
        at = len(self.data)
        self.data += struct.pack("<I", numbers.size)
        self.data += numbers.astype(numbers.dtype.newbyteorder("<")).tobytes() + end
        return at

    def _tables(self, tables: Sequence[Any]) -> int:
        self.align(4)
        at = len(self.data)
        self.data += struct.pack("<I", len(tables)) + bytes(4 * len(tables))
        for k, table in enumerate(tables):
            self.refer(at + 4 + 4 * k, table)
        return at


def _size(value: Any) -> int:
    """Return how many bytes a field takes within its table."""
    return struct.calcsize(value.form) if isinstance(value, Number) else 4
