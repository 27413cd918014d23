"""A proof held against a run: every value lies in its range, and no proved accumulation overflows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from interp.backends import State
from interp.engine.evaluate import Listener, Place
from interp.execute.run import run
from interp.questions.proving.prove import Proof, walk_forward
from interp.questions.proving.ranges import Range, has_order
from interp.questions.proving.witness import KINDS, is_overflow
from interp.recorder.recorder import Recorder
from spec.ir import Module, Op
from spec.types import TensorType


class Inside(Listener):
    """Listener that finds values outside of their ranges."""

    sees_nodes = False

    def __init__(self, ranges: Mapping[int, list[tuple[Range, ...]]]) -> None:
        self.ranges, self.outside = ranges, list[str]()

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if (
            place is None
            and id(op) in self.ranges
            and not any(holds(r, results) for r in self.ranges[id(op)])
        ):
            self.outside.append(f"{op!r}: {results} is not in {self.ranges[id(op)]}")


def holds(ranges: Sequence[Range], values: Sequence[Any]) -> bool:
    return all(
        _holds(range, np.asarray(x)) for range, x in zip(ranges, values, strict=True) if has_order(range.type)
    )


def _holds(range: Range, x: np.ndarray) -> bool:
    known = ~np.isnan(x) if x.dtype.kind == "f" else np.ones(x.shape, bool)
    least, greatest = range.full
    return bool((known | range.nan).all() and ((x >= least) & (x <= greatest) | ~known).all())


def finite(args: Sequence[np.ndarray], types: Sequence[TensorType]) -> tuple[np.ndarray, ...]:
    """Return arguments with a number in place of what is not finite: those that a proof is about."""
    found = []
    for x, type in zip(args, types, strict=True):
        if type.storage_type.kind == "float":
            with np.errstate(invalid="ignore"):
                x = np.where(np.isfinite(x.astype(np.float64)), x, np.zeros((), x.dtype))
        found.append(x)
    return tuple(found)


def around(args: Sequence[np.ndarray], types: Sequence[TensorType]) -> dict[int, Any]:
    """Return ranges of parameters, from the least to the greatest element that they have here."""
    found = {}
    for k, (x, type) in enumerate(zip(args, types, strict=True)):
        if x.size and has_order(type) and type.storage_type.name.removeprefix("u").startswith(("i", "f")):
            found[k] = tuple(
                np.full_like(x, f(x.astype(np.float64) if x.dtype.kind not in "iu" else x))
                for f in (np.min, np.max)
            )
    return found


def wrong(module: Module, args: Sequence[np.ndarray], ranges: Any, proof: Proof, **options: Any) -> list[str]:
    """Return what a run shows that contradicts a proof."""
    ranges_of = defaultdict(list)
    for step in walk_forward(module, ranges, **options).steps:
        ranges_of[id(step.op)].append(step.results)
    inside, recorder = Inside(ranges_of), Recorder(KINDS)
    run(module, *args, listeners=[inside, recorder], **options)
    proved = [row for row in proof.rows if row.verdict == "proved"]
    events = [group.first for group in recorder.groups.values()]
    overflows = [
        e for e in events for row in proved if e.op is row.judgement.op and is_overflow(e, row.judgement)
    ]
    return [*inside.outside, *(f"proved, and {event!r}" for event in overflows)]
