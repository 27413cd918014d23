"""The range of a contraction's sums for all left factors between given ends, if the right ones are known.

All numbers are steps, exact integers: plain integers, or stored numbers minus the zero point.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends import Array
from interp.engine.leaf_counts import in_windows
from interp.fastpaths.exact_contraction import number_of_products
from interp.reductions.sums import contiguous, integer_dtype
from spec.ir import Op


class Extremes(NamedTuple):
    """The least and the greatest number that a node can be, in arrays that broadcast to the result.

    `are_reached`: some left factors between the ends give each of them, as a node of some schedule.
    """

    least: Array
    greatest: Array
    are_reached: bool = True

    @property
    def magnitude(self) -> int:
        """The largest absolute value."""
        ends = [x for x in self if isinstance(x, np.ndarray) and x.size]
        return max((abs(int(end)) for x in ends for end in (x.min(), x.max())), default=0)


def extreme_sums(op: Op, weights: Array, low: Any, high: Any) -> Extremes:
    """Return the extremes, per output channel, over all left factors from `low` to `high`.

    weights: the right factors. low, high: integers, or arrays that broadcast to the weights, for left factors
    of which each feature or position has its own range.

    THEOREM. A node is a sum of neighbouring products, or 0. A left factor enters each product of one result
    element alone, and a product is largest at an end of its factor's range. So the greatest node is the
    greatest contiguous sum of `max(w * low, w * high)`. A hole of a convolution makes a product 0; if zero is
    between the ends, every such term is at least 0, and a window with holes has no greater sum.
    """
    contracted, kept = channels(op)
    reached = not has_holes(op) or (bool(np.min(high) >= 0 >= np.max(low)) and has_whole_windows(op))
    if has_holes(op):
        low, high = np.minimum(low, 0), np.maximum(high, 0)
    sizes = [max(abs(int(np.min(x))), abs(int(np.max(x)))) if np.size(x) else 0 for x in (weights, low, high)]
    dtype = integer_dtype(number_of_products(op) + 1, sizes[0] * max(sizes[1:]))
    ends = [weights.astype(dtype) * np.asarray(end, dtype) for end in (low, high)]
    found = [_extreme(terms, op, contracted) for terms in (np.minimum(*ends), np.maximum(*ends))]
    least, greatest = found[0][0], found[1][1]
    return Extremes(on_result(op, least, kept), on_result(op, greatest, kept), reached)


def _extreme(terms: Array, op: Op, contracted: tuple[int, ...]) -> tuple[Array, Array]:
    """Return the least and the greatest contiguous sum of terms, with the shape of their kept dimensions."""
    kept = [d for d in range(terms.ndim) if d not in contracted]
    shape = [terms.shape[d] for d in kept]
    leaves = terms.transpose([*contracted, *kept]).reshape(number_of_products(op), prod(shape))
    start = np.zeros(prod(shape), terms.dtype)
    blocks = iter([(leaves, None)] if len(leaves) else [])
    sums = contiguous(start, blocks, lambda x: x)
    return sums.least.reshape(shape), sums.greatest.reshape(shape)


def has_holes(op: Op) -> bool:
    """Return whether some products of a contraction have padding or a hole of dilation as a factor."""
    if op.name != "stablehlo.convolution":
        return False
    return any(map(any, op["padding"])) or any(d > 1 for d in op["lhs_dilation"])


def has_whole_windows(op: Op) -> bool:
    """Return whether some window of a convolution has neither padding nor holes."""
    shapes = [value.type.shape for value in op.operands]
    columns = zip(
        (shapes[0][d] for d in op["input_spatial_dimensions"]),
        op["padding"],
        op["lhs_dilation"],
        (shapes[1][d] for d in op["kernel_spatial_dimensions"]),
        op["window_strides"],
        op["rhs_dilation"],
        strict=True,
    )
    return all(in_windows(*column).max(initial=0) == column[3] for column in columns)


def extreme_of_ranges(n: int, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    """Return the least and the greatest sum of up to n products of factors in these ranges."""
    products = [a * b for a in left for b in right]
    return n * min(0, *products), n * max(0, *products)


def on_result(op: Op, sums: Array, kept: list[tuple[int, int]]) -> Array:
    """Return sums over the right operand, of its kept dimensions in order, so that they fit the result."""
    ordered = sums.transpose(np.argsort([target for _, target in kept]))
    places = {target for _, target in kept}
    return np.expand_dims(ordered, [d for d in range(op.result.type.rank) if d not in places])


def channels(op: Op) -> tuple[tuple[int, ...], list[tuple[int, int]]]:
    """Return the right operand's dimensions that are summed, and the others, each with the result's.

    The first are in the sequence in which the specification sums over them.
    """
    rank = op.operands[1].type.rank
    if op.name == "stablehlo.convolution":
        feature = op["kernel_output_feature_dimension"]
        summed = *op["kernel_spatial_dimensions"], op["kernel_input_feature_dimension"]
        return summed, [(feature, op["output_feature_dimension"])]
    batch, contracted = op["rhs_batching_dimensions"], op["rhs_contracting_dimensions"]
    free = [d for d in range(rank) if d not in (*batch, *contracted)]
    first = op.result.type.rank - len(free)
    placed = [
        *zip(batch, range(len(batch)), strict=True),
        *zip(free, range(first, first + len(free)), strict=True),
    ]
    return tuple(contracted), sorted(placed)
