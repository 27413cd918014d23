"""`step`: a walk through a run, forward and back, into one element of every reduction."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from interp.answers.breakpoints import Breakpoint, criterion, kinds_test, operation_test
from interp.answers.position import Listing, Position, Visit, listing, visits
from interp.backends import NUMPY
from interp.engine.markup import Display, join_lines
from interp.engine.tensor import Tensor
from interp.execute.record import Record
from interp.execute.unused import Note
from interp.questions.links import type_at
from interp.recorder.accumulator import Accumulators
from interp.recorder.event import KINDS, heading
from interp.recorder.names import Named, find, operations
from spec.errors import Malformed
from spec.ir import Module, Value, inner_regions
from spec.types import TensorType, is_tensor


class Stepper(Display):
    """A position in a finished run, which its methods move.

    It is before the first operation, after an operation, or within a reduction: after its init value, after a
    node of its tree, or at its results.
    """

    def __init__(self, trace: Record) -> None:
        self.trace = trace
        self.visits = [*visits(trace)]
        self.at = self.moment = 0
        self.breakpoints: list[Breakpoint] = []
        self._numbered = 1

    @cached_property
    def parents(self) -> list[int | None]:
        """The number of the visit around each visit, to a call, loop or branch; see `frames.parents`."""
        return parents(self.trace.module, self.visits)

    def __repr__(self) -> str:
        return repr(self.where())

    def where(self) -> Position:
        """Return the operation, its line, the node of the tree, and its values."""
        return Position(self.visits[self.at], self.moment)

    def acc(self) -> Accumulators | tuple[Tensor, ...]:
        """Return the accumulators of the watched element; outside a reduction, the operation's results."""
        return self.where().accumulators

    def step(self, n: int = 1) -> Position:
        """Go n moments forward, into reductions, or to the end."""
        before = self.at
        for _ in range(_count(n)):
            if self.moment + 1 < self.visits[self.at].moments:
                self.moment += 1
            elif self.at + 1 < len(self.visits):
                self.at, self.moment = self.at + 1, 0
            else:
                break
        return self._arrive(before)

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
        return self._arrive(before)

    def until(self, what: str | None = None) -> Position:
        """Go to the next event (other than errata), to the next of a kind (`saturate`), or to operation `%4`.

        `%4#2` is the second run of the operation `%4`. Raises `Malformed`, and does not move, if there is
        none ahead.
        """
        kinds = _kinds(what)
        wanted = kinds_test(kinds) if kinds else operation_test(what, self._ran)
        found = next((place for place in self._ahead() if wanted(self.visits[place[0]], place[1])), None)
        if found is None:
            raise Malformed(f"no {what or 'event'} from here on", self._elsewhere(what))
        return self._move(*found)

    def next(self, n: int = 1) -> Position:
        """Go n operations forward, over calls, loops and the insides of reductions; within one, n nodes."""
        before = self.at
        for _ in range(_count(n)):
            if self.moment + 1 < self.visits[self.at].moments:
                self.moment += 1
            else:
                self.at = self._next()
                self.moment = self.visits[self.at].moments - 1
        return self._arrive(before)

    def finish(self) -> Position:
        """Go to the results of this reduction, or else of the call, loop or branch around this operation."""
        last = self.visits[self.at].moments - 1
        if self.moment < last:
            return self._move(self.at, last)
        outer = self.parents[self.at]
        if outer is None:
            raise Malformed("nothing to finish here: no reduction, call or loop", "continue goes to the end")
        return self._move(outer, self.visits[outer].moments - 1)

    def continue_(self, n: int = 1) -> Position:
        """Go to the n-th stop at a breakpoint from here on, or to the end."""
        left = _count(n)
        for at, moment in self._ahead() if self.breakpoints and left else ():
            hit = [each for each in self.breakpoints if each.test(self.visits[at], moment)]
            for each in hit:
                each.hits += 1
            left -= bool(hit)
            if not left:
                return replace(self._move(at, moment), reason="\n".join(map(repr, hit)))
        return self._move(len(self.visits) - 1, 0) if n else self.where()

    def break_(self, what: str = "") -> Breakpoint:
        """Set a breakpoint: `%4`, `saturate`, `%4 if nan`, `if value > 100`; by default at this operation."""
        text = str(what).strip() or self.where().name
        made = Breakpoint(self._numbered, text, criterion(text, self._ran))
        self.breakpoints.append(made)
        self._numbered += 1
        return made

    def delete(self, *numbers: int) -> None:
        """Delete breakpoints by their numbers; without a number, all."""
        known = {each.number for each in self.breakpoints}
        if unknown := [n for n in numbers if n not in known]:
            raise Malformed(f"no breakpoint {unknown[0]}", f"breakpoints: {sorted(known) or 'none'}")
        gone = set(numbers) or known
        self.breakpoints = [each for each in self.breakpoints if each.number not in gone]

    def backtrace(self) -> Backtrace:
        """Return the position, and the calls, loops and branches around it."""
        around, at = [], self.parents[self.at]
        while at is not None:
            around.append(self.visits[at])
            at = self.parents[at]
        return Backtrace(self.where(), tuple(around))

    def listing(self, name: str | None = None) -> Listing:
        """Return the source around this operation, or around the operation `name`."""
        op = self.visits[self.at].op or self.visits[1].op
        if name is not None:
            op = find(name, operations(self.trace.module), "operation").op
        assert op  # there is always the return
        return listing(self.trace.module, op)

    def value(self, name: str, *index: Any) -> Tensor:
        """Return what an operation or an argument gave when it last ran, or the element `index` of that."""
        return value_before(self.visits[: self.at + 1], self.moment, name, index)

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

    def _arrive(self, before: int) -> Position:
        """Return the new position, brief if it is within the same reduction."""
        return Position(self.visits[self.at], self.moment, brief=self.at == before > 0)

    def _ahead(self) -> Iterator[tuple[int, int]]:
        for moment in range(self.moment + 1, self.visits[self.at].moments):
            yield self.at, moment
        for at in range(self.at + 1, len(self.visits)):
            for moment in range(self.visits[at].moments):
                yield at, moment

    def _move(self, at: int, moment: int) -> Position:
        before, self.at, self.moment = self.at, at, moment
        return self._arrive(before)

    def _next(self) -> int:
        """Return the number of the next visit that is in no call, loop or branch starting from here on."""
        outer, ahead = self.parents[self.at], range(self.at + 1, len(self.visits))
        return next((k for k in ahead if self.parents[k] == outer or k == outer), self.at)

    @property
    def _ran(self) -> list[Named]:
        return [visit.named for visit in self.visits if visit.named]

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
    found = Record.observe_run(module, args, **options)
    for line in found.unused.lines:
        warnings.warn(line, Note, stacklevel=3)
    return Stepper(found)


