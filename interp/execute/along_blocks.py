"""Contractions by blocks of one scale, along an accumulation for each block and one for their sums."""

from __future__ import annotations

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine import additions
from interp.engine.additions import Addition, Hear, Terms
from interp.engine.evaluate import ACROSS, Context, Place
from interp.engine.fold import Node
from interp.kernels import integer_reading
from interp.kernels.block_sums import edges_of, scales_of_blocks
from interp.kernels.contraction import geometry_of
from interp.recorder.blocks import Scales, part_of_terms, scaled_terms
from interp.recorder.products import product_terms
from interp.speed.exact_contraction import accumulation_type
from spec.accumulation import Accumulation
from spec.elements import ELEMENT_TYPES
from spec.ir import Op
from spec.recipes import QWIX

F64 = ELEMENT_TYPES["f64"]


def contract_blocks(ctx: Context, op: Op, operands: State, accumulation: Accumulation) -> Array:
    """Return the sums of a contraction in its expressed type, as f64, in the shape of the result.

    Within a block integers are added along `accumulation.within`, whose nodes that name no type are in the
    reading's accumulator. The sum times both scales enters a node of `across` as a product does: rounded to
    its type, unless the node says otherwise. The recipe `qwix` rounds it three times before.
    """
    geometry, ctx = geometry_of(NUMPY, op), ctx._replace(xp=NUMPY)
    sides = integer_reading.factors(ctx, op, *operands[:2])
    wide = [additions.WIDE, additions.WIDE]
    within = accumulation.within.in_accumulator(ctx.reading.accumulator)
    products, shape, arrange = product_terms(geometry, sides, wide, within)
    edges = edges_of(op)
    zero = np.zeros(shape, np.int64)
    sums = [
        additions.sums(
            within, part_of_terms(products, *edge), zero, wide[0], False, _hear(ctx, op, k, edge[0])
        )
        for k, edge in enumerate(edges)
    ]
    scales = scales_of_blocks(NUMPY, op, geometry, edges)
    terms = scaled_terms(op, ctx.reading, sums, scales)
    _tell_scaled(ctx, op, sums, scales, terms)
    total = additions.sums(
        accumulation.across,
        terms,
        zero.astype(np.float64),
        accumulation_type(op),
        hear=_hear(ctx, op, ACROSS),
    )
    return np.asarray(arrange(NUMPY.round_to(total, accumulation_type(op)).astype(np.float64)))


def _tell_scaled(ctx: Context, op: Op, sums: list[Array], scales: list[Scales], terms: Terms) -> None:
    """Tell the listeners of scaled sums that are rounded before they enter a node: by the recipe `qwix`."""
    if ctx.reading.recipe != QWIX:
        return
    for k, (own, (lhs, rhs)) in enumerate(zip(sums, scales, strict=True)):
        place = Place(op, 0, Node(k + 1, k + 1, None, False), None, ACROSS)
        for listener in ctx.listeners:
            listener.on_scaled(place, (own, lhs * rhs), terms.at(k))


def _hear(ctx: Context, op: Op, block: int, first: int = 0) -> Hear | None:
    """Return what tells the listeners of each node; leaves of a block are those of the whole sum."""
    if not ctx.listeners:
        return None

    def hear(addition: Addition) -> None:
        start, end = (i + first if i else i for i in (addition.first, addition.last))
        place = Place(op, 0, Node(start, end, None, False), None, block)
        for listener in ctx.listeners:
            listener.on_addition(place, addition)

    return hear
