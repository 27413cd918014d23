"""Witnesses: arguments with which an accumulation overflows, seen in a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.evaluate import Place
from interp.engine.fold import NOTHING, Sums, Tally
from interp.engine.work import Covered, Work
from interp.execute.run import run
from interp.questions.proving.backward import arguments
from interp.questions.proving.contractions import MULTIPLY, continues
from interp.questions.proving.forward import Step
from interp.questions.proving.judgement import Judgement
from interp.questions.proving.ranges import Range, has_order
from interp.recorder.event import Event
from interp.recorder.recorder import Recorder
from spec.errors import InterpError, Unsupported
from spec.ir import Module, Op
from spec.types import TOKEN

KINDS = ("saturate", "wrap", "inf", "nan")
LONGEST = 1 << 16  # operations of a run, beyond which a loop may go on for as long as a parameter says


@dataclass(frozen=True, eq=False)
class Witness:
    """Arguments, as stored elements, and the first overflow that a run of them shows in the accumulation."""

    args: tuple[Array, ...]
    event: Event

    def __repr__(self) -> str:
        return f"{self.event.kind} at {self.event.place}: {self.event.explanation}"


class Looking(Recorder):
    """Recorder of overflows at some operations; all others run as if nobody listened."""

    def __init__(self, ops: Sequence[Op]) -> None:
        super().__init__(KINDS)
        self.ops, self.seen = {id(op) for op in ops}, 0

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        self.seen += place is None
        if self.seen > LONGEST:
            raise Unsupported(f"more than {LONGEST} operations")
        if id(op if place is None else place.op) in self.ops:
            super().on_op(op, operands, results, place)

    def on_node(self, place: Place, lhs: State, rhs: State, results: State) -> None:
        if id(place.op) in self.ops:
            super().on_node(place, lhs, rhs, results)

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        if id(op) in self.ops:
            super().on_result(op, result, before, after)

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        """Pass over leaves: they overflow before they are summed."""

    def on_leaves(self, op: Op, operand: int, before: Array) -> None:
        """Pass over leaves."""

    def on_precision(self, op: Op, operand: int, before: Array, after: Array) -> None:
        """Pass over rounded operands."""

    def tally(self, op: Op) -> Tally | None:
        return super().tally(op) if id(op) in self.ops else NOTHING

    def sums(self, op: Op) -> Sums | None:
        return super().sums(op) if id(op) in self.ops else Sums(frozenset())


class Search:
    """Search for witnesses against judgements; a run for one of them looks at all that are still open.

    left: how many runs may still be made; `made` counts those that were. `refused`: why none may. `is_late`:
    whether the deadline of `work` kept one from being made.
    """

    def __init__(
        self,
        module: Module,
        steps: Sequence[Step],
        given: Sequence[Range],
        options: dict[str, Any],
        left: int,
        work: Work | None = None,
    ) -> None:
        self.work, self.is_late = work or Work(), False
        self.module, self.steps, self.given, self.options = module, steps, given, options
        self.left, self.made, self.refused = left, 0, ""
        self.found: dict[int, Witness] = {}  # by the identity of a judgement

    def search(self, judgements: Sequence[Judgement]) -> None:
        """Try guesses for each judgement, then arguments that are all great or all small."""
        if other := next((x.type for x in self.given if not (x.type == TOKEN or has_order(x.type))), None):
            self.refused = f"no witness is looked for, as a parameter is a {other!r}"
            return
        for k, judgement in enumerate(judgements):
            for args in () if id(judgement) in self.found else self._guesses(judgement):
                self.work.tell("runs of possible witnesses", k, len(judgements))
                self._try(args, judgements)
                if id(judgement) in self.found:
                    break
        for end in ("greatest", "least"):
            if any(id(judgement) not in self.found for judgement in judgements):
                self._try([self._all(x, getattr(x, end)) for x in self.given], judgements)
        done = len(self.found) if self.is_late else len(judgements)
        self.work.covered.append(Covered("searches for a witness", done, len(judgements)))

    def _all(self, x: Range, end: Array) -> Any:
        if x.type == TOKEN:
            return ()
        return NUMPY.encode(np.array(np.broadcast_to(end, x.type.shape)), x.type.storage_type)

    def _guesses(self, judgement: Judgement) -> Iterator[list[Array]]:
        """Yield arguments that may overflow, the likelier first."""
        target = next((step for step in reversed(self.steps) if step.op is judgement.op), None)
        if target is not None and judgement.beyond:
            index, side = judgement.beyond
            for wanted in (side, -side):
                yield arguments(self.steps, target, judgement.result, index, wanted, self.given)

    def _try(self, args: list[Array], judgements: Sequence[Judgement]) -> None:
        """Run a guess, and keep it for every open judgement that it refutes."""
        if self.made == self.left or self.is_late:
            return
        if self.work.is_over:
            self.is_late = True
            return
        self.made += 1
        still = [judgement for judgement in judgements if id(judgement) not in self.found]
        looking = Looking([judgement.op for judgement in still])
        try:
            run(self.module, *args, listeners=[looking], **self.options)
        except InterpError:
            return
        for judgement in still:
            if event := overflow(looking, judgement):
                self.found[id(judgement)] = Witness(tuple(args), event)


def overflow(recorder: Recorder, judgement: Judgement) -> Event | None:
    """Return the first event of a run that is an overflow of a judged accumulator."""
    for group in recorder.groups.values():
        if group.first.op is judgement.op and is_overflow(group.first, judgement):
            return group.first
    return None


def is_overflow(event: Event, judgement: Judgement) -> bool:
    """Return whether an event is one of a partial sum, or of a result that is the accumulator itself."""
    if event.op.name == MULTIPLY or continues(event.op):  # a result that saturates is no overflow
        return event.kind == "wrap"
    if event.leaves is not None:
        return event.kind in KINDS and judgement.inner in (None, event.inner)
    is_result = event.op.results[0].type.element_type is judgement.type and not event.op.regions
    return is_result and event.kind == "saturate"
