"""Contractions along whose sums scales change, in the integer reading: integers in blocks, floats across."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine import recipes
from interp.engine.block_scales import cuts, digits_of_scales, scale_table
from interp.engine.evaluate import ACROSS, Context, Place
from interp.engine.float_sums import LONG, scale_exactly
from interp.engine.fold import Leaves, Node, fold
from interp.engine.in_integers import hold_sum
from interp.kernels.elementwise import plain
from interp.kernels.integer_reading import factors
from interp.kernels.product_fold import Products, fold_products, product_leaves
from interp.speed.contraction_choice import numbers, products_of
from interp.speed.exact_contraction import F32, accumulation_type, most_product
from interp.speed.problem import Dot, Geometry
from interp.theory.contractions import number_of_products
from spec.accumulator import Accumulator
from spec.errors import Unsupported
from spec.ir import Op
from spec.recipes import QWIX
from spec.schedule import LEFT
from spec.types import ElementType

Edges = tuple[tuple[int, int], ...]  # the first leaf of each block, and that of the next
Block = Callable[..., Array]  # the scaled sum of a block by its number, or of some of its rows
TILE = 1 << 16  # sums that are computed at once


def sums_of_blocks(ctx: Context, op: Op, geometry: Geometry, operands: State) -> Array:
    """Return sums over blocks of `fl(acc * s_l * s_r)`, in the expressed type, each acc a sum of integers.

    A block begins where a scale changes. The triple product is rounded once, from its value rounded to odd.
    """
    _refuse_blocks(ctx, op)
    xp, element = ctx.xp, accumulation_type(op)
    products = product_leaves(xp, geometry, lambda a, b: a * b, *factors(ctx, op, *operands))
    edges = edges_of(op)
    block = _matrix_blocks(ctx, op, geometry, operands, edges)
    if block is not None and xp.in_place and ctx.schedule == LEFT and not ctx.listeners:
        return _sum_tiles(xp, element, block, products.result, len(edges))
    if block is None:
        block = xp.stack(_any_blocks(ctx, op, geometry, products, edges)).__getitem__
    stack = lambda: xp.stack([block(k) for k in range(len(edges))])
    at = lambda k: stack() if isinstance(k, slice) else block(k)
    return fold_products(ctx, op, products._replace(n=len(edges), at=at), element, block=ACROSS)


def _sum_tiles(
    xp: Namespace, element: ElementType, block: Block, shape: tuple[int, ...], blocks: int
) -> Array:
    """Return `fold(add, [0] + scaled sums)` from the left, for as many rows at a time as a cache holds."""
    add, tiles = plain(xp, "add", element, element), []
    step = max(1, TILE // max(1, shape[0] * shape[2]))
    for first in range(0, max(1, shape[1]), step):
        rows = slice(first, min(first + step, shape[1]))
        total = xp.zeros((shape[0], rows.stop - first, shape[2]), xp.carrier(element))
        for k in range(blocks):
            total = add(total, block(k, rows))
        tiles.append(total)
    return xp.concatenate(tiles, axis=1)


def _any_blocks(ctx: Context, op: Op, geometry: Geometry, products: Products, edges: Edges) -> list[Array]:
    """Return the scaled sum of every block, product after product."""
    tables = scales_of_blocks(ctx.xp, op, geometry, edges)
    sums = (_sum_block(ctx, op, products, k, *edge) for k, edge in enumerate(edges))
    pairs = enumerate(zip(sums, tables, strict=True))
    return [scale_block(ctx, op, k, block, *pair) for k, (block, pair) in pairs]


def scales_of_blocks(xp: Namespace, op: Op, geometry: Geometry, edges: Edges) -> list[tuple[Array, Array]]:
    """Return the scales of lhs and of rhs for every sum of each block.

    Padding has none; every other leaf of a block has the same.
    """
    tables = [scale_table(value.type) for value in op.operands[:2]]
    both = [product_leaves(xp, geometry, side, *tables) for side in (_lhs, _rhs)]
    whole = lambda x, i: xp.broadcast_to(x.at(i), x.shape)
    scale = lambda x, edge: reduce(xp.maximum, (whole(x, i) for i in range(*edge)))
    return [(scale(both[0], edge), scale(both[1], edge)) for edge in edges]


def edges_of(op: Op) -> Edges:
    """Return the blocks of a contraction's sums."""
    return tuple(pairwise((0, *cuts(op), number_of_products(op))))


def scales_of_results(xp: Namespace, op: Op, geometry: Geometry) -> list[tuple[Array, Array]]:
    """Return the scales of lhs and of rhs of each block, in the shape of the result."""
    lhs, rhs = (scale_table(value.type) for value in op.operands[:2])
    form = product_leaves(xp, geometry, _lhs, lhs, rhs)
    arrange = lambda x: geometry.result(xp.broadcast_to(x, form.shape).reshape(form.result))
    return [(arrange(x), arrange(y)) for x, y in scales_of_blocks(xp, op, geometry, edges_of(op))]


def _lhs(a: Array, b: Array) -> Array:
    return a + 0 * b  # zero where there is padding


def _rhs(a: Array, b: Array) -> Array:
    return 0 * a + b


