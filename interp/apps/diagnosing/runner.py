"""Runs of a program in which some operations are computed in other ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from interp.apps.diagnosing import block_faults, scale_faults
from interp.apps.diagnosing.deviations import Way, sums_floats
from interp.apps.diagnosing.given import give_otherwise, is_boolean_fault, may_differ
from interp.apps.diagnosing.roundings import AFTER, EXACTLY, Rounding, quotients
from interp.backends import NUMPY, Array, Namespace, State
from interp.engine.arguments import decode, encode
from interp.engine.bodies import without_points
from interp.engine.evaluate import Context, Listener, Place
from interp.engine.facts import FACTS
from interp.engine.float_sums import flush
from interp.engine.in_integers import store
from interp.engine.prepared import Operations, function_of
from interp.engine.quant import spread
from interp.engine.requantizing import is_accumulator, multipliers
from interp.execute import along
from interp.execute.accumulating import FLOATS
from interp.kernels import OPERATIONS, control
from interp.kernels.integer_reading import reads_integers
from spec.integer_reading import reads_integers as in_integers
from spec.ir import Func, Module, Op
from spec.recipes import EXACT, FLOAT, IN_ONNX
from spec.types import ElementType, QuantizedType

BEFORE = FLOAT, *IN_ONNX  # recipes that round floats before they add the zero point
FAMILIES = ("contraction", "reduction", "scatter", "elementwise", "conversion", "normalization")


@dataclass
class Values(Listener):
    """Listener that keeps results of a function's operations by name, and when each was computed."""

    wanted: Mapping[str, Any]
    runner: Runner
    found: dict[str, Array] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    sees_nodes = False

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        for value, x in zip(op.results, results, strict=True):
            if self.wanted.get(value.name) is value:
                self.found[value.name] = np.asarray(NUMPY.encode(x, value.type.storage_type))
                self.times[value.name] = len(self.runner.executed)


class Runner:
    """A function and its arguments, to run in ways that differ from operation to operation.

    `executed` has the operations that may be computed in other ways, in the order of their first execution.
    `times` has, for each value that is watched, how many of these had begun when it was known.
    """

    def __init__(
        self, module: Module, func: Func, stored: Sequence[Array], declared: Way, watched: Mapping[str, Any]
    ) -> None:
        self.module, self.func, self.stored, self.declared = module, func, stored, declared
        self.watched = watched
        self.ways: Mapping[int, Way] = {}
        self.executed: dict[int, Op] = {}
        self.times: dict[str, int] = {}

    @property
    def operations(self) -> list[Op]:
        """The operations that were executed, in order."""
        return list(self.executed.values())

    def run(self, ways: Mapping[int, Way], args: Sequence[Array] | None = None) -> list[Array]:
        """Return the watched values and the results, as stored; `ways` has a way for some `id(op)`."""
        self.ways = ways
        values = Values(self.watched, self)
        declared, given = self.declared, self.stored if args is None else args
        assert not callable(declared.order)
        context = Context(
            NUMPY,
            self.module,
            declared.order,
            DEVIATING,
            (values,) if self.watched else (),
            reading=declared.reading,
        )
        with np.errstate(all="ignore"):
            carried = [decode(NUMPY, x, v.type) for x, v in zip(given, self.func.inputs, strict=True)]
            token = CURRENT.set(self)
            try:
                results = context.run(self.func.body, carried)
            finally:
                CURRENT.reset(token)
            found = [encode(NUMPY, x, t) for x, t in zip(results, self.func.results, strict=True)]
        self.times = values.times
        return [*(values.found[name] for name in self.watched), *found]


# The runner whose program runs. Prepared code lasts as long as a module, so it must not refer to a runner.
CURRENT: ContextVar[Runner] = ContextVar("CURRENT")


def deviating(ctx: Context, op: Op, *operands: Array) -> State:
    """Return the results of an operation in the way that the current runner has for it."""
    runner = CURRENT.get()
    runner.executed.setdefault(id(op), op)
    way, inside = runner.ways.get(id(op)), ctx._replace(operations=OPERATIONS, listeners=())
    return _run_kernel(inside, op, operands) if way is None else compute(inside, op, operands, way)


def composite(ctx: Context, op: Op, *operands: Array) -> State:
    """Return the results of a composite: with scales as operands, in the way that the runner has for it."""
    runner = CURRENT.get()
    if scale_faults.is_scaled_dot(op):
        runner.executed.setdefault(id(op), op)
        if (way := runner.ways.get(id(op))) and way.blocks:
            return scale_faults.run(ctx, op, operands, way.blocks)
    return control.composite(ctx, op, *operands)


