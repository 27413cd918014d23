"""Probes of a sum: where a large number and its negative are, which leaves are units, and how they count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from interp.apps.revealing.device import Refused
from interp.backends import Array


class Meeting(NamedTuple):
    """A probe: M in leaf i, -M in leaf j, and units in those of `units` that are neither."""

    i: int
    j: int
    units: Array


Counts = Callable[[Sequence[Meeting]], Array]
Nested = int | tuple[Any, ...]  # a leaf, or the children of a node


class Inconsistent(Refused):
    """Counts that no tree explains."""


class Probing(NamedTuple):
    """How meetings are counted: `counts` gives the units outside, or MANY where they are not countable.

    cap: the most units that are counted. child: units are lost below i's child alone, as where sums saturate.
    signs: only one unit is told from none, as where sums are rounded toward zero. is_near: wide nodes hold
    the sum of a unit and the large number, so that they look exact.
    """

    counts: Counts
    cap: int
    child: bool = False
    signs: bool = False
    is_near: bool = False
