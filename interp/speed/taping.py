"""Runs of operations that a tape computes in one call, in place of steps in Python.

THEOREM: each operation of a tape has the bits of its kernel in the schedule `left`, without listeners (see
`taped_operations`); so the values of all operations are those of the steps. Where a run has another
schedule, or where another thread uses the tape, the steps run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from operator import itemgetter
from typing import Any

from interp.backends import Array
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.prepared import Step
from interp.engine.walk import LOOP
from interp.speed.tape_plan import Plan, make_plan
from interp.speed.taped_loops import Frame, Prepare
from spec.accumulator import Reading
from spec.integer_reading import reads_integers
from spec.ir import Op, nested_ops, reads
from spec.schedule import LEFT, Schedule
from spec.types import is_tensor

LEAST = 3  # operations, below which a tape does not pay
SOON = 1 << 16  # numbers computed in steps, from which on the first run makes a tape
COPIED = (
    1 << 18
)  # elements of an array from outside, from which on its copy costs more than a step of its own
# Operations that take, or replace, a piece of an array; None: their result, else which operand it is.
PIECES = {
    "stablehlo.slice": None,
    "stablehlo.gather": None,
    "stablehlo.dynamic_slice": None,
    "stablehlo.dynamic_update_slice": 1,
}


def join(
    steps: Sequence[Step], start: Sequence[Any], place: Mapping[str, int], kept: set[int], prepare: Prepare
) -> list[Step]:
    """Return the steps of a region in which each run of operations that a tape computes is one step.

    start: the frame before anything runs, with its constants. place: of each value in the frame. kept: the
    places of values that are read after the steps. prepare: prepares the regions of loops.
    """
    joined: list[Step] = []
    part: list[Step] = []
    values = [v for step in steps for v in (*reads(step.op), *step.op.results) if is_tensor(v.type)]
    frame = Frame(place, start, {place[v.name]: v.type.element_type for v in values}, prepare)
    read_at = [frame.places(reads(step.op)) for step in steps]
    last = dict.fromkeys(kept, len(steps))
    for k, places in enumerate(read_at):
        for p in places:
            last[p] = max(last.get(p, k), k)

    def end(k: int) -> None:
        has_loop = any(step.op.name == LOOP for step in part)
        if (len(part) < LEAST and not has_loop) or not find_spec("llvmlite"):
            joined.extend(part)
        else:
            joined.append(_one_step(part, frame, {p for p, user in last.items() if user >= k}))
        part.clear()

    for k, step in enumerate(steps):
        if frame.takes(step) and not _copies_more(step, frame, part):
            part.append(step)
            continue
        end(k)
        joined.append(step)
    end(len(steps))
    return joined


def _copies_more(step: Step, frame: Frame, part: Sequence[Step]) -> bool:
    """Return whether a tape that goes on after `part` would copy a large array that the step only reads.

    It is the right operand of a contraction, or an array of which a piece is taken or replaced.
    """
    name, operands = step.op.name, step.op.operands
    if name in PIECES:
        x, k = operands[0], PIECES[name]
        piece = step.op.result if k is None else operands[k]
        is_large = x.type.size >= max(COPIED, 2 * piece.type.size)
    elif facts(step.op).family == "contraction":
        x = operands[1]
        is_large = x.type.size >= COPIED
    else:
        return False
    place = frame.place[x.name]
    return is_large and frame.start[place] is None and (not part or place < part[0].results.start)


def _one_step(part: Sequence[Step], frame: Frame, read: set[int]) -> Step:
    first, stop = part[0].results.start, part[-1].results.stop
    own = {p for step in part for p in range(step.results.start, step.results.stop)}
    values = [v for step in part for v in reads(step.op)]
    shapes = {frame.place[v.name]: v.type.shape for v in values}
    constants = {p for p in shapes if p < len(frame.start) and frame.start[p] is not None}
    outside = sorted(shapes.keys() - own - constants)
    taped = Taped(tuple(part), frame, outside, slice(first, stop), sorted(own & read), shapes)
    operands = itemgetter(*outside) if len(outside) > 1 else itemgetter(slice(*_range(outside)))
    dead = sorted({p for step in part for p in step.dead})
    return Step(part[0].op, taped, False, operands, slice(first, stop), {}, dead)


def _range(places: Sequence[int]) -> tuple[int, int]:
    return (places[0], places[0] + 1) if places else (0, 0)


@dataclass(eq=False)
class Taped:
    """The kernel of a run of steps; its results are all values from the first to the last of the frame.

    frame: what is known of the values, loops included. outside: the places of its operands. results: where
    its values are, among constants. read: the places of those of its values that later steps read.
    shapes: of what the steps read; a body that is called with many scalars at once is left to the steps.
    """

    steps: tuple[Step, ...]
    frame: Frame
    outside: list[int]
    results: slice
    read: list[int]
    shapes: Mapping[int, tuple[int, ...]]
    plan: Plan | None = None
    runs: int = 0
    is_possible: bool = True

    def __call__(self, ctx: Context, op: Op, *operands: Array) -> list[Any]:
        usual = ctx.contractions == "fold" and ctx.along is None and self.is_usual(ctx.schedule, ctx.reading)
        usual = usual and all(self.shapes[p] == x.shape for p, x in zip(self.outside, operands, strict=True))
        if usual and self.is_possible:
            self.runs += 1
            if self.plan is None and (self.runs > 1 or sum(map(self.frame.work, self.steps)) >= SOON):
                self._make(operands)
            if self.plan is not None and (values := self.plan.run(operands)) is not None:
                return values
        return self._step_by_step(ctx, operands)

    def is_usual(self, schedule: Schedule, reading: Reading) -> bool:
        """Return whether the tape has the bits of a run in this schedule and reading."""
        integers = reading.is_integer and any(reads_integers(op, reading) for op in self._operations())
        return schedule == LEFT and not integers

    def _make(self, operands: Sequence[Array]) -> None:
        try:
            plan = make_plan(self.frame, self.steps, self.outside, self.read, operands)
        except (ImportError, AttributeError, RuntimeError, OSError):  # of another LLVM
            plan = None
        self.plan, self.is_possible = plan, plan is not None

    def _operations(self) -> Iterator[Op]:
        """Yield all operations, those of loops included."""
        for step in self.steps:
            yield step.op
            for region in step.op.regions:
                yield from nested_ops(region)

    def _step_by_step(self, ctx: Context, operands: Sequence[Array]) -> list[Any]:
        frame = [*self.frame.start[: self.results.stop]]
        frame += [None] * (self.results.stop - len(frame))
        for p, x in zip(self.outside, operands, strict=True):
            frame[p] = x
        for step in self.steps:
            taken, around = step.operands(frame), {v: frame[p] for v, p in step.captured.items()}
            here = ctx._replace(env=around) if around else ctx
            function = step.function
            frame[step.results] = (function(*taken),) if step.alone else function(here, step.op, *taken)
        return frame[self.results]
