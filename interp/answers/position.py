"""Positions of a run that is stepped through: its visits to operations, and the values to print at each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.arguments import accept_arguments, decode, function_named
from interp.engine.bodies import combining
from interp.engine.evaluate import Listener, Place
from interp.engine.markup import Display
from interp.engine.tensor import Tensor
from interp.execute.record import Record
from interp.loading.source import decode_text, excerpt
from interp.recorder.accumulator import Accumulators, accumulators, exact_nodes
from interp.recorder.element import Element, Mark, Parenthesized, Taken
from interp.recorder.event import Event, Group, heading, number, signature
from interp.recorder.layers import function_of
from interp.recorder.names import Named, qualifier
from interp.recorder.origins import scopes
from interp.recorder.recorded import Capture, Reduction
from interp.recorder.recorder import Recorder
from spec.accumulator import LITERAL, Reading
from spec.errors import Location, Unsupported
from spec.ir import Func, Module, Op, Value
from spec.schedule import parse
from spec.types import is_tensor

# Visits of a run, operation by operation, with the tree of one element of each reduction.

Index = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Visit:
    """One visit of a run to an operation (None: before the first): one moment or, for a reduction, several.

    These are its init value, each node of the tree of the element `index`, and its results. `before` and
    `after` are the events outside the tree. `named` has the name and the run of an operation with results.
    """

    op: Op | None
    values: tuple[Value, ...]
    results: State
    before: tuple[Event, ...] = ()
    after: tuple[Event, ...] = ()
    reduction: Reduction | None = None
    index: Index = ()
    named: Named | None = None

    @cached_property
    def _replay(self) -> tuple[Element | None, tuple[Taken, ...]]:
        if self.reduction is None or not self.reduction.size:
            return None, ()
        try:
            element = self.reduction.element(self.index)
            return element, element.replay()
        except Unsupported:  # it stays one moment
            return None, ()

    @property
    def element(self) -> Element | None:
        """The watched element; None if the operation reduces nothing leaf by leaf."""
        return self._replay[0]

    @property
    def nodes(self) -> tuple[Taken, ...]:
        return self._replay[1]

    @property
    def moments(self) -> int:
        return len(self.nodes) + 2 if self.element else 1

    def node(self, moment: int) -> Taken | None:
        """Return the node at a moment; None for the init value, and for the results."""
        return self.nodes[moment - 1] if 0 < moment < self.moments - 1 else None

    def events(self, moment: int) -> tuple[Event | Mark, ...]:
        node = self.node(moment)
        if node:
            return node.marks
        first, last = moment == 0, moment == self.moments - 1
        return (*(self.before if first else ()), *(self.after if last else ()))

    @cached_property
    def tree(self) -> Parenthesized:
        assert self.element
        return Parenthesized(self.element, self.nodes)

    @cached_property
    def _exact(self) -> list[tuple[Any, ...]]:
        assert self.element
        return exact_nodes(self.element, self.nodes)

    def accumulators(self, moment: int) -> Accumulators | tuple[Tensor, ...]:
        """Return the watched element's accumulators while it is reduced, else the results."""
        if self.element is None or moment == self.moments - 1:
            pairs = zip(self.values, self.results, strict=True)
            return tuple(_tensor(value, x) for value, x in pairs if is_tensor(value.type))
        node, leaves = self.node(moment), self.element.leaves
        state = node.result if node else leaves[0].after
        exact = self._exact[len(leaves) + moment - 1 if node else 0]
        return accumulators(self.element.reduction.types, state, exact)


def _tensor(value: Value, carried: Array) -> Tensor:
    with np.errstate(all="ignore"):
        return Tensor(value.type, np.asarray(NUMPY.encode(carried, value.type.storage_type)))


