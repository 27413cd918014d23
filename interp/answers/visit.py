"""Visits of a run, operation by operation, with the tree of one element of each reduction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.arguments import accept_arguments, function_named
from interp.engine.bundles import decode
from interp.engine.evaluate import Listener, Place
from interp.engine.tensor import Tensor
from interp.execute.record import Record
from interp.recorder.accumulator import Accumulators, accumulators, exact_nodes
from interp.recorder.element import Element, Mark, Taken
from interp.recorder.event import Event, Group
from interp.recorder.names import Named, function_of, qualifier
from interp.recorder.parenthesized import Parenthesized
from interp.recorder.recorded import Capture, Reduction
from interp.recorder.recorder import Recorder
from spec.accumulator import LITERAL, Reading
from spec.errors import Unsupported
from spec.ir import Func, Module, Op, Value
from spec.schedule import parse
from spec.types import is_tensor

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
