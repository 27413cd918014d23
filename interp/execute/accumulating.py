"""Runs in which sums are kept in other accumulators: one for all, or one for each that is named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple

from interp.backends import Array, State
from interp.engine.additions import Adding, adds_integers
from interp.engine.arguments import function_named
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.prepared import Operations, function_of
from interp.engine.quant import dequantize, quantize
from interp.execute.along import (
    COMPILED,
    REDUCTIONS,
    add_along,
    add_by_code,
    adds_by_code,
    is_contraction,
    is_sum,
    is_sum_of_elements,
    leaves,
    plain_results,
    sums_integers,
)
from interp.execute.dequantized import quantized_contraction
from interp.execute.unused import adds, called_functions
from interp.kernels import OPERATIONS, folds
from interp.recorder.names import Named, find, operations
from spec.accumulation import ACCUMULATOR, NAMED, Accumulation, is_accumulation
from spec.accumulator import Accumulator, Reading, accumulator_of, is_accumulator, reading_named
from spec.errors import Malformed, Unsupported
from spec.integer_reading import in_integers, sums_blocks
from spec.ir import Func, Module, Op, nested_ops
from spec.recipes import SPECIFICATION
from spec.schedule import LEFT, Schedule, parse

SUMS = ("stablehlo.dot_general", "stablehlo.convolution", *REDUCTIONS)
WIDE = 32  # bits of integers whose products f64 may not hold
INDICES = {"stablehlo.scatter": 1, "stablehlo.dynamic_conv": 2}  # the operand that is not added
WORD = 64  # bits of the integers in which accumulators are computed


FLOATS = ("f16", "bf16", "f32", "f64")
EXPECTED = (
    'expected "i16", "i20 saturate", "f16", "i16 saturate blocks(4) i32": sums of 4 products, summed in i32;'
    ' "i16 split(4) i32": 4 accumulators in turn, summed in i32; or "maddubs"'
)


@dataclass(frozen=True)
class Hardware:
    """An accumulator that hardware may have, by its text: its order is that of a schedule."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def accumulation(self, schedule: Schedule = LEFT) -> Accumulation:
        """Return its accumulation, with the sums, or those of its groups, in a schedule."""
        return Accumulation.of(self.text, schedule)

    @property
    def integer(self) -> Accumulator | None:
        """The accumulator of the integer reading that it is, or None."""
        return accumulator_of(self.text) if is_accumulator(self.text) else None


Given = int | str | Accumulator | Hardware | Accumulation


def hardware(given: str | Hardware | Accumulator) -> tuple[Hardware, ...]:
    """Return the accumulators that a name means: both overflow modes if it names an integer type alone."""
    if isinstance(given, Hardware):
        return (given,)
    if isinstance(given, Accumulator):
        return (Hardware(repr(given) if given.saturates else f"{given!r} wrap"),)
    text = given.strip() if isinstance(given, str) else ""
    match = ACCUMULATOR.fullmatch(NAMED.get(text, text))
    if not match:
        raise Malformed(f"{given!r} is not an accumulator", EXPECTED)
    inner, grouping, size, outer = match.groups()
    for type in (inner, outer or inner):
        if is_accumulator(type):
            accumulator_of(type)  # raises for a width that there is not
    if text in NAMED:
        return (Hardware(text),)
    if grouping:
        return (Hardware(f"{_with_mode(inner)} {grouping}({size}) {_with_mode(outer or inner)}"),)
    both = [inner] if inner in FLOATS or " " in inner else [f"{inner} wrap", f"{inner} saturate"]
    return tuple(map(Hardware, both))


def _with_mode(type: str) -> str:
    """Return the name of a type of sums with its mode: one of integers wraps unless it says so."""
    return type if type in FLOATS or " " in type else f"{type} wrap"


def one(given: int | str | Hardware | Accumulator) -> Hardware:
    """Return the accumulator that a width or a name means; one of integers wraps unless its name says so."""
    return hardware(Accumulator(given) if isinstance(given, int) else given)[0]


class Asked(NamedTuple):
    """An accumulation that was asked for; `machine` is the accumulator that its text names, if it does."""

    accumulation: Accumulation
    machine: Hardware | None

    def __repr__(self) -> str:
        return repr(self.machine or self.accumulation)

    @property
    def is_of_integers(self) -> bool:
        """Return whether a node has a type of integers."""
        return adds_integers(self.accumulation)

    @property
    def is_of_floats(self) -> bool:
        """Return whether a node has a type of floats."""
        return any(a.element_type and not a.element_type.is_integer for a in self.accumulation.arithmetics)


