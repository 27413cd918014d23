"""`Trace.budget`: the error of a run against the float reference, divided by source.

A chain of programs leads from the float reference (`rewrite.float_reference`), which XLA runs, to the program
itself; each has one more source of error (`rewrite.stages`). A part of the budget is the difference of two
neighbours, so that the parts sum to the total: the error that `compare` measures, unless `inputs` are given.
The part of a source depends on the sources before it in the chain. All programs with types stripped clip at
zero points, as the type's activation, which is no error.

weights and folding    rounding of constants, and all else that was rewritten: the program with types stripped
                       against the float program that it carries, both on XLA; only where it carries one
float arithmetic       XLA's schedule and its rounding to the expressed types, against f64 on our engine
input rounding         rounding of arguments, and of operands of reductions and contractions, to their types
conversion             rounding of leaves to the accumulation type
accumulation rounding  rounding of every sum to that type, with arithmetic in its expressed type
output rounding        rounding of the results of all other operations to their types
saturation             all other clamping of arguments, conversions and results to the storage ranges

A number that becomes infinite or NaN in an expressed type is neither rounded nor clipped: elements that
depend on it do not count. If a comparison hides it, its effects count as saturation.

A second chain goes from the program with types stripped, in f64, to the program operation by operation
(`locality`); its differences, together with the parts that precede it, sum to the same total.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from interp.backends import NUMPY, Array
from interp.comparison.locality import (
    WORK,
    Difference,
    Operation,
    Reals,
    Switch,
    finite,
    is_real,
    real_numbers,
    switch_operations,
)
from interp.comparison.recipe_costs import Ran as Asked
from interp.comparison.recipe_costs import RecipeCosts
from interp.comparison.witness import witness_of_program
from interp.engine.arguments import accept_arguments, function_named
from interp.engine.bodies import remove_bounds
from interp.engine.limits import refuse_sizes
from interp.engine.markup import align, join_lines
from interp.engine.quant import dequantize, in_f64, quantize
from interp.engine.storage import storage_range
from interp.engine.tensor import Tensor, to_storage
from interp.engine.work import Covered, Partly, Progress, Work
from interp.execute.unused import refuse_accumulators
from interp.recorder.exact import unit_at
from interp.rewrite.float_reference import Reference, reference_of
from interp.rewrite.float_reference_rules import plain
from interp.rewrite.inlining import inline_and_name
from interp.rewrite.stages import STAGES, make_stage
from spec.errors import Malformed, Unsupported, several, whole
from spec.ir import Func, Module, Value
from spec.schedule import parse
from spec.types import QuantizedType, TensorType

# Result of `Trace.budget`: the parts of each result's error, by source and by operation.

PARTS = (
    "float arithmetic",
    "input rounding",
    "conversion",
    "accumulation rounding",
    "output rounding",
    "saturation",
)
CARRIED = "weights and folding"  # the first part, where a program carries the float program it was made from
SHOWN = 24  # operations in a table
WIDEST = len("-1.234e-09")  # in any run the columns have this width: XLA's last bits are the processor's


@dataclass(frozen=True, eq=False)
class ResultBudget:
    """Budget of one result: its `parts`, one for each of `PARTS`, perhaps after `CARRIED`, and their `total`.

    `switches`: the difference made by each of `Budget.switches`, that is, by operation. Together with the
    parts `before` them they also sum to the total. Elements that are infinite or NaN in one of the programs
    do not count; `not_finite` is their number.
    """

    number: int
    type: TensorType
    parts: tuple[Difference, ...]
    switches: tuple[Difference, ...]
    total: Difference

    def __getitem__(self, part: str) -> Difference:
        return next(each for each in self.parts if each.name == part)

    @property
    def before(self) -> tuple[Difference, ...]:
        """The parts between the float reference and its exact arithmetic, where operations begin."""
        return self.parts[: 1 - len(PARTS)]

    @property
    def not_finite(self) -> int:
        return int(np.count_nonzero(~self.total.counted))

    def lines(self) -> list[str]:
        worst = self.total.worst
        place = "no element counts" if worst is None else f"largest at {worst}"
        head = f"result {self.number}, {self.type!r}: {place}"
        left_out = f", {self.not_finite} not finite left out" if self.not_finite else ""
        titles = [title.rjust(WIDEST) for title in ("there", "in steps", "mean", "largest", "elements")]
        operations = [*self.before, *self.switches]
        some = sorted((x for x in operations if x.count), key=lambda x: -x.largest)
        tables = {"by source": (*self.parts, self.total), "by operation": some[:SHOWN]}
        lines = [
            line
            for title, rows in tables.items()
            for line in align([[title, *titles], *(self._row(row, worst) for row in rows)])
        ]
        return [head + left_out, *lines, *_left(len(operations), some)]

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


def _left(n: int, some: Sequence[Difference]) -> list[str]:
    """Return lines about the operations that a table leaves out."""
    more = [f"{len(some) - SHOWN} more, each at most {some[SHOWN].largest:.4g}"] if len(some) > SHOWN else []
    return more + ([f"{n - len(some)} add nothing"] if n > len(some) else [])


@dataclass(frozen=True, eq=False, repr=False)
class Budget(Partly):
    """Budgets of the `results` that are numbers, and `operations` by their added error, worst first.

    `programs`: for each part, the program with that source of error and those before it; the last is the
    program itself. `switches`: in program order, the arguments and the operations as they became actual.
    `given`: whether the real numbers for the arguments were given. `recipes`: the error of every recipe of
    requantization, if asked for.
    """

    title: str
    results: tuple[ResultBudget, ...]
    operations: tuple[Operation, ...]
    programs: Mapping[str, Module] = field(repr=False)
    given: bool = False
    switches: tuple[Switch, ...] = field(default=(), repr=False)
    recipes: RecipeCosts | None = None
    covered: tuple[Covered, ...] = ()

    def __getitem__(self, part: str) -> Difference:
        """Return a part of the first result."""
        return self.results[0][part]

    @property
    def total(self) -> Difference:
        """Return the total of the first result."""
        return self.results[0].total

    def _repr_text_(self) -> str:
        note = (
            [] if self.given else ["the arguments count as exact: inputs= takes what they were rounded from"]
        )
        if any(len(switch.ops) > 1 for switch in self.switches):
            note.append("some rows cover several operations: a larger work= gives more rows")
        note += [self.shortfall] if self.partial else []
        lines = [self.title, *note, *(line for result in self.results for line in result.lines())]
        return join_lines([*lines, *([self.recipes._repr_text_()] if self.recipes else [])])


__all__ = ["PARTS", "Budget", "ResultBudget", "budget"]


class Ran(Asked, Protocol):
    """A run with its results."""

    @property
    def results(self) -> tuple[Tensor, ...]: ...


def budget(
    ran: Ran,
    inputs: Sequence[Any] | None = None,
    work: int | None = None,
    progress: Progress | None = None,
    seconds: float | None = None,
) -> Budget:
    """Return the error of a run against its float reference on XLA, in parts.

    inputs: for each argument the real numbers from which it was rounded, or None if its numbers are exact.
    work: about how many elementary steps the budget by operation may take; if it needs more, several
    operations share a row. seconds: when they have passed, all that are left share one. progress: called with
    a name, the number of steps done, and their total. Raises `Unsupported` if nothing is quantized or no
    result is a number, for control flow, and if the program has no float reference.
    """
    long = Work(seconds, progress)
    refuse_accumulators(ran.options, "a budget")
    if ran.reading.is_integer:
        evidence = "its stages round floats: trace in the dequantize reading; `recipes` compares recipes"
        raise Unsupported("the integer reading has no budget", evidence)
    func = function_named(ran.module, ran.options.get("function", "main"))
    if len(ran.results) != len(func.results):
        raise Malformed("the run was stopped before its end", "trace it without a breakpoint", func.location)
    work = WORK if work is None else whole(work, "work")
    tell = progress or (lambda what, done, total: None)
    program, names = inline_and_name(ran.module, func)
    _refuse_plain(program, func)
    stored = [Tensor(v.type, x) for v, x in zip(func.inputs, accept_arguments(func, ran.args), strict=True)]
    given = _real_arguments(func, [real_numbers(x.storage, x.type) for x in stored], inputs)
    engine = Reals(parse(ran.options.get("schedule", "left")), ran.options.get("contractions", "fold"))
    stages = {stage: make_stage(program, stage) for stage in STAGES}
    refuse_sizes(program, program.main)
    known, reals = reference_of(ran.module, func), _reals(stored, None if inputs is None else given)
    floats = _floats(known, func)
    witnesses = [witness_of_program(each, reals) for each in floats]
    start, switches, found = switch_operations(
        program, engine, given, [x.storage for x in stored], work, tell, names, long
    )
    rounded = list(map(_undo_clip, given, stored))
    testimonies = [witness.reference() for witness in witnesses]
    chain: list[Sequence[Array]] = [*(each.arrays for each in testimonies), start]
    for done, (stage, own) in enumerate(list(stages.items())[1:]):
        tell(f"the program with what is {stage}", done, len(stages) - 1)
        chain.append(engine.run(own, rounded))
    chain.append([x.dequantize() for x in ran.results])
    parts = (*[CARRIED] * len(floats[1:]), *PARTS)
    results = [_result(k, t, parts, chain, switches) for k, t in enumerate(func.results) if is_real(t)]
    places = " and ".join(dict.fromkeys(each.name for each in testimonies))
    return Budget(
        f"error of @{func.name} against its float reference ({known.name}) on {places}, "
        f"schedule {engine.schedule}",
        tuple(results),
        _worst_first(found, switches, results),
        dict(zip(parts, (*floats[1:], *stages.values(), program), strict=True)),
        inputs is not None,
        tuple(switches),
        covered=tuple(long.covered),
    )


def _floats(known: Reference, func: Func) -> list[Module]:
    """Return the float reference, and the program with types stripped if that is another."""
    if known.bare is None:
        evidence = "the parts are of the program with types stripped, but it reinterprets storage"
        raise Unsupported(f"@{func.name} has no budget", evidence, func.location)
    return [known.bare] if known.is_bare else [known.floats, known.bare]


def _result(
    number: int,
    type: TensorType,
    names: Sequence[str],
    results: Sequence[Sequence[Array]],
    switches: Sequence[Switch],
) -> ResultBudget:
    """Return the budget of one result from its values at every stage of the chain and after every switch."""
    chain = [np.asarray(x[number]).astype(np.float64) for x in results]
    after = [switch.results[number] for switch in switches]
    counted = finite(*chain, *after)
    parts = tuple(
        Difference(name, x, y, counted) for name, (x, y) in zip(names, pairwise(chain), strict=True)
    )
    steps = zip(switches, pairwise((chain[-len(PARTS)], *after)), strict=True)
    added = tuple(Difference(switch.name, x, y, counted) for switch, (x, y) in steps)
    return ResultBudget(number, type, parts, added, Difference("total", chain[0], chain[-1], counted))


def _worst_first(
    found: Sequence[Operation], switches: Sequence[Switch], results: Sequence[ResultBudget]
) -> tuple[Operation, ...]:
    """Return the operations sorted by the error that they, or the group switched with them, added."""
    added = {
        id(op): [result.switches[k].largest for result in results]
        for k, switch in enumerate(switches)
        for op in switch.ops
    }
    return tuple(sorted(found, key=lambda x: added[id(x.op)], reverse=True))


def _undo_clip(given: Array, stored: Tensor) -> Array:
    """Return an argument's real numbers; where it was clipped, the given number, rounded but not clipped.

    It was clipped where a storage bound replaces a number beyond the range.
    """
    element, exact = stored.type.element_type, real_numbers(stored.storage, stored.type)
    if not isinstance(element, QuantizedType):
        return exact
    free = in_f64(remove_bounds(element))
    q = quantize(NUMPY, given, free)
    low, high = storage_range(element)
    clipped = ((q < low) & (stored.storage == low)) | ((q > high) & (stored.storage == high))
    return np.where(clipped, dequantize(NUMPY, q, free), exact)


def _refuse_plain(program: Module, func: Func) -> None:
    if not any(v.type.is_quantized for v in program.values()):
        evidence = "the budget is of what quantizing costs"
        raise Unsupported(f"@{func.name} has no quantized types", evidence, func.location)
    if not any(map(is_real, func.results)):
        evidence = f"results: {', '.join(map(repr, func.results))}"
        raise Unsupported(f"no result of @{func.name} is a real number", evidence, func.location)


def _real_arguments(func: Func, exact: Sequence[Array], inputs: Sequence[Any] | None) -> list[Array]:
    """Return the real arguments in f64: the given numbers, else the arguments' own."""
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
        evidence = f"expected finite real numbers of shape {parameter.type.shape}"
        raise Malformed(f"the numbers for {parameter.name} are {x.dtype}{list(x.shape)}", evidence)
    return x.astype(np.float64)


def _reals(stored: Sequence[Tensor], given: Sequence[Array] | None) -> list[Array]:
    """Return the dequantized arguments, or the real numbers given, in the types of the float reference."""
    args = [x.dequantize() for x in stored]
    for k, x in enumerate(given or ()):
        if stored[k].type.is_quantized:
            args[k] = to_storage(x, plain(stored[k].type))
    return args
