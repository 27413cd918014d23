"""Accumulations by a body: reduce, reduce_window, select_and_scatter, scatter, all_reduce, reduce_scatter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.bodies import body_ops
from interp.engine.entering import entering
from interp.engine.facts import facts
from interp.engine.quant import Type
from interp.engine.stored import expressed_type, is_stored_as_integer, storage_range, zero_point
from interp.kernels import KERNELS, collectives
from interp.questions.proving.judgement import (
    PROVED,
    Judgement,
    fits,
    judge_floats,
    judge_integers,
    total,
    unknown_judgement,
    without_leaves,
)
from interp.questions.proving.ranges import Range, between, has_order, type_range
from interp.questions.proving.reduced_leaves import keeps_order, leaves_of, repeating
from interp.theory.addition import addition_is_integer, choice_is_exact
from interp.theory.sums import Leaves, as_array
from spec.ir import Op, Region
from spec.types import QuantizedType

ROUNDING = "no theorem: additions in this type may round"
BODY = "no theorem about this body"
WINDOWED = {"stablehlo.reduce", "stablehlo.reduce_window"}
HARMLESS = {"moved", "constant", "selected", "largest", "reduced"}


def accumulates(op: Op) -> bool:
    """Return whether an operation combines elements by a body."""
    return facts(op).reduces or op.name in collectives.FOLDS


def judge_sums(ctx: Any, op: Op, operands: Sequence[Range]) -> tuple[list[Judgement], list[Range]]:
    """Judge the sums of an operation, and return the ranges of its results."""
    if op.name in collectives.FOLDS:
        return _collective(ctx, op, operands)
    inner = body_ops(ctx.module, op.regions[-1])
    found = [_one(ctx, op, k, combining, operands) for k, combining in enumerate(inner)]
    judgements = [
        replace(judgement, result=k, inner=inner[k]) for k, (judgement, _) in enumerate(found) if judgement
    ]
    return judgements, [result for _, result in found]


def _collective(ctx: Any, op: Op, operands: Sequence[Range]) -> tuple[list[Judgement], list[Range]]:
    """Judge each operand of a collective apart, since the body takes two elements of one of them."""
    judgements, results = [], []
    (inner,) = body_ops(ctx.module, op.regions[-1])
    for k, value in enumerate(op.results):
        judgement, result = _one(ctx, collectives.select_operand(op, k), 0, inner, operands[k : k + 1])
        judgements += [replace(judgement, inner=inner)] if judgement else []
        always = op.name != "stablehlo.collective_reduce"  # which gives 0 except in the root
        results.append(result if always else type_range(value.type))
    return judgements, results


def _one(
    ctx: Any, op: Op, k: int, inner: Op | None, operands: Sequence[Range]
) -> tuple[Judgement | None, Range]:
    """Judge the sum of operand k, which `inner` adds, if it adds."""
    result, body = op.results[k].type, op.regions[-1]
    type = body.arguments[k].type.element_type
    if inner is None or len({body.arguments[k].type, inner.result.type}) > 1:
        return (None if _only_chooses(body) else unknown_judgement(op, type, BODY)), type_range(result)
    if facts(inner).chooses or inner.name in ("stablehlo.and", "stablehlo.or"):
        chooses = facts(inner).chooses or _kind(type) == "boolean"  # bits of integers mix
        return None, _choice_range(ctx, op, k, operands) if chooses else type_range(result)
    if inner.name != "stablehlo.add" or not has_order(inner.result.type) or _kind(type) == "boolean":
        return unknown_judgement(op, type, BODY), type_range(result)
    if not result.size:
        return without_leaves(op, type), type_range(result)
    leaves = leaves_of(ctx, op, k, operands, type)
    if leaves is None:
        return unknown_judgement(op, type, "a leaf may be NaN or infinite, or how many there are is unknown"), type_range(
            result
        )
    own = leaves  # of which a schedule makes its own tree
    if ctx.schedule.may_repeat_init:
        leaves = repeating(leaves, ctx.schedule)
    if not is_stored_as_integer(type):
        return _floats(op, k, type, leaves)
    return _integers(ctx, op, k, type, leaves, own)


def _kind(type: Type) -> str:
    return expressed_type(type).kind if not isinstance(type, QuantizedType) else type.storage_type.kind


def _only_chooses(body: Region) -> bool:
    """Return whether a body computes no number, as that of an argmax: it compares and selects."""
    known = {"stablehlo.compare", "stablehlo.and", "stablehlo.or", "stablehlo.not"}
    return all(op.name in known or facts(op).error in HARMLESS for op in body.ops[:-1])


def _integers(ctx: Any, op: Op, k: int, type: Type, leaves: Leaves, own: Leaves) -> tuple[Judgement, Range]:
    """Judge a sum of integers; in `leaves` the init stands for as many as a schedule has of it."""
    z, result = zero_point(type), op.results[k].type
    low, high = storage_range(type)
    judgement = judge_integers(op, type, (low - z, high - z), leaves, ctx.schedule, own)
    if judgement.ends is not None and isinstance(type, QuantizedType) and not ctx.reading.is_integer:
        hull = [np.array([end + z], object) for end in judgement.ends.hull]
        if judgement.verdict == PROVED and not addition_is_integer(type, *hull).all():
            return unknown_judgement(op, type, ROUNDING, judgement.needed), type_range(result)
    sums = leaves.total()
    if not (
        fits(sums, (low - z, high - z))
        and (judgement.verdict == PROVED or not isinstance(type, QuantizedType))
    ):
        return judgement, type_range(result)
    dtype = NUMPY.carrier(op.regions[-1].arguments[k].type.storage_type)
    ends = [as_array(end + z).astype(dtype) for end in sums]
    return judgement, _result_range(ctx, op, k, type, ends)


def _result_range(ctx: Any, op: Op, k: int, type: Type, ends: Sequence[Array]) -> Range:
    """Return the range of a result for the ends of its accumulator, converted to the result's type."""
    result = op.results[k].type
    if result.element_type == type:
        return between(result, *ends)
    if not keeps_order(type, result.element_type, ends):
        return type_range(result)
    return between(result, *(entering(ctx, end, type, result.element_type) for end in ends))


