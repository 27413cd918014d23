"""Accumulators of a sum in other types, arithmetics and schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.bodies import outline
from interp.engine.evaluate import Context
from interp.engine.fold import Node
from interp.engine.quant import Type, wrap_whole
from interp.engine.storage import storage, storage_range, zero_point
from interp.execute.run import refuse_violations, run
from interp.kernels import OPERATIONS, collectives
from interp.recorder.exact import Unit, unit_at
from interp.recorder.leaves import as_collective
from interp.recorder.recorded import Capture, Reduction
from interp.theory.sums import integer_dtype
from spec.accumulator import INTEGER, Reading
from spec.errors import Unspecified
from spec.ir import Module, Op, Region, Value
from spec.schedule import Schedule
from spec.types import ElementType, QuantizedType, integer

BITS = (8, 16, 32)
Adder = Callable[[Array], Array]  # what becomes of a sum that nothing has clamped
SPECIFICATION, EXACT = "specification", "exact"


def _wrap(type: Type) -> Adder:
    """Wrap to the storage type in two's complement, whatever storage range the quantized type declares."""
    return lambda x: wrap_whole(x, storage(type))


def _saturate(type: Type) -> Adder:
    least, most = storage_range(type)
    return lambda x: np.minimum(np.maximum(x, least), most)


# On stored integers, `a + b - zero_point` and then:
ADDERS: dict[str, Callable[[Type], Adder]] = {
    "wrap": _wrap,
    "saturate": _saturate,
    EXACT: lambda type: lambda x: x,
}
ARITHMETICS = (SPECIFICATION, *ADDERS)


def sums_by_arithmetic(reduction: Reduction, type: Type, schedule: Schedule) -> dict[str, Array]:
    """Return the stored integers of a sum for each arithmetic; `Violation` if the type does not fit."""
    module = in_type(reduction, type)
    capture = Capture(module, schedule)
    _again(reduction, Context(NUMPY, module, schedule, OPERATIONS, (capture,)))
    (found,) = capture.found
    added = {name: _fold(found, type, adder(type)) for name, adder in ADDERS.items()}
    return {SPECIFICATION: np.asarray(found.accumulators[0]), **added}


def by_recipe(reduction: Reduction, type: Type, schedule: Schedule, recipe: str) -> Array | None:
    """Return the stored integers of a sum in the integer reading, or None where the recipe is not defined."""
    module, reading = in_type(reduction, type), Reading(INTEGER, chosen=recipe)
    try:
        if reduction.group:
            return _again(reduction, Context(NUMPY, module, schedule, OPERATIONS, reading=reading))
        (found,) = run(module, *reduction.operands, schedule=schedule, reading=reading)
    except Unspecified:
        return None
    return np.asarray(found.storage)


def _again(reduction: Reduction, context: Context) -> Array:
    """Return the result of the reduction, in the context's program of it alone, on its operands."""
    (op, _), group = context.module.main.body.ops, reduction.group
    with np.errstate(all="ignore"):
        if group is None:
            (found,) = context.call("main", reduction.operands)
        else:
            for listener in context.listeners:
                listener.on_group(op, group.processes, group.first)
            (found,) = collectives.fold_processes(context, op, [*reduction.init_before, *reduction.before[0]])
    return np.asarray(found)


def in_type(reduction: Reduction, type: Type) -> Module:
    """Return a program of only the reduction, with another accumulator; `Violation` if that does not fit."""
    op = as_collective(reduction.written, reduction.op) if reduction.group else reduction.op
    op = _with_type(op, type)
    module = Module({"main": replace(outline(op, "main"), public=True)}, reduction.module.dialect)
    refuse_violations(module, "mlir")
    return module


def _with_type(op: Op, type: Type) -> Op:
    """Return a sum with another accumulation and result type."""

    def of(value: Value) -> Value:
        return replace(value, type=replace(value.type, element_type=type))

    body = op.regions[-1]
    lhs, rhs, total = map(of, (*body.arguments, *body.returns))
    add, back = body.ops
    ops = replace(add, operands=(lhs, rhs), results=(total,)), replace(back, operands=(total,))
    return replace(op, results=(of(op.result),), regions=(*op.regions[:-1], Region((lhs, rhs), ops)))