def scale_block(ctx: Context, op: Op, number: int, sums: Array, lhs: Array, rhs: Array) -> Array:
    """Return the scaled sums of a block; the listeners hear them."""
    scaled = times_scales(ctx, op, sums, lhs, rhs)
    for listener in ctx.listeners:
        place = Place(op, 0, Node(number + 1, number + 1, None, False), None, ACROSS)
        listener.on_scaled(place, (sums, lhs * rhs), scaled)
    return scaled


def times_scales(ctx: Context, op: Op, sums: Array, lhs: Array, rhs: Array) -> Array:
    """Return `fl(acc * s_l * s_r)`, or by the recipe `qwix` the same with three roundings."""
    xp, element = ctx.xp, accumulation_type(op)
    if ctx.reading.recipe == QWIX:
        whole = sums.astype(xp.int64)
        return recipes.times_scales(xp, whole, (lhs, rhs), element).astype(xp.carrier(element))
    return scale_exactly(
        xp, sums, lhs * rhs, element, digits_of_sums(op, ctx.reading.accumulator), digits_of_scales(op)
    )


def _sum_block(ctx: Context, op: Op, products: Products, number: int, first: int, last: int) -> Array:
    """Return `fold(add, [0] + products)` of a block in the schedule, each sum held by the accumulator."""
    xp, accumulator = ctx.xp, ctx.reading.accumulator
    listeners = () if _stays_inside(ctx, op, last - first) else ctx.listeners
    of_sum = lambda leaf: leaf + first * (leaf > 0)  # leaf 0 is the init

    def body(a: State, b: State, node: Node) -> State:
        held = hold_sum(xp, a[0] + b[0], accumulator)
        for listener in listeners:
            own = node._replace(first=of_sum(node.first), last=of_sum(node.last))
            listener.on_block(Place(op, 0, own, None, number), (a[0], b[0]), held)
        return (held,)

    leaves = Leaves(
        last - first, lambda i: (products.at(first + i),), lambda: (products.at(slice(first, last)),)
    )
    (total,), _ = fold(xp, body, (xp.zeros(products.shape, xp.int64),), leaves, ctx.schedule)
    return total


def _stays_inside(ctx: Context, op: Op, n: int) -> bool:
    """Return whether no sum of n products leaves the accumulator, by the types."""
    return n * most_product(op) <= ctx.reading.accumulator.type.max_value


def _matrix_blocks(ctx: Context, op: Op, geometry: Geometry, operands: State, edges: Edges) -> Block | None:
    """Return the scaled sums of blocks of one size by products of matrices, or None for others.

    THEOREM: sums of integers that stay inside an accumulator, or that wrap, do not depend on the order; f32
    has those up to 2^24.
    """
    xp, accumulator, size = ctx.xp, ctx.reading.accumulator, edges[0][1]
    inside = _stays_inside(ctx, op, size)
    if any(last - first != size for first, last in edges) or op.name != "stablehlo.dot_general":
        return None
    if not inside and (accumulator.saturates or ctx.listeners):
        return None
    machine, most = products_of(xp), size * most_product(op)
    moved = any(any(v.type.quantized_element_type.zero_points) for v in op.operands[:2])
    native, narrow = machine.is_native(op) and not moved and most < 2**31, most <= 2**F32
    dtype = xp.int8 if native else xp.float32 if narrow else xp.int64
    problem = geometry.of(*(numbers(xp, op, k, x, dtype) for k, x in enumerate(operands)))
    lhs, rhs = (scale_table(value.type) for value in op.operands[:2])
    scales = geometry.of(lhs, rhs)
    assert isinstance(problem, Dot)
    assert isinstance(scales, Dot)
    left = xp.stack([problem.left[:, :, slice(*edge)] for edge in edges])
    right = xp.stack([problem.right[:, slice(*edge)] for edge in edges])
    short = [slice(0, 1 if v.type.quantized_element_type.is_per_tensor else None) for v in op.operands[:2]]
    rows = xp.moveaxis(scales.left[..., ::size], 2, 0)[..., short[0]]
    columns = xp.moveaxis(scales.right[:, ::size], 1, 0)[..., short[1]]

    def block(k: Any, part: slice = slice(None)) -> Array:
        sides = Dot(left[k][:, part], right[k])
        if narrow and not native:
            sums = machine.library(xp, sides, xp.float32)
        else:
            sums = machine.integers(xp, sides, xp.int32 if native else xp.int64, most_product(op))
        if not inside:
            sums = hold_sum(xp, sums.astype(xp.int64), accumulator)
        scale = rows[k] if rows.shape[2] == 1 else rows[k][:, part]
        return scale_block(ctx, op, k, sums, scale[..., None], columns[k][:, None])

    return block


def digits_of_sums(op: Op, accumulator: Accumulator) -> int:
    """Return how many bits the sum of a block has at most."""
    most = max(last - first for first, last in edges_of(op)) * most_product(op)
    return min(accumulator.bits, most.bit_length())


def _refuse_blocks(ctx: Context, op: Op) -> None:
    """Raise `Unsupported` for a contraction by blocks that is not built."""
    if not ctx.xp.in_place and digits_of_sums(op, ctx.reading.accumulator) > LONG:
        advice = (
            f'its sums have more than {LONG} bits: run it without a compiler, or use reading="dequantize"'
        )
        raise Unsupported(f"{op.name} by blocks of scales, compiled", advice, op.location)
    if number_of_products(op) * most_product(op) >= 1 << 62:
        raise Unsupported(
            f"{op.name} by blocks of scales, of products of more than 62 bits in all",
            "use a narrower storage type",
            op.location,
        )
