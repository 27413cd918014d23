"""Witnesses: arguments with which an accumulation overflows, seen in a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array
from interp.events.event import Event
from interp.events.recorder import Recorder
from interp.execute.run import run
from interp.proving.backward import arguments
from interp.proving.forward import Step
from interp.proving.judgement import Judgement
from interp.proving.ranges import Range, has_order
from spec.errors import InterpError
from spec.ir import Module

KINDS = ("saturate", "wrap", "inf", "nan")


@dataclass(frozen=True, eq=False)
class Witness:
    """Arguments, as stored elements, and the first overflow that a run of them shows in the accumulation."""

    args: tuple[Array, ...]
    event: Event

    def __repr__(self) -> str:
        return f"{self.event.kind} at {self.event.place}: {self.event.explanation}"


def witness(
    module: Module,
    judgement: Judgement,
    steps: Sequence[Step],
    given: Sequence[Range],
    options: dict[str, Any],
) -> Witness | None:
    """Return a witness that a run has confirmed, or None if no guess overflows."""
    for args in guesses(judgement, steps, given):
        recorder = Recorder(KINDS)
        try:
            run(module, *args, listeners=[recorder], **options)
        except InterpError:
            continue
        if event := overflow(recorder, judgement):
            return Witness(tuple(args), event)
    return None


def guesses(judgement: Judgement, steps: Sequence[Step], given: Sequence[Range]) -> Iterator[list[Array]]:
    """Yield arguments that may overflow, the likeliest first."""
    if not all(has_order(x.type) for x in given):
        return
    target = next((step for step in reversed(steps) if step.op is judgement.op), None)
    if target is not None and judgement.beyond:
        index, side = judgement.beyond
        for wanted in (side, -side):
            yield arguments(steps, target, index, wanted, given)
    for end in ("greatest", "least"):
        yield [
            NUMPY.encode(np.array(np.broadcast_to(getattr(x, end), x.type.shape)), x.type.storage_type)
            for x in given
        ]


def overflow(recorder: Recorder, judgement: Judgement) -> Event | None:
    """Return the first event of a run that is an overflow of a judged accumulator."""
    for group in recorder.groups.values():
        if group.first.op is judgement.op and is_overflow(group.first, judgement):
            return group.first
    return None


def is_overflow(event: Event, judgement: Judgement) -> bool:
    """Return whether an event is one of a partial sum, or of a result that is the accumulator itself."""
    if event.leaves is not None:
        return event.kind in KINDS and judgement.inner in (None, event.inner)
    is_result = event.op.results[0].type.element_type is judgement.type and not event.op.regions
    return is_result and event.kind == "saturate"
