"""The extreme sums of a contraction's products, per output channel, for all operands between given ends.

All numbers are steps, exact integers: plain integers, or stored numbers minus the zero point.
"""

from __future__ import annotations

from functools import reduce
from math import inf, prod

import numpy as np

from interp.backends import Array
from interp.theory.factor_ranges import Factor, Window, leaf_products, number_of_products, positions, windows
from interp.theory.sums import Ends, Leaves, exact, integer_dtype
from spec.ir import Op


def extreme_sums(op: Op, lhs: Factor, rhs: Factor) -> Ends:
    """Return the extremes of every node, in any schedule, as arrays that broadcast to the result.

    THEOREM. A node is a sum of neighbouring products, or 0. A factor enters one product of a result element,
    which is largest at ends of its factors' ranges. So the greatest node is the greatest contiguous sum of
    such products, in the windows that are possible: a product of padding or a hole is 0.
    """
    has_zero = bool(np.all(lhs.least <= 0) and np.all(lhs.greatest >= 0))
    found = (exact_products(op, lhs, rhs, window).any_schedule(inf) for window in windows(op, has_zero))
    return reduce(Ends.join, (each for each in found if each))


def exact_products(op: Op, lhs: Factor, rhs: Factor, window: Window | None = None) -> Leaves:
    """Return the exact products, in all windows of a convolution or in one kind of them, as leaves."""
    sizes = lhs.magnitude, rhs.magnitude
    dtype = integer_dtype(1, prod(sizes), *sizes)
    return exact(*leaf_products(op, lhs.astype(dtype), rhs.astype(dtype), window))


def most_products(op: Op) -> int:
    """Return the most products of one result element whose factors are neither padding nor holes."""
    if op.name != "stablehlo.convolution":
        return number_of_products(op)
    features = op.operands[1].type.shape[op["kernel_input_feature_dimension"]]
    return features * prod(int(inside.sum(0).max(initial=0)) for _, inside in positions(op))


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
