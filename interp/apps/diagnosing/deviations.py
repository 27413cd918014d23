"""Deviations from a declared meaning, the most plausible first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from typing import Any

from interp.apps.diagnosing import block_faults, scale_faults
from interp.apps.diagnosing.given import WAYS, is_boolean_fault, may_differ
from interp.apps.diagnosing.orders import (
    blocks_with_one_init,
    init_beside,
    init_beside_halves,
    init_last,
    init_twice,
    right_to_left,
    without_init,
)
from interp.apps.diagnosing.roundings import ALL_MODES, divides_by_scales, stores
from interp.engine.additions import Adding
from interp.engine.bodies import PLACES, may_omit
from interp.engine.leaf_counts import UPDATED
from interp.execute.accumulating import Hardware, hardware, reading_of_sum
from interp.execute.along import is_contraction, is_counted, is_sum, leaves, sums_integers
from interp.kernels import SCHEDULED
from spec.accumulation import Accumulation, level_of
from spec.accumulator import DEQUANTIZE, INTEGER, Reading
from spec.elements import TF32
from spec.integer_reading import has_integers, refusal, requantizes
from spec.ir import Op
from spec.patterns import Level
from spec.readings import out_of_scope
from spec.recipes import EXACT, RECIPES
from spec.schedule import BALANCED, LEFT, Schedule, blocks, windows
from spec.trees import PLAIN, Arithmetic
from spec.types import ELEMENT_TYPES, ElementType, integer

# Ways to compute an operation: the declared one, and deviations, which differ from it in a field or two.

Order = Callable[[int], Schedule]  # the schedule for n leaves, the init included


@dataclass(frozen=True)
class Way:
    """A way to compute an operation; the fields after `reading` change nothing if they are left out.

    order: a schedule, or a function from the number of leaves to one. along: the accumulation of a sum, in
    place of what `order` and the other fields say of its additions. machine: the accumulator of a sum.
    lanes: so many accumulators take turns. unsigned: the width of an accumulator of numbers from 0, which
    wraps or saturates as `machine` does.
    factors, products: the types that both are rounded to, once, before they are multiplied or summed.
    in_full: what is added to a float accumulator is not rounded to its type before.
    fused: products are not rounded at all. rounding: how a quotient becomes an integer (`roundings.MODES`).
    reciprocal: a quotient is a product with the rounded reciprocal of the scale. wraps: stored results wrap
    instead of saturating. flushes: subnormal numbers count as zeros. omits: the zero points left out, a
    key of `bodies.PLACES`. blocks: a fault about scales per block, a key of `block_faults.FAULTS`. given: how
    multipliers that the program gives are used, a key of `given.WAYS`. faultless: faults of kernels do not
    occur.
    """

    reading: Reading
    order: Schedule | Order
    along: Accumulation | None = None
    machine: Hardware | None = None
    lanes: int = 0
    unsigned: int = 0
    factors: ElementType | None = None
    products: ElementType | None = None
    in_full: bool = False
    fused: bool = False
    rounding: str = ""
    reciprocal: bool = False
    wraps: bool = False
    flushes: bool = False
    omits: str = ""
    blocks: str = ""
    given: str = ""
    faultless: bool = False

    def schedule(self, n: int) -> Schedule:
        """Return the schedule for n leaves, the init included."""
        return self.order if isinstance(self.order, Schedule) else self.order(n)

    @property
    def sums_itself(self) -> bool:
        """Return whether a sum differs from the fold of a kernel in more than the schedule."""
        return bool(self.along or self.machine or self.lanes or self.factors or self.products or self.fused)

    def adding(self, op: Op, is_of_integers: bool) -> Adding:
        """Return how a sum adds, of integers or of floats where no accumulator is named."""
        if self.along:
            return Adding(_flush(self.along) if self.flushes else self.along, factors=self.factors)
        accumulation = _accumulation(self, leaves(op), is_of_integers)
        if not self.unsigned or self.machine is None:
            return Adding(accumulation, factors=self.factors)
        saturates = self.machine.accumulation().level.arithmetic.saturates
        return Adding(accumulation, integer(self.unsigned, False), saturates, self.factors)

    def arithmetic(self, named: Arithmetic, is_of_integers: bool) -> Arithmetic:
        """Return the arithmetic of nodes that have the type of an accumulator, or the declared one."""
        if self.unsigned or (is_of_integers and not named.type):
            return PLAIN
        if named.element_type and named.element_type.is_integer:
            return named
        kind, products = "exact" if self.fused or self.in_full else "plain", self.products
        return replace(named, kind=kind, products=products.name if products else "", flush=self.flushes)

    def reading_of(self, op: Op) -> Reading:
        """Return the reading of an operation, whose sums may be of integers in the accumulator."""
        accumulation = self.along or (self.machine and self.machine.accumulation())
        return reading_of_sum(op, accumulation, self.reading) if accumulation else self.reading


@dataclass(frozen=True, eq=False)
class Deviation:
    """One deviation from the declared meaning.

    aspect: deviations of one aspect exclude each other, so that pairs are of two aspects. applies: whether
    it can occur at an operation. fields: what it sets in a `Way`.
    """

    name: str
    sentence: str
    aspect: str
    applies: Callable[[Op], bool]
    fields: dict[str, Any]

    def __repr__(self) -> str:
        return self.name

    def of(self, way: Way) -> Way:
        """Return a way with this deviation."""
        return replace(way, **self.fields)

    def goes_with(self, other: Deviation) -> bool:
        """Return whether a device may have both: an accumulator of groups leaves nothing to lanes."""
        fields = {**self.fields, **other.fields}
        machine = fields.get("machine")
        grouped = machine and machine.accumulation().level.is_grouping and "lanes" in fields
        return self.aspect != other.aspect and not grouped


def _flush(accumulation: Accumulation) -> Accumulation:
    """Return an accumulation in which subnormal numbers count as zeros."""
    whole = lambda a: bool(a.element_type and a.element_type.is_integer) or a.saturates
    flushing = accumulation.change(lambda a: a if whole(a) else replace(a, flush=True))
    return replace(flushing, flushes_inputs=True)


@lru_cache(1024)
def _accumulation(way: Way, n: int, whole: bool) -> Accumulation:
    """Return the accumulation of n leaves and an init; groups start from zero, in the order given."""
    level = way.machine.accumulation().level if way.machine else Level()
    named = (level.inner or level).arithmetic, (level.outer or level).arithmetic
    inner, outer = (way.arithmetic(arithmetic, whole) for arithmetic in named)
    grouping, size = ("lanes", way.lanes) if way.lanes else (level.name, sum(level.numbers))
    groups = n if not size else min(size, n) if grouping == "lanes" else -(-n // size)
    order = way.schedule(groups + 1)
    start = "without init" if order.argument == () else ""  # the order of one element, without the init
    last = Level(arithmetic=outer) if start else level_of(order, outer)
    if size:
        last, start = Level(grouping, (size,), PLAIN, Level(arithmetic=inner), last), "from zero"
    return Accumulation(last, (), start, way.flushes)


def sums_floats(op: Op) -> bool:
    """Return whether an operation sums floats that no quantized type stands for."""
    types = [value.type for value in (*op.operands[:2], op.result)] if is_sum(op) else []
    return bool(types) and all(not t.is_quantized and t.storage_type.kind == "float" for t in types)


GROUPS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
LANES = (2, 4, 8, 16, 32, 64)
INTEGERS = ("i32", "i16", "i8", "i24", "i20", "i48", "i64")
FLOATS = ("f32", "f16", "bf16", "f64")
NARROW = ("f16", "bf16")


def _in_groups(k: int, applies: Callable[[Op], bool], op: Op) -> bool:
    """Return whether a deviation applies, and more than one group of k leaves comes of it, or may come."""
    return applies(op) and (not is_counted(op) or leaves(op) > k)


def is_scheduled(op: Op) -> bool:
    """Return whether the result depends on a schedule; a scatter has only one."""
    return op.name in SCHEDULED and op.name != UPDATED


def sums_unsigned(op: Op) -> bool:
    """Return whether an operation sums plain integers that are at least 0."""
    values = (*op.operands[:2], op.result) if is_contraction(op) else op.operands if is_sum(op) else ()
    types = [value.type.element_type for value in values]
    return bool(types) and all(isinstance(t, ElementType) and t.kind == "unsigned" for t in types)


def deviations(declared: Way) -> list[Deviation]:
    """Return all deviations from a declared way, the most plausible first."""
    found = [
        *integer_accumulators((*INTEGERS, "maddubs")),
        *unsigned_accumulators(),
        *float_accumulators(),
        *recipes(declared.reading),
        *multipliers(),
        *schedules(),
        *inits(),
        *grouped_schedules(),
        *products(),
        *roundings(),
        *zero_points(),
        *blocks_of_others(),
    ]
    return [each for each in found if each.of(declared) != declared]


def unusual(declared: Way) -> list[Deviation]:
    """Return deviations that are too many to be paired: accumulators of every other width."""
    widths = [f"i{bits}" for bits in range(4, 64) if f"i{bits}" not in INTEGERS]
    return [each for each in integer_accumulators(widths) if each.of(declared) != declared]


def _accumulator(name: str, said: str, applies: Callable[[Op], bool], **fields: Any) -> Deviation:
    return Deviation(f"accumulator {name}", f"sums {said}", "accumulator", applies, fields)


def integer_accumulators(names: Iterable[str]) -> Iterator[Deviation]:
    """Yield integer accumulators of sums, which wrap or saturate."""
    for machine in (machine for name in names for machine in hardware(name)):
        yield _accumulator(
            repr(machine), f"of integers are kept in {machine!r}", sums_integers, machine=machine
        )


def unsigned_accumulators() -> Iterator[Deviation]:
    """Yield accumulators of numbers that are at least 0, whose sums only grow: the last one decides."""
    for bits, mode in product((16, 8, 24, 32), ("wrap", "saturate")):
        said, (machine,) = f"of integers are kept in ui{bits} {mode}", hardware(f"i64 {mode}")
        yield _accumulator(f"ui{bits} {mode}", said, sums_unsigned, machine=machine, unsigned=bits)


def float_accumulators() -> Iterator[Deviation]:
    """Yield float accumulators of sums."""
    said = "are kept in {}, rounded after each addition"
    for machine in (machine for name in FLOATS for machine in hardware(name)):
        how = f"{said.format(machine)}, and converted at the end"
        yield _accumulator(f"{machine!r}", how, is_sum, machine=machine)
    for machine in (machine for name in NARROW for machine in hardware(name)):
        how = f"{said.format(machine)} of a number that is not"
        yield _accumulator(f"{machine!r}, terms in full", how, is_sum, machine=machine, in_full=True)


def recipes(declared: Reading) -> Iterator[Deviation]:
    """Yield the other reading of quantized operations, and the recipes of requantization."""
    if declared.is_integer:
        said = "quantized operations dequantize, compute in floats, and quantize"
        way = {"reading": Reading(DEQUANTIZE)}
        yield Deviation("reading dequantize", said, "reading", has_integers, way)
    else:
        said = "quantized operations compute with integers; quotients of scales are exact, rounded once"
        reading = Reading(INTEGER, declared.accumulator)
        yield Deviation("reading integer", said, "reading", partial(_reads, reading), {"reading": reading})
    for name, row in RECIPES.items():
        reading = Reading(INTEGER, declared.accumulator, name)
        if name != EXACT or declared.is_integer:
            said = f"integers are rescaled by {row.sentence}"
            yield Deviation(f"recipe {name}", said, "reading", partial(_reads, reading), {"reading": reading})


def _reads(reading: Reading, op: Op) -> bool:
    """Return whether a reading of integers defines an operation and may change it."""
    concerned = has_integers(op) or (bool(reading.chosen) and requantizes(op))
    return concerned and refusal(op) is None and out_of_scope(op, reading) is None


def multipliers() -> Iterator[Deviation]:
    """Yield other uses of the multipliers that a program gives, and kernels without its faults."""
    for way, said in WAYS.items():
        yield Deviation(f"multipliers {way}", said, "multipliers", partial(may_differ, way), {"given": way})
    said = "the faults that the program reproduces do not occur"
    yield Deviation("no fault", said, "fault", is_boolean_fault, {"faultless": True})


def schedules() -> Iterator[Deviation]:
    """Yield orders of summation."""
    yield _order("left", "elements are added one after the other, from the first", LEFT)
    yield _order("balanced", "neighbours are combined in rounds", BALANCED)
    right = right_to_left
    yield _order("right to left", "elements are added from the last to the first", right, is_counted)
    beside, halves = init_beside, init_beside_halves
    yield _order("init beside balanced", "init is added to a balanced tree of elements", beside, is_counted)
    yield _order("init beside halves", "init is added to a tree that halves the elements", halves, is_counted)


def grouped_schedules() -> Iterator[Deviation]:
    """Yield sums of groups of elements, which are summed in turn."""
    for k in GROUPS:
        said = f"blocks of {k} are folded apart, each from its own init, then their results"
        yield _order(f"blocks({k})", said, blocks(k), partial(_in_groups, k, is_scheduled))
    for k in LANES:
        said = f"{k} accumulators take turns, and are added in the end"
        yield Deviation(f"lanes({k})", said, "lanes", partial(_in_groups, k, _takes_turns), {"lanes": k})
    for k in GROUPS[:8]:
        said = f"centred windows of {k} are folded, repeatedly"
        yield _order(f"windows({k})", said, windows(k), partial(_in_groups, k, is_scheduled))
    for k in GROUPS:
        said = f"blocks of {k} are folded apart, and the init value is counted once"
        once = partial(blocks_with_one_init, k)
        yield _order(f"blocks({k}), one init", said, once, partial(_in_groups, k, _has_init))


def inits() -> Iterator[Deviation]:
    """Yield numbers and places of init values."""
    for name, said, order in (
        ("init last", "the init value is added last", init_last),
        ("init twice", "the init value is counted twice", init_twice),
        ("no init", "the init value is left out", without_init),
    ):
        yield _order(name, said, order, _has_init)


def _order(
    name: str, said: str, order: Schedule | Callable[[int], Schedule], applies: Any = is_scheduled
) -> Deviation:
    return Deviation(name, said, "schedule", applies, {"order": order})


def _has_init(op: Op) -> bool:
    return is_counted(op) and not is_contraction(op)


def _takes_turns(op: Op) -> bool:
    return is_sum(op) and (sums_floats(op) or is_contraction(op))


def products() -> Iterator[Deviation]:
    """Yield roundings of factors and products, and numbers that are flushed."""
    said = "products are not rounded before they are added (fused multiply-add)"
    yield Deviation("fused products", said, "products", _multiplies_reals, {"fused": True})
    for name in ("f16", "bf16"):
        said, type = f"products are rounded to {name} before they are added", ELEMENT_TYPES[name]
        yield Deviation(f"products {name}", said, "products", _multiplies_reals, {"products": type})
    for type in (ELEMENT_TYPES["bf16"], TF32, ELEMENT_TYPES["f16"]):
        said = f"factors are rounded to {type!r} before they are multiplied"
        yield Deviation(f"factors {type!r}", said, "factors", _multiplies_reals, {"factors": type})
    said = "subnormal numbers, operands and results alike, count as zeros"
    yield Deviation("flush to zero", said, "subnormals", _has_floats, {"flushes": True})


def _multiplies_reals(op: Op) -> bool:
    """Return whether a contraction multiplies floats, given or dequantized."""
    return is_contraction(op) and not all(
        v.type.storage_type.is_integer and not v.type.is_quantized for v in op.operands[:2]
    )


def _has_floats(op: Op) -> bool:
    kinds = [(v.type.is_quantized, v.type.storage_type.kind) for v in (*op.operands, *op.results)]
    return (False, "float") in kinds


def roundings() -> Iterator[Deviation]:
    """Yield roundings of results to stored integers, and results that wrap."""
    for mode in ALL_MODES:
        said = f"results are rounded to stored integers {mode}"
        if "zero point" not in mode:
            said += ", before the zero point is added"
        yield Deviation(f"rounding {mode}", said, "rounding", stores, {"rounding": mode})
    said = "numbers are multiplied by the rounded reciprocal of the scale in place of a division"
    yield Deviation("reciprocal scale", said, "quotients", divides_by_scales, {"reciprocal": True})
    said = "results beyond the range of their storage wrap"
    yield Deviation("results wrap", said, "overflow", stores, {"wraps": True})


def zero_points() -> Iterator[Deviation]:
    """Yield zero points that are left out."""
    for place in PLACES:
        said = f"{place} left out, as if 0"
        yield Deviation(f"no {place}", said, "zero points", partial(may_omit, place), {"omits": place})


def blocks_of_others() -> Iterator[Deviation]:
    """Yield faults about scales per block, of types and of operands."""
    for name, fault in block_faults.FAULTS.items():
        applies = partial(_may_mistake_blocks, name)
        yield Deviation(name, fault.sentence, "blocks", applies, {"blocks": name})


def _may_mistake_blocks(name: str, op: Op) -> bool:
    return block_faults.may_have(name, op) or scale_faults.may_have(name, op)