class Visits(Listener):
    """Listener that keeps the results of every operation outside bodies."""

    def __init__(self, module: Module) -> None:
        self.module, self.found = module, list[Visit]()
        self.runs = Counter[int]()  # of each operation, by its identity
        self.reading = LITERAL
        self._renew()

    def on_reading(self, reading: Reading) -> None:
        self.reading = reading
        self._renew()

    def _renew(self) -> None:
        self.before, self.after = Recorder(), Recorder()
        for recorder in (self.before, self.after):
            recorder.on_reading(self.reading)

    def _name(self, op: Op) -> Named:
        self.runs[id(op)] += 1
        function = function_of(self.module, op)
        return Named(op, function, qualifier(self.module, op), self.runs[id(op)] - 1)

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        self.before.on_convert(op, operand, before, after)

    def on_precision(self, op: Op, operand: int, before: Array, after: Array) -> None:
        self.before.on_precision(op, operand, before, after)

    def on_empty_window(self, op: Op, where: Array) -> None:
        self.before.on_empty_window(op, where)

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        self.after.on_result(op, result, before, after)

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is None:
            self.after.on_op(op, operands, results, place)
            before, after = (tuple(g.first for g in r.groups.values()) for r in (self.before, self.after))
            named = self._name(op) if op.results else None
            self.found.append(Visit(op, op.results, results, before, after, named=named))
            self._renew()


def visits(of: Record) -> tuple[Visit, ...]:
    """Return the visits of a run: before the first operation, at each operation that ran, and at the return.

    In a reduction the element with the first event is watched.
    """
    schedule = parse(of.options.get("schedule", "left"))
    kept, capture = Visits(of.module), Capture(of.module, schedule)
    results = of.again(kept, capture)
    func = function_named(of.module, of.options.get("function", "main"))
    args = zip(accept_arguments(func, of.args), func.inputs, strict=True)
    start = Visit(None, func.inputs, tuple(decode(NUMPY, x, v.type) for x, v in args))
    ran = (_attach_reduction(visit, capture.found, of.groups) for visit in kept.found)
    return (start, *ran, _return_visit(func, results))


def _attach_reduction(visit: Visit, found: list[Reduction], groups: Sequence[Group]) -> Visit:
    """Attach the operation's next recorded reduction, if any; remove it and those before it from `found`."""
    if visit.op is None or not visit.results:
        return visit
    made = set(map(id, visit.op.results))
    of_op = [k for k, each in enumerate(found) if id(each.written.results[0]) in made]
    if not of_op:
        return visit
    ran = found[of_op[0]]
    last = max(k for k in of_op if found[k].run == ran.run)  # a collective has one for each operand
    del found[: last + 1]
    index = next(_eventful(ran.written, groups), (0,) * len(ran.shape))
    return replace(visit, reduction=ran, index=index)


def _eventful(op: Op, groups: Sequence[Group]) -> Iterator[Index]:
    """Return the elements whose trees have events."""
    for group in groups:
        event = group.first
        if event.op is op and event.leaves and event.what == "result" and event.index is not None:
            yield event.index


def _return_visit(func: Func, results: Sequence[Tensor]) -> Visit:
    end = func.body.ops[-1]
    return Visit(end, end.operands, tuple(map(_carrier, results)))


def _carrier(result: Any) -> Any:
    """Return the carrier of a result; of a token or a tuple those of its values."""
    if isinstance(result, tuple):
        return tuple(map(_carrier, result))
    return NUMPY.decode(result.storage, result.type.storage_type)


# The source around an operation: the lines of its file, or the operations of its region as MLIR


AROUND = 5  # lines before and after


@dataclass(frozen=True)
class Listing(Display):
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
class Position(Display):
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

    @property
    def title(self) -> str:
        """The name with that of the layer: `conv2 (%4)`."""
        return self.visit.named.title if self.visit.named else ""

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
            return [f"{' . '.join(map(_state, node.entries))} -> {_state(node.result)}"]
        operands = tuple(x for state in node.entries for x in state)
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