# Frames of a run: which call, loop or branch each visit belongs to, and the way back from there


def parents(module: Module, visits: Sequence[Visit]) -> list[int | None]:
    """Return for each visit the number of the visit to the call, loop or branch around it, or None.

    That comes later: an operation is visited when it has its results.
    """
    found: list[int | None] = [None] * len(visits)
    around: list[tuple[int, frozenset[int]]] = []
    for k in reversed(range(len(visits))):
        op = visits[k].op
        while around and id(op) not in around[-1][1]:
            around.pop()
        found[k] = around[-1][0] if around else None
        if op is not None:
            inside = frozenset(id(inner) for region in inner_regions(module, op) for inner in region.ops)
            around.append((k, inside))
    return found


@dataclass(frozen=True, eq=False, repr=False)
class Backtrace(Display):
    """The position in a run, and the calls, loops and branches around it, the innermost first."""

    position: Position
    around: tuple[Visit, ...]

    def _repr_text_(self) -> str:
        lines = [repr(self.position), *map(_heading, self.around)]
        return join_lines(f"#{k}  {line}" for k, line in enumerate(lines))


def _heading(visit: Visit) -> str:
    assert visit.op
    named = visit.named
    return heading(visit.op, named.qualifier, named.run or 0) if named else heading(visit.op)


# Values at a point of a walk: what an argument is, and what an operation gave when it last ran


def value_before(visits: Sequence[Visit], moment: int, name: Any, index: Sequence[Any] = ()) -> Tensor:
    """Return the value of an argument or operation after the last of these visits, at this moment of it."""
    value, carried = _argument(visits[0], str(name)) or _result(visits, moment, name)
    if not is_tensor(value.type):
        raise Malformed(f"{name} is not a tensor", f"it is {value.type!r}")
    (where,) = index if len(index) == 1 and isinstance(index[0], tuple | list) else (index,)
    at = tuple(where)
    shape = value.type.shape
    if at and not (len(at) == len(shape) and all(0 <= i < n for i, n in zip(at, shape, strict=True))):
        raise Malformed(f"{at} is not an index of {name}", f"its shape is {shape}")
    type = TensorType((), type_at(value, at)) if at else value.type
    with np.errstate(all="ignore"):
        stored = np.asarray(NUMPY.encode(np.asarray(carried[at] if at else carried), type.storage_type))
    return Tensor(type, stored)


def _argument(start: Visit, name: str) -> tuple[Value, Any] | None:
    for value, x in zip(start.values, start.results, strict=True):
        if value.name.removeprefix("%") == name.strip().removeprefix("%"):
            return value, x
    return None


def _result(visits: Sequence[Visit], moment: int, name: Any) -> tuple[Value, Any]:
    """Return what an operation gave when it last ran; `Malformed` if it has not run yet."""
    last = visits[-1]
    done = [v for v in visits if v.named and (v is not last or moment == last.moments - 1)]
    known = {id(v.op): v.named._replace(run=None) for v in done if v.named}
    try:
        meant = find(name, list(known.values()), "operation")
    except Malformed as error:
        raise Malformed(f"{error.verdict} has run yet", f"{error.evidence}\nuntil goes to one") from None
    runs = [v for v in done if v.op is meant.op and v.named and meant.run in (None, v.named.run)]
    if not runs:
        raise Malformed(f"{name} has not run yet", f"until {name} goes there")
    wanted = str(name).rpartition("/")[2].removeprefix("%")
    names = [value.name.removeprefix("%") for value in runs[-1].values]
    k = names.index(wanted) if wanted in names else 0
    return runs[-1].values[k], runs[-1].results[k]
