"""The needs of a contraction by blocks of scales: integers within each block, an exact sum across them.

THEOREM (within): the leaves of a block are some neighbouring products of the whole sum, from zero. So what
holds of sums of products holds of each block: see `interp.theory.sums` and `interp.theory.along`.

THEOREM (across): the scaled sum of a block is an integer times a scale, so that every sum of such terms is a
multiple of the largest power of two that divides all scales that are taken. If a float type holds all
multiples of it up to the sum of magnitudes, no term and no sum of some terms, in any order, is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce

import numpy as np

from interp.backends import NUMPY, Array
from interp.comparison.roundoff import holds_sums, quantum
from interp.engine.block_scales import digits_of_scales
from interp.engine.quant import spread
from interp.engine.storage import storage_range
from interp.kernels.block_sums import edges_of, scales_of_results
from interp.kernels.contraction import geometry_of
from interp.speed.exact_contraction import accumulation_type
from interp.theory.contractions import Factor, bounded_factor, exact_products, windows
from interp.theory.sums import Ends, Leaves
from spec.accumulation import Accumulation
from spec.ir import Op, Value
from spec.recipes import EXACT, QWIX
from spec.types import ElementType

F64 = 53  # bits
KINDS = ("plain", "fma", "exact")  # kinds of nodes that round nothing but what enters and their sum
SLACK = 1 + 2.0**-40  # of sums of magnitudes in f64


def any_factor(value: Value) -> Factor:
    """Return all numbers `q - zero_point` of an operand's type."""
    type, shape = value.type.quantized_element_type, value.type.shape
    low, high = storage_range(type)
    if type.is_per_tensor:
        return bounded_factor((low - type.zero_point, high - type.zero_point), shape)
    points = np.broadcast_to(spread(NUMPY, type.zero_points, np.int64, type, shape), shape)
    return Factor(low - points, high - points, shape)


def leaves_by_block(op: Op, lhs: Factor, rhs: Factor) -> Iterator[list[Leaves]]:
    """Yield the leaves of each block, for each kind of window of a convolution."""
    has_zero = bool(np.all(lhs.least <= 0) and np.all(lhs.greatest >= 0))
    for window in windows(op, has_zero):
        whole = exact_products(op, lhs, rhs, window)
        yield [cut(whole, *edge) for edge in edges_of(op)]


def cut(leaves: Leaves, first: int, last: int) -> Leaves:
    """Return the leaves of one block."""
    return leaves._replace(least=leaves.least[first:last], greatest=leaves.greatest[first:last])


def ends_by_block(
    question: Callable[[Leaves], Ends | None], every: Sequence[Sequence[Leaves]]
) -> list[Ends] | None:
    """Return what a question finds in each block, in all kinds of windows; None if it is not known."""
    found = [[question(block) for block in blocks] for blocks in every]
    if any(ends is None for blocks in found for ends in blocks):
        return None
    return [reduce(Ends.join, (ends for ends in each if ends)) for each in zip(*found, strict=True)]


def adds_exactly(
    op: Op, sums: Sequence[Ends], across: Accumulation | None = None, recipe: str = EXACT
) -> Array | None:
    """Return, by result element, whether the sum across blocks of such sums is proved to round nothing.

    sums: the ends of each block's sum, as arrays that broadcast to the result. across: by default plain nodes
    in the expressed type. None where no theorem is known: of a recipe, of nodes that cut, and of scales whose
    product f64 does not hold.
    """
    types = _types_across(op, across)
    if types is None or recipe == QWIX or digits_of_scales(op) > F64:
        return None
    step, size = np.full(op.result.type.shape, np.inf), np.zeros(op.result.type.shape)
    pairs = scales_of_results(NUMPY, op, geometry_of(NUMPY, op))
    for ends, (lhs, rhs) in zip(sums, pairs, strict=True):
        scale, most = lhs * rhs, np.asarray(ends.magnitude).astype(np.float64)
        here = (most > 0) & (scale > 0)
        step = np.minimum(step, np.where(here, quantum(np.asarray(scale)[None], 0), np.inf))
        size = size + most * scale * SLACK
    return np.all([(size == 0) | holds_sums(type, step, size) for type in types], axis=0)


def _types_across(op: Op, across: Accumulation | None) -> set[ElementType] | None:
    """Return the types of all nodes and products of the sum across blocks; None where nodes cut or flush."""
    own = accumulation_type(op)
    arithmetics = across.arithmetics if across else ()
    if any(a.kind not in KINDS or a.flush for a in arithmetics) or (across and across.flushes_inputs):
        return None
    return {own, *(x for a in arithmetics for x in (a.element_type or own, a.product_type or own))}
