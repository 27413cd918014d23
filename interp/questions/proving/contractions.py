"""Contractions and products of single elements: the judgement of their accumulator, and their range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, fl
from interp.engine.facts import facts
from interp.engine.in_integers import integers
from interp.engine.quant import convert, dequantize, quantize
from interp.engine.requantizing import multipliers
from interp.engine.storage import storage, storage_range
from interp.kernels.dynamism import as_ran
from interp.kernels.integer_reading import finish
from interp.questions.proving.elementwise import elementwise, has_numbers, wrapped_range
from interp.questions.proving.judgement import (
    ANY_ORDER,
    PROVED,
    SLACK,
    UNKNOWN,
    Judgement,
    fits,
    growth,
    judge_floats,
    judge_integers,
    total,
    unknown_judgement,
    without_leaves,
)
from interp.questions.proving.ranges import Range, between, has_order, type_range
from interp.speed.exact_contraction import Terms, accumulation_type, premise_of
from interp.theory.contractions import Factor, exact_products, leaf_products, number_of_products
from interp.theory.ranges import exact_bracket, extremes
from interp.theory.sums import Ends, Leaves, ends_of
from spec.accumulator import Accumulator
from spec.integer_reading import in_integers, is_summed_by_blocks, sums_blocks
from spec.ir import Op
from spec.op_attributes import algorithm_of, expressed_element
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType

Judged = tuple[Judgement | None, Range]  # of an accumulator, and the range of the result
WIDE = 31  # bits of factors up to which i64 holds their products


def judge_contraction(ctx: Any, op: Op, lhs: Range, rhs: Range, *geometry: Range) -> Judged:
    """Judge a contraction of operands in these ranges, in the context's schedule and reading.

    geometry: the operands of a dynamic_conv that say where it pads.
    """
    sums, result = accumulation_type(op), op.result.type
    if geometry and not all(x.is_point for x in geometry):
        return unknown_judgement(op, sums, "its geometry is not known"), type_range(result)
    op, _ = as_ran(op, (None, None, *(x.full[0] for x in geometry)))
    if sums.kind == "boolean":
        return None, type_range(result)
    if sums.kind == "complex" or not (has_order(lhs.type) and has_order(rhs.type)):
        return unknown_judgement(op, sums, "its numbers are not integers or real floats"), type_range(result)
    if not result.size or not number_of_products(op):
        return without_leaves(op, sums), type_range(result)
    if ctx.reading.is_integer and in_integers(op):
        return _in_reading(ctx, op, lhs, rhs)
    if ctx.reading.is_integer and sums_blocks(op):
        from interp.questions.proving.blocks import judge_blocks  # which few programs need

        judgement, ends = judge_blocks(ctx, op, steps(op, lhs, rhs))
        return judgement, type_range(result) if ends is None else result_of_floats(op, ends)
    whole = all(x.type.is_quantized or x.type.storage_type.is_integer for x in (lhs, rhs))
    if sums.is_integer and whole:
        return _plain(ctx, op, lhs, rhs)
    return _floats(ctx, op, lhs, rhs, whole)


def _plain(ctx: Any, op: Op, lhs: Range, rhs: Range) -> Judged:
    """Judge sums of plain integers, which wrap in the type of the result."""
    type, leaves = accumulation_type(op), steps(op, lhs, rhs)
    judgement = judge_integers(op, type, storage_range(type), leaves, ctx.schedule)
    return judgement, wrapped_range(op.result.type, leaves.total())


def _in_reading(ctx: Any, op: Op, lhs: Range, rhs: Range) -> Judged:
    """Judge the integer reading's accumulator, and requantize the ends of its total if it holds them."""
    held, leaves = ctx.reading.accumulator, steps(op, lhs, rhs)
    limits = storage_range(held.type)
    judgement, ends = judge_integers(op, held.type, limits, leaves, ctx.schedule), leaves.total()
    if not (judgement.verdict == "proved" or (not held.saturates and fits(ends, limits))):
        return judgement, type_range(op.result.type)
    stored = (finish(ctx, op, spread(op, end).astype(np.int64)) for end in ends)
    return judgement, between(op.result.type, *stored)


def spread(op: Op, x: Array) -> Array:
    """Return numbers in the result's shape if one of the types has several scales."""
    types = [value.type.element_type for value in (*op.operands[:2], *op.results)]
    several = any(isinstance(type, QuantizedType) and not type.is_per_tensor for type in types)
    return np.broadcast_to(x, op.result.type.shape) if several else x


