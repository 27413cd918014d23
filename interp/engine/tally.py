"""Tallies: counts of a listener at the nodes of a left fold, kept in the fold's own loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from interp.backends import Namespace, State


class Tally(NamedTuple):
    """Elementwise counts that a loop keeps beside the accumulators.

    `start(xp, shape)` returns the counts before the first leaf, `step(xp, counts, lhs, rhs, results)` those
    after a node, over any namespace; `finish(counts)` receives the last ones.
    """

    start: Callable[[Namespace, tuple[int, ...]], State]
    step: Callable[[Namespace, State, State, State, State], State]
    finish: Callable[[State], None]


NOTHING = Tally(lambda xp, shape: (), lambda xp, counts, lhs, rhs, results: (), lambda counts: None)
