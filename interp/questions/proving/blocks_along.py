"""Judgement of sums by blocks along an accumulation for each block and one for their scaled sums.

THEOREM (within): the leaves are integers. A node of integers is exact if its type holds what is below it
(`interp.theory.along`); a node of floats that neither cuts nor flushes is exact if its type holds all
integers up to the largest partial sum, in any order. If every node is exact, so is the sum of the block.

THEOREM (across): let every rounding of a node, of what enters it or of its sum, change a number x by at most
`u |x| + t`: u is 2^(1 - p) of the least precision p, and t the distance of the smallest numbers. A number
is rounded at most twice in each node above it, so that the magnitudes of the entries of a node are at most
those of the terms below it, times (1 + u)^r after r roundings, plus t for each rounding. If that is at most
the largest number of every type, no node is infinite or NaN, in any tree of that depth.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from math import expm1, log1p, prod
from typing import Any

import numpy as np

from interp.backends import max_finite
from interp.comparison.roundoff import holds_sums, least_normal
from interp.kernels.block_sums import edges_of
from interp.questions.block_needs import KINDS, cut
from interp.questions.proving.blocks import INFINITE, about_blocks, scaled_ends
from interp.questions.proving.judgement import PROVED, SLACK, UNKNOWN, Judgement
from interp.speed.exact_contraction import accumulation_type
from interp.theory.along import Held, Needed, held_by, holds, leaves_along
from interp.theory.sums import UNROLLED, Ends, Leaves, as_array, ends_of
from spec.accumulation import Accumulation
from spec.ir import Op
from spec.trees import PLAIN, Tree

SCOPE = "accumulation"
CUTS = "no theorem about nodes that cut or flush numbers"
MIXED = "no theorem about nodes of integers and nodes of floats in one block"
TYPES = "no theorem about nodes in {!r}"
OVERFLOWS = "the sums of a block may leave {!r}"
ROUNDS = "sums of a block, up to {:,}, may be rounded in {!r}"
FAR = 500.0  # an exponent beyond which sums of roundings are not followed
KNOWN = ("f16", "bf16", "f32", "f64")  # types of floats with theorems


def judge_blocks_along(
    ctx: Any, op: Op, leaves: Leaves, accumulation: Accumulation
) -> tuple[Judgement, Ends | None]:
    """Judge sums by blocks, and return the ends of the sum across them; None where it is not proved.

    leaves: the products of integers. The nodes of the judgement are those of integers within the blocks.
    """
    accumulator, edges = ctx.reading.accumulator, edges_of(op)
    within = accumulation.within.in_accumulator(accumulator)
    declared = Held(accumulator.type, accumulator.saturates)
    blocks = [cut(leaves, *edge) for edge in edges]
    needed = reduce(Needed.join, (_needs(block, within, declared) for block in blocks)).held
    anyhow = reduce(Ends.join, (block.any_order() for block in blocks))
    why = _why_not_exact(within, needed, declared, anyhow)
    worst = max(needed, key=lambda held: _excess(held, needed[held]), default=declared)
    ends = needed.get(worst, ends_of(0, 0))
    limits = worst.type.min_value, worst.type.max_value
    known = SCOPE, "", ends, limits
    judgement = Judgement(op, worst.type, UNKNOWN, *known, needed=anyhow, nodes=tuple(needed.items()))
    if why:
        overflows = why == OVERFLOWS.format(worst)  # a run may show it
        return _with(judgement, "" if overflows else why), None
    sums = [block.total() for block in blocks]
    terms = scaled_ends(op, sums, ctx.reading.recipe)
    why, total = INFINITE.format(accumulation_type(op)), None
    if terms is not None:
        why, total = _sum_across(op, terms, accumulation.across)
    if total is None:
        return _with(judgement, why), None
    return _with(judgement, about_blocks(op, sums, accumulation.across, ctx.reading.recipe), PROVED), total


def _with(judgement: Judgement, why: str, verdict: str = UNKNOWN) -> Judgement:
    return replace(judgement, verdict=verdict, why=why)


def _needs(block: Leaves, within: Accumulation, declared: Held) -> Needed:
    """Return what the types of integers of a block must hold: of its tree, or in any order if it is long."""
    cells = block.n * max(1, prod(np.broadcast_shapes(block.least.shape[1:], block.greatest.shape[1:])))
    if cells <= UNROLLED:
        return leaves_along(block, within, declared)
    every = block.any_order()
    kinds = [held_by(a, declared) for a in within.arithmetics]
    kinds += [Held(a.product_type, a.saturates) for a in within.arithmetics if a.product_type]
    return Needed({held: every for held in kinds if held.type.is_integer}, every)


def _why_not_exact(within: Accumulation, needed: dict[Held, Ends], declared: Held, anyhow: Ends) -> str:
    """Return why the sums of blocks may not be exact, or ""."""
    if within.flushes_inputs or within.inputs != PLAIN:
        return CUTS
    if len({held_by(a, declared).type.is_integer for a in within.arithmetics}) > 1:
        return MIXED
    most = float(max(abs(int(end)) for end in anyhow.hull)) * (1 + SLACK)
    for arithmetic in within.arithmetics:
        own = held_by(arithmetic, declared).type
        for type in (own, arithmetic.product_type or own):
            if type.is_integer:
                continue
            if arithmetic.kind not in KINDS or arithmetic.flush:
                return CUTS
            if type.name not in KNOWN:
                return TYPES.format(type)
            if not holds_sums(type, np.asarray(1.0), np.asarray(most)):
                return ROUNDS.format(max(abs(int(end)) for end in anyhow.hull), type)
    beyond = [held for held, ends in needed.items() if not holds(held.type, ends)]
    return OVERFLOWS.format(max(beyond, key=lambda held: _excess(held, needed[held]))) if beyond else ""


def _excess(held: Held, ends: Ends) -> float:
    """Return by which factor the ends are beyond a type."""
    least, greatest = ends.hull
    return max(least / held.type.min_value, greatest / held.type.max_value)


def _sum_across(op: Op, terms: Leaves, across: Accumulation) -> tuple[str, Ends | None]:
    """Return the ends of the sum of terms along an accumulation of floats, or why none are proved."""
    own, arithmetics = accumulation_type(op), across.arithmetics
    if any(a.kind not in KINDS or a.flush for a in arithmetics):
        return CUTS, None
    types = {own, *(x for a in arithmetics for x in (a.element_type or own, a.product_type or own))}
    for type in types:
        if type.name not in KNOWN:
            return TYPES.format(type), None
    tree = across.tree(terms.n + 1, True)
    roundings = 2 * _depth(tree) + 2
    unit = max(2.0 ** (1 - type.precision) for type in types)
    if roundings * unit > FAR:
        return INFINITE.format(min(types, key=max_finite)), None
    far = expm1(roundings * log1p(unit)) * (1 + SLACK)
    small = max(least_normal(type) * 2.0 ** (1 - type.precision) for type in types)
    tiny = 2 * (2 * len(tree.nodes) + terms.n + 1) * small * (1 + far)
    size = as_array(terms.magnitude) * (1 + SLACK)
    most = min(max_finite(type) for type in types)
    with np.errstate(over="ignore"):
        if not bool((size * (1 + far) + tiny <= most).all()):
            return INFINITE.format(min(types, key=max_finite)), None
        off = size * far + tiny + size * SLACK
        ends = terms.total()
        return "", Ends(ends.least - off, ends.greatest + off)


def _depth(tree: Tree) -> int:
    """Return the most nodes above a leaf."""
    depths = dict[int, int]()
    for k, node in enumerate(tree.nodes, tree.n):
        depths[k] = 1 + max((depths.get(child, 0) for child in node.children), default=0)
    return max(depths.values(), default=0)
