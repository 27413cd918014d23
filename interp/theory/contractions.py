"""The products that a contraction sums: their ends for all operands in ranges, and their extreme sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from math import inf, prod
from typing import NamedTuple

import numpy as np

from interp.backends import Array
from interp.theory.sums import Ends, Leaves, exact, integer_dtype
from spec.ir import Op

# The products that a contraction sums, as ends of leaves per result channel, for all operands in ranges.
#
# Where the weights are constant and each element of the other operand varies by itself, the sums of these
# ends are the exact extremes over all inputs: of positive weights times the greatest, and of negative ones
# times the least. Unless one kind of window is asked for, every position of a convolution is treated alike:
# the ends hold at all of them, so that a product which meets padding somewhere may be 0, too.

MOST = 1 << 25  # products whose ends are kept apart; beyond, rows of the left operand share theirs


def contracting(op: Op) -> tuple[int, ...]:
    """Return the dimensions of the right operand that are summed over."""
    if op.name == "stablehlo.dot_general":
        return tuple(op["rhs_contracting_dimensions"])
    return (*op["kernel_spatial_dimensions"], op["kernel_input_feature_dimension"])


def number_of_products(op: Op) -> int:
    """Return how many products a sum has."""
    return prod(op.operands[1].type.shape[d] for d in contracting(op))


class Factor(NamedTuple):
    """The numbers of an operand: ends in a shape that broadcasts to its own, of the same rank."""

    least: Array
    greatest: Array
    shape: tuple[int, ...]

    def transpose(self, axes: list[int], wide: set[int]) -> Factor:
        """Return the factor with its dimensions in this order, those of `wide` in their full size."""
        both = zip(self.least.shape, self.greatest.shape, strict=True)
        sizes = [self.shape[d] if d in wide else max(each) for d, each in enumerate(both)]
        low = np.broadcast_to(self.least, sizes).transpose(axes)
        high = low if self.is_known else np.broadcast_to(self.greatest, sizes).transpose(axes)
        return Factor(low, high, tuple(self.shape[d] for d in axes))

    def astype(self, dtype: np.dtype) -> Factor:
        low = self.least.astype(dtype)
        return Factor(low, low if self.is_known else self.greatest.astype(dtype), self.shape)

    @property
    def ends(self) -> list[Array]:
        """The least and the greatest numbers; one of them alone if they are constants."""
        return [self.least] if self.is_known else [self.least, self.greatest]

    @property
    def magnitude(self) -> int:
        """The largest absolute value of an integer."""
        return max((abs(int(f(x))) for x in self.ends if x.size for f in (np.min, np.max)), default=0)

    @property
    def is_known(self) -> bool:
        """Return whether the numbers are constants."""
        return self.least is self.greatest

    def widen_along(self, dimensions: list[int]) -> Factor:
        """Return the factor whose ends are the same along these dimensions."""
        axes = tuple(dimensions)
        if not axes:
            return self
        if all(self.least.shape[d] == self.greatest.shape[d] == 1 for d in axes):
            return self
        low, high = self.least.min(axes, keepdims=True), self.greatest.max(axes, keepdims=True)
        return Factor(low, high, self.shape)


def constant_factor(x: Array) -> Factor:
    """Return the factor of known numbers."""
    return Factor(x, x, x.shape)


def bounded_factor(ends: tuple[int, int], shape: tuple[int, ...]) -> Factor:
    """Return the factor whose numbers all have the same ends."""
    low, high = (np.full((1,) * len(shape), end, object) for end in ends)
    return Factor(low, high, shape)


class Window(NamedTuple):
    """Places of a convolution's window where an element always is, and where none ever is."""

    always: Array
    never: Array


def leaf_products(op: Op, lhs: Factor, rhs: Factor, window: Window | None = None) -> tuple[Array, Array]:
    """Return the ends of the products, along a first axis in the order of the fold, by result element.

    window: one kind of a convolution's windows; by default the ends hold in all of them.
    """
    if op.name == "stablehlo.dot_general":
        return _dot(op, lhs, rhs)
    return _convolution(op, lhs, rhs, window or _every_window(op))


