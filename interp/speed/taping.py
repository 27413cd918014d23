"""Runs of operations that a tape computes in one call, in place of steps in Python.

THEOREM: each operation of a tape has the bits of its kernel in the schedule `left`, without listeners (see
`taped_operations`); so the values of all operations are those of the steps. Where a run has another
schedule, or where another thread uses the tape, the steps run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY
from interp.engine.evaluate import Context
from interp.engine.prepared import Step
from interp.engine.storage import storage
from interp.speed.tape import Array, Tape, block_of, layout
from interp.speed.taped_conversions import Task
from interp.speed.taped_integers import Bounds, constant_bounds, dtype_of, result_bounds, type_bounds
from interp.speed.taped_operations import WRITE, is_taped, work
from spec.integer_reading import reads_integers
from spec.ir import Op, Value
from spec.schedule import LEFT
from spec.types import is_tensor

LEAST = 3  # operations, below which a tape does not pay
SOON = 1 << 16  # numbers computed in steps, from which on the first run makes a tape
MEMORY = 1 << 28  # bytes of the arrays of a tape


def join(steps: Sequence[Step], start: Sequence[Any], place: Mapping[str, int], kept: set[int]) -> list[Step]:
    """Return the steps of a region in which each run of operations that a tape computes is one step.

    start: the frame before anything runs, with its constants. place: of each value in the frame. kept: the
    places of values that are read after the steps.
    """
    joined: list[Step] = []
    part: list[Step] = []
    types = {place[v.name]: v.type.element_type for step in steps for v in _tensors(step.op)}
    bounds = {p: type_bounds(type) for p, type in types.items()}
    for p, x in enumerate(start):
        if x is not None and bounds.get(p) is not None and np.size(x):
            bounds[p] = constant_bounds(x)
    reads = [[place[v.name] for v in step.op.operands] + list(step.captured.values()) for step in steps]
    last = dict.fromkeys(kept, len(steps))
    for k, places in enumerate(reads):
        for p in places:
            last[p] = max(last.get(p, k), k)

    def end(k: int) -> None:
        if len(part) < LEAST or not find_spec("llvmlite"):
            joined.extend(part)
        else:
            read = {p for p, user in last.items() if user >= k}
            elements = {p: Element(types[p], bounds[p]) for p in types}
            joined.append(_one_step(part, start, place, read, elements))
        part.clear()

    for k, step in enumerate(steps):
        if not step.captured and len(_tensors(step.op)) == len(step.op.operands) + 1 == len(_values(step.op)):
            of_operands = [bounds[p] for p in reads[k]]
            result = result_bounds(step.op, of_operands)
            if is_taped(step.op, [start[p] for p in reads[k]], of_operands, result):
                bounds[step.results.start] = result
                part.append(step)
                continue
        end(k)
        joined.append(step)
    end(len(steps))
    return joined


def _tensors(op: Op) -> list[Value]:
    return [v for v in _values(op) if is_tensor(v.type)]


def _values(op: Op) -> tuple[Value, ...]:
    return (*op.operands, *op.results)


class Element(NamedTuple):
    """The type of a value's elements, and their bounds where they are integers."""

    type: Any
    bounds: Bounds | None

    @property
    def dtype(self) -> np.dtype | None:
        return dtype_of(self.type, self.bounds)

    @property
    def carrier(self) -> np.dtype:
        return np.dtype(NUMPY.carrier(storage(self.type)))


def _one_step(
    part: Sequence[Step],
    start: Sequence[Any],
    place: Mapping[str, int],
    read: set[int],
    elements: Mapping[int, Element],
) -> Step:
    first, stop = part[0].results.start, part[-1].results.stop
    own = {p for step in part for p in range(step.results.start, step.results.stop)}
    needed = {place[v.name] for step in part for v in step.op.operands}
    constants = {p for p in needed if p < len(start) and start[p] is not None}
    outside = sorted(needed - own - constants)
    shapes = {place[v.name]: v.type.shape for step in part for v in step.op.operands}
    places, read = dict(place), set(own & read)
    taped = Taped(
        tuple(part), tuple(start), places, outside, slice(first, stop), sorted(read), elements, shapes
    )
    operands = itemgetter(*outside) if len(outside) > 1 else itemgetter(slice(*_range(outside)))
    dead = sorted({p for step in part for p in step.dead})
    return Step(part[0].op, taped, False, operands, slice(first, stop), {}, dead)


def _range(places: Sequence[int]) -> tuple[int, int]:
    return (places[0], places[0] + 1) if places else (0, 0)


