"""Contractions along whose sums scales change, in the integer reading: integers in blocks, floats across."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

from interp.backends import Array, State
from interp.engine.block_scales import cuts, scale_table
from interp.engine.evaluate import Context
from interp.engine.float_sums import product_to_odd
from interp.engine.in_integers import hold_sum
from interp.kernels.integer_reading import WIDE, factors
from interp.kernels.product_fold import Products, fold_products, product_leaves
from interp.speed.exact_contraction import accumulation_type, most_product
from interp.speed.problem import Geometry
from interp.theory.contractions import number_of_products
from spec.errors import Unsupported
from spec.ir import Op


def sums_of_blocks(ctx: Context, op: Op, geometry: Geometry, operands: State) -> Array:
    """Return sums over blocks of `fl(acc * s_l * s_r)`, in the expressed type, each acc a sum of integers.

    A block begins where a scale changes. The triple product is rounded once, from its value rounded to odd.
    """
    xp, element = ctx.xp, accumulation_type(op)
    _refuse_blocks(ctx, op)
    products = product_leaves(xp, geometry, lambda a, b: a * b, *factors(ctx, op, *operands))
    tables = (scale_table(value.type) for value in op.operands[:2])
    scales = product_leaves(xp, geometry, lambda a, b: a * b, *tables)
    terms = []
    for first, last in pairwise((0, *cuts(op), products.n)):
        block = _sum_block(ctx, op, products, first, last)
        # padding has no scale; every other leaf of the block has the same
        scale = reduce(xp.maximum, (xp.broadcast_to(scales.at(i), block.shape) for i in range(first, last)))
        terms.append(xp.round_to(product_to_odd(block, scale), element).astype(xp.carrier(element)))
    stack = xp.stack(terms)
    return fold_products(ctx, op, products._replace(n=len(terms), at=stack.__getitem__), element)


def _sum_block(ctx: Context, op: Op, products: Products, first: int, last: int) -> Array:
    """Return `fold(add, [0] + products)` of a block in the schedule, each sum held by the accumulator."""
    accumulator = ctx.reading.accumulator
    at = lambda i: products.at(slice(first, last) if isinstance(i, slice) else first + i)
    inside = (last - first) * most_product(op) <= accumulator.type.max_value

    def add(a: Array, b: Array) -> Array:
        held = hold_sum(ctx.xp, a + b, accumulator)
        for listener in () if inside else ctx.listeners:
            listener.on_block(op, (a, b), held)
        return held

    block = products._replace(n=last - first, at=at, result=products.shape)
    return fold_products(ctx._replace(listeners=()), op, block, WIDE, add)


def _refuse_blocks(ctx: Context, op: Op) -> None:
    """Raise `Unsupported` for a contraction by blocks that is not built."""
    if not ctx.xp.in_place:
        advice = 'run it without a compiler, or use reading="dequantize"'
        raise Unsupported(f"{op.name} by blocks of scales, compiled", advice, op.location)
    if number_of_products(op) * most_product(op) >= 1 << 62:
        raise Unsupported(
            f"{op.name} by blocks of scales, of products of more than 62 bits in all",
            "use a narrower storage type",
            op.location,
        )
