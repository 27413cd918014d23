"""Frames of a run: which call, loop or branch each visit belongs to, and the way back from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interp.answers.position import Position
from interp.answers.visit import Visit
from interp.recorder.activations import inner_regions
from interp.recorder.event import heading
from spec.ir import Module


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


@dataclass(frozen=True, eq=False)
class Backtrace:
    """The position in a run, and the calls, loops and branches around it, the innermost first."""

    position: Position
    around: tuple[Visit, ...]

    def __repr__(self) -> str:
        lines = [repr(self.position), *map(_heading, self.around)]
        return "\n".join(f"#{k}  {line}" for k, line in enumerate(lines))


def _heading(visit: Visit) -> str:
    assert visit.op
    named = visit.named
    return heading(visit.op, named.qualifier, named.run or 0) if named else heading(visit.op)