@dataclass(eq=False)
class Taped:
    """The kernel of a run of steps; its results are all values from the first to the last of the frame.

    outside: the places of its operands. results: where its values are, among constants. read: the places of
    those of its values that later steps read. elements: of each value.
    shapes: of the steps' operands; a body that is called with many scalars at once is left to the steps.
    """

    steps: tuple[Step, ...]
    start: tuple[Any, ...]
    place: dict[str, int]
    outside: list[int]
    results: slice
    read: list[int]
    elements: Mapping[int, Element]
    shapes: Mapping[int, tuple[int, ...]]
    plan: Plan | None = None
    runs: int = 0
    is_possible: bool = True

    def __call__(self, ctx: Context, op: Op, *operands: Array) -> list[Any]:
        usual = ctx.schedule == LEFT and ctx.contractions == "fold" and ctx.along is None
        if ctx.reading.is_integer:
            usual = usual and not any(reads_integers(step.op, ctx.reading) for step in self.steps)
        usual = usual and all(self.shapes[p] == x.shape for p, x in zip(self.outside, operands, strict=True))
        if usual and self.is_possible:
            self.runs += 1
            if self.plan is None and (self.runs > 1 or sum(work(step.op) for step in self.steps) >= SOON):
                self._make(operands)
            if self.plan is not None and (values := self.plan.run(operands)) is not None:
                return values
        return self._step_by_step(ctx, operands)

    def _make(self, operands: Sequence[Array]) -> None:
        try:
            plan = make_plan(self, operands)
        except (ImportError, AttributeError, RuntimeError, OSError):  # of another LLVM
            plan = None
        self.plan, self.is_possible = plan, plan is not None

    def _step_by_step(self, ctx: Context, operands: Sequence[Array]) -> list[Any]:
        frame = [*self.start[: self.results.stop]]
        frame += [None] * (self.results.stop - len(frame))
        for p, x in zip(self.outside, operands, strict=True):
            frame[p] = x
        for step in self.steps:
            taken = step.operands(frame)
            frame[step.results] = (
                (step.function(*taken),) if step.alone else step.function(ctx, step.op, *taken)
            )
        return frame[self.results]


@dataclass(eq=False)
class Plan:
    """A tape, the arrays that take the operands, and the results: their places, arrays and carriers."""

    tape: Tape
    inputs: list[Array]
    template: list[Any]
    outputs: list[tuple[int, Array, np.dtype]]

    def run(self, operands: Sequence[Array]) -> list[Any] | None:
        """Return the values, or None while another thread uses the tape."""
        if not self.tape.lock.acquire(blocking=False):
            return None
        try:
            for to, x in zip(self.inputs, operands, strict=True):
                to[...] = x
            self.tape.run()
            values = self.template.copy()
            for k, x, carrier in self.outputs:
                values[k] = x.astype(carrier, order="K")[()]
            return values
        finally:
            self.tape.lock.release()


def make_plan(taped: Taped, operands: Sequence[Array]) -> Plan | None:
    """Return the plan of a run of steps for operands that lie in memory like these; None if there is none."""
    tape = Tape()
    values: dict[int, Array] = {}
    constants = {p: np.asarray(x) for p, x in enumerate(taped.start) if x is not None}
    users: dict[int, set[int]] = {}  # of a block, by its identity, the places of values in it
    last = {taped.place[v.name]: k for k, step in enumerate(taped.steps) for v in step.op.operands}
    last |= dict.fromkeys(taped.read, len(taped.steps))
    elements = taped.elements
    inputs = [
        tape.array(np.shape(x), layout(np.asarray(x)), _dtype(elements[p]))
        for p, x in zip(taped.outside, operands, strict=True)
    ]
    values.update(zip(taped.outside, inputs, strict=True))
    for p, x in values.items():
        users.setdefault(id(block_of(x)), set()).add(p)
    for k, step in enumerate(taped.steps):
        places = [taped.place[v.name] for v in step.op.operands]
        known = [p in constants for p in places]
        (to,) = range(step.results.start, step.results.stop)
        if all(known) and step.alone:
            constants[to] = np.asarray(step.function(*(constants[p][()] for p in places)))
            tape.keep.append(constants[to])
            continue
        arrays = [_constant(constants[p], elements[p]) if p in constants else values[p] for p in places]
        tape.keep += [x for x, is_constant in zip(arrays, known, strict=True) if is_constant]
        bounds = [elements[p].bounds for p in places]
        task = Task(step.op, arrays, known, step.function, _dtype(elements[to]), bounds)
        out = WRITE[step.op.name](tape, task)
        if tape.bytes > MEMORY:
            return None
        values[to] = out
        if (block := block_of(out)) is not None:
            users.setdefault(id(block), set()).add(to)
        for p in {*places, to}:
            if p in values and last.get(p, k) <= k and (block := block_of(values[p])) is not None:
                users[id(block)].discard(p)
                if not users[id(block)]:
                    tape.release(block)
        for block in tape.passing:
            tape.release(block)
        tape.passing.clear()
    tape.finish()
    template = [constants.get(p) for p in range(taped.results.start, taped.results.stop)]
    outputs = [(p - taped.results.start, values[p], elements[p].carrier) for p in taped.read if p in values]
    return Plan(tape, inputs, template, outputs)


def _dtype(element: Element) -> np.dtype:
    """Return the dtype in which a tape keeps what is on it."""
    assert element.dtype is not None, "elements that a tape does not keep"
    return element.dtype


def _constant(x: Array, element: Element) -> Array:
    """Return a constant as the tape keeps it, or as it is where that is not for the tape."""
    return x if element.dtype is None else x.astype(element.dtype, copy=False)
