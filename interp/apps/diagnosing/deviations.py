"""The deviations that `diagnose` knows, the most plausible first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any

from interp.apps.diagnosing import orders
from interp.apps.diagnosing.deviation import Deviation, Way, sums_floats
from interp.engine.facts import facts
from interp.engine.leaf_counts import UPDATED
from interp.engine.retyped import PLACES, may_omit
from interp.execute.accumulating import hardware
from interp.execute.along import is_contraction, is_counted, is_sum, leaves, sums_integers
from interp.execute.roundings import ALL_MODES
from interp.kernels import SCHEDULED
from spec.accumulator import DEQUANTIZE, INTEGER, Reading
from spec.elements import TF32
from spec.integer_reading import has_integers, in_integers, refusal, requantizes
from spec.ir import Op
from spec.recipe_scope import out_of_scope
from spec.recipes import EXACT, RECIPES
from spec.schedule import BALANCED, LEFT, Schedule, blocks, windows
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType

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
        *schedules(),
        *inits(),
        *grouped_schedules(),
        *products(),
        *roundings(),
        *zero_points(),
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


def schedules() -> Iterator[Deviation]:
    """Yield orders of summation."""
    yield _order("left", "elements are added one after the other, from the first", LEFT)
    yield _order("balanced", "neighbours are combined in rounds", BALANCED)
    right = orders.right_to_left
    yield _order("right to left", "elements are added from the last to the first", right, is_counted)
    beside, halves = orders.init_beside, orders.init_beside_halves
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
        once = partial(orders.blocks_with_one_init, k)
        yield _order(f"blocks({k}), one init", said, once, partial(_in_groups, k, _has_init))


def inits() -> Iterator[Deviation]:
    """Yield numbers and places of init values."""
    for name, said, order in (
        ("init last", "the init value is added last", orders.init_last),
        ("init twice", "the init value is counted twice", orders.init_twice),
        ("no init", "the init value is left out", orders.without_init),
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
        yield Deviation(f"rounding {mode}", said, "rounding", _stores, {"rounding": mode})
    said = "numbers are multiplied by the rounded reciprocal of the scale in place of a division"
    yield Deviation("reciprocal scale", said, "quotients", _divides_by_scales, {"reciprocal": True})
    said = "results beyond the range of their storage wrap"
    yield Deviation("results wrap", said, "overflow", _stores, {"wraps": True})


def zero_points() -> Iterator[Deviation]:
    """Yield zero points that are left out."""
    for place in PLACES:
        said = f"{place} left out, as if 0"
        yield Deviation(f"no {place}", said, "zero points", partial(may_omit, place), {"omits": place})


def _divides_by_scales(op: Op) -> bool:
    """Return whether an operation divides by the scale of its result, and by nothing else."""
    return _stores(op) and op.name != "stablehlo.divide"


def _stores(op: Op) -> bool:
    """Return whether an operation computes quantized results."""
    type = op.results[0].type.element_type if op.results else None
    if not isinstance(type, QuantizedType) or not type.storage_type.is_integer:
        return False
    if any(value.type.element_type != type for region in op.regions for value in region.returns):
        return False  # it stores numbers of two types
    return is_sum(op) or (facts(op).computes and not in_integers(op)) or in_integers(op)
