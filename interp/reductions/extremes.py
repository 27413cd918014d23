"""Extremes of the partial sums of leaves that lie in ranges, for all their values at once.

Numbers are exact integers in the unit of one step (int64 or Python's), or floats in f64.

THEOREM (any order): a partial sum of some leaves, in any order and any tree, lies between the sum of the
least ends of all leaves that may be negative and the sum of the greatest of all that may be positive.
THEOREM (any schedule): the nodes of trees over the leaves in their order, with one init, are the sums of
neighbouring leaves; each grows with each of its leaves.
THEOREM (a schedule): a node is a sum of leaves, which grows with each of them. So its extremes are those
of the same node of a fold of the least ends, and of one of the greatest.
Both are attained where leaves vary independently; where they do not, the ranges hold all the same.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.fold import Leaves as Folded
from interp.engine.fold import Node, fold
from interp.reductions.sums import contiguous, integer_dtype
from spec.schedule import LEFT, Schedule

UNROLLED = 1 << 24  # leaves, of all results, up to which they are folded


class Ends(NamedTuple):
    """A least and a greatest sum, per result element: arrays that broadcast to the result."""

    least: Array
    greatest: Array

    @property
    def hull(self) -> tuple[int | float, int | float]:
        """The least and the greatest of all elements; zeros without elements."""
        if not self.least.size:
            return 0, 0
        least, greatest = (end.reshape(-1) for end in self)
        return least.min(keepdims=True).item(), greatest.max(keepdims=True).item()

    def joined(self, other: Ends) -> Ends:
        """Return ends that hold both."""
        return ends_of(np.minimum(self.least, other.least), np.maximum(self.greatest, other.greatest))


def ends_of(least: Any, greatest: Any) -> Ends:
    """Return two numbers, or arrays of them, as ends."""
    return Ends(as_array(least), as_array(greatest))


def as_array(x: Any) -> Array:
    """Return a number as an array; a Python integer keeps all its digits, for which NumPy has no type."""
    return np.asarray(x, object if isinstance(x, int) else None)


class Leaves(NamedTuple):
    """Ends of leaves, stacked along a first axis; each stands for `copies` leaves with the same ends.

    init: the ends of the init value, leaf 0; None where it is 0.
    """

    least: Array
    greatest: Array
    copies: int = 1
    init: Ends | None = None

    @property
    def n(self) -> int:
        return len(self.least) * self.copies

    @property
    def magnitude(self) -> Array:
        """The largest sum of magnitudes of all leaves."""
        most = np.maximum(np.abs(self.least), np.abs(self.greatest)).sum(0) * self.copies
        return as_array(
            most if self.init is None else most + np.maximum(*(as_array(np.abs(end)) for end in self.init))
        )

    def total(self) -> Ends:
        """Return the extremes of the sum of all leaves."""
        ends = ends_of(*(end.sum(0) * self.copies for end in (self.least, self.greatest)))
        return ends if self.init is None else ends_of(*(a + b for a, b in zip(ends, self.init, strict=True)))

    def any_order(self) -> Ends:
        """Return the extremes of every partial sum, in any order."""
        least, greatest = np.minimum(self.least, 0).sum(0), np.maximum(self.greatest, 0).sum(0)
        least, greatest = least * self.copies, greatest * self.copies
        if self.init is not None:
            least, greatest = (
                least + np.minimum(self.init.least, 0),
                greatest + np.maximum(self.init.greatest, 0),
            )
        return ends_of(least, greatest)

    def any_schedule(self, most: float = UNROLLED) -> Ends | None:
        """Return the extremes of sums of neighbouring leaves: of the nodes of every tree with one init.

        most: how many leaves, of all results, it may take; if there are more, it returns None.
        """
        if (unrolled := self._unrolled(most)) is None:
            return None
        low, high, init = unrolled
        return Ends(_contiguous(low, init.least).least, _contiguous(high, init.greatest).greatest)

    def in_schedule(self, schedule: Schedule) -> Ends | None:
        """Return the extremes of the nodes of a schedule; None if they are too many to compute.

        Copies may be fewer where they land, and a random tree of fewer leaves has other nodes.
        """
        if (self.copies > 1 and schedule.name == "random") or (unrolled := self._unrolled()) is None:
            return None
        low, high, init = unrolled
        return _prefixes(low, high, init) if schedule == LEFT else _nodes(low, high, init, schedule)

    def _unrolled(self, most: float = UNROLLED) -> tuple[Array, Array, Ends] | None:
        """Return the ends of all leaves, and of the init; None if they are too many."""
        init = self.init or Ends(*(np.zeros(x.shape[1:], x.dtype) for x in (self.least, self.greatest)))
        stacked = self.least, self.greatest
        sizes = np.broadcast_shapes(*(x.shape[1:] for x in stacked), *(x.shape for x in init))
        if self.n * max(1, prod(sizes)) > most:
            return None
        low, high = (np.repeat(np.broadcast_to(x, (len(x), *sizes)), self.copies, 0) for x in stacked)
        return low, high, Ends(*(np.broadcast_to(end, sizes).copy() for end in init))


def exact(least: Array, greatest: Array, copies: int = 1, init: Ends | None = None) -> Leaves:
    """Return leaves in a dtype that holds every sum of them."""
    ends = [end for end in (least, greatest, *(init or ())) if end.size]
    outer = [int(f(end)) for end in ends for f in (np.min, np.max)]
    dtype = integer_dtype(len(least) * copies + 1, *(outer or [0]))
    start = None if init is None else Ends(*(end.astype(dtype) for end in init))
    return Leaves(least.astype(dtype), greatest.astype(dtype), copies, start)


def _contiguous(leaves: Array, init: Array) -> Ends:
    """Return the extreme sums of neighbours among these leaves, after the init."""
    flat = leaves.reshape(len(leaves), init.size)
    sums = contiguous(init.reshape(-1), iter([(flat, None)] if len(flat) else []), lambda x: x)
    return Ends(sums.least.reshape(init.shape), sums.greatest.reshape(init.shape))


def _prefixes(low: Array, high: Array, init: Ends) -> Ends:
    """Return the extremes of the nodes of a left fold: the leaves, and every prefix sum."""
    below = np.concatenate([init.least[None], low, init.least + np.cumsum(low, 0)])
    above = np.concatenate([init.greatest[None], high, init.greatest + np.cumsum(high, 0)])
    return ends_of(below.min(0), above.max(0))


def _nodes(low: Array, high: Array, init: Ends, schedule: Schedule) -> Ends:
    """Return the extremes of the nodes of any fold, by folding the ends."""
    found = _prefixes(low[:0], high[:0], init)
    if len(low):
        found = found.joined(ends_of(low.min(0), high.max(0)))

    def body(lhs: State, rhs: State, node: Node) -> State:
        nonlocal found
        sums = lhs[0] + rhs[0], lhs[1] + rhs[1]
        ends = (sums[0].min(0), sums[1].max(0)) if node.stacked else sums
        found = found.joined(ends_of(*ends))
        return sums

    leaves = Folded(len(low), lambda i: (low[i], high[i]), lambda: (low, high), in_memory=True)
    fold(NUMPY, body, tuple(init), leaves, schedule)
    return found
