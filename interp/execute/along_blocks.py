"""Contractions by blocks of one scale, along an accumulation for each block and one for their sums."""

from __future__ import annotations

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine import additions, float_sums
from interp.engine.additions import Addition, Hear, Terms
from interp.engine.block_scales import digits_of_scales
from interp.engine.evaluate import Context, Place
from interp.engine.fold import Node
from interp.engine.recipes import times_scales
from interp.kernels import integer_reading
from interp.kernels.block_sums import digits_of_sums, edges_of, scales_of_blocks
from interp.kernels.contraction import geometry_of
from interp.recorder.products import product_terms
from interp.speed.exact_contraction import accumulation_type
from spec.accumulation import Accumulation
from spec.elements import ELEMENT_TYPES
from spec.errors import Unsupported
from spec.ir import Op
from spec.recipes import QWIX

F64 = ELEMENT_TYPES["f64"]
Scales = tuple[Array, Array]


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
        additions.sums(within, _part(products, *edge), zero, wide[0], False, _hear(ctx, op, edge[0]))
        for edge in edges
    ]
    terms = _scale_sums(ctx, op, sums, scales_of_blocks(NUMPY, op, geometry, edges))
    total = additions.sums(
        accumulation.across, terms, zero.astype(np.float64), accumulation_type(op), hear=_hear(ctx, op, 0)
    )
    return np.asarray(arrange(NUMPY.round_to(total, accumulation_type(op)).astype(np.float64)))


def _part(terms: Terms, first: int, last: int) -> Terms:
    """Return the terms of one block."""
    return terms._replace(
        n=last - first,
        at=lambda i: terms.at(first + i),
        exponents=lambda i, normalized: terms.exponents(first + i, normalized),
    )


def _scale_sums(ctx: Context, op: Op, sums: list[Array], scales: list[Scales]) -> Terms:
    """Return the sums of blocks times both scales, as terms that are not rounded yet."""
    element = accumulation_type(op)
    if ctx.reading.recipe == QWIX:
        rows = [
            times_scales(NUMPY, x, pair, element).astype(np.float64)
            for x, pair in zip(sums, scales, strict=True)
        ]
        own = lambda i, normalized: float_sums.exponents(rows[i], element)
        return Terms(len(rows), rows.__getitem__, element, own)
    _refuse_long(op, sums)
    factors = [(x.astype(np.float64), lhs * rhs) for x, (lhs, rhs) in zip(sums, scales, strict=True)]
    bits = max(digits_of_sums(ctx, op), 24 if any(x.dtype.kind == "f" for x in sums) else 0)
    held = bits + digits_of_scales(op) <= float_sums.MOST

    def powers(i: int, normalized: bool) -> Array:
        if normalized:
            return np.frexp(factors[i][0] * factors[i][1])[1] - 1
        return sum((_exponent(x) for x in factors[i]), np.zeros((), np.int64))

    return Terms(
        len(factors),
        lambda i: factors[i][0] * factors[i][1],
        element,
        powers,
        held,
        None if held else lambda i: float_sums.product_to_odd(NUMPY, *factors[i]),
        None if held else factors.__getitem__,
    )


def _exponent(x: Array) -> Array:
    """Return exponents of numbers, 0 for zeros."""
    return np.where(x == 0, 0, np.frexp(x)[1] - 1)


def _refuse_long(op: Op, sums: list[Array]) -> None:
    """Raise `Unsupported` for sums that f64 does not hold, and floats that are not finite."""
    if any((np.abs(x) >= 2.0**float_sums.MOST).any() or not np.isfinite(x).all() for x in sums):
        verdict = f"{op.name} by blocks along an accumulation, with sums beyond 2^53"
        raise Unsupported(verdict, "leave the accumulation out", op.location)


def _hear(ctx: Context, op: Op, first: int) -> Hear | None:
    """Return what tells the listeners of each node; leaves of a block are those of the whole sum."""
    if not ctx.listeners:
        return None

    def hear(addition: Addition) -> None:
        start, end = (i + first if i else i for i in (addition.first, addition.last))
        place = Place(op, 0, Node(start, end, None, False), None)
        for listener in ctx.listeners:
            listener.on_addition(place, addition)

    return hear
