"""Loops on a tape: which `while` a tape computes, and bounds of the integers that it carries.

THEOREM: let the condition of a loop be `k < n` for constants n and the first k, and let its body add a
constant step > 0 to k. Then k is, where the body begins, from its first value to n - 1, and at most n - 1 +
step after it. Bounds of other integers hold if the body gives integers within them for all integers within
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from interp.engine.prepared import Code, Step
from interp.engine.walk import LOOP, is_passed_on
from interp.speed.taped_integers import (
    Bounds,
    Element,
    constant_bounds,
    is_whole,
    lie_within,
    result_bounds,
    type_bounds,
)
from interp.speed.taped_operations import MOST, is_taped, work
from spec.ir import Op, Region, Value, captures
from spec.types import is_tensor

ROUNDS = 4  # in which bounds of what a loop carries are widened
Prepare = Callable[[Region], Code]


class Counter(NamedTuple):
    """An integer that a loop counts: from where, up to where a body begins with it, and how much it adds."""

    first: int
    last: int
    step: int

    @property
    def rounds(self) -> int:
        return (self.last - self.first) // self.step + 1


class Loop(NamedTuple):
    """A `while`: its regions, and the elements of what it carries.

    passed: the numbers of what it carries as it is. rounds: their number, 1 if unknown.
    """

    condition: Part
    body: Part
    elements: Sequence[Element]
    passed: frozenset[int]
    rounds: int

    @property
    def work(self) -> int:
        return self.rounds * sum(self.body.frame.work(step) for step in self.body.steps)


@dataclass
class Frame:
    """The values of a prepared region, by place: constants, types, and bounds of integers.

    prepare: prepares the regions of loops. loops: those that a tape computes, by the place of their first
    result.
    """

    place: Mapping[str, int]
    start: Sequence[Any]
    types: Mapping[int, Any]
    prepare: Prepare
    bounds: dict[int, Bounds | None] = field(default_factory=dict)
    loops: dict[int, Loop] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bounds |= {p: type_bounds(type) for p, type in self.types.items() if p not in self.bounds}
        for p, x in enumerate(self.start):
            if x is not None and self.bounds.get(p) is not None and np.size(x):
                self.bounds[p] = constant_bounds(x)

    @property
    def elements(self) -> dict[int, Element]:
        return {p: Element(type, self.bounds[p]) for p, type in self.types.items()}

    def places(self, values: Sequence[Value]) -> list[int]:
        return [self.place[value.name] for value in values]

    def takes(self, step: Step) -> bool:
        """Return whether a tape computes a step; if so, note the bounds of its results."""
        op = step.op
        if op.name == LOOP:
            loop = self._loop(op)
            if loop is not None:
                self.loops[step.results.start] = loop
                self.bounds |= {p: x.bounds for p, x in enumerate(loop.elements, step.results.start)}
            return loop is not None
        if step.captured or len(op.results) != 1 or not all(map(_is_tensor, (*op.operands, op.result))):
            return False
        places = self.places(op.operands)
        of_operands = [self.bounds[p] for p in places]
        result = result_bounds(op, of_operands)
        if is_taped(op, [self.start[p] for p in places], of_operands, result):
            self.bounds[step.results.start] = result
            return True
        return False

    def work(self, step: Step) -> int:
        """Return about how many numbers a step computes."""
        loop = self.loops.get(step.results.start)
        return work(step.op) if loop is None else loop.work

    def _loop(self, op: Op) -> Loop | None:
        values = (*op.operands, *captures(op))
        if not all(_is_tensor(v) and 0 < v.type.size < MOST for v in values):
            return None
        places = self.places(op.operands)
        passed = frozenset(k for k in range(len(places)) if is_passed_on(op, k))
        constants = [self.start[p] if k in passed else None for k, p in enumerate(places)]
        counters = self._counters(op)
        bounds = [self.bounds[p] for p in places]
        for _ in range(ROUNDS):
            inside = [(c.first, c.last) if (c := counters.get(k)) else b for k, b in enumerate(bounds)]
            if (body := self._part(op.regions[1], inside, constants)) is None:
                return None
            after = [x.bounds for x in body.returns]
            stays = [
                b if k in counters or a == b or lie_within(a, b) else type_bounds(v.type.element_type)
                for k, (v, b, a) in enumerate(zip(op.operands, bounds, after, strict=True))
            ]
            if stays == bounds:
                break
            bounds = stays
        else:
            return None
        for k, counter in counters.items():
            bounds[k] = counter.first, counter.last + counter.step
        condition = self._part(op.regions[0], bounds, constants)
        elements = [Element(v.type.element_type, b) for v, b in zip(op.operands, bounds, strict=True)]
        if condition is None or any(x.dtype is None for x in elements):
            return None
        rounds = max((counter.rounds for counter in counters.values()), default=1)
        return Loop(condition, body, elements, passed, rounds)

    def enter(self, region: Region, bounds: Sequence[Bounds | None], constants: Sequence[Any]) -> Inner:
        """Return the frame of a region of a loop."""
        code, arguments = self.prepare(region), region.arguments
        around = [self.place[name] for name in code.captured]
        own = [*arguments, *(v for step in code.steps for v in step.op.results)]
        place = {name: p for p, name in enumerate([*code.captured, *(v.name for v in own)])}
        types = {p: self.types[outer] for p, outer in enumerate(around)}
        types |= {place[v.name]: v.type.element_type for v in own if _is_tensor(v)}
        limits = dict(enumerate([*(self.bounds[outer] for outer in around), *bounds]))
        start = [*(self.start[outer] for outer in around), *constants, *code.rest]
        return Inner(code, around, Frame(place, start, types, self.prepare, limits))

    def _part(self, region: Region, bounds: Sequence[Bounds | None], constants: Sequence[Any]) -> Part | None:
        code, around, frame = self.enter(region, bounds, constants)
        if not all(map(_is_tensor, region.returns)):
            return None
        steps = [step for step in code.steps if any(x is None for x in frame.start[step.results])]
        if not all(map(frame.takes, steps)):
            return None
        part = Part(frame, around, frame.places(region.arguments), steps, frame.places(region.returns))
        return None if any(x.dtype is None for x in part.returns) else part

    def _counters(self, op: Op) -> dict[int, Counter]:
        """Return what a loop counts, by its number among the operands: one, or nothing."""
        condition, body = op.regions
        if (limit := _limit(condition)) is None:
            return {}
        k, end = limit
        if (by := _increment(body, k)) is None:
            return {}
        first = self.start[self.place[op.operands[k].name]]
        values = [first, self._constant(condition, end), self._constant(body, by)]
        limits = type_bounds(op.operands[k].type.element_type)
        if limits is None or any(x is None for x in values):
            return {}
        start, n, step = (int(np.asarray(x).item()) for x in values)
        fits = step > 0 and start < n and n - 1 + step <= limits[1] and is_whole((start, n - 1 + step))
        return {k: Counter(start, n - 1, step)} if fits else {}

    def _constant(self, region: Region, value: Value) -> Any:
        """Return a value in a region, or around it, if constants determine it."""
        if value.name in self.place:
            return self.start[self.place[value.name]]
        code = self.prepare(region)
        results = [v.name for step in code.steps for v in step.op.results]
        return code.rest[results.index(value.name)] if value.name in results else None


class Inner(NamedTuple):
    """A region of a loop: its code, the places around it of what it captures, and its frame."""

    code: Code
    around: Sequence[int]
    frame: Frame


class Part(NamedTuple):
    """A region that a tape computes.

    around: the places, in the frame around it, of the values that it captures, which are the first of its
    own frame; steps: those that constants do not determine; returned: places of what it returns.
    """

    frame: Frame
    around: Sequence[int]
    arguments: Sequence[int]
    steps: Sequence[Step]
    returned: Sequence[int]

    @property
    def returns(self) -> list[Element]:
        return [self.frame.elements[p] for p in self.returned]


def _is_tensor(value: Value) -> bool:
    return is_tensor(value.type)


def _limit(condition: Region) -> tuple[int, Value] | None:
    """Return which argument a condition compares, and with what, if it is `argument < value`."""
    (returned,), names = condition.returns, [v.name for v in condition.arguments]
    for op in condition.ops[:-1]:
        if op.name == "stablehlo.compare" and op.result.name == returned.name:
            left, right = op.operands
            if op["comparison_direction"] == "LT" and left.name in names and right.name not in names:
                return names.index(left.name), right
    return None


def _increment(body: Region, k: int) -> Value | None:
    """Return what a body adds to an argument that it returns in the same place, or None."""
    argument, returned = body.arguments[k].name, body.returns[k].name
    for op in body.ops[:-1]:
        if op.name == "stablehlo.add" and op.result.name == returned:
            others = [v for v in op.operands if v.name != argument]
            return others[0] if len(others) == 1 else None
    return None
