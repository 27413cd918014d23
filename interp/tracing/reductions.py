"""The reductions of a run: what each folded into every element of its results, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from interp.closed import Form, only_op
from interp.evaluate import Context, Listener, Place
from interp.fold import Leaves
from interp.namespace import NUMPY, Array, State
from interp.ops import reduction, selection, windowing
from interp.quant import Type, to_destination_type
from interp.run import run
from interp.tracing.element import Element, element
from interp.tracing.events import named
from interp.tracing.part import Part
from spec.errors import Malformed
from spec.ir import Module, Op, Region, Value
from spec.schedule import Schedule, parse
from spec.types import TensorType, integer

if TYPE_CHECKING:
    from interp.trace import Trace

PADDING = -1  # its origin


@dataclass(frozen=True, eq=False)
class Reduction:
    """One run of one reduction. `operands` are carriers before, and `init` after the conversion.

    `accumulators` are what the folds gave, `results` these in the types of the results. `parts` hold the
    leaves: one part for all elements, or several where elements have leaves of their own number.
    """

    op: Op
    module: Module
    schedule: Schedule
    operands: State
    init: State
    parts: tuple[Part, ...]
    accumulators: State
    results: State

    @property
    def name(self) -> str:
        return self.op.results[0].name

    @property
    def body(self) -> Region:
        """What combines: of a select_and_scatter its `scatter`."""
        return self.op.regions[-1]

    @property
    def types(self) -> tuple[Type, ...]:
        """The accumulation type of each operand."""
        return tuple(value.type.element_type for value in self.body.returns)

    @property
    def inputs(self) -> tuple[Value, ...]:
        """What is reduced: of a select_and_scatter its `source`."""
        first = len(self.op.operands) - 2 * len(self.op.results)
        return self.op.operands[first : first + len(self.op.results)]

    @property
    def init_values(self) -> tuple[Value, ...]:
        return self.op.operands[-len(self.op.results) :]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.op.results[0].type.shape

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def n(self) -> int:
        """The most leaves of an element, without the init."""
        return max((part.n for part in self.parts), default=0)

    @property
    def is_sum(self) -> bool:
        """Whether the body is one `add` on one operand and one type."""
        return only_op(self.body) == "add"

    @property
    def before(self) -> State:
        """The inputs before their conversion."""
        return self.operands[-2 * len(self.inputs) : -len(self.inputs)]

    @property
    def init_before(self) -> State:
        return self.operands[-len(self.inputs) :]

    def __getstate__(self) -> Any:
        raise TypeError("a reduction cannot be pickled, its leaves are functions: pickle the trace")

    def blocks(self, k: int = 0) -> Iterator[tuple[Array, Array, Array | None]]:
        """`(columns, leaves, present)` for one block of leaves after the other: see `Part.blocks`."""
        for part in self.parts:
            for values, present in part.blocks(k):
                yield part.columns, values, present

    @cached_property
    def origins(self) -> tuple[Part, ...]:
        """Like `parts`, the leaves being flat indices of the inputs, or `PADDING`."""
        shape = self.inputs[0].type.shape
        index = np.arange(prod(shape)).reshape(shape)
        padding = np.asarray(PADDING)
        part = self.parts[0]
        if self.op.name == "stablehlo.reduce":
            return (part._replace(leaves=reduction.slices(NUMPY, self.op, (index,))),)
        if self.op.name == "stablehlo.reduce_window":
            return (part._replace(leaves=windowing.windowed(NUMPY, self.op, (index,), (padding,))),)
        capture = Capture(self.module, self.schedule)
        ctx = Context(NUMPY, self.module, self.schedule, (capture,))
        with np.errstate(all="ignore"):
            selection.select_and_scatter(ctx, of_indices(self.op), self.operands[0], index, padding)
        return tuple(capture.parts)

    def element(self, index: tuple[int, ...] | int) -> Element:
        """The leaves of one result element."""
        return element(self, self.checked(index))

    def checked(self, index: tuple[int, ...] | int) -> tuple[int, ...]:
        """An index of the result, or `Malformed`."""
        given = tuple(index) if isinstance(index, tuple | list) else (index,)
        fits = len(given) == len(self.shape) and all(
            isinstance(i, int | np.integer) and 0 <= i < size
            for i, size in zip(given, self.shape, strict=True)
        )
        if not fits:
            raise Malformed(f"{index!r} is no index of {self.name}", f"its shape is {self.shape}")
        return tuple(map(int, given))


def of_indices(op: Op) -> Op:
    """A select_and_scatter of the same windows, of the indices of its source; of two it keeps the first."""
    index = integer(64, True)
    operand, source, init = op.operands
    source, init, result = (
        Value(value.name, TensorType(value.type.shape, index)) for value in (source, init, op.result)
    )
    lhs, rhs = (Value(name, TensorType((), index)) for name in ("%lhs", "%rhs"))
    first = Region((lhs, rhs), (Op("stablehlo.return", (lhs,), ()),))
    return replace(op, operands=(operand, source, init), results=(result,), regions=(op.regions[0], first))


class Capture(Listener):
    """Keeps what the reductions of a run fold, or would but for a closed form. One inside of another's body
    is part of that."""

    def __init__(self, module: Module, schedule: Schedule) -> None:
        self.module, self.schedule = module, schedule
        self.found: list[Reduction] = []
        self.running: Op | None = None
        self.converted: list[Array] = []
        self.parts: list[Part] = []
        self.accumulators: list[Array] = []

    def instead(self, form: Form) -> Form | None:
        return form

    def on_leaves(self, op: Op, operand: int, before: Array) -> None:
        types = (values[operand].type.element_type for values in (op.operands, op.regions[-1].arguments))
        leaves = to_destination_type(NUMPY, before, *types)
        self.on_convert(op, operand, before, leaves)
        self.on_fold(op, 0, None, reduction.slices(NUMPY, op, (leaves,)), None)

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        if self.running is None:
            self.running, self.converted, self.parts, self.accumulators = op, [], [], []
        if self.running is op:
            self.converted.append(after)

    def on_fold(self, op: Op, region: int, init: State | None, leaves: Leaves, columns: Array | None) -> None:
        if self.running is op and region == len(op.regions) - 1:
            everywhere = np.arange(op.results[0].type.size)
            self.parts.append(Part(leaves, everywhere if columns is None else columns))

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        if self.running is op:
            self.accumulators.append(before)

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if self.running is op:
            init, parts = tuple(self.converted[-len(results) :]), tuple(self.parts)
            known = op, self.module, self.schedule, operands, init, parts, tuple(self.accumulators), results
            self.found.append(Reduction(*known))
            self.running = None


def reductions(trace: Trace) -> Mapping[str, Reduction]:
    """Every reduction of a run by the name of its first result; one that runs again is `%4#2`, `%4#3`."""
    schedule = parse(trace.options.get("schedule", "left"))
    capture = Capture(trace.module, schedule)
    run(trace.module, *trace.args, **{**trace.options, "listeners": (capture,)})
    names = [reduction.name for reduction in capture.found]
    again = [names[:k].count(name) for k, name in enumerate(names)]
    keys = [f"{name}#{n + 1}" if n else name for name, n in zip(names, again, strict=True)]
    return dict(zip(keys, capture.found, strict=True))


def chosen(trace: Trace, name: str | int | None) -> Reduction:
    """The reduction of that name; None: the only one, or that with the first event."""
    known = trace.reductions
    if name is None:
        return _only(trace)
    key = named(name)
    if key not in known:
        raise Malformed(f"no reduction {name!r} ran", f"reductions: {', '.join(known) or 'none'}")
    return known[key]


def _only(trace: Trace) -> Reduction:
    known = trace.reductions
    if len(known) == 1:
        return next(iter(known.values()))
    for group in trace.groups:
        runs = [reduction for reduction in known.values() if reduction.op is group.first.op]
        if group.run < len(runs):
            return runs[group.run]
    evidence = f"name one of {', '.join(known)}" if known else "there is none"
    raise Malformed("no reduction to speak of", evidence)
