"""Judgement of sums by blocks, in the integer reading: integers of each block, and floats across them.

A block is a sum of integers like any other. What its accumulator holds, proved or not, is a number of its
type; times both scales it is a leaf of a sum of floats, which is proved finite or not.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, max_finite
from interp.engine.float_sums import least_exponent
from interp.engine.storage import storage_range
from interp.kernels.block_sums import edges_of, scales_of_results
from interp.kernels.contraction import geometry_of
from interp.questions.block_needs import adds_exactly, cut
from interp.questions.proving.judgement import (
    ANY_ORDER,
    ANY_SCHEDULE,
    PROVED,
    UNKNOWN,
    Judgement,
    fits,
    growth,
    judge_floats,
    judge_integers,
    total,
)
from interp.speed.exact_contraction import accumulation_type
from interp.theory.sums import Ends, Leaves
from spec.accumulation import Accumulation
from spec.ir import Op
from spec.recipes import QWIX

BY_BLOCKS = "in each of {} blocks"
ROUNDED, UNROUNDED = "across them sums may be rounded", "across them nothing is rounded"
INFINITE = "sums of blocks, times their scales, may be infinite in {!r}"
SCOPES = ANY_ORDER, ANY_SCHEDULE  # the widest first; then that of a schedule


def judge_blocks(ctx: Any, op: Op, leaves: Leaves) -> tuple[Judgement, Ends | None]:
    """Judge the sums of all blocks, and return the ends of the sum across them, None if it may be infinite.

    leaves: the products of integers. The judgement is about the accumulator of the integers; its ends are
    the extremes of all blocks.
    """
    held, element = ctx.reading.accumulator, accumulation_type(op)
    limits = storage_range(held.type)
    blocks = [cut(leaves, *edge) for edge in edges_of(op)]
    judged = [judge_integers(op, held.type, limits, block, ctx.schedule) for block in blocks]
    joint = reduce(_join, judged)
    sums = [_held_ends(each, block, limits) for each, block in zip(judged, blocks, strict=True)]
    terms = scaled_ends(op, sums, ctx.reading.recipe)
    if terms is None or judge_floats(op, element, terms).verdict != PROVED:
        return replace(joint, verdict=UNKNOWN, why=INFINITE.format(element)), None
    if joint.verdict == PROVED:
        why = about_blocks(op, sums, None, ctx.reading.recipe)
        joint = replace(joint, why="; ".join(filter(None, (joint.why, why))))
    return joint, total(element, terms)


def about_blocks(op: Op, sums: list[Ends], across: Accumulation | None, recipe: str) -> str:
    """Return what is added to a proof: of how many blocks it is, and whether their sum rounds anything."""
    exact = adds_exactly(op, sums, across, recipe)
    rounded = UNROUNDED if exact is not None and exact.all() else ROUNDED
    return f"{BY_BLOCKS.format(len(edges_of(op)))}; {rounded}"


def _join(a: Judgement, b: Judgement) -> Judgement:
    """Return the judgement of two blocks: the worse verdict, the narrower scope, and the ends of both."""
    worse = max(a, b, key=lambda x: (x.verdict != PROVED, x.scope not in SCOPES, x.scope == ANY_SCHEDULE))
    ends, needed = (x.join(y) if x and y else x or y for x, y in ((a.ends, b.ends), (a.needed, b.needed)))
    return replace(worse, ends=ends, needed=needed)


def _held_ends(judgement: Judgement, block: Leaves, limits: tuple[int, int]) -> Ends:
    """Return the ends of a block's sum in its accumulator: all of its numbers, if it may overflow."""
    ends = block.total()
    if judgement.verdict == PROVED or fits(block.any_order(), limits):
        return ends
    return Ends(*(np.full(end.shape, limit, object) for end, limit in zip(ends, limits, strict=True)))


def scaled_ends(op: Op, sums: list[Ends], recipe: str) -> Leaves | None:
    """Return the ends of sums of blocks times their scales, rounded; None if a product may be infinite.

    The product of both scales is a normal number, and the sums are integers, so that a product is normal, or
    zero. The recipe `qwix` rounds three times: the sum itself and its first product may be infinite, and the
    product may be subnormal.
    """
    element, low, high = accumulation_type(op), list[Array](), list[Array]()
    roundings = 3 if recipe == QWIX else 1
    for ends, (lhs, rhs) in zip(sums, scales_of_results(NUMPY, op, geometry_of(NUMPY, op)), strict=True):
        least, greatest = (np.asarray(end, np.float64) for end in ends)
        most = np.maximum(np.abs(least), np.abs(greatest))
        if recipe == QWIX:
            far = (most * np.maximum(lhs, 1) * (1 + growth(element, 3)) > max_finite(element)).any()
            if far or (lhs[lhs > 0] < 2.0 ** least_exponent(element)).any():
                return None
        scale = lhs * rhs
        off = most * scale * growth(element, roundings + 1)
        low.append(least * scale - off)
        high.append(greatest * scale + off)
    with np.errstate(over="ignore"):
        shape = np.broadcast_shapes(*(x.shape for x in low))
        least, greatest = (np.stack([np.broadcast_to(x, shape) for x in each]) for each in (low, high))
        return Leaves(least, greatest)
