"""Quantized elementwise operations of few stored bits: the kernel's own results, computed once and looked up.

THEOREM: an elementwise operation's result depends on its operands' stored elements alone. Where these have at
most `BITS` bits together, the kernel's results for all of them are a table, and each result stands in it.

Often the table is plain arithmetic on stored integers, clamped, which vectors do: it is so where both agree
on every entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, Namespace
from spec.types import QuantizedType

Formula = Callable[..., Array]  # formula(*stored operands) -> stored result
BITS = 16  # of all operands together
MANY = 1 << 12  # elements that compiled code looks up
Way = Callable[[Namespace, Array, Array], Array]
PLAIN: tuple[Way, ...] = (
    lambda xp, x, y: xp.maximum(x, y),
    lambda xp, x, y: xp.minimum(x, y),
    lambda xp, x, y: x + y,
    lambda xp, x, y: x - y,
)


class Integers(NamedTuple):
    """The formula `clip(way(x, y) + moved, low, high)` on integers, which gives every entry of a table."""

    way: Way
    moved: int
    low: int
    high: int

    def of(self, xp: Namespace, x: Array, y: Array) -> Array:
        """Return the results for stored integers of at most 8 bits, in those of twice the width."""
        whole = self.way(xp, x.astype(xp.int16), y.astype(xp.int16))
        return xp.clip(whole + np.int16(self.moved) if self.moved else whole, self.low, self.high)


class Table(NamedTuple):
    """The results for all stored elements, in the order of their bits, and arithmetic that gives them."""

    entries: Array
    integers: Integers | None


def tabulate(
    xp: Namespace,
    formula: Callable[..., Formula],
    name: str,
    types: Sequence[object],
    result: object,
) -> Formula:
    """Return `formula(xp, name, types, result)`, or a function of the same results which looks them up.

    formula: a function of a module, by which the table is known.
    """
    computed = formula(xp, name, types, result)
    if not xp.looks_up or not is_narrow(types, result):
        return computed
    # Where it is used only once, computing the table takes as long as the operation does on twice as many.
    least = 1 << (sum(_widths(types)) - 1) if xp.in_place else MANY

    def apply(*operands: Array) -> Array:
        if max([np.size(x) for x in operands]) < least:
            return computed(*operands)
        known: dict[str, Any] = {"formula": formula, "name": name, "types": tuple(types), "result": result}
        return xp.traced_once(looked_up, **known)(*operands)

    return apply


def is_narrow(types: Sequence[object], result: object) -> bool:
    """Return whether a table holds the results: one scale for each type, and few bits of storage together."""
    every = [type for type in (*types, result) if isinstance(type, QuantizedType) and type.is_per_tensor]
    whole = len(every) == len(types) + 1 and all(type.storage_type.is_integer for type in every)
    return whole and sum(_widths(types)) <= BITS


def _widths(types: Sequence[object]) -> list[int]:
    return [type.storage_type.bits for type in types if isinstance(type, QuantizedType)]


def looked_up(
    xp: Namespace,
    *operands: Array,
    formula: Callable[..., Formula],
    name: str,
    types: tuple[QuantizedType, ...],
    result: QuantizedType,
) -> Array:
    """Return the entries for operands of the table of `formula`."""
    found = table(formula, name, types, result)
    if found.integers:
        return found.integers.of(xp, *operands).astype(found.entries.dtype)
    index = None
    for x, bits in zip(operands, _widths(types), strict=True):
        code = xp.bits_of(x, np.dtype(f"uint{8 * x.dtype.itemsize}"))
        code = code & code.dtype.type((1 << bits) - 1)
        index = code if index is None else (index.astype(np.uint16) << np.uint16(bits)) | code
    return xp.look_up(found.entries, index)


@lru_cache(maxsize=256)
def table(
    formula: Callable[..., Formula], name: str, types: tuple[QuantizedType, ...], result: QuantizedType
) -> Table:
    """Return NumPy's results for all stored elements, those outside a restricted storage range included."""
    axes = [_storage_axis(type, k, len(types)) for k, type in enumerate(types)]
    with np.errstate(all="ignore"):
        entries = np.broadcast_to(formula(NUMPY, name, types, result)(*axes), [len(x.ravel()) for x in axes])
    integers = None
    if len(types) == 2 and max(_widths(types)) <= 8 and result.storage_type.bits <= 8:
        integers = next(filter(None, (_integers(way, axes, entries) for way in PLAIN)), None)
    flat = np.ascontiguousarray(entries.ravel())
    flat.flags.writeable = False
    return Table(flat, integers)


def _storage_axis(type: QuantizedType, k: int, rank: int) -> Array:
    """Return every element of the storage's width along dimension k, in the order of the bits."""
    storage, bits = type.storage_type, type.storage_type.bits
    codes = np.arange(1 << bits)
    signed = storage.kind == "signed"
    numbers = np.where(codes >> (bits - 1), codes - (1 << bits), codes) if signed else codes
    shape = [-1 if d == k else 1 for d in range(rank)]
    return numbers.astype(NUMPY.carrier(storage)).reshape(shape)


def _integers(way: Way, axes: Sequence[Array], entries: Array) -> Integers | None:
    """Return the arithmetic of this way if it gives all entries."""
    low, high = int(entries.min()), int(entries.max())
    whole = way(NUMPY, *(x.astype(np.int16) for x in axes))
    inside = (entries > low) & (entries < high)
    if not inside.any():
        return None
    first = np.unravel_index(int(inside.argmax()), inside.shape)
    found = Integers(way, int(entries[first]) - int(whole[first]), low, high)
    return found if np.array_equal(found.of(NUMPY, *axes), entries) else None
