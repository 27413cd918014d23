"""Reports of the events that a compiled program counted: an error, or checks of checkify."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from interp.backends import State
from interp.execute.checks import COUNT, INDEX, WHAT, Slot
from interp.recorder.event import heading
from interp.recorder.names import qualifier
from spec.errors import UNKNOWN, Finding, Location
from spec.ir import Module

MOST = 2**31 - 1  # what a check of checkify counts to: without 64-bit types JAX has no greater numbers


class Counted(NamedTuple):
    """Place of one kind of event at one operation in the counts of a slot."""

    slot: Slot
    named: int
    kind: int
    module: Module

    @property
    def location(self) -> Location:
        return self.slot.named[self.named].location

    @property
    def heading(self) -> str:
        """The operation and the kind: `model.mlir:12:8 uniform_quantize %q: saturate`."""
        op = self.slot.named[self.named]
        return f"{heading(op, qualifier(self.module, op))}: {self.slot.kinds[self.kind]}"

    def text(self, row: Sequence[Any]) -> str:
        """Return the line `model.mlir:12:8 add %q: saturate x 3, first at result (0, 2)` of counts."""
        what, rank = self.slot.places[int(row[WHAT])]
        index = "" if rank is None else f" {tuple(int(i) for i in row[INDEX : INDEX + rank])}"
        return f"{self.heading} x {int(row[COUNT]):,}, first at {what}{index}"

    def messages(self) -> Iterator[tuple[int, str, int]]:
        """Yield, for each tensor that the first event can be in, its number, checkify's message, its rank."""
        for number, (what, rank) in enumerate(self.slot.places):
            numbers = ", ".join(f"{{i{d}}}" for d in range(rank or 0))
            index = "" if rank is None else f" ({numbers}{',' * (rank == 1)})"
            head = self.heading.replace("{", "{{").replace("}", "}}")
            yield number, f"{head} x {{n}}, first at {what}{index}", rank or 0


def enumerate_counts(module: Module, slots: Sequence[Slot]) -> Iterator[tuple[int, Counted]]:
    """Yield every count, with the number of its slot, in program order."""
    for k, slot in enumerate(slots):
        for named in range(len(slot.named)):
            for kind in range(len(slot.kinds)):
                yield k, Counted(slot, named, kind, module)


def report(jax: Any, module: Module, slots: Sequence[Slot], counts: State) -> None:
    """Raise a `Finding` if there were events; where these are traced, leave that to checkify's checks."""
    if any(isinstance(x, jax.core.Tracer) for x in counts):
        with jax.enable_x64(True):
            held = [jax.numpy.minimum(x, MOST).astype(np.int32) for x in counts]
        _check(module, slots, held)
    elif error := finding(module, slots, [np.asarray(x) for x in counts]):
        raise error


def finding(module: Module, slots: Sequence[Slot], counts: Sequence[np.ndarray]) -> Finding | None:
    """Return the error for all events, a line for each operation and kind; None if there were none."""
    totals, lines, where = Counter[str](), list[str](), UNKNOWN
    for k, each in enumerate_counts(module, slots):
        row = counts[k][each.named, each.kind]
        if row[COUNT]:
            totals[each.slot.kinds[each.kind]] += int(row[COUNT])
            where = where if lines else each.location
            lines.append(each.text(row))
    if not lines:
        return None
    return Finding(", ".join(f"{kind} x {n:,}" for kind, n in totals.items()), "\n".join(lines), where)


def _check(module: Module, slots: Sequence[Slot], counts: Sequence[Any]) -> None:
    """Check every count with checkify, the operations in program order: the first that fails is reported."""
    from jax.experimental import checkify

    for k, each in enumerate_counts(module, slots):
        row = counts[k][each.named, each.kind]
        for number, message, rank in each.messages():
            index = {f"i{d}": row[INDEX + d] for d in range(rank)}
            fine = (row[COUNT] == 0) | (row[WHAT] != number)
            checkify.check(fine, message, n=row[COUNT], **index)
