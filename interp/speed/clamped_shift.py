"""Sequences of saturating additions as functions of the starting number, and their composition.

This is written over an array namespace; each array holds one function per element.
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
        """Return the composition of both functions: this one is applied first."""
        least, greatest = (clip(end + other.sum, other.least, other.greatest) for end in self[1:])
        return Shift(self.sum + other.sum, least, greatest)


def composition(xp: Namespace, level: Shift) -> Shift:
    """Compose the functions along the first dimension, pairing neighbours round after round."""
    while (n := len(level.sum)) > 1:
        pairs = n // 2 * 2
        even, odd, rest = (
            Shift(*(x[part] for x in level))
            for part in (slice(0, pairs, 2), slice(1, pairs, 2), slice(pairs, None))
        )
        level = Shift(*map(lambda *x: xp.concatenate(x), even.then(odd, xp.clip), rest))
    return Shift(*(x[0] for x in level))


class Run(NamedTuple):
    """Numbers to add in sequence: their sum, and the least and the greatest of 0 and their prefix sums."""

    sum: Array
    least: Array
    greatest: Array

    def then(self, other: Run, xp: Namespace) -> Run:
        """Return this run followed by the other as one run."""
        least = xp.minimum(self.least, self.sum + other.least)
        return Run(self.sum + other.sum, least, xp.maximum(self.greatest, self.sum + other.greatest))

    def forgets(self, low: int, high: int) -> Array:
        """Return where the result of the run is the same for every starting number.

        THEOREM: it is if two prefix sums differ by more than `high - low`. If the later one is greater, any
        number, which is at least `low` at the first of them, reaches `high` before the second, and from there
        on all take the same course. The other case is symmetric.
        """
        return self.greatest - self.least > high - low

    def clamp(self, low: int, high: int) -> Shift:
        """Return the additions, which saturate at `low` and `high`, as one shift.

        THEOREM: they are a shift unless the run forgets. From `low`, a run that saturates only below ends at
        `low` plus the sum minus the least prefix sum; it never exceeds `high` on the way, so that saturating
        above changes nothing. The same holds from `high`. From a number between, it ends at the shifted
        number, clamped by those two results.
        """
        return Shift(self.sum, low + self.sum - self.least, high + self.sum - self.greatest)
