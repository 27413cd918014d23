"""Plan of a tape: its instructions, written step by step, loops included, and the places of its values.

A block of memory is used again as soon as no value lies in it that is read later. The blocks of what a loop
carries, and of what its regions capture, stay as they are until the loop has ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from interp.engine.prepared import Step
from interp.speed.tape import (
    Array,
    Tape,
    address,
    block_of,
    keep_as,
    layout,
    write_copy,
    write_elementwise,
)
from interp.speed.taped_conversions import Task
from interp.speed.taped_integers import Element
from interp.speed.taped_loops import Frame, Loop, Part
from interp.speed.taped_operations import WRITE
from spec.ir import reads

MEMORY = 1 << 28  # bytes of the arrays of a tape
CAPTURED = -1  # in place of a place: a value of the frame around


class Full(Exception):
    """The arrays of a tape would take too much memory."""


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


def make_plan(
    frame: Frame,
    steps: Sequence[Step],
    outside: Sequence[int],
    read: Sequence[int],
    operands: Sequence[Array],
) -> Plan | None:
    """Return the plan of a run of steps for operands that lie in memory like these; None if there is none.

    outside: the places of the operands. read: the places of those results that later steps read.
    """
    tape = Tape()
    writer = Writer(tape, frame)
    writer.constants |= {p: np.asarray(x) for p, x in enumerate(frame.start) if x is not None}
    inputs = [
        tape.array(np.shape(x), layout(np.asarray(x)), _dtype(writer.elements[p]))
        for p, x in zip(outside, operands, strict=True)
    ]
    for p, x in zip(outside, inputs, strict=True):
        writer.place(p, x)
    try:
        writer.write(steps, read)
    except Full:
        return None
    tape.finish()
    first, stop = steps[0].results.start, steps[-1].results.stop
    template = [writer.constants.get(p) for p in range(first, stop)]
    outputs = [(p - first, writer.values[p], writer.elements[p].carrier) for p in read if p in writer.values]
    return Plan(tape, inputs, template, outputs)


@dataclass(eq=False)
class Writer:
    """Writer of the steps of a frame. users: of a block, by its identity, the places of values in it."""

    tape: Tape
    frame: Frame
    constants: dict[int, Array] = field(default_factory=dict)
    values: dict[int, Array] = field(default_factory=dict)
    users: dict[int, set[int]] = field(default_factory=dict)
    blocks: dict[int, Array] = field(default_factory=dict)
    elements: Mapping[int, Element] = field(init=False)

    def __post_init__(self) -> None:
        self.elements = self.frame.elements

    def place(self, p: int, x: Array, user: int | None = None) -> None:
        """Note where a value lies, and who uses it: its own place unless another is given."""
        self.values[p] = x
        if (block := block_of(x)) is not None:
            self.blocks[id(block)] = block
            self.users.setdefault(id(block), set()).add(p if user is None else user)

    def array(self, p: int) -> Array:
        """Return a value, or a constant as the tape keeps it, or as it is where that is not for the tape."""
        if p not in self.constants:
            return self.values[p]
        dtype, x = self.elements[p].dtype, self.constants[p]
        self.tape.keep.append(x if dtype is None else x.astype(dtype, copy=False))
        return self.tape.keep[-1]

    def write(self, steps: Sequence[Step], read: Sequence[int]) -> None:
        """Write steps, of which these results are read later."""
        places = [self.frame.places(reads(step.op)) for step in steps]
        last = {p: k for k, each in enumerate(places) for p in each} | dict.fromkeys(read, len(steps))
        for k, step in enumerate(steps):
            ends = [p for p in places[k] if last[p] <= k]
            self._write(step, ends)
            if self.tape.bytes > MEMORY:
                raise Full
            for p in {*ends, *(p for p in range(step.results.start, step.results.stop) if p not in last)}:
                self._end(p)
            self._pass()

    def _write(self, step: Step, ends: Sequence[int]) -> None:
        to, places = step.results.start, self.frame.places(step.op.operands)
        if to in self.frame.loops:
            write_loop(self, step, self.frame.loops[to])
            return
        known = [p in self.constants for p in places]
        if all(known) and step.alone:
            self.constants[to] = np.asarray(step.function(*(self.constants[p][()] for p in places)))
            self.constants[to].flags.writeable = False  # so that a result of the program is a copy
            self.tape.keep.append(self.constants[to])
            return
        bounds = [self.elements[p].bounds for p in places]
        arrays = [self.array(p) for p in places]
        spare = self._is_spare(places[0], ends) if places else False
        dtype = _dtype(self.elements[to])
        self.place(
            to,
            WRITE[step.op.name](self.tape, Task(step.op, arrays, known, step.function, dtype, bounds, spare)),
        )

    def _is_spare(self, p: int, ends: Sequence[int]) -> bool:
        """Return whether the array of a value may be written to, as nothing else reads its block any more."""
        block = None if p in self.constants else block_of(self.values[p])
        last = block is not None and p in ends and self.users[id(block)] == {p}
        return last and id(block) not in self.tape.lasting

    def _end(self, p: int) -> None:
        block = block_of(self.values[p]) if p in self.values else None
        if block is not None:
            self.users[id(block)].discard(p)
            if not self.users[id(block)]:
                self.tape.release(block)

    def _pass(self) -> None:
        for block in self.tape.passing:
            self.tape.release(block)
        self.tape.passing.clear()

    def write_part(self, part: Part, loop: Loop, states: Sequence[Array]) -> tuple[Writer, list[Array]]:
        """Write a region of a loop; return its writer and what it returns."""
        inner = Writer(self.tape, part.frame)
        inner.constants |= {p: np.asarray(x) for p, x in enumerate(part.frame.start) if x is not None}
        for p, outer in enumerate(part.around):
            if outer in self.constants:
                inner.constants[p] = self.constants[outer]
            else:
                inner.place(p, self.values[outer], CAPTURED)
        for k, (p, x) in enumerate(zip(part.arguments, states, strict=True)):
            if p not in inner.constants:
                inner.place(p, x, CAPTURED if k in loop.passed else None)
        inner.write(part.steps, part.returned)
        return inner, [inner.array(p) for p in part.returned]

    def release(self) -> None:
        """Let all blocks be used again that values of this frame still lie in."""
        for key, users in self.users.items():
            if users and CAPTURED not in users:
                self.tape.release(self.blocks[key])


def write_loop(writer: Writer, step: Step, loop: Loop) -> None:
    """Write a `while`, and note where its results lie: what it passes on stays where it is."""
    tape, to = writer.tape, step.results.start
    places, states, own = writer.frame.places(step.op.operands), list[Array](), list[int]()
    for k, (p, element) in enumerate(zip(places, loop.elements, strict=True)):
        states.append(writer.array(p))
        if k not in loop.passed:
            x = keep_as(tape, states[k], _dtype(element))
            states[k] = tape.array(x.shape, dtype=x.dtype)
            write_elementwise(tape, "copy", states[k], x)
            own.append(k)
    writer._pass()
    tape.busy += [block for k in own if (block := block_of(states[k])) is not None]
    top = len(tape.code)
    condition, (goes_on,) = writer.write_part(loop.condition, loop, states)
    unless = tape.write("jump_unless", [0, address(goes_on)])
    condition.release()
    body, after = writer.write_part(loop.body, loop, states)
    _replace(tape, [states[k] for k in own], [after[k] for k in own])
    tape.write("jump", [top])
    unless[0] = len(tape.code)
    body.release()
    del tape.busy[len(tape.busy) - len(own) :]
    for k, (p, x) in enumerate(zip(places, states, strict=True), to):
        if p in writer.constants and k - to in loop.passed:
            writer.constants[k] = writer.constants[p]
        else:
            writer.place(k, x)


def _replace(tape: Tape, states: Sequence[Array], after: Sequence[Array]) -> None:
    """Write copies of what a body returns to what its loop carries, all at once."""
    pairs = [(to, x) for to, x in zip(states, after, strict=True) if not _is_same(to, x)]
    blocks = {id(block_of(x)) for x in states}
    copies = []
    for to, x in pairs:
        x = keep_as(tape, x, to.dtype)
        copies.append(tape.temporary(write_copy(tape, x)) if id(block_of(x)) in blocks else x)
    for (to, _), x in zip(pairs, copies, strict=True):
        write_elementwise(tape, "copy", to, x)


def _is_same(x: Array, y: Array) -> bool:
    return address(x) == address(y) and x.shape == y.shape and x.strides == y.strides and x.dtype == y.dtype


def _dtype(element: Element) -> np.dtype:
    """Return the dtype in which a tape keeps what is on it."""
    assert element.dtype is not None, "elements that a tape does not keep"
    return element.dtype
