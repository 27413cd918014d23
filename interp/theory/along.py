"""What the types of an accumulation's nodes must hold, so that no sum of integers along it loses anything.

THEOREM (an accumulation of integers): as long as no node loses anything, a node is the exact sum of what is
below it. So nodes neither wrap nor saturate if, and only if, their types hold these exact sums, and types
that an init or a product is converted to on entering hold these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from interp.backends import Array
from interp.engine.additions import walk
from interp.theory.sums import Ends, Leaves, ends_of, narrowest
from spec.accumulation import Accumulation
from spec.trees import ZERO, Arithmetic, Node
from spec.types import ElementType

# What is known of the leaves, and why no types are named.
DATA, WEIGHTS, INPUTS = "any data", "any data, these weights", "these inputs"
WIDEST = 64  # bits of an accumulator
TOO_WIDE = "more than 64 bits are needed, or 63 where sums saturate"
ROUNDS = "its nodes of floats round, which no width prevents"


class Held(NamedTuple):
    """A type of integers in which nodes are held; what is beyond it wraps, or saturates."""

    type: ElementType
    saturates: bool = False

    def __repr__(self) -> str:
        return f"{self.type!r}{' saturate' * self.saturates}"


class Needed(NamedTuple):
    """The extremes of what each type of an accumulation's nodes must hold, and those of the root."""

    held: dict[Held, Ends]
    root: Ends

    def join(self, other: Needed) -> Needed:
        """Return what both need."""
        both = {held: ends.join(other.held.get(held, ends)) for held, ends in self.held.items()}
        return Needed({**other.held, **both}, self.root.join(other.root))


def held_by(arithmetic: Arithmetic, declared: Held) -> Held:
    """Return the type that holds the nodes of an arithmetic."""
    if (type := arithmetic.element_type) is None:
        return declared._replace(saturates=declared.saturates or arithmetic.saturates)
    return Held(type, arithmetic.saturates)


def along(
    accumulation: Accumulation,
    n: int,
    leaf: Callable[[int], Ends],
    init: Ends | None,
    declared: Held,
    present: Sequence[bool] | None = None,
) -> Needed:
    """Return what n leaves between ends need along an accumulation; nodes of floats need no integer type.

    declared: the type of nodes that name none. present: which leaves there are, by default all.
    """
    has_init = init is not None and (not accumulation.without_init or n == 0)
    found = dict[Held, Ends]()

    def note(held: Held, ends: Ends) -> None:
        found[held] = found[held].join(ends) if held in found else ends

    def value(child: int) -> Ends:
        if child == 0 and has_init:
            return init  # type: ignore[return-value]
        return ends_of(0, 0) if child == ZERO else leaf(child - has_init)

    def add(number: int, node: Node, children: Sequence[Ends]) -> Ends:
        total = ends_of(*(reduce(np.add, column) for column in zip(*children, strict=True)))
        held = held_by(node.arithmetic, declared)
        if held.type.is_integer:
            note(held, total)
            for at, child in zip(node.children, children, strict=True):
                if at == 0 and has_init:
                    note(held, child)
                elif node.arithmetic.product_type and has_init <= at < tree.n:
                    note(held._replace(type=node.arithmetic.product_type), child)
        return total

    leaves = {k + has_init for k in range(n) if present is None or present[k]} | set(range(has_init))
    if not leaves:
        return Needed(found, init or ends_of(0, 0))
    tree = accumulation.tree(n + has_init, has_init)
    return Needed(found, walk(tree, leaves, value, add))


def bits(ends: Ends) -> int:
    """Return the width of the narrowest signed type that holds these numbers, at least 2."""
    least, greatest = map(int, ends.hull)
    return max(2, narrowest(least, greatest, True))


def holds(type: ElementType, ends: Ends) -> bool:
    """Return whether an integer type holds everything between the ends."""
    least, greatest = ends.hull
    return bool(type.min_value <= least and greatest <= type.max_value)


def point(x: Array) -> Ends:
    """Return known numbers as ends."""
    return Ends(x, x)


def spread_out(parts: Sequence[tuple[Array, Needed]], size: int, dtype: np.dtype) -> Needed:
    """Return what all elements need, from what those of each part do; an element without a node needs 0."""
    zeros = lambda: Ends(np.zeros(size, dtype), np.zeros(size, dtype))
    every = {held: zeros() for _, needed in parts for held in needed.held}
    whole = Needed(every, zeros())
    for columns, needed in parts:
        for held, ends in (*needed.held.items(), (None, needed.root)):
            for end, own in zip(whole.root if held is None else every[held], ends, strict=True):
                end[columns] = own
    return whole


def leaves_along(leaves: Leaves, accumulation: Accumulation, declared: Held) -> Needed:
    """Return what leaves in ranges need along an accumulation."""
    leaf = lambda i: Ends(leaves.least[i // leaves.copies], leaves.greatest[i // leaves.copies])
    init = leaves.init or Ends(*(np.zeros(x.shape[1:], x.dtype) for x in (leaves.least, leaves.greatest)))
    return along(accumulation, leaves.n, leaf, init, declared)
