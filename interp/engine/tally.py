"""Tallies: what a listener counts at the nodes of a left fold, in the fold's own loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from interp.backends import Array, Namespace, State


class Tally(NamedTuple):
    """Counts that a loop keeps beside the accumulators, elementwise.

    `start(xp, shape)` gives the counts of a result's shape before the first leaf, `step(xp, counts, lhs, rhs,
    results)` those after a node, over any namespace, and `finish(counts)` takes the last ones.
    """

    start: Callable[[Namespace, tuple[int, ...]], State]
    step: Callable[[Namespace, State, State, State, State], State]
    finish: Callable[[State], None]


NOTHING = Tally(lambda xp, shape: (), lambda xp, counts, lhs, rhs, results: (), lambda counts: None)


class Extreme(NamedTuple):
    """A node with an event: its result element, flat, its last leaf, and both operands."""

    column: int
    leaf: int
    lhs: Array
    rhs: Array


class Found(NamedTuple):
    """Events of one kind in a whole fold."""

    kind: str
    number: int
    first: Extreme
    worst: Extreme


class Sums(NamedTuple):
    """What a listener wants to know of a contraction's sums: events of some kinds.

    `done(found)` takes what a loop has counted of them; None: this listener would rather see the nodes, if
    there may be an event.
    """

    kinds: frozenset[str]
    done: Callable[[Found], None] | None = None
