"""Long work: its progress, its deadline, and how much of it was covered when the deadline came.

A verb that may take minutes makes one `Work` of its `seconds=` and `progress=`, and goes through its steps
with `Work.through`. Its answer is a `Partly`, which keeps the `Covered` of each loop.

A step that is long itself runs in `Work.attempt`: within, every operation of a run and every block of a
reduction's leaves calls `beat`, which ends the step when the deadline has come. What such a step had found by
then is not part of the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import inf, isnan
from time import monotonic
from typing import TypeVar

from interp.engine.markup import Display
from spec.errors import Malformed

Progress = Callable[[str, int, int], None]
T = TypeVar("T")


class OutOfTime(Exception):
    """The deadline of `work` came within a step. Only `Work.attempt` catches it."""

    def __init__(self, work: Work) -> None:
        super().__init__(work)
        self.work = work


@dataclass
class Covered:
    """Number of the `total` steps of a loop that were done; `what` names them in the plural ("elements").

    seconds: the deadline of the call, None if it had none.
    """

    what: str
    done: int
    total: int
    seconds: float | None = None

    @property
    def partial(self) -> bool:
        """Return whether steps are left that were not done."""
        return self.done < self.total

    def __str__(self) -> str:
        return f"{self.done:,} of {self.total:,} {self.what}"


class Partly(Display):
    """An answer of long work, which may be partial: `covered` has how much of each loop was done."""

    covered: tuple[Covered, ...] = ()

    @property
    def partial(self) -> bool:
        """Return whether the deadline came before everything was looked at."""
        return any(each.partial for each in self.covered)

    @property
    def shortfall(self) -> str:
        """Return `partial: 12 of 360 elements looked at in 20 s`, or "" if the answer is complete."""
        return shortfall(self.covered)


def shortfall(covered: Iterable[Covered]) -> str:
    """Return a sentence about the loops that a deadline cut short, "" if there are none."""
    short = _join_alike(each for each in covered if each.partial)
    if not short:
        return ""
    limits = [each.seconds for each in short if each.seconds is not None]
    time = f" in {min(limits):g} s" if limits else ""
    return f"partial: {', '.join(map(str, short))} looked at{time}"


def _join_alike(covered: Iterable[Covered]) -> list[Covered]:
    """Return the loops, those that name their steps by the same word as one."""
    found: dict[tuple[str, float | None], Covered] = {}
    for each in covered:
        known = found.setdefault((each.what, each.seconds), Covered(each.what, 0, 0, each.seconds))
        known.done, known.total = known.done + each.done, known.total + each.total
    return list(found.values())


@dataclass
class Work:
    """Progress and deadline of one call of a long verb.

    seconds: how long the call may go on, None for any time. progress: called with what is done, how many
    steps of it are done, and of how many.
    """

    seconds: float | None = None
    progress: Progress | None = None
    covered: list[Covered] = field(default_factory=list)
    outer: Work | None = field(default=None, repr=False)

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
        known = len(steps) if total is None else total  # type: ignore[arg-type]
        loop = Covered(what, 0, known, self.seconds)
        self.covered.append(loop)
        for step in steps:
            if loop.done >= least and self.is_over:
                return
            yield step
            loop.done += 1
            self.tell(what, loop.done, loop.total)

    def attempt(self, step: Callable[[], T]) -> T | None:
        """Return what a long step returns, or None if the deadline of this work came within it.

        The deadline of work further outside, within which this is a step, goes on to its own `attempt`.
        """
        if CURRENT.get() is not self:  # within its own attempt, the outer work is known
            self.outer = CURRENT.get()
        token = CURRENT.set(self)
        try:
            return step()
        except OutOfTime as over:
            if over.work is not self:
                raise
            return None
        finally:
            CURRENT.reset(token)

    def whole(self, what: str, total: int, step: Callable[[], T]) -> T | None:
        """Return `attempt(step)`, and record it as `total` steps that are done together or not at all."""
        self.tell(what, 0, total)
        found = self.attempt(step)
        self.tell(what, 0 if found is None else total, total)
        self.covered.append(Covered(what, 0 if found is None else total, total, self.seconds))
        return found


# The work whose deadline `beat` heeds; None: there is no deadline.
CURRENT: ContextVar[Work | None] = ContextVar("CURRENT", default=None)


def beat(what: str = "", done: int = 0, total: int = 0) -> None:
    """Report progress, if `what` is given; raise `OutOfTime` if a deadline has come, the outermost first."""
    work, over = CURRENT.get(), None
    while work is not None:
        if what and work.progress:
            work.progress(what, done, total)
            what = ""
        over, work = work if work.is_over else over, work.outer
    if over:
        raise OutOfTime(over)
