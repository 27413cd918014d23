"""`plan`: the fast path of every reduction, or the reason why it has none, and what runs as one call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from math import prod
from typing import Any, NamedTuple

from interp.backends import NUMPY, Array, State
from interp.backends.loops import available, worth
from interp.engine.evaluate import Listener, Place
from interp.engine.facts import facts
from interp.engine.fold import Leaves
from interp.engine.leaf_counts import SCATTER, WINDOWED, reduce_count
from interp.engine.markup import Display, join_lines
from interp.engine.prepared import code
from interp.engine.walk import CONTROL
from interp.execute.run import run, runnable
from interp.execute.unused import NOTHING, Unused, unused_options
from interp.kernels import FOLDS, OPERATIONS, folds
from interp.kernels.contraction import runs_in_order
from interp.kernels.reduce_window import form_of
from interp.recorder.event import heading
from interp.recorder.names import ALONE, Qualifier, qualifier
from interp.speed.choice import Choice, block_size, choice_of
from interp.speed.contraction_choice import sums_considered
from interp.speed.counted_sums import IN_ORDER, LOOP
from interp.speed.order_free import Form, Plain
from interp.speed.scattering import landing_of
from interp.speed.taping import Taped
from spec.accumulator import LITERAL, Accumulator, Reading, reading_named
from spec.grid import ONE
from spec.integer_reading import in_integers
from spec.ir import Func, Module, Op, Region, callees, nested_ops
from spec.op_attributes import algorithm_of
from spec.schedule import Schedule, parse

NONE = "plain fold"
LEFT_FOLD = "left fold"


class Row(NamedTuple):
    """A reduction and its fast paths, in the order of trial; each is a theorem with its reason.

    `qualifier` is the function in its name, and `run` its number of earlier runs (`recorder/names.py`).
    """

    op: Op
    tried: tuple[tuple[str, str], ...]
    qualifier: Qualifier = ALONE
    run: int = 0


class Call(NamedTuple):
    """Operations in a row that one call of machine code computes, a tape, where nothing listens.

    operations: their number, those of the regions of loops included.
    """

    first: Op
    last: Op
    operations: int

    def __repr__(self) -> str:
        head = f"one call where nothing listens: {self.operations:,} operations"
        return f"{head}\n  from {heading(self.first)}\n  to {heading(self.last)}"


@dataclass(frozen=True, repr=False)
class Plan(Display):
    """The fast paths of every reduction; `rows` are in program order, or in the order in which they ran.

    `unused_options` are the options that were asked for and that the program does not use. `calls` are the
    operations that run as one call each: see `Call`.
    """

    rows: tuple[Row, ...]
    unused: Unused = NOTHING
    calls: tuple[Call, ...] = ()

    def _repr_text_(self) -> str:
        lines = [line for row in self.rows for line in _lines(row)] or ["no reductions"]
        return join_lines([*lines, *map(repr, self.calls), *self.unused.lines])


def _lines(row: Row) -> list[str]:
    words = [f"  {'else ' if k else ''}{theorem}: {why}" for k, (theorem, why) in enumerate(row.tried)]
    return [heading(row.op, row.qualifier, row.run), *words]


def plan(
    module: Module,
    *args: Any,
    schedule: str | Schedule = "left",
    function: str = "main",
    mode: str = "mlir",
    reading: str | Reading = "dequantize",
    accumulator: int | str | Accumulator | None = None,
    recipe: str | None = None,
) -> Plan:
    """Return how `run` computes every reduction of a function.

    Without arguments, types alone decide; with arguments, the program runs, and the plan has the fast paths
    that were used. A fast path gives the bits of the fold by a theorem that `interp/speed` states; one
    "by data" is decided during a run. Raises the same errors as `run`.
    """
    read = reading_named(reading, accumulator, recipe)
    func = runnable(module, function, mode, ONE, read)
    if not args:
        tree = parse(schedule)
        ops = (op for op in folds(module, func.body) if op.name in FOLDS)
        rows = (Row(op, candidates(op, tree, read), qualifier(module, op)) for op in ops)
        return Plan(tuple(rows), unused_options(module, func.name, read), calls(module, func, tree, read))
    seen = Seen(parse(schedule), read)
    run(module, *args, schedule=schedule, function=function, mode=mode, reading=read, listeners=[seen])
    found = calls(module, func, parse(schedule), read)
    return replace(seen.plan, unused=unused_options(module, func.name, read), calls=found)


def calls(module: Module, func: Func, schedule: Schedule, reading: Reading) -> tuple[Call, ...]:
    """Return what runs as one call each, in a function and in those that it calls, in program order."""
    names = (func.name, *sorted(callees(module, func.name)))
    regions = (module[name].body for name in names if name in module.functions)
    return tuple(chain.from_iterable(_calls(region, schedule, reading) for region in regions))


def _calls(region: Region, schedule: Schedule, reading: Reading) -> Iterator[Call]:
    for step in code(region, NUMPY, OPERATIONS, reading).computing:
        if isinstance(step.function, Taped):
            ops = [each.op for each in step.function.steps]
            count = sum(1 for op in ops for _ in (op, *chain.from_iterable(map(nested_ops, op.regions))))
            if step.function.is_usual(schedule, reading):
                yield Call(ops[0], ops[-1], count)
        elif step.op.name in CONTROL:
            for inner in step.op.regions:
                yield from _calls(inner, schedule, reading)


class Seen(Listener):
    """Listener that notes which fast path a run uses for each reduction."""

    sees_nodes = False

    def __init__(self, schedule: Schedule, reading: Reading = LITERAL) -> None:
        self.schedule, self.reading = schedule, reading
        self.rows: list[Row] = []
        self.module: Module | None = None

    def on_start(self, module: Module) -> None:
        self.module = module

    def add(self, op: Op, *tried: tuple[str, str]) -> None:
        """Add a row for another run of a reduction."""
        run = sum(row.op is op for row in self.rows)
        self.rows.append(Row(op, tried, qualifier(self.module, op), run))

    @property
    def plan(self) -> Plan:
        return Plan(tuple(self.rows))

    def on_fast_path(self, op: Op, theorem: str, why: str) -> None:
        self.add(op, (theorem, why))

    def on_fold(self, op: Op, region: int, init: State | None, leaves: Leaves, columns: Array | None) -> None:
        if not (self.rows and self.rows[-1].op is op):  # one op may fold box after box
            theorem, why = candidates(op, self.schedule, self.reading)[-1]
            self.add(op, (NONE, why if theorem == NONE else "its nodes are watched"))

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if op.name in WINDOWED and not any(row.op is op for row in self.rows):
            self.add(op, *candidates(op, self.schedule, self.reading))


def candidates(op: Op, schedule: Schedule, reading: Reading = LITERAL) -> tuple[tuple[str, str], ...]:
    """Return the fast paths that the types allow, each with its reason, in the order of trial."""
    if op.name == "stablehlo.reduce":
        choice = choice_of(op, schedule, reading)
        tried = ((NONE, choice.why),) if isinstance(choice, Plain) else _trials(choice)
        return (*tried[:-1], *_compiled_loop(op, schedule, tried[-1]), tried[-1])
    if op.name == "stablehlo.reduce_window":
        form = form_of(op, schedule, reading)
        last = (form.theorem if isinstance(form, Form) else NONE, form.why)
        return (*_compiled_loop(op, schedule, last), last)
    if op.name == "stablehlo.scatter" and (landing := landing_of(op, schedule)):
        return ((landing.theorem, landing.why),)
    if facts(op).family == "contraction":
        *theorems, (theorem, why) = sums_considered(op)
        ordered = (
            not theorem and schedule.name == "left" and not _in_integers(op, reading) and runs_in_order(op)
        )
        loop = ((LOOP, IN_ORDER),) if ordered else ()
        return (*theorems, *loop, (theorem or NONE, f"{why}{_precision(op)}"))
    last = NONE, "no theorem about this operation"
    return (*_compiled_loop(op, schedule, last), last) if op.name == SCATTER else (last,)


def _in_integers(op: Op, reading: Reading) -> bool:
    return reading.is_integer and in_integers(op)


def _compiled_loop(op: Op, schedule: Schedule, otherwise: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the loop that is tried before a left fold step by step, if that takes longer than compiling."""
    n = reduce_count(op).most if op.name == "stablehlo.reduce" else prod(op["window_dimensions"])
    columns = prod(op.operands[1].type.shape if op.name == SCATTER else op.results[0].type.shape)
    stepwise = otherwise[0] in (NONE, LEFT_FOLD) and schedule.name == "left"
    if not (stepwise and available() and worth(n, columns)):
        return ()
    why = f"{n:,} leaves of {columns:,} results take longer than compiling"
    return (("compiled loop, if the body can be recorded", why),)


def _precision(op: Op) -> str:
    """Return a sentence about the effect of a contraction's precision attributes, or ""."""
    if algorithm := algorithm_of(op):
        lhs, rhs = algorithm.precision_types
        return f"; by its algorithm {lhs!r} by {rhs!r}, products and sums in {algorithm.accumulation_type!r}"
    words = op.attributes.get("precision_config", ())
    if not any(word != "DEFAULT" for word in words):
        return ""
    return f"; precision_config {', '.join(words)} changes nothing: every product and sum rounds once (E28)"


def _trials(choice: Choice) -> tuple[tuple[str, str], ...]:
    form, step = choice.form, choice.step
    if isinstance(form, Form) and form.within is None:
        return ((form.theorem, form.why),)
    first = ((f"{form.theorem} by data", form.why),) if isinstance(form, Form) and block_size(form) else ()
    if isinstance(step, Plain):
        return (*first, (NONE, step.why))
    return (*first, ("forgetting, if the last leaves decide", step.theorem), (LEFT_FOLD, step.theorem))
