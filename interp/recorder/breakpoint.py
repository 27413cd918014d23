"""Breakpoints: a listener that stops a run, and the values that are known at that point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interp.backends import NUMPY, State
from interp.engine.arguments import accept_arguments, function_named
from interp.engine.evaluate import Listener, Place
from interp.engine.markup import Display
from interp.engine.tensor import Tensor
from interp.recorder.event import Event, heading
from interp.recorder.names import ALONE, Qualifier, qualifier, qualify
from interp.recorder.recorder import Recorder
from spec.ir import Func, Module, Op, Value
from spec.op_attributes import expressed_element
from spec.types import ElementType

Array = np.ndarray
_LABEL = 13  # columns


@dataclass(frozen=True, eq=False)
class Stopped(Display):
    """Point at which a run stopped: after the operation `op`, or at a node of its tree.

    `leaves` are the first and the last leaf that the node covers (of stacked nodes, the first node); leaf 0
    is the init value. `lhs`, `rhs` and `accumulator`, the node's operands and its result, have one stored
    array for each operand of the reduction, over all result elements; they are empty if `place` is None.
    `values` are the values computed so far, by name. `name` is the name of the operation.
    """

    op: Op
    place: Place | None
    lhs: tuple[Array, ...]
    rhs: tuple[Array, ...]
    accumulator: tuple[Array, ...]
    values: Mapping[str, Tensor]
    event: Event | None = None
    qualifier: Qualifier = ALONE

    @property
    def name(self) -> str:
        """The name of the operation: `%4`, `@pool/%4`."""
        return qualify(self.op.results[0].name, self.qualifier)

    @property
    def leaves(self) -> tuple[int, int] | None:
        if self.place is None:
            return None
        node = self.place.node
        return int(np.ravel(node.first)[0]), int(np.ravel(node.last)[0])

    def __repr__(self) -> str:
        where = f", leaves {self.leaves[0]}..{self.leaves[1]}" if self.leaves else ""
        lines = [f"stopped at {self.event or heading(self.op, self.qualifier) + where}"]
        for name in ("lhs", "rhs", "accumulator"):
            lines += [f"  {name:{_LABEL}}{_text(x)}" for x in getattr(self, name)]
        return "\n".join([*lines, f"  {'values':{_LABEL}}{', '.join(self.values)}"])


class Stop(Exception):
    """Exception that ends a run at a breakpoint."""

    def __init__(self, stopped: Stopped) -> None:
        super().__init__(repr(stopped))
        self.stopped = stopped


class Stopping(Listener):
    """Listener that raises `Stop` as soon as `is_due` is true.

    It is evaluated after every operation of a function and every conversion in a reduction (with the place
    None), and after every node of a fold.
    """

    def __init__(
        self, module: Module, func: Func, args: Sequence[Array], is_due: Callable[[Op, Place | None], bool]
    ) -> None:
        self.program, self.is_due = module, is_due
        self.known = [(ALONE, value, x) for value, x in zip(func.inputs, args, strict=True)]

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is None:
            home = qualifier(self.program, op)
            self.known += [(home, value, x) for value, x in zip(op.results, results, strict=True)]
            self._ask(op)

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        self._ask(op)

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        self._ask(op)

    def on_empty_window(self, op: Op, where: Array) -> None:
        self._ask(op)

    def on_node(self, place: Place, lhs: State, rhs: State, results: State) -> None:
        self._ask(place.op, place, lhs, rhs, results)

    def _ask(self, op: Op, place: Place | None = None, *states: State) -> None:
        if self.is_due(op, place):
            types = [] if place is None else accumulation_types(place)
            stored = [tuple(map(_encode, state, types)) for state in states or ((), (), ())]
            lhs, rhs, accumulator = stored
            named = qualifier(self.program, op)
            raise Stop(Stopped(op, place, lhs, rhs, accumulator, self._values(), qualifier=named))

    def _values(self) -> dict[str, Tensor]:
        return {qualify(value.name, home): _tensor(value, x) for home, value, x in self.known}


def breakpoint_on(
    kinds: frozenset[str], recorder: Recorder, module: Module, function: str, args: Sequence[Any]
) -> Stopping:
    """Return the listener that stops at an event of these kinds; the recorder must listen before it."""
    func = function_named(module, function)
    carried = [
        NUMPY.decode(x, value.type.storage_type)
        for x, value in zip(accept_arguments(func, args), func.inputs, strict=True)
    ]
    return Stopping(module, func, carried, lambda op, place: first_event(recorder, kinds) is not None)


def first_event(recorder: Recorder, kinds: frozenset[str]) -> Event | None:
    """Return the first event of some kinds, clipping at a zero point apart; None if there is none."""
    events = (group.first for group in recorder.groups.values() if group.kind in kinds)
    return next((event for event in events if not event.clips), None)


def accumulation_types(place: Place) -> list[ElementType]:
    """Return the storage types of the values that a fold combines."""
    if place.op.regions:
        arguments = place.op.regions[place.region].arguments
        return [value.type.storage_type for value in arguments[: len(arguments) // 2]]
    return [expressed_element(place.op.result.type)]


def _tensor(value: Value, x: Any) -> Tensor:
    return Tensor(value.type, _encode(x, value.type.storage_type))


def _encode(x: Any, type: ElementType) -> Array:
    return np.asarray(NUMPY.encode(x, type))


def _text(x: Array) -> str:
    return np.array2string(x, threshold=12, edgeitems=3, separator=", ", prefix=" " * (_LABEL + 2))
