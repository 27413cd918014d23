"""Saturating additions in a row, as functions of the number that they begin with, and their composition.

Written over an array namespace: each array holds one function per element.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from interp.backends import Array, Namespace


class Shift(NamedTuple):
    """The function `q -> clamp(q + sum, least, greatest)`."""

    sum: Array
    least: Array
    greatest: Array

    def then(self, other: Shift, clip: Callable[..., Array]) -> Shift:
        """Return the composition of both functions, this one first."""
        least, greatest = (clip(end + other.sum, other.least, other.greatest) for end in self[1:])
        return Shift(self.sum + other.sum, least, greatest)


def composition(xp: Namespace, level: Shift) -> Shift:
    """Compose the functions along the first dimension, pairs of neighbours, round after round."""
    while (n := len(level.sum)) > 1:
        pairs = n // 2 * 2
        even, odd, rest = (
            Shift(*(x[part] for x in level))
            for part in (slice(0, pairs, 2), slice(1, pairs, 2), slice(pairs, None))
        )
        level = Shift(*map(lambda *x: xp.concatenate(x), even.then(odd, xp.clip), rest))
    return Shift(*(x[0] for x in level))


class Run(NamedTuple):
    """Consecutive numbers to add: their sum, and their least and greatest prefix sums, 0 included."""

    sum: Array
    least: Array
    greatest: Array

    def then(self, other: Run, xp: Namespace) -> Run:
        """Return both runs as one, this one first."""
        least = xp.minimum(self.least, self.sum + other.least)
        return Run(self.sum + other.sum, least, xp.maximum(self.greatest, self.sum + other.greatest))

    def forgets(self, low: int, high: int) -> Array:
        """Return where the run ends at one number, whatever number it begins with.

        THEOREM: so does a run that goes further up or down than `high - low`. Say up, between two of its
        prefixes: a number at `low` or above at the first one comes to `high` before the second, and from
        there all go on alike.
        """
        return self.greatest - self.least > high - low

    def clamped(self, low: int, high: int) -> Shift:
        """Return the additions that saturate at `low` and `high` as one shift.

        THEOREM: they are one, unless the run forgets. A run that only saturates below leads from `low` to
        `low` plus the sum less the least prefix; that is nowhere above `high`, so that saturating above as
        well changes nothing. Likewise from `high`. A number that begins between comes to the shifted number,
        clamped by those two.
        """
        return Shift(self.sum, low + self.sum - self.least, high + self.sum - self.greatest)