def _fold(found: Reduction, type: Type, adder: Adder) -> Array:
    point, (low, high) = zero_point(type), storage_range(type)
    steps = found.schedule.argument
    inits = len(steps) if isinstance(steps, tuple) else found.n  # at most, and one more
    dtype = integer_dtype(found.n + inits + 2, low - point, high - point, point)
    result = np.zeros(found.size, dtype)

    def body(lhs: State, rhs: State, node: Node) -> State:
        return (adder(lhs[0] + rhs[0] - point),)

    for part in found.parts:
        leaves = part._replace(leaves=part.flat(lambda x: x.astype(dtype)))
        result[part.columns] = found.fold(body, found.seeds()[part.columns].astype(dtype), leaves)
    return result.reshape(found.shape)


def exact_sums(reduction: Reduction) -> tuple[Array, Array]:
    """Return, per element, the sum of the leaves before conversion, in steps, and its number of inits."""
    source, x = reduction.inputs[0].type.element_type, reduction.before[0]
    point, (low, high) = zero_point(source), storage_range(source)
    dtype = integer_dtype(reduction.n + 1, low - point, high - point)
    numbers = np.append(x.reshape(-1).astype(dtype) - point, dtype.type(0))  # the last is padding's
    totals, inits = np.zeros(reduction.size, dtype), np.ones(reduction.size, np.int64)
    for part in reduction.origins:
        for origin, present in part.blocks():
            here = np.ones(origin.shape, bool) if present is None else present
            totals[part.columns] += np.where(here, numbers[origin], 0).sum(0)
            inits[part.columns] += (here & (origin < 0)).sum(0)
    return totals.reshape(reduction.shape), inits.reshape(reduction.shape)


def exact_in_units(reduction: Reduction, scales: Sequence[Fraction]) -> tuple[Array, Fraction]:
    """Return the exact sums in multiples of a unit that divides all scales."""
    source, init = (v.type.element_type for v in (*reduction.inputs, *reduction.init_values))
    own, scale = unit_at(init, (), ()), unit_at(source, (), ()).scale
    first = np.vectorize(own.number, otypes=[object])(reduction.init_before[0])
    parts = [Fraction(x).denominator for x in (scale, *first.flat, *scales)]
    unit = Fraction(1, lcm(*parts))
    step, starts = int(scale / unit), np.vectorize(int, otypes=[object])(first / unit)
    totals, inits = exact_sums(reduction)
    most = max((abs(int(x)) for x in starts.flat), default=0)
    dtype = integer_dtype(2, _factor(totals) * step, _factor(inits) * most)
    return np.asarray(totals.astype(dtype) * step + inits.astype(dtype) * starts.astype(dtype), dtype), unit


def distances(stored: Array, own: Unit, exact: Array, unit: Fraction) -> Array:
    """Return the real values of stored numbers minus the exact sums, in multiples of the unit."""
    step = int(own.scale / unit)
    dtype = integer_dtype(4, (_factor(stored) + abs(own.zero_point)) * step, largest(exact))
    return np.asarray((stored.astype(dtype) - own.zero_point) * step - exact.astype(dtype), dtype)


def largest(x: Array) -> int:
    """Return the largest absolute value, even if the dtype cannot hold it."""
    return max(abs(int(x.min())), abs(int(x.max()))) if x.size else 0


def _factor(x: Array) -> int:
    """Return the largest absolute value, but at least 1, as the other factor must fit the dtype as well."""
    return max(1, largest(x))


def default_types(reduction: Reduction) -> Iterator[Type]:
    """Return the default types: its own, and 8 to 32 bits, plain or with its own or the input's scale."""
    own, source = reduction.types[0], reduction.inputs[0].type.element_type
    yield own
    for type in (own, source):
        for bits in BITS:
            held = integer(bits, storage(type).kind == "signed")
            if bits >= storage(source).bits and (wider := _stored_in(type, held)) is not None:
                yield wider


def _stored_in(type: Type, held: ElementType) -> Type | None:
    """Return the same scale in the whole range of another storage type, if that includes the zero point."""
    if not isinstance(type, QuantizedType):
        return held
    if not held.min_value <= type.zero_point <= held.max_value:
        return None
    low, high = held.min_value, held.max_value
    return replace(type, storage_type=held, storage_min=low, storage_max=high, spelling=held.name)
