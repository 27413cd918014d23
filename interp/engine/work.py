"""Long work: its progress, its deadline, and how much of it was covered when the deadline came.

A verb that may take minutes makes one `Work` of its `seconds=` and `progress=`, and goes through its steps
with `Work.through`. Its answer keeps the `Covered` of each loop, from which come `.partial` and `.covered`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf, isnan
from time import monotonic
from typing import TypeVar

from spec.errors import Malformed

Progress = Callable[[str, int, int], None]
T = TypeVar("T")


@dataclass
class Covered:
    """How many of the `total` steps of a loop were done: `what` names them in the plural ("elements")."""

    what: str
    done: int
    total: int

    @property
    def partial(self) -> bool:
        """Return whether steps are left that were not done."""
        return self.done < self.total

    def __str__(self) -> str:
        return f"{self.done:,} of {self.total:,} {self.what}"


@dataclass
class Work:
    """Progress and deadline of one call of a long verb.

    seconds: how long the call may go on, None for any time. progress: called with what is done, how many
    steps of it are done, and of how many.
    """

    seconds: float | None = None
    progress: Progress | None = None
    covered: list[Covered] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.seconds is not None and (isnan(self.seconds) or self.seconds < 0):
            raise Malformed(f"seconds={self.seconds}", "expected a number of seconds from 0 on, or None")
        self.due = inf if self.seconds is None else monotonic() + self.seconds

    @property
    def is_over(self) -> bool:
        """Return whether the deadline has come."""
        return monotonic() >= self.due

    @property
    def left(self) -> float:
        """Return the seconds that are left, infinite without a deadline."""
        return max(0.0, self.due - monotonic())

    @property
    def partial(self) -> bool:
        """Return whether the deadline left steps undone."""
        return any(each.partial for each in self.covered)

    def tell(self, what: str, done: int, total: int) -> None:
        """Report progress."""
        if self.progress:
            self.progress(what, done, total)

    def through(self, what: str, steps: Iterable[T], total: int | None = None, least: int = 0) -> Iterator[T]:
        """Yield steps until the deadline, at least the first `least`; report and record how many were done.

        what: the steps in the plural ("elements"). total: their number, where `steps` has no length.
        """
        loop = Covered(what, 0, len(steps) if total is None else total)  # type: ignore[arg-type]
        self.covered.append(loop)
        for step in steps:
            if loop.done >= least and self.is_over:
                return
            yield step
            loop.done += 1
            self.tell(what, loop.done, loop.total)
