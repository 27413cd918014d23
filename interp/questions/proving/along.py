"""Sums along an accumulation: whether every node fits its type for every input, and the result's range."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.quant import Type, dequantize, quantize
from interp.engine.storage import is_stored_as_integer, storage_range, zero_point
from interp.execute.accumulating import Summed
from interp.execute.along import is_contraction, is_counted, sums_as_integers
from interp.kernels.integer_reading import finish, reads_integers
from interp.questions.proving.contractions import result_of_floats, spread, steps
from interp.questions.proving.elementwise import wrapped_range
from interp.questions.proving.judgement import PROVED, UNKNOWN, Judgement, not_judged, without_leaves
from interp.questions.proving.ranges import Range, between, has_order, type_range
from interp.questions.proving.reductions import leaves_of, result_range
from interp.speed.exact_contraction import accumulation_type
from interp.theory.along import Held, Needed, held_by, holds, leaves_along
from interp.theory.contractions import number_of_products
from interp.theory.sums import UNROLLED, Ends, Leaves, as_array, ends_of
from spec.ir import Op
from spec.types import ElementType, QuantizedType

SCOPE = "accumulation"
FLOATS = "nodes of floats round, so that no width proves them"
RESULT = "the type of the result, {!r}, may not hold the sum"
UNKNOWN_LEAVES = "a leaf may be NaN or infinite, or how many there are is unknown"


def judge_along(ctx: Any, op: Op, operands: list[Range], way: Summed) -> tuple[Judgement, list[Range]]:
    """Judge a sum along an accumulation, and return the range of its result.

    THEOREM: nodes are monotone in the leaves as long as none loses anything: see `interp.theory.sums.along`.
    """
    known, type = type_range(op.results[0].type), accumulated_type(op)
    if any(not has_order(x.type) for x in operands):
        return not_judged(op, type, UNKNOWN_LEAVES), [known]
    judged = _contraction(ctx, op, operands, way) if is_contraction(op) else _sum(ctx, op, operands, way)
    judgement, result = judged
    return replace(judgement, along=repr(way.asked)), [result or known]


def accumulated_type(op: Op) -> Type:
    """Return the type in which the program declares a sum."""
    return op.regions[-1].returns[0].type.element_type if op.regions else accumulation_type(op)


def _contraction(ctx: Any, op: Op, operands: list[Range], way: Summed) -> tuple[Judgement, Range | None]:
    """Judge the products of a contraction; where it is one of floats, those of the quantized one."""
    meant, inside = way.op, ctx._replace(reading=way.own_reading)
    if way.asked.accumulation.is_by_scales and op.result.type.size and number_of_products(op):
        from interp.questions.proving.blocks_along import judge_blocks_along  # which few programs need

        judgement, ends = judge_blocks_along(inside, op, steps(op, *operands[:2]), way.asked.accumulation)
        return judgement, None if ends is None else result_of_floats(op, ends)
    if not sums_as_integers(inside, meant):
        return not_judged(op, accumulation_type(op), FLOATS), None
    if not op.result.type.size or not number_of_products(op):
        return without_leaves(op, accumulation_type(op)), None
    sides = operands[:2]
    if meant is not op:
        if any(x.nan for x in sides):
            return not_judged(op, accumulation_type(op), UNKNOWN_LEAVES), None
        sides = [_stored_range(x, value.type) for x, value in zip(sides, meant.operands, strict=False)]
    adding, reads = way.adding, reads_integers(inside, meant)
    own = adding.declared or (way.own_reading.accumulator.type if reads else accumulation_type(meant))
    result = None if reads else accumulation_type(meant)
    leaves = steps(meant, *sides)
    judgement, needed = _judge(op, way, leaves, Held(own, adding.saturates), result)
    if judgement.verdict != PROVED or needed is None:
        return judgement, None
    if result is not None:
        return judgement, wrapped_range(op.result.type, needed.root)
    stored = [finish(inside, meant, spread(meant, end).astype(np.int64)) for end in needed.root]
    if meant is not op:
        stored = [dequantize(NUMPY, x, meant.result.type.quantized_element_type) for x in stored]
    return judgement, between(op.result.type, *stored)


def _stored_range(x: Range, type: Any) -> Range:
    """Return the range of the stored elements whose numbers a range of floats has."""
    ends = x.full if not type.quantized_element_type.is_per_tensor else (x.least, x.greatest)
    least, greatest = (np.asarray(quantize(NUMPY, end, type.quantized_element_type)) for end in ends)
    return Range(type, least, least if x.least is x.greatest else greatest)


def _sum(ctx: Any, op: Op, operands: list[Range], way: Summed) -> tuple[Judgement, Range | None]:
    """Judge the elements that a body adds."""
    type = op.regions[-1].returns[0].type.element_type
    if not is_stored_as_integer(type) or (way.asked.is_of_floats and not way.asked.is_of_integers):
        return not_judged(op, type, FLOATS), None
    if isinstance(type, QuantizedType) and not way.asked.is_of_integers:
        return not_judged(op, type, "its quantized body adds, in this order"), None
    if not op.results[0].type.size:
        return without_leaves(op, type), None
    leaves = leaves_of(ctx, op, 0, operands, type)
    if leaves is None:
        return not_judged(op, type, UNKNOWN_LEAVES), None
    plain = type if isinstance(type, ElementType) else None
    judgement, needed = _judge(op, way, leaves, Held(plain or way.reading.accumulator.type), plain)
    z = zero_point(type)
    if judgement.verdict != PROVED or needed is None or not _is_within(needed.root, type):
        return judgement, None
    dtype = NUMPY.carrier(op.regions[-1].arguments[0].type.storage_type)
    ends = [as_array(end + z).astype(dtype) for end in needed.root]
    return judgement, result_range(ctx, op, 0, type, ends)


def _is_within(ends: Ends, type: Type) -> bool:
    low, high = (end - zero_point(type) for end in storage_range(type))
    least, greatest = ends.hull
    return bool(low <= least and greatest <= high)


def _judge(
    op: Op, way: Summed, leaves: Leaves, declared: Held, result: ElementType | None
) -> tuple[Judgement, Needed | None]:
    """Judge the nodes of known leaves, and the root, which becomes a plain result; return what they need."""
    accumulation = way.asked.accumulation
    needed = _in_any_order(op, way, leaves, declared)
    if needed is None:
        needed = leaves_along(leaves, accumulation, declared)
    if any(not held_by(a, declared).type.is_integer for a in accumulation.arithmetics):
        return not_judged(op, declared.type, FLOATS), None
    every, why = dict(needed.held), ""
    if result is not None and not holds(result, needed.root):
        own, why = Held(result), RESULT.format(result)
        every[own] = needed.root.join(every.get(own, needed.root))
    worst = max(every, key=lambda held: _excess(held, every[held])) if every else declared
    ends, limits = every.get(worst, ends_of(0, 0)), storage_range(worst.type)
    verdict = PROVED if all(holds(held.type, x) for held, x in every.items()) else UNKNOWN
    fit = why and all(holds(held.type, x) for held, x in needed.held.items())
    known = verdict, SCOPE, why if fit else "", ends, limits
    anyhow = leaves.any_order()
    return Judgement(op, worst.type, *known, needed=anyhow, nodes=tuple(every.items())), needed


def _in_any_order(op: Op, way: Summed, leaves: Leaves, declared: Held) -> Needed | None:
    """Return what all partial sums need, where leaves vary in number or are too many; else None."""
    cells = leaves.n * max(1, prod(np.broadcast_shapes(leaves.least.shape[1:], leaves.greatest.shape[1:])))
    if is_counted(op) and cells <= UNROLLED:
        return None
    every = _with_inits(leaves).any_order()
    arithmetics = way.asked.accumulation.arithmetics
    kinds = [held_by(a, declared) for a in arithmetics]
    kinds += [Held(a.product_type, a.saturates) for a in arithmetics if a.product_type]
    return Needed({held: every for held in kinds if held.type.is_integer}, every)


def _with_inits(leaves: Leaves) -> Leaves:
    """Return leaves whose init stands for all that a tree has of it: in front of every group."""
    if leaves.init is None:
        return leaves
    most, (low, high) = 2 * leaves.n + 2, (as_array(end).astype(object) for end in leaves.init)
    init = ends_of(np.minimum(low * most, 0), np.maximum(high * most, 0))
    return leaves._replace(
        least=leaves.least.astype(object), greatest=leaves.greatest.astype(object), init=init
    )


def _excess(held: Held, ends: Any) -> float:
    """Return by which factor the ends are beyond a type."""
    least, greatest = ends.hull
    return max(least / held.type.min_value if held.type.min_value else -least, greatest / held.type.max_value)