def _floats(ctx: Any, op: Op, lhs: Range, rhs: Range, whole: bool) -> Judged:
    """Judge sums in the expressed type, and the integers that they stand for where both are quantized."""
    sums = accumulation_type(op)
    products = steps(op, lhs, rhs) if whole and not is_summed_by_blocks(op) else None
    needed = products.any_order() if products else None
    factors = [_reals(op, k, x) for k, x in enumerate((lhs, rhs))]
    if any(factor is None for factor in factors):
        return unknown_judgement(op, sums, "an operand may be NaN or infinite", needed), type_range(
            op.result.type
        )
    leaves = _rounded_products(op, *factors)  # type: ignore[arg-type]
    del factors  # of large weights as much as these take
    judgement, ends = judge_floats(op, sums, leaves), total(sums, leaves)
    if judgement.verdict != "proved":
        return judgement, type_range(op.result.type)
    if products and (holding := _accumulator_of(op)):
        judgement = _judge_result(op, holding, products, ends)
    elif needed is not None:
        judgement = replace(judgement, needed=needed)
    return judgement, result_of_floats(op, ends)


def _rounded_products(op: Op, lhs: Factor, rhs: Factor) -> Leaves:
    """Return ends of the products as they are rounded to the accumulation type."""
    sums = accumulation_type(op)
    low, high = leaf_products(op, lhs, rhs)
    off = np.abs(low) + np.abs(high)
    off *= growth(sums, 1)
    off += 2.0 ** (1 - sums.bias)
    low = low - off
    return Leaves(low, high + off)


def _accumulator_of(op: Op) -> QuantizedType | None:
    """Return the result's type if it holds the sums of products as they are: see `multipliers`."""
    type = op.result.type.element_type
    if not isinstance(type, QuantizedType) or not in_integers(op) or type.storage_type.kind != "signed":
        return None
    ratios, _ = multipliers(op, Accumulator(type.storage_type.bits))
    return type if all(ratio == 1 for ratio in ratios) else None


def _judge_result(op: Op, type: QuantizedType, steps: Leaves, ends: Ends) -> Judgement:
    """Judge the result where it is the accumulator: only the total is stored, and saturates.

    THEOREM: where the sums are exact (`exact_contraction`), the total is that of the integers; otherwise the
    bound of the float sum decides.
    """
    limits, premise = storage_range(type), premise_of(op)
    whole = steps.total()
    if isinstance(premise, Terms) and steps.magnitude.max() <= min(premise.limit):
        proved = fits(whole, limits)
    else:
        unit = min(fl(scale, type.expressed_type) for scale in type.scales)
        outward = (1 + growth(type.expressed_type, 2)) * (1 + SLACK) / unit  # a division rounds, and f64
        proved = fits(Ends(ends.least * outward, ends.greatest * outward), limits)
    verdict = "proved" if proved else "unknown"
    return Judgement(op, type, verdict, "any order", "", whole, limits, steps.any_order())


def result_of_floats(op: Op, ends: Ends) -> Range:
    """Return the range of the result for these ends of the sum in the accumulation type."""
    type, element = op.result.type, op.result.type.element_type
    if isinstance(element, QuantizedType) and not has_numbers(element):
        return type_range(type)
    converted = []
    for end in ends:
        x = convert(NUMPY, spread(op, end), ELEMENT_TYPES["f64"], accumulation_type(op))
        x = convert(NUMPY, x, accumulation_type(op), expressed_element(type))
        converted.append(quantize(NUMPY, x, element) if isinstance(element, QuantizedType) else x)
    return between(type, *converted)


def steps(op: Op, lhs: Range, rhs: Range) -> Leaves:
    """Return the products of stored numbers less their zero points, exactly."""
    wide = any(x.type.storage_type.bits > WIDE for x in (lhs, rhs))
    left, right = (_numbers(x, object if wide else np.int64) for x in (lhs, rhs))
    return exact_products(op, left, right)


def _numbers(x: Range, dtype: Any) -> Factor:
    """Return the stored numbers of an operand, less their zero points."""
    element, ends = x.type.element_type, (x.least, x.greatest)
    if isinstance(element, QuantizedType):
        ends = _map_ends(x, lambda end: integers(NUMPY, end, element))
    low, high = _map_both(ends, lambda end: np.asarray(end).astype(dtype))
    return Factor(low, high, x.type.shape)


