"""Tallies: what a listener counts at the nodes of a left fold, in the fold's own loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from interp.backends import Namespace, State


class Tally(NamedTuple):
    """Counts that a loop keeps beside the accumulators, elementwise.

    `start(xp, shape)` gives the counts of a result's shape before the first leaf, `step(xp, counts, lhs, rhs,
    results)` those after a node, over any namespace, and `finish(counts)` takes the last ones.
    """

    start: Callable[[Namespace, tuple[int, ...]], State]
    step: Callable[[Namespace, State, State, State, State], State]
    finish: Callable[[State], None]


NOTHING = Tally(lambda xp, shape: (), lambda xp, counts, lhs, rhs, results: (), lambda counts: None)
