"""Extreme sums: the least and the greatest number that a node of a fold of additions can be.

All numbers are steps of the accumulator that no storage clamps: exact integers (int64 or Python's) or, where
a caller allows for rounding, f64. A leaf is known or lies in a range. A sum grows with each of its leaves, so
each theorem holds for the least ends and for the greatest ends apart; the extremes are attained where the
leaves vary independently.

THEOREM (any order): a partial sum of some leaves, in any order and any tree, lies between the sum of all
negative ones and the sum of all positive ones.
THEOREM (any schedule): the nodes of trees over the leaves in their order, with one init, are the sums of
neighbouring leaves. Kadane's scan finds their extremes.
THEOREM (a schedule): the extremes of a node are those of the same node of a fold of the least ends, and of
one of the greatest ends.

A leaf may be absent for some result elements: it is no node and adds nothing there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.fold import Body, Node, fold
from interp.engine.fold import Leaves as FoldLeaves
from spec.schedule import LEFT, Schedule

WIDE = 62  # bits of a sum up to which i64 holds it
UNROLLED = 1 << 24  # leaves, of all results, up to which they are folded
Blocks = Iterable[
    tuple[Array, Array | None]
]  # known leaves, `[leaves, elements]`, and where they are present
Folded = Callable[[Body, State], object]  # folds the ends of leaves by a schedule: `(body, init)`


class Ends(NamedTuple):
    """A least and a greatest number, per result element: arrays that broadcast to the result."""

    least: Array
    greatest: Array

    @property
    def hull(self) -> tuple[int | float, int | float]:
        """The least and the greatest of all elements; zeros without elements."""
        if not self.least.size:
            return 0, 0
        least, greatest = (end.reshape(-1) for end in self)
        return least.min(keepdims=True).item(), greatest.max(keepdims=True).item()

    @property
    def finite(self) -> Array:
        """Mask of the elements whose ends are both finite: numbers."""
        if self.least is self.greatest:
            return np.asarray(np.isfinite(self.least))
        return np.asarray(np.isfinite(self.least) & np.isfinite(self.greatest))

    @property
    def is_point(self) -> bool:
        """Return whether every element is known."""
        return bool(np.all((self.least == self.greatest) & self.finite))

    @property
    def magnitude(self) -> Array:
        """The largest magnitude of each element."""
        return np.maximum(np.abs(self.least), np.abs(self.greatest))

    def join(self, other: Ends) -> Ends:
        """Return ends that hold both."""
        return ends_of(np.minimum(self.least, other.least), np.maximum(self.greatest, other.greatest))


def ends_of(least: Any, greatest: Any) -> Ends:
    """Return two numbers, or arrays of them, as ends."""
    return Ends(as_array(least), as_array(greatest))


def as_array(x: Any) -> Array:
    """Return a number as an array; a Python integer keeps all its digits, for which NumPy has no type."""
    return np.asarray(x, object if isinstance(x, int) else None)


def integer_dtype(n: int, *ends: int) -> np.dtype:
    """Return i64 if it holds every sum of n numbers between `ends`, else `object` (Python's integers)."""
    return np.dtype(np.int64 if (n * max(map(abs, ends))).bit_length() <= WIDE else object)


# Known leaves.


class Sums(NamedTuple):
    """The least and the greatest sum that a node can be, and the sum of all leaves, by result element."""

    least: Array
    greatest: Array
    total: Array


def contiguous(init: Array, blocks: Blocks) -> Sums:
    """Return the extremes of the sums of neighbours, `init` being the first: of the nodes of all trees."""
    far = 1 << (WIDE if init.dtype == np.int64 else 256)
    least = greatest = total = init
    lowest = highest = np.zeros_like(init)  # of what stands before a leaf
    for leaves, present in blocks:
        if _is_flat(leaves, present):
            for x in leaves:
                lowest, highest, total = np.minimum(lowest, total), np.maximum(highest, total), total + x
                greatest = np.maximum(greatest, total - lowest)
                least = np.minimum(least, total - highest)
            continue
        after = total + np.cumsum(_mask(leaves, present, 0), 0)
        before = np.concatenate([total[None], after[:-1]])
        lows = np.minimum.accumulate(np.concatenate([lowest[None], _mask(before, present, far)]), 0)
        highs = np.maximum.accumulate(np.concatenate([highest[None], _mask(before, present, -far)]), 0)
        greatest = np.maximum(greatest, _mask(after - lows[1:], present, -far).max(0))
        least = np.minimum(least, _mask(after - highs[1:], present, far).min(0))
        lowest, highest, total = lows[-1], highs[-1], after[-1]
    return Sums(least, greatest, total)


def subset_sums(init: Array, blocks: Blocks) -> Sums:
    """Return the extremes of the leaves and of the sums of `init` and any leaves: of folds in any order.

    ASSUMPTION: no leaf is absent.
    """
    least = greatest = below = above = init
    for leaves, _ in blocks:
        least, greatest = np.minimum(least, leaves.min(0)), np.maximum(greatest, leaves.max(0))
        below = below + np.minimum(leaves, 0).sum(0)
        above = above + np.maximum(leaves, 0).sum(0)
    return Sums(np.minimum(least, below), np.maximum(greatest, above), below + above - init)


def prefixes(init: Array, blocks: Blocks) -> Ends:
    """Return the extremes of the nodes of a left fold: of `init`, the leaves and the prefix sums."""
    least = greatest = total = init
    for leaves, present in blocks:
        if _is_flat(leaves, present):
            for x in leaves:
                total = total + x
                least = np.minimum(least, np.minimum(total, x))
                greatest = np.maximum(greatest, np.maximum(total, x))
            continue
        sums = total + np.cumsum(_mask(leaves, present, 0), 0)
        nodes = leaves if present is None else np.where(present, leaves, init)
        least = np.minimum(least, np.minimum(sums, nodes).min(0))
        greatest = np.maximum(greatest, np.maximum(sums, nodes).max(0))
        total = sums[-1]
    return ends_of(least, greatest)


def nodes(init: Ends, folded: Folded) -> Ends:
    """Return the extremes of the nodes of any fold, by folding the ends of the leaves once more.

    folded: a function that folds states of the least and the greatest ends, or of known leaves alone.
    """
    found = init

    def body(lhs: State, rhs: State, node: Node) -> State:
        nonlocal found
        sums = tuple(x + y for x, y in zip(lhs, rhs, strict=True))
        for state in (lhs, rhs, sums):
            ends = [_mask(x, node.present, own) for x, own in zip((state[0], state[-1]), found, strict=True)]
            found = found.join(ends_of(ends[0].min(0), ends[1].max(0)) if node.stacked else Ends(*ends))
        return sums

    folded(body, tuple(init))
    return found


def _is_flat(leaves: Array, present: Array | None) -> bool:
    """Return whether there are few leaves of many elements, none absent: they are added one by one."""
    return present is None and len(leaves) < leaves.shape[1]


def _mask(x: Array, present: Array | None, absent: Array | int) -> Array:
    return x if present is None else np.where(present, x, absent)


# Leaves in ranges.


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
        if (unrolled := self._unroll(most)) is None:
            return None
        low, high, init = unrolled
        least, greatest = contiguous(*_flat(low, init.least)), contiguous(*_flat(high, init.greatest))
        return ends_of(least.least.reshape(init.least.shape), greatest.greatest.reshape(init.least.shape))

    def in_schedule(self, schedule: Schedule) -> Ends | None:
        """Return the extremes of the nodes of a schedule; None if they are too many to compute.

        Copies may be fewer where they land, and a random tree of fewer leaves has other nodes.
        """
        if (self.copies > 1 and schedule.name == "random") or (unrolled := self._unroll()) is None:
            return None
        low, high, init = unrolled
        if schedule == LEFT:
            least, greatest = prefixes(*_flat(low, init.least)), prefixes(*_flat(high, init.greatest))
            return ends_of(least.least.reshape(init.least.shape), greatest.greatest.reshape(init.least.shape))
        leaves = FoldLeaves(len(low), lambda i: (low[i], high[i]), lambda: (low, high), in_memory=True)
        return nodes(init, lambda body, start: fold(NUMPY, body, start, leaves, schedule))

    def _unroll(self, most: float = UNROLLED) -> tuple[Array, Array, Ends] | None:
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


def _flat(leaves: Array, init: Array) -> tuple[Array, Iterator[tuple[Array, None]]]:
    """Return an init and leaves as a block with one axis of elements; no leaves are no block."""
    columns = leaves.reshape(len(leaves), prod(leaves.shape[1:]))
    return init.reshape(-1), iter([(columns, None)] if len(leaves) else [])


# Numbers of bits that integers need.


def narrowest(least: int, greatest: int, signed: bool) -> int:
    """Return the fewest bits of an integer type that holds both numbers."""
    above, below = max(greatest, 0).bit_length(), max(-least - 1, 0).bit_length()
    return 1 + max(above, below) if signed else max(above, 1)