def _floats(op: Op, k: int, type: Any, leaves: Leaves) -> tuple[Judgement, Range]:
    judgement, result = judge_floats(op, type, leaves), op.results[k].type
    if judgement.verdict != PROVED or result.element_type != type:
        return judgement, type_range(result)
    dtype = NUMPY.carrier(type)
    ends = (NUMPY.round_to(end, type).astype(dtype) for end in total(type, leaves))
    return judgement, between(result, *ends)


def _choice_range(ctx: Any, op: Op, k: int, operands: Sequence[Range]) -> Range:
    """Return the range of a body that returns one of its leaves: its kernel's results for both ends.

    THEOREM: such a body is monotone, in any tree. A type in which a number changes when it is quantized again
    has its own range, as has a result of another type than the leaves.
    """
    result = op.results[k].type
    types = {value.type.element_type for value in (*op.operands, *op.results)}
    if len(op.operands) != 2 or len(types) > 1 or op.name not in WINDOWED or not has_order(result):
        return type_range(result)
    type = result.element_type
    if isinstance(type, QuantizedType) and not (ctx.reading.is_integer or _keeps_numbers(type)):
        return type_range(result)
    kernel: Any = KERNELS[op.name]
    least, greatest = (kernel(ctx, op, *each)[0] for each in zip(*(x.full for x in operands), strict=True))
    return between(result, least, greatest, any(x.nan for x in operands))


def _keeps_numbers(type: QuantizedType) -> bool:
    """Return whether every stored number is the same when it is quantized again."""
    return type.is_per_tensor and choice_is_exact(type, *storage_range(type))