def accumulator_at_root(op: Op, accumulation: Accumulation, reading: Reading) -> Accumulator:
    """Return the integer accumulator of the sums of an operation, by default that of the reading."""
    n, declared = leaves(op), reading.accumulator if reading.is_integer else Accumulator()
    has_init = n == 0 or not accumulation.without_init
    nodes = accumulation.tree(n + has_init, has_init).nodes
    type = nodes[-1].arithmetic.element_type if nodes else None
    if type is None or not type.is_integer:
        return declared
    return Accumulator(type.bits, nodes[-1].arithmetic.saturates)


def reading_of_sum(op: Op, accumulation: Accumulation, reading: Reading) -> Reading:
    """Return the reading of a sum; a quantized contraction has integers in integer accumulators.

    If the reading of all else is the dequantizing one, the sums become results by `specification`, which is
    what that reading does with exact sums.
    """
    if not (adds_integers(accumulation) and is_contraction(op) and in_integers(op)):
        return reading
    chosen = reading.chosen if reading.is_integer else SPECIFICATION
    return Reading("integer", accumulator_at_root(op, accumulation, reading), chosen)


class Summed(NamedTuple):
    """A sum in the accumulation that was asked for; `op` is its operation, or the quantized one."""

    reading: Reading
    asked: Asked
    op: Op

    @property
    def own_reading(self) -> Reading:
        """The reading of the operation."""
        return reading_of_sum(self.op, self.asked.accumulation, self.reading)

    @property
    def adding(self) -> Adding:
        """The accumulation to add along.

        A node that names no type has that of the accumulator of the run's reading, or its default.
        """
        own = self.own_reading
        if not (own.is_integer and is_contraction(self.op) and in_integers(self.op)):
            return Adding(self.asked.accumulation)
        declared = self.reading.accumulator if self.reading.is_integer else Accumulator()
        return Adding(self.asked.accumulation, declared.type, declared.saturates)


Ways = Mapping[int, Summed]  # by the identity of the operation
NO_WAYS: Ways = {}


def reading_and_ways(
    module: Module,
    funcs: Sequence[Func],
    schedule: Schedule,
    reading: str | Reading,
    accumulator: Given | Mapping[Any, Given],
    recipe: str | None,
) -> tuple[Reading, Ways]:
    """Return the reading of a run, and the ways of its sums that have other accumulators than it gives them.

    In the integer reading an integer type alone is the reading's accumulator, which products have, too.
    """
    if not isinstance(accumulator, Mapping):
        asked, base = asked_for(accumulator, schedule), reading_named(reading, None, recipe)
        own = asked.machine and asked.machine.integer
        if base.is_integer and own:
            return base._replace(accumulator=own, is_asked=True), NO_WAYS
        sums = _all(module, funcs)
        if not sums:
            verdict, func = f"the accumulator {asked!r} is not used", funcs[0]
            raise Unsupported(verdict, f"@{func.name} and what it calls have no sum", func.location)
        return base, {id(op): _plan_sum(module, op, asked, base) for op in sums}
    base, known = reading_named(reading, None, recipe), _reductions(module)
    found = {name: find(name, known, "reduction") for name in accumulator}
    _refuse_names(found, _reachable_names(module, funcs))
    pairs = [(found[name].op, asked_for(given, schedule)) for name, given in accumulator.items()]
    return base, {id(op): _plan_sum(module, op, asked, base) for op, asked in pairs}


def schedule_of(
    module: Module, function: str, schedule: str | Schedule, given: Any, done: str = "compiled"
) -> Schedule:
    """Return the schedule that an accumulation of all sums of a function is, to be compiled or lowered."""
    func, what = function_named(module, function), f"the accumulator {given!r} is not {done}"
    if isinstance(given, Mapping):
        raise Unsupported(what, "expected one for all sums; `run` takes one for each")
    accumulation = asked_for(given, parse(schedule)).accumulation
    sums = {id(op) for op in _all(module, [func]) if is_sum(op)}
    if others := [op for op in folds(module, func.body) if id(op) not in sums]:
        raise Unsupported(what, f"{others[0].results[0].name} folds, and is not a sum", others[0].location)
    if _is_compiled(accumulation):
        return parse(repr(accumulation))
    raise Unsupported(what, "expected left, balanced or blocks(k), in the declared types; `run` takes all")


