"""Saturating additions one after another, as functions of the number they begin with, and how those compose.

Written over an array namespace; a function for each element of the arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from interp.backends import Array, Namespace


class Shift(NamedTuple):
    """`q -> clamp(q + sum, least, greatest)`."""

    sum: Array
    least: Array
    greatest: Array

    def then(self, other: Shift, clip: Callable[..., Array]) -> Shift:
        """Return the composition: this one first."""
        least, greatest = (clip(end + other.sum, other.least, other.greatest) for end in self[1:])
        return Shift(self.sum + other.sum, least, greatest)


def composition(xp: Namespace, level: Shift) -> Shift:
    """Compose the functions along the first dimension: neighbours, round after round."""
    while (n := len(level.sum)) > 1:
        pairs = n // 2 * 2
        even, odd, rest = (
            Shift(*(x[part] for x in level))
            for part in (slice(0, pairs, 2), slice(1, pairs, 2), slice(pairs, None))
        )
        level = Shift(*map(lambda *x: xp.concatenate(x), even.then(odd, xp.clip), rest))
    return Shift(*(x[0] for x in level))


class Run(NamedTuple):
    """Consecutive numbers: their sum, and the least and the greatest of their prefixes' sums, 0 included."""

    sum: Array
    least: Array
    greatest: Array

    def then(self, other: Run, xp: Namespace) -> Run:
        """Both, this one first."""
        least = xp.minimum(self.least, self.sum + other.least)
        return Run(self.sum + other.sum, least, xp.maximum(self.greatest, self.sum + other.greatest))

    def forgets(self, low: int, high: int) -> Array:
        """THEOREM: a run that goes further up or down than `high - low` ends at one number from anywhere.

        Say up, between two of its prefixes: what is at `low` or above when it begins to, comes to `high`
        before it ends, and from there all go on alike.
        """
        return self.greatest - self.least > high - low

    def clamped(self, low: int, high: int) -> Shift:
        """THEOREM: additions that saturate at `low` and `high` are this shift, unless the run forgets.

        One that only saturates below leads from `low` to `low` plus what the sum lies above the least prefix,
        everywhere; that is nowhere above `high`, so it is one that saturates above as well. Likewise from
        `high`. What begins between is the shifted number, clamped by those two.
        """
        return Shift(self.sum, low + self.sum - self.least, high + self.sum - self.greatest)
