"""Proofs about the sums of any data in an accumulator that clamps or wraps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from interp.engine.leaf_counts import SCATTER, WINDOW, LeafCount
from interp.engine.quant import Type
from interp.engine.stored import storage_range, zero_point
from interp.questions.ends import clamped_ends
from interp.theory.addition import addition_is_integer
from spec.types import QuantizedType


class Side(NamedTuple):
    """One direction from the zero point: the largest element and init value, and the end of storage."""

    element: int
    init: int
    limit: int

    def reach(self, elements: int, inits: int) -> int:
        """Return a bound on the sums of contiguous leaves, with this many elements and inits."""
        return elements * max(0, self.element) + inits * max(0, self.init)


def sides(input: Type, init: Type, type: Type, known: int | None) -> tuple[Side, Side]:
    """Return the sides towards the greatest and, mirrored, the least number; `known` is a constant init."""
    z = zero_point(type)
    elements = clamped_ends(input, type)
    inits = clamped_ends(init, type) if known is None else (known - z,) * 2
    least, greatest = storage_range(type)
    return Side(elements[1], inits[1], greatest - z), Side(-elements[0], -inits[0], z - least)


def overflowing(op: str, leaves: LeafCount, top: Side, bottom: Side, type: Type) -> str:
    """Return evidence that a sum of contiguous leaves can pass an end of the storage, else "".

    ASSUMPTION for "safe": the body adds as integers, which is checked for sums of that many elements.
    """
    evidence = excess(op, leaves, top, type, 1) or excess(op, leaves, bottom, type, -1)
    if not evidence:
        return ""
    is_padded = op == WINDOW and leaves.padding
    one = " with one init value" if top.init or bottom.init else ""
    safe = "" if is_padded else f"proven safe up to {proven_count(type, top, bottom)} elements{one}; "
    return f"{evidence} ({safe}in steps from its zero point)"


def excess(op: str, leaves: LeafCount, side: Side, type: Type, sign: int) -> str:
    """Return evidence that elements, and init values at a window's other positions, can pass the limit.

    It says "may reach" if the total is only a bound: in a select_and_scatter, or if negative numbers are
    among the leaves.
    """
    fewest, most, positions = leaves
    counts = {n: positions - n + 1 if op == WINDOW else 1 for n in (fewest, most)}
    n = max(counts, key=lambda n: side.reach(n, counts[n]))
    inits, total = counts[n], side.reach(n, counts[n])
    if total <= side.limit:
        return ""
    fits = (side.element >= 0 or n == 0) and (side.init >= 0 or inits == 1)
    reach, bound = "reach" if fits and op != SCATTER else "may reach", "at most" if sign > 0 else "at least"
    return (
        f"{n} elements of {bound} {sign * side.element} and {inits} init values of {bound} "
        f"{sign * side.init} {reach} {sign * total}; {type!r} ends at {sign * side.limit}"
    )


def proven_count(type: Type, *sides: Side) -> int:
    """Return how many elements, with one init value, are proven not to overflow in any schedule."""
    rooms = [(side.limit - max(0, side.init)) // side.element for side in sides if side.element > 0]
    few, many = 0, max(0, min(rooms, default=0)) + 1
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (middle, many) if is_integer_sum(type, middle, *sides) else (few, middle)
    return few


def is_integer_sum(type: Type, elements: int, top: Side, bottom: Side) -> bool:
    """Return whether sums of this many elements and an init value are proven to be those of integers."""
    if not isinstance(type, QuantizedType):
        return True
    ends = type.zero_point - bottom.reach(elements, 1), type.zero_point + top.reach(elements, 1)
    return bool(addition_is_integer(type, *(np.array([end], object) for end in ends)).all())
