"""Tallies: counts of a listener at the nodes of a left fold, kept in the fold's own loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from interp.backends import Array, Namespace, State
from interp.backends.chunks import Chunk


class Tally(NamedTuple):
    """Counts that a loop keeps beside the accumulators, elementwise, for a few leaves at a time.

    `start(xp, shape)` gives the counts of a result's shape before the first leaf, zeros; `step(xp, counts,
    lhs, rhs, results)` those after a node, over any namespace. `look(chunk, counts, enter)` sees them after
    some leaves, `counts` being where they stand in the state; it sets them to zero. `enter` gives a leaf the
    type of the accumulators. `finish()` is called at the end.
    """

    start: Callable[[Namespace, tuple[int, ...]], State]
    step: Callable[[Namespace, State, State, State, State], State]
    look: Callable[[Chunk, slice, Callable[[State], State]], None]
    finish: Callable[[], None]


NOTHING = Tally(
    lambda xp, shape: (),
    lambda xp, counts, lhs, rhs, results: (),
    lambda chunk, counts, enter: None,
    lambda: None,
)


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
    """Request of a listener for the events of some kinds among a contraction's sums.

    `done(found)` takes what a loop has counted of them; None: this listener would rather see the nodes, if
    there may be an event.
    """

    kinds: frozenset[str]
    done: Callable[[Found], None] | None = None
