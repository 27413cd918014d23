"""The source around an operation: the lines of its file, or the operations of its region as MLIR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interp.answers.position import source_text
from interp.recorder.activations import scopes
from spec.ir import Module, Op

AROUND = 5  # lines before and after
WIDTH = 100


@dataclass(frozen=True)
class Listing:
    """Numbered lines of a program; an arrow points to number `marked`."""

    lines: tuple[str, ...]
    first: int
    marked: int

    def __repr__(self) -> str:
        width = len(str(self.first + len(self.lines) - 1))
        numbered = enumerate(self.lines, self.first)
        return "\n".join(f"{'->' if n == self.marked else '  '} {n:{width}}  {x}" for n, x in numbered)


def listing(module: Module, op: Op) -> Listing:
    """Return the source lines around an operation; without a source file, the operations around it."""
    text, line = source_text(op.location).splitlines(), op.location.line
    if 0 < line <= len(text):
        return _around(text, line)
    ops = scopes(module).of_op[id(op)].region.ops
    at = next(k for k, other in enumerate(ops) if other is op)
    return _around([repr(other).splitlines()[0] for other in ops], at + 1)


def _around(lines: Sequence[str], marked: int) -> Listing:
    first = max(1, marked - AROUND)
    return Listing(tuple(line[:WIDTH] for line in lines[first - 1 : marked + AROUND]), first, marked)