def _dot(op: Op, lhs: Factor, rhs: Factor) -> tuple[Array, Array]:
    sides, free = [], []
    for factor, side in ((lhs, "lhs"), (rhs, "rhs")):
        batch, summed = [*op[f"{side}_batching_dimensions"]], [*op[f"{side}_contracting_dimensions"]]
        kept = [d for d in range(len(factor.shape)) if d not in (*batch, *summed)]
        sides.append(factor.transpose([*summed, *batch, *kept], set(summed)))
        free.append(len(kept))
    left, right = sides
    count, k = (
        len(op["lhs_contracting_dimensions"]),
        prod(left.shape[: len(op["lhs_contracting_dimensions"])]),
    )
    rank = left.least.ndim - free[0]
    if k * prod(left.least.shape[count:]) * prod(right.least.shape[rank:]) > MOST:
        left = left.widen_along([*range(rank, left.least.ndim)])

    def align(x: Array, before: int, after: int) -> Array:
        rest = x.shape[count:]
        batch = rest[: rank - count]
        return x.reshape((k, *batch, *(1,) * before, *rest[rank - count :], *(1,) * after))

    a = [align(x, 0, free[1]) for x in left.ends]
    b = [align(x, free[0], 0) for x in right.ends]
    return corners(a, b)


def _convolution(op: Op, lhs: Factor, rhs: Factor, taken: Window) -> tuple[Array, Array]:
    feature, spatial = op["kernel_input_feature_dimension"], [*op["kernel_spatial_dimensions"]]
    out = op["kernel_output_feature_dimension"]
    kernel = rhs.transpose([*spatial, feature, out], {*spatial, feature, out})
    *window, inputs, outputs = kernel.shape
    x = lhs.widen_along([d for d in range(len(lhs.shape)) if d != op["input_feature_dimension"]])
    groups = op["feature_group_count"]
    of_group = (np.arange(outputs) // max(1, outputs // groups)) * inputs
    index = np.arange(inputs)[:, None] + of_group[None, :]
    features = lhs.shape[op["input_feature_dimension"]]
    a = [np.broadcast_to(end.reshape(-1), (features,))[index] for end in x.ends]
    low, high = corners(a, kernel.ends)
    always, never = (mask.reshape((*window, 1, 1)) for mask in taken)
    low = np.where(never, 0, np.where(always, low, np.minimum(low, 0)))
    high = np.where(never, 0, np.where(always, high, np.maximum(high, 0)))
    sizes = [1] * op.result.type.rank
    sizes[op["output_feature_dimension"]] = outputs
    return low.reshape(-1, *sizes), high.reshape(-1, *sizes)


def positions(op: Op) -> list[tuple[Array, Array]]:
    """Return, per spatial dimension, the input's index at [window position, output], and where it is one."""
    found = []
    for d, dimension in enumerate(op["input_spatial_dimensions"]):
        size = op.operands[0].type.shape[dimension]
        window = op.operands[1].type.shape[op["kernel_spatial_dimensions"][d]]
        outputs = op.result.type.shape[op["output_spatial_dimensions"][d]]
        at = np.arange(window)[::-1] if op["window_reversal"][d] else np.arange(window)
        start = np.arange(outputs) * op["window_strides"][d] - op["padding"][d][0]
        dilated = start[None, :] + at[:, None] * op["rhs_dilation"][d]
        index, rest = np.divmod(dilated, op["lhs_dilation"][d])
        found.append((index, (rest == 0) & (index >= 0) & (index < size)))
    return found


def _every_window(op: Op) -> Window:
    """Return where the windows of a convolution always and never meet an element, all taken together."""
    rows = [inside for _, inside in positions(op)]
    return Window(_meeting([x.all(1) for x in rows]), ~_meeting([x.any(1) for x in rows]))


def windows(op: Op, has_zero: bool) -> Iterator[Window | None]:
    """Yield each kind of window of a convolution, None for the only one of a dot_general.

    has_zero: with zero among the left factors, no window has a greater sum than one without padding or holes.
    """
    if op.name == "stablehlo.dot_general":
        yield None
        return
    rows = [inside.T for _, inside in positions(op)]
    if has_zero and all(x.all(1).any() for x in rows):
        rows = [np.ones((1, x.shape[1]), bool) for x in rows]
    if not all(map(len, rows)):  # no window at all
        rows = [np.zeros((1, x.shape[1]), bool) for x in rows]
    for kind in product(*(np.unique(x, axis=0) for x in rows)):
        here = _meeting(kind)
        yield Window(here, ~here)


def _meeting(rows: Sequence[Array]) -> Array:
    """Return, by position in the window, whether it meets an element along every dimension."""
    return reduce(lambda here, row: here[..., None] & row, rows, np.ones((), bool))


def corners(a: list[Array], b: list[Array]) -> tuple[Array, Array]:
    """Return the least and the greatest product of numbers between these ends."""
    products = (x * y for x in a for y in b)
    low = high = next(products)
    for each in products:  # one after the other, since they may be large
        low, high = np.minimum(low, each), np.maximum(high, each)
    return low, high


# The extreme sums of a contraction's products, per output channel, for all operands between given ends.
#
# All numbers are steps, exact integers: plain integers, or stored numbers minus the zero point.


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
