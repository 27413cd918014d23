"""One moment of a run as text: the operation, its source line, the node of the tree, and the values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interp.answers.visit import Visit
from interp.engine.bodies import combining
from interp.engine.tensor import Tensor
from interp.loading.source import excerpt, decode_text
from interp.recorder.accumulator import Accumulators
from interp.recorder.activations import scopes
from interp.recorder.element import Mark, Taken
from interp.recorder.event import Event, heading, number, signature
from spec.errors import Location
from spec.ir import Module, Op

# The source around an operation: the lines of its file, or the operations of its region as MLIR


AROUND = 5  # lines before and after


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


WIDTH = 100


@dataclass(frozen=True, eq=False)
class Position:
    """One moment of a run: number `moment` of a visit, whose last moment is that of its results.

    It prints itself; if `brief`, without the operation. `reason`: the breakpoints that stopped the run here.
    """

    visit: Visit
    moment: int
    brief: bool = False
    reason: str = ""

    @property
    def op(self) -> Op | None:
        return self.visit.op

    @property
    def index(self) -> tuple[int, ...] | None:
        """Return the index of the watched result element, within a reduction."""
        return self.visit.index if self.visit.element else None

    @property
    def node(self) -> Taken | None:
        """The node that was combined last; None at an init value and outside a tree."""
        return self.visit.node(self.moment)

    @property
    def events(self) -> tuple[Event | Mark, ...]:
        return self.visit.events(self.moment)

    @property
    def accumulators(self) -> Accumulators | tuple[Tensor, ...]:
        return self.visit.accumulators(self.moment)

    @property
    def name(self) -> str:
        """The name of the operation and its run, `%4` or `@pool/%4#2`; "" at the start and at the end."""
        return str(self.visit.named or "")

    def __repr__(self) -> str:
        if self.op is None:
            return "before the first operation"
        first = [] if self.brief else [self._heading(), *source_lines(self.op)]
        values = ", ".join(dict.fromkeys([*self._result(), *map(self._explanation, self.events)]))
        reason = [self.reason] if self.reason else []
        return "\n".join([*reason, *first, *self._tree(), *([f"  {values}"] if values else [])])

    def _heading(self) -> str:
        assert self.op
        if not self.op.results:
            return "the end: " + ", ".join(value.name for value in self.visit.values)
        named = self.visit.named
        text = heading(self.op, named.qualifier, named.run or 0) if named else heading(self.op)
        if self.visit.element is None:
            return text + (", in one step" if self.visit.reduction else "")
        return f"{text}, result {self.index}"

    def _tree(self) -> list[str]:
        """Return the line `  step 2 of 16: ((init . x0) . x1) inside (init..x1 . x2), x1 = %arg0 (0, 1)`."""
        element, nodes, step = self.visit.element, self.visit.nodes, self.moment - 1
        if element is None:
            return []
        if self.node is None:
            return [f"  step 0 of {len(nodes)}: init" if self.moment == 0 else f"  result {self.index}"]
        tree = self.visit.tree
        return [f"  step {self.moment} of {len(nodes)}: {', '.join([tree.place(step), *tree.origins(step)])}"]

    def _result(self) -> list[str]:
        """Return `13 + 60 -> 127`; for an init value or a result, the stored number."""
        node, element = self.node, self.visit.element
        if element is None:
            return []
        if node is None:
            results = tuple(x[self.index].item() for x in self.visit.results)
            return [_state(element.leaves[0].after if self.moment == 0 else results)]
        inner = self._combining
        if inner is None or self.op is None:
            return [f"{_state(node.lhs)} . {_state(node.rhs)} -> {_state(node.result)}"]
        operands = (*node.lhs, *node.rhs)
        return [Event("", self.op, inner, "", None, None, operands, None, node.result[0]).explanation]

    @property
    def _combining(self) -> Op | None:
        """Return the single operation of a body on one operand, or None."""
        body = self.visit.reduction.body if self.visit.reduction else None
        if body is None or len(body.returns) > 1 or len(body.ops) > 2:
            return None
        return combining(body, 0)

    def _explanation(self, event: Event | Mark) -> str:
        if isinstance(event, Event):
            return f"{event.kind} at {event.place}: {event.explanation}"
        where = "" if event.inner is self._combining else f" in {signature(event.inner)}"
        known = event.exact is not None and event.kind != "erratum"
        return f"{event.kind}{where}" + (f" (exact {number(event.exact)})" if known else "")


def _state(state: Sequence[Any]) -> str:
    numbers = [number(x) for x in state]
    return numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"


def source_lines(op: Op) -> list[str]:
    """Return the operation's source line and a caret under it; without a source, the operation as MLIR."""
    where = op.location
    found = excerpt(source_text(where), where)
    if not found or signature(op).partition(" ")[0] not in found[0]:
        return [f"  {repr(op).splitlines()[0][:WIDTH]}"]
    return [f"  {line}" for line in found]


def source_text(where: Location) -> str:
    """Return the text of the file that a location names, or ""."""
    path = Path(where.file)
    try:
        return decode_text(path.read_bytes()) if path.is_file() else ""
    except (OSError, ValueError):
        return ""