def _is_compiled(accumulation: Accumulation) -> bool:
    """Return whether an accumulation is a schedule that is compiled for every fold."""
    return bool(re.fullmatch(r"left|balanced|blocks\(\d+\)", repr(accumulation)))


def ways_compiled(
    module: Module, function: str, schedule: str | Schedule, reading: str | Reading, given: Any, recipe: Any
) -> tuple[Schedule, Reading, Ways]:
    """Return the schedule of a compiled function, its reading, and the ways of its sums beside these."""
    if not isinstance(given, Mapping) and _is_compiled(asked_for(given, parse(schedule)).accumulation):
        order = schedule_of(module, function, schedule, given)
        return order, reading_named(reading, None, recipe), NO_WAYS
    base, ways = reading_and_ways(
        module, [function_named(module, function)], parse(schedule), reading, given, recipe
    )
    for way in ways.values():
        if base.is_integer or not (adds_by_code(way.op, way.asked.accumulation)):
            what = f"{way.op.results[0].name} along {way.asked!r} is not compiled"
            raise Unsupported(what, COMPILED, way.op.location)
    return parse(schedule), base, ways


def _refuse_names(found: Mapping[Any, Named], functions: Sequence[str]) -> None:
    """Raise `Malformed` for names that would have no effect, or not the one that they say."""
    before = dict[int, Any]()  # by the identity of the operation
    for name, each in found.items():
        if each.run is not None:
            raise Malformed(f"{name} is one run of a reduction", f"expected {each._replace(run=0)}: all runs")
        if each.function not in functions:
            verdict = f"{name} does not run: it is in @{each.function}, which @{functions[0]} does not call"
            raise Malformed(verdict, f"name sums of {', '.join(f'@{x}' for x in functions)}")
        if id(each.op) in before:
            verdict = f"{before[id(each.op)]} and {name} name the same sum"
            raise Malformed(verdict, "expected one accumulator for each sum")
        before[id(each.op)] = name


def _reductions(module: Module) -> list[Named]:
    return [x for x in operations(module) if facts(x.op).is_recorded]


def _reachable_names(module: Module, funcs: Sequence[Func]) -> list[str]:
    """Return the names of functions and of those that they call."""
    return list(dict.fromkeys(name for func in funcs for name in called_functions(module, func)))


def _all(module: Module, funcs: Sequence[Func]) -> list[Op]:
    """Return the contractions and sums of functions and of those that they call."""
    ran = [op for name in _reachable_names(module, funcs) for op in nested_ops(module[name].body)]
    return [op for op in ran if adds(module, op)]


def asked_for(given: Given, schedule: Schedule) -> Asked:
    """Return the accumulation that was asked for; a schedule beside it is the order of an accumulator."""
    if not is_accumulation(given):
        assert not isinstance(given, Accumulation)
        machine = one(given)
        return Asked(machine.accumulation(schedule), machine)
    if schedule != LEFT:
        verdict = f"an accumulation has its own order, got the schedule {schedule!r} beside {given!r}"
        raise Malformed(verdict, "leave out the schedule, or name an accumulator alone, such as i16")
    assert isinstance(given, str | Accumulation)
    return Asked(Accumulation.parse(given), None)


def _plan_sum(module: Module, op: Op, asked: Asked, reading: Reading) -> Summed:
    if asked.accumulation.is_by_scales and reading.is_integer and is_contraction(op) and in_integers(op):
        asked = Asked(asked.accumulation.within, None)  # its products have one scale
    meant = _contraction_in_integers(module, op, asked, reading) or op
    if error := _refusal(meant, asked, reading):
        verdict = f"{op.results[0].name} cannot be summed in the accumulator {asked!r}: {error}"
        advice = "name the sums that are meant: accumulator={'%4': 'i16'}"
        raise Unsupported(verdict, advice, op.location)
    return Summed(reading, asked, meant)


def _contraction_in_integers(module: Module, op: Op, asked: Asked, reading: Reading) -> Op | None:
    """Return the quantized contraction that one of floats simulates, if its sums are kept in integers."""
    is_float = is_contraction(op) and not sums_integers(op)
    if not asked.is_of_integers or not is_float or asked.accumulation.is_by_scales:
        return None
    return quantized_contraction(module, op, accumulator_at_root(op, asked.accumulation, reading).type)


