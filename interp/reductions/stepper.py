"""`step`: a walk through a run, forward and back, into one element of every reduction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from interp.engine.tensor import Tensor
from interp.events.event import KINDS
from interp.events.names import find
from interp.reductions.accumulator import Accumulators
from interp.reductions.position import Position
from interp.reductions.record import Record
from interp.reductions.visit import Visit, visits
from spec.errors import Malformed
from spec.ir import Module


class Stepper:
    """A position in a finished run, which its methods move.

    It is before the first operation, after an operation, or within a reduction: after its init value, after a
    node of its tree, or at its results.
    """

    def __init__(self, trace: Record) -> None:
        self.trace = trace
        self.visits = list(visits(trace))
        self.at = self.moment = 0

    def __repr__(self) -> str:
        return repr(self.where())

    def where(self) -> Position:
        """Return the operation, its line, the node of the tree, and its values."""
        return Position(self.visits[self.at], self.moment)

    def acc(self) -> Accumulators | tuple[Tensor, ...]:
        """Return the accumulators of the watched element; outside a reduction, the operation's results."""
        return self.where().accumulators

    def step(self, n: int = 1) -> Position:
        """Go n moments forward, or to the end."""
        before = self.at
        for _ in range(_count(n)):
            if self.moment + 1 < self.visits[self.at].moments:
                self.moment += 1
            elif self.at + 1 < len(self.visits):
                self.at, self.moment = self.at + 1, 0
            else:
                break
        return self._arrived(before)

    def back(self, n: int = 1) -> Position:
        """Go n moments back, or to the start."""
        before = self.at
        for _ in range(_count(n)):
            if self.moment:
                self.moment -= 1
            elif self.at:
                self.at -= 1
                self.moment = self.visits[self.at].moments - 1
            else:
                break
        return self._arrived(before)

    def until(self, what: str | None = None) -> Position:
        """Go to the next event (other than errata), to the next of a kind (`saturate`), or to operation `%4`.

        `%4#2` is the second run of the operation `%4`. Raises `Malformed`, and does not move, if there is
        none ahead.
        """
        wanted, before = self._criterion(what), self.at
        for at, moment in self._ahead():
            if wanted(self.visits[at], moment):
                self.at, self.moment = at, moment
                return self._arrived(before)
        raise Malformed(f"no {what or 'event'} from here on", self._elsewhere(what))

    def watch(self, *index: Any) -> Position:
        """Watch another result element of this reduction or of the next one; without an index, the same."""
        ahead = range(self.at, len(self.visits))
        at = next((k for k in ahead if self.visits[k].reduction), None)
        if at is None:
            raise Malformed("nothing is reduced from here on", "go back first: back(20)")
        visit = self.visits[at]
        assert visit.reduction
        wanted = index[0] if len(index) == 1 else index or visit.index
        element = visit.reduction.element(wanted)
        self.visits[at] = visit = replace(visit, index=element.index)
        if at == self.at:
            self.moment = min(self.moment, visit.moments - 1)
        return self.where()

    def _arrived(self, before: int) -> Position:
        """Return the new position, brief if it is within the same reduction."""
        return Position(self.visits[self.at], self.moment, brief=self.at == before > 0)

    def _ahead(self) -> Iterator[tuple[int, int]]:
        for moment in range(self.moment + 1, self.visits[self.at].moments):
            yield self.at, moment
        for at in range(self.at + 1, len(self.visits)):
            for moment in range(self.visits[at].moments):
                yield at, moment

    def _criterion(self, what: str | None) -> Callable[[Visit, int], bool]:
        if kinds := _kinds(what):
            return lambda visit, moment: any(event.kind in kinds for event in visit.events(moment))
        ran = [visit.named for visit in self.visits if visit.named]
        known = list({id(x.op): x._replace(run=None) for x in ran}.values())
        try:
            meant = find(what, known, "operation")
        except Malformed as error:
            raise Malformed(error.verdict, f"{error.evidence}\nor a kind: {', '.join(KINDS)}") from None
        wanted = [x for x in ran if x.op is meant.op and meant.run in (None, x.run)]
        return lambda visit, moment: moment == 0 and visit.named in wanted

    def _elsewhere(self, what: str | None) -> str:
        kinds = _kinds(what)
        groups = [repr(group) for group in self.trace.groups if group.kind in kinds]
        if not groups:
            return "there is none in this run" if kinds else "it is behind: back(20)"
        return "\n".join([*groups, "back(n) goes back, watch(...) to another result element"])


def _kinds(what: Any) -> list[str]:
    """Return the kinds of events that a word names; none if it names an operation."""
    return [kind for kind in KINDS if (kind != "erratum" if what is None else str(what) == kind)]


def _count(n: Any) -> int:
    if type(n) is not int or n < 0:
        raise Malformed(f"{n!r} is not a number of steps", "expected a whole number: step(5), back(2)")
    return n


def step(module: Module, *args: Any, **options: Any) -> Stepper:
    """Run a program, `run(module, *args, **options)`, and return a walk that begins at its start."""
    return Stepper(Record.of_run(module, args, **options))