def _deviating() -> Operations:
    """Return the operations, those that may deviate with `deviating` as their kernel."""
    names = {name for name, row in FACTS.items() if row.family in FAMILIES and name in OPERATIONS.kernels}
    kernels = {**OPERATIONS.kernels, **dict.fromkeys(names, deviating), scale_faults.NAME: composite}
    return Operations(kernels, OPERATIONS.prepared - names, OPERATIONS.elementwise, {})


DEVIATING = _deviating()


def compute(ctx: Context, op: Op, operands: State, way: Way) -> State:
    """Return the results of one operation in a way."""
    if way.faultless and is_boolean_fault(op):
        return (np.zeros(op.result.type.shape, np.bool_),)
    if way.given and may_differ(way.given, op):
        return compute(ctx, give_otherwise(op, way.given), operands, replace(way, given=""))
    if way.blocks and block_faults.may_have(way.blocks, op):
        return compute(ctx, block_faults.with_fault(op, way.blocks), operands, replace(way, blocks=""))
    if way.omits:
        return compute(ctx, without_points(op, way.omits), operands, replace(way, omits=""))
    if along.is_sum(op) and (way.sums_itself or _needs_sums(ctx, op, way)):
        results = _add(ctx._replace(reading=way.reading_of(op)), op, operands, way)
    else:
        order = way.schedule(along.leaves(op) + 1) if along.is_counted(op) else way.order
        assert not callable(order)
        listeners = () if along.is_contraction(op) else (along.StepByStep(),)
        inside = ctx._replace(xp=_rounding(op, way), schedule=order, reading=way.reading, listeners=listeners)
        operands = tuple(map(_flush, operands, op.operands)) if way.flushes else operands
        results = _run_kernel(inside, op, operands)
    return tuple(map(_flush, results, op.results)) if way.flushes else results


def _add(ctx: Context, op: Op, operands: State, way: Way) -> State:
    """Return the results of a contraction or of a reduction by `add`, in a way."""
    is_of_integers = along.sums_as_integers(ctx, op) if along.is_contraction(op) else along.sums_integers(op)
    adding, inside = way.adding(op, is_of_integers), ctx._replace(xp=_rounding(op, way))
    if not _rounds_quotients(ctx, op, way):
        return along.add_along(inside, op, operands, adding)
    type = op.result.type.quantized_element_type
    total = along.held_numbers(ctx, along.contract(ctx, op, operands, adding))
    points = spread(NUMPY, type.zero_points, np.int64, type, total.shape)
    found = quotients(total, *multipliers(op, ctx.reading.accumulator), way.rounding, points)
    return (np.asarray(store(inside.xp, found, type)),)


def _rounds_quotients(ctx: Context, op: Op, way: Way) -> bool:
    """Return whether a contraction rounds exact quotients of its accumulators in a mode of its own."""
    whole = along.is_contraction(op) and op.result.type.is_quantized and reads_integers(ctx, op)
    exact = ctx.reading.recipe == EXACT and way.rounding.removesuffix(AFTER) in EXACTLY
    return whole and exact and not is_accumulator(op, ctx.reading.accumulator).all()


def _rounding(op: Op, way: Way) -> Namespace:
    """Return the namespace in which an operation's first result is rounded and saturated in a way."""
    type = op.results[0].type.element_type if op.results else None
    if not isinstance(type, QuantizedType) or not (way.rounding or way.wraps or way.reciprocal):
        return NUMPY
    reading = way.reading_of(op)
    whole = reading.is_integer and (op.regions or in_integers(op, reading))
    return Rounding(type, way.rounding, way.wraps, bool(whole) and reading.recipe in BEFORE, way.reciprocal)


def _needs_sums(ctx: Context, op: Op, way: Way) -> bool:
    """Return whether no kernel of the engine sums so, or only one that is slower.

    THEOREM: a sum of two numbers of at most 24 bits, rounded to the 53 of f64 and then to their type, is the
    sum rounded once, since 53 >= 2 * 24 + 2; f64 itself needs no second rounding. So a reduction of plain
    floats in another order has the bits of `added`, which adds in f64.
    """
    if not along.is_contraction(op):
        known = sums_floats(op) and op.regions[0].returns[0].type.storage_type.name in FLOATS
        return sums_floats(op) and (way.flushes or (known and way.order != ctx.schedule))
    return way.order != ctx.schedule or way.flushes or way.wraps or way.reciprocal or bool(way.rounding)


def _flush(x: Array, value: Any) -> Array:
    type = value.type.element_type
    return flush(np.asarray(x), type) if isinstance(type, ElementType) and type.kind == "float" else x


def _run_kernel(ctx: Context, op: Op, operands: State) -> State:
    """Return the results of one operation by its kernel."""
    function, alone = function_of(op, ctx.xp, OPERATIONS, ctx.reading)
    return (function(*operands),) if alone else function(ctx, op, *operands)