TOO_WIDE = "its integers have more than 32 bits"


def _refusal(op: Op, asked: Asked, reading: Reading) -> str:
    """Return the reason why a sum cannot be kept in an accumulator, or ""."""
    by_blocks = reading.is_integer and is_contraction(op) and sums_blocks(op)
    if by_blocks and not asked.accumulation.is_by_scales:
        return "its scales change along the sum, expected such as scales(left in i16; left in f32)"
    if asked.accumulation.is_by_scales and not by_blocks:
        return "it does not sum integers by blocks of one scale, as contractions in the integer reading do"
    if not (is_contraction(op) or is_sum_of_elements(op)):
        supported = ", ".join(name.removeprefix("stablehlo.") for name in SUMS)
        return f"expected one of {supported}, whose body adds one operand; it is {op.name}"
    added = [value for k, value in enumerate(op.operands) if k != INDICES.get(op.name)]
    types = [value.type.storage_type for value in added]
    if any(type.kind in ("boolean", "complex") for type in types):
        return "its numbers are neither integers nor real"
    whole = by_blocks or (sums_integers(op) if is_contraction(op) else types[0].is_integer)
    if asked.is_of_integers and not whole:
        return "it sums floats that are not known to be dequantized integers"
    named = [(a.element_type, a.saturates) for a in asked.accumulation.arithmetics]
    if any(type and type.is_integer and type.bits == WORD and saturates for type, saturates in named):
        return "sums that saturate have at most 63 bits"
    if any(type.is_integer and type.bits > WIDE for type in (*types, *plain_results(op))):
        return TOO_WIDE
    wide = is_contraction(op) and sum(type.bits for type in types[:2] if type.is_integer) > 2 * WIDE - 11
    return "f64 does not hold its products" if wide and asked.is_of_floats else ""


# The sums of the run. Prepared code lasts as long as a module, so it must not refer to a run.
CURRENT: ContextVar[Ways] = ContextVar("CURRENT", default=NO_WAYS)


@contextmanager
def summing(ways: Ways) -> Iterator[Operations]:
    """Yield the operations of a run whose sums are computed in these ways."""
    token = CURRENT.set(ways)
    try:
        yield ACCUMULATING
    finally:
        CURRENT.reset(token)


def _kernel(ctx: Context, op: Op, *operands: Array) -> State:
    """Return the results of a contraction or a reduction in the way that the run has for it."""
    found = CURRENT.get().get(id(op))
    if found is None:
        return function_of(op, ctx.xp, OPERATIONS, ctx.reading)[0](ctx, op, *operands)
    for listener in ctx.listeners:
        listener.on_fast_path(op, f"accumulator {found.asked!r}", "as asked")
    if not ctx.xp.in_place:
        return add_by_code(ctx, op, operands, found.adding)
    if found.op is op:
        return _accumulate(ctx, op, operands, found)
    pairs = zip(operands, found.op.operands, strict=True)
    stored = tuple(quantize(ctx.xp, x, value.type.quantized_element_type) for x, value in pairs)
    (sums,) = _accumulate(ctx, found.op, stored, found, op)
    return (dequantize(ctx.xp, sums, found.op.result.type.quantized_element_type),)


def _accumulate(ctx: Context, op: Op, operands: State, found: Summed, written: Op | None = None) -> State:
    """Return the results of a sum; `written` is the contraction of floats that a quantized one stands for."""
    inside = ctx._replace(operations=OPERATIONS, reading=found.own_reading)
    if _is_of_reading(op, found.asked) and not (written and ctx.listeners):
        for listener in ctx.listeners:
            listener.on_sums(op, found.adding, inside.reading)
        return function_of(op, ctx.xp, OPERATIONS, inside.reading)[0](inside, op, *operands)
    return add_along(inside, op, operands, found.adding, written)


def _is_of_reading(op: Op, asked: Asked) -> bool:
    """Return whether a sum is that of the integer reading, whose kernel has fast paths."""
    own = asked.machine and asked.machine.integer
    return bool(own) and is_contraction(op) and in_integers(op)


ACCUMULATING = Operations(
    {**OPERATIONS.kernels, **dict.fromkeys(SUMS, _kernel)},
    OPERATIONS.prepared,
    OPERATIONS.elementwise,
    OPERATIONS.in_integers,
)