def _reals(op: Op, k: int, x: Range) -> Factor | None:
    """Return the real numbers of an operand as they are multiplied; None if one may not be finite."""
    element, ends, algorithm = x.type.element_type, (x.least, x.greatest), algorithm_of(op)
    if isinstance(element, QuantizedType):
        if not has_numbers(element):
            return None
        ends = _map_ends(x, lambda end: dequantize(NUMPY, end, element))
    if algorithm:
        source, precision = expressed_element(x.type), algorithm.precision_types[k]
        ends = _map_both(ends, lambda end: convert(NUMPY, end, source, precision))
    low, high = _map_both(ends, lambda end: end.astype(np.float64))
    if x.nan or not all(np.isfinite(end).all() for end in ((low,) if low is high else (low, high))):
        return None
    return Factor(low, high, x.type.shape)


def _map_ends(x: Range, function: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Return a function of the stored ends of a quantized operand, in its shape if it has several scales."""
    element, ends = x.type.element_type, (x.least, x.greatest)
    if isinstance(element, QuantizedType) and not element.is_per_tensor:
        return _map_both(ends, lambda end: function(np.broadcast_to(end, x.type.shape)))
    return _map_both(ends, function)


def _map_both(ends: tuple[Array, Array], function: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Return a function of both ends, once where they are one array, as of a constant."""
    low = function(ends[0])
    return low, low if ends[0] is ends[1] else function(ends[1])


# Products of single elements in the integer reading: their accumulator, and the range of the result.
#
# THEOREM: a product is monotone in each factor, in a direction that the other one decides, so its extremes
# are among those of the ends of the factors. An accumulator that holds these, or that saturates, keeps
# order, and so does requantization. One that wraps does not keep it: the result may then be anything.

MULTIPLY = "stablehlo.multiply"
SATURATES = "events do not tell a product that saturates from a result that does"


def judge_products(
    ctx: Any, op: Op, operands: Sequence[Range], function: Callable[..., Array]
) -> tuple[Judgement, Range]:
    """Judge the accumulator of products of quantized numbers, and return the range of their results."""
    held = ctx.reading.accumulator
    limits, ends = storage_range(held.type), _exact_products(op, operands)
    proved = fits(ends, limits)
    result = elementwise(op, operands, function) if proved or held.saturates else type_range(op.result.type)
    why = "" if proved or not held.saturates else SATURATES
    return Judgement(op, held.type, PROVED if proved else UNKNOWN, ANY_ORDER, why, ends, limits, ends), result


def _exact_products(op: Op, operands: Sequence[Range]) -> Ends:
    """Return the least and the greatest product of `q - zero_point` for each element."""
    factors = [
        _whole(value.type.quantized_element_type, x) for value, x in zip(op.operands, operands, strict=True)
    ]
    return ends_of(*extremes(facts(op), exact_bracket(np.multiply), factors))


def _whole(type: Any, x: Range) -> Ends:
    ends = x.ends if type.is_per_tensor else x.full
    return Ends(*(np.asarray(integers(NUMPY, end, type)).astype(object) for end in ends))


# Additions to a sum of integers, such as that of a bias: as terms of the sum they need bits, too.
#
# THEOREM: a sum of some leaves and the term, in any order, lies between the extremes of the leaves' partial
# sums, each moved by the term's ends where these lead further out. The addition itself does not wrap if the
# sum's ends, moved by the term's, are in the type.

ADD = "stablehlo.add"


def continues(op: Op) -> bool:
    """Return whether an operation adds plain integers, which wrap."""
    type = op.results[0].type.element_type
    return op.name == ADD and isinstance(type, ElementType) and type.is_integer


def judge_addition(
    op: Op, operands: list[Range], term: Range, before: Judgement
) -> tuple[Judgement, Judgement]:
    """Return the judgement of a sum with another term among its leaves, and that of the addition.

    The sum's own judgement is kept if it is no proof, or if its accumulator is narrower than the addition's.
    """
    type = op.results[0].type.element_type
    low, high = _exact(term.least), _exact(term.greatest)
    ends = Ends(*(sum(map(_exact, x)) for x in zip(*(x.ends for x in operands), strict=True)))
    limits = storage_range(type)
    verdict = PROVED if fits(ends, limits) else UNKNOWN
    added = Judgement(op, type, verdict, "", "", ends, limits, ends)
    is_wide = storage(before.type).is_integer and storage(before.type).bits >= storage(type).bits
    if before.needed is None or before.verdict != PROVED or not is_wide:
        return before, added
    least, greatest = map(_exact, before.needed)
    needed = Ends(least + np.minimum(low, 0), greatest + np.maximum(high, 0))
    if before.ends is not None and fits(needed, limits):
        return replace(before, ends=needed, needed=needed), added
    return replace(before, needed=needed, why=f"before {op.results[0].name} adds a term to it"), added


def _exact(x: Array) -> Array:
    return np.asarray(x).astype(object)
