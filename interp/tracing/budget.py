"""`Trace.budget`: what the error of a run against the float program is made of.

From the float twin, which XLA runs, to the program itself leads a chain of programs, each with one more
source of error (`comparing.stages`). A part of the budget is the difference of two neighbours: so the parts
sum to the total, and nothing is left over. What a source adds depends on those before it in the chain.

float arithmetic       XLA's, its order and its rounding to the expressed types, against f64 on our engine
input rounding         the arguments, and what is reduced or contracted, as their types hold them
conversion             leaves rounded to the accumulation type
accumulation rounding  every sum rounded to it, dequantizing and quantizing being in its expressed type
saturation             leaves and sums clamped to its range, and operands to theirs
output rounding        what all other operations give, rounded and clamped to their types
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from interp.compare import run_on_xla
from interp.comparing.retyped import BOUND
from interp.comparing.stages import STAGES, staged
from interp.comparing.twin import entered, twin
from interp.comparing.twin_rules import plain
from interp.evaluate import Listener, Place
from interp.limits import refuse_sizes
from interp.namespace import Array, State
from interp.run import accepted, function_named
from interp.tensor import Tensor, to_storage
from interp.tracing.difference import Difference, aligned, finite
from interp.tracing.exact import unit_at
from interp.tracing.locality import Operation, Reals, is_real, operations, real_numbers
from spec.errors import Malformed, Unsupported
from spec.ir import Func, Module, Op, Value
from spec.options import several
from spec.schedule import parse
from spec.types import QuantizedType, TensorType

if TYPE_CHECKING:
    from interp.trace import Trace

PARTS = (
    "float arithmetic",
    "input rounding",
    "conversion",
    "accumulation rounding",
    "saturation",
    "output rounding",
)


@dataclass(frozen=True, eq=False)
class ResultBudget:
    """Of one result: its `parts`, those of `PARTS`, and their `total`.

    Elements that are infinite or NaN in one of the programs do not count: `not_finite` says how many.
    """

    number: int
    type: TensorType
    parts: tuple[Difference, ...]
    total: Difference

    def __getitem__(self, part: str) -> Difference:
        return self.parts[PARTS.index(part)]

    @property
    def not_finite(self) -> int:
        return int(np.count_nonzero(~self.total.counted))

    def lines(self) -> list[str]:
        worst = self.total.worst
        place = "no element to speak of" if worst is None else f"largest at {worst}"
        head = f"result {self.number}, {self.type!r}: {place}"
        left_out = f", {self.not_finite} not finite left out" if self.not_finite else ""
        titles = ["", "there", "in steps", "mean", "largest", "elements"]
        rows = [self._row(difference, worst) for difference in (*self.parts, self.total)]
        return [head + left_out, *aligned([titles, *rows])]

    def _row(self, difference: Difference, worst: tuple[int, ...] | None) -> list[str]:
        there = steps = "-"
        if worst is not None:
            exact = difference.at(worst)
            there = f"{float(exact):.4g}"
            if self.type.is_quantized:
                unit = unit_at(self.type.element_type, self.type.shape, worst)
                steps = f"{float(exact / unit.scale):.4g}"
        numbers = f"{difference.mean:.4g}", f"{difference.largest:.4g}", f"{difference.count:,}"
        return [difference.name, there, steps, *numbers]


@dataclass(frozen=True, eq=False)
class Budget:
    """`results` that are numbers, and `operations` by what each added to the error, worst first.

    `programs`: by part, the program that has that source of error and those before; the last is the program
    itself. `given`: whether the real numbers that the arguments stand for were.
    """

    title: str
    results: tuple[ResultBudget, ...]
    operations: tuple[Operation, ...]
    programs: Mapping[str, Module] = field(repr=False)
    given: bool = False

    def __getitem__(self, part: str) -> Difference:
        """A part of the first result."""
        return self.results[0][part]

    @property
    def total(self) -> Difference:
        """Of the first result."""
        return self.results[0].total

    def __repr__(self) -> str:
        note = (
            [] if self.given else ["the arguments count as exact: inputs= takes what they were rounded from"]
        )
        lines = [line for result in self.results for line in result.lines()]
        titles = ["operation", "its own", "inherited"]
        rows = [operation.row() for operation in self.operations]
        return "\n".join([self.title, *note, *lines, *aligned([titles, *rows])])


def budget(trace: Trace, inputs: Sequence[Any] | None = None) -> Budget:
    """The error of a run against its float twin on XLA, in parts.

    inputs: for each argument the real numbers that it was rounded from, or None where it is what it is.
    Raises `Unsupported` where nothing is quantized, where no result is a number, for control flow, and where
    the program has no float twin.
    """
    func = function_named(trace.module, trace.options.get("function", "main"))
    if len(trace.results) != len(func.results):
        raise Malformed("the run was stopped before its end", "trace it without a breakpoint", func.location)
    program = entered(trace.module, func)
    _refuse_plain(program, func)
    stored = [Tensor(v.type, x) for v, x in zip(func.inputs, accepted(func, trace.args), strict=True)]
    exact = [real_numbers(x.storage, x.type) for x in stored]
    given = _given(func, exact, inputs)
    engine = Reals(parse(trace.options.get("schedule", "left")), trace.options.get("contractions", "fold"))
    stages = {stage: staged(program, stage) for stage in STAGES}
    chain = [_on_xla(twin(program), stored, None if inputs is None else given)]
    chain += [_run(engine, own, given if stage == "exact" else exact) for stage, own in stages.items()]
    chain.append([x.dequantize() for x in trace.results])
    return Budget(
        f"error of @{func.name} against its float twin on XLA, schedule {engine.schedule}",
        tuple(_result(k, t, [x[k] for x in chain]) for k, t in enumerate(func.results) if is_real(t)),
        operations(program, engine, given, [x.storage for x in stored]),
        dict(zip(PARTS, (*stages.values(), program), strict=True)),
        inputs is not None,
    )


def _result(number: int, type: TensorType, results: Sequence[Array]) -> ResultBudget:
    chain = [np.asarray(x).astype(np.float64) for x in results]
    counted = finite(*chain)
    pairs = zip(PARTS, chain, chain[1:], strict=False)
    parts = tuple(Difference(name, before, after, counted) for name, before, after in pairs)
    return ResultBudget(number, type, parts, Difference("total", chain[0], chain[-1], counted))


def _run(engine: Reals, program: Module, args: Sequence[Array]) -> list[Array]:
    refuse_sizes(program, program.main)
    return engine.run(program, args, _Bounds())


class _Bounds(Listener):
    """Refuses numbers beyond the storage that is to hold every integer."""

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        for value, x in zip(op.results, results, strict=True):
            element = value.type.element_type
            unbounded = isinstance(element, QuantizedType) and element.storage_max == BOUND
            if unbounded and np.abs(x).max(initial=0) >= BOUND:
                evidence = "rounding and saturation cannot be told apart there"
                raise Unsupported(
                    "without bounds numbers grow beyond 2^62 steps, or to infinity", evidence, op.location
                )


def _refuse_plain(program: Module, func: Func) -> None:
    values = [v for f in program.functions.values() for v in f.inputs]
    values += [v for op in program.ops() for v in op.results]
    if not any(v.type.is_quantized for v in values):
        evidence = "the budget is of what quantizing costs"
        raise Unsupported(f"@{func.name} has no quantized types", evidence, func.location)
    if not any(map(is_real, func.results)):
        evidence = f"results: {', '.join(map(repr, func.results))}"
        raise Unsupported(f"no result of @{func.name} is a real number", evidence, func.location)


def _given(func: Func, exact: Sequence[Array], inputs: Sequence[Any] | None) -> list[Array]:
    """The numbers to begin with: those that were given, in f64, and otherwise those of the arguments."""
    if inputs is None:
        return list(exact)
    inputs = several(inputs, "inputs")
    if len(inputs) != len(func.inputs):
        evidence = "one for each, None where the argument is what it is"
        raise Malformed(f"{len(inputs)} inputs for {len(func.inputs)} arguments", evidence)
    return [
        x if given is None else _number(given, v)
        for x, given, v in zip(exact, inputs, func.inputs, strict=True)
    ]


def _number(given: Any, parameter: Value) -> Array:
    if not parameter.type.is_quantized:
        raise Malformed(f"{parameter.name} is not rounded", f"its type is {parameter.type!r}: give None")
    x = np.asarray(given)
    if x.dtype.kind not in "fiu" or x.shape != parameter.type.shape or not np.isfinite(x).all():
        evidence = f"wanted finite real numbers of shape {parameter.type.shape}"
        raise Malformed(f"the numbers for {parameter.name} are {x.dtype}{list(x.shape)}", evidence)
    return x.astype(np.float64)


def _on_xla(program: Module, stored: Sequence[Tensor], given: Sequence[Array] | None) -> list[Array]:
    """The float twin on the arguments as the specification dequantizes them, or on what was given."""
    args = [x.dequantize() for x in stored]
    for k, x in enumerate(given or ()):
        if stored[k].type.is_quantized:
            args[k] = to_storage(x, plain(stored[k].type))
    return run_on_xla(program, args)
