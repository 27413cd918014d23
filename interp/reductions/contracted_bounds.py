"""The range of a contraction's sums for all left factors between given ends, if the right ones are known.

All numbers are steps, exact integers: plain integers, or stored numbers minus the zero point.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends import Array
from interp.backends.windows import padded_index
from interp.fastpaths.exact_contraction import number_of_products
from interp.reductions.sums import contiguous, integer_dtype
from spec.ir import Op


class Extremes(NamedTuple):
    """The least and the greatest number that a node can be, in arrays that broadcast to the result."""

    least: Array
    greatest: Array

    @property
    def magnitude(self) -> int:
        """The largest absolute value."""
        return max((abs(int(end)) for x in self if x.size for end in (x.min(), x.max())), default=0)


def extreme_sums(op: Op, weights: Array, low: Any, high: Any) -> Extremes:
    """Return the extremes, per output channel, over all left factors from `low` to `high`.

    weights: the right factors. low, high: integers, or arrays that broadcast to the weights, for left factors
    of which each feature or position has its own range.

    THEOREM. A node is a sum of neighbouring products, or 0. A left factor enters each product of one result
    element alone, and a product is largest at an end of its factor's range. So the greatest node is the
    greatest contiguous sum of `max(w * low, w * high)`, of the windows that are possible: a product of
    padding or a hole is 0.
    """
    contracted, kept = channels(op)
    sizes = [max(abs(int(np.min(x))), abs(int(np.max(x)))) if np.size(x) else 0 for x in (weights, low, high)]
    dtype = integer_dtype(number_of_products(op) + 1, sizes[0] * max(sizes[1:]))
    ends = [weights.astype(dtype) * np.asarray(end, dtype) for end in (low, high)]
    terms = np.minimum(*ends), np.maximum(*ends)
    whole = bool(np.all(np.asarray(low) <= 0) and np.all(np.asarray(high) >= 0))
    found = [[_extreme(x * here, op, contracted) for here in _windows(op, whole)] for x in terms]
    least = np.minimum.reduce([low for low, _ in found[0]])
    greatest = np.maximum.reduce([high for _, high in found[1]])
    return Extremes(on_result(op, least, kept), on_result(op, greatest, kept))


def _extreme(terms: Array, op: Op, contracted: tuple[int, ...]) -> tuple[Array, Array]:
    """Return the least and the greatest contiguous sum of terms, with the shape of their kept dimensions."""
    kept = [d for d in range(terms.ndim) if d not in contracted]
    shape = [terms.shape[d] for d in kept]
    leaves = terms.transpose([*contracted, *kept]).reshape(number_of_products(op), prod(shape))
    start = np.zeros(prod(shape), terms.dtype)
    blocks = iter([(leaves, None)] if len(leaves) else [])
    sums = contiguous(start, blocks, lambda x: x)
    return sums.least.reshape(shape), sums.greatest.reshape(shape)


def _windows(op: Op, whole: bool) -> Iterator[Array]:
    """Yield, for each kind of window, where the right operand meets elements: True, or arrays to broadcast.

    whole: with a zero among the left factors, no window has a greater sum than one without padding or holes.
    """
    if op.name != "stablehlo.convolution":
        yield np.asarray(True)
        return
    met = list(_met(op))
    if not all(map(len, met)):  # no window at all
        yield np.asarray(False)
        return
    if whole and all(rows.all(1).any() for rows in met):
        yield np.asarray(True)
        return
    for rows in product(*(np.unique(rows, axis=0) for rows in met)):
        here = np.asarray(True)
        for d, row in zip(op["kernel_spatial_dimensions"], rows, strict=True):
            here = here & np.expand_dims(row, [k for k in range(op.operands[1].type.rank) if k != d])
        yield here


def _met(op: Op) -> Iterator[Array]:
    """Yield, per spatial dimension, which kernel positions meet an element in each window."""
    shapes = [value.type.shape for value in op.operands]
    columns = zip(
        op["input_spatial_dimensions"],
        op["kernel_spatial_dimensions"],
        op["output_spatial_dimensions"],
        *(op[name] for name in ("padding", "lhs_dilation", "window_strides", "rhs_dilation")),
        op["window_reversal"],
        strict=True,
    )
    for d, kernel, out, padding, base, stride, dilation, reversal in columns:
        taken = padded_index(shapes[0][d], (*padding, base - 1)) >= 0
        step = np.arange(shapes[1][kernel])[:: -1 if reversal else 1]
        first = np.arange(op.result.type.shape[out])
        yield taken[first[:, None] * stride + step * dilation]


def most_products(op: Op) -> int:
    """Return the most products of one result element whose factors are neither padding nor holes."""
    if op.name != "stablehlo.convolution":
        return number_of_products(op)
    features = op.operands[1].type.shape[op["kernel_input_feature_dimension"]]
    return features * prod(int(rows.sum(1).max(initial=0)) for rows in _met(op))


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
