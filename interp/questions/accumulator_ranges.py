"""The ranges of one reduction's nodes in several accumulators, each computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from interp.engine.quant import Type
from interp.engine.stored import storage_range, zero_point
from interp.kernels.scatter import BROKEN
from interp.questions.ends import Endless, saturates
from interp.questions.landed import keeps_promises
from interp.questions.node_range import by_schedule, by_type, by_type_and_schedule, by_value
from interp.questions.selecting import SELECTED, selects_alike
from interp.questions.steps import Steps, any_data, constant_init, run_inputs, sources
from interp.recorder.recorded import Reduction
from interp.theory.contracted_bounds import extreme_sums
from interp.theory.factor_ranges import constant_factor, bounded_factor
from interp.theory.sums import Ends

Hull = tuple[int, int]  # the least and the greatest of some stored numbers that nothing clamps


class AccumulatorRanges:
    """The ranges of one reduction's nodes by accumulator type, each computed once.

    Accumulators that differ only in their storage have the same ranges, except that an operand of the
    accumulator's own type is not converted.
    """

    def __init__(self, reduction: Reduction) -> None:
        self.reduction = reduction
        self.known: dict[Any, Any] = {}

    def run_inputs(self, type: Type) -> Steps:
        return self._once(run_inputs, type)

    def any_data(self, type: Type) -> tuple[Steps, Steps]:
        return self._once(any_data, type)

    def by_value(self, type: Type) -> Ends:
        if not selects_alike(self.reduction):
            raise Endless(SELECTED)
        if not keeps_promises(self.reduction):
            raise Endless(BROKEN)
        return self._once(by_value, type, self.run_inputs)

    def by_schedule(self, type: Type) -> Ends:
        return self._once(by_schedule, type, self.run_inputs)

    def by_type(self, type: Type) -> Ends:
        return self._once(by_type, type, self.any_data)

    def by_constants(self, _: Type) -> Ends:
        """Return the range of a contraction's sums for any left operand, with the right one of the run."""
        return self._once(_by_constants, _)

    def weight_hulls(self, type: Type) -> tuple[Hull, Hull]:
        """Return the ends of products and sums for any left operand, in any schedule."""
        ends = _whole(self.by_constants(type))
        return ends, ends

    def data_hulls(self, type: Type) -> tuple[Hull, Hull]:
        """Return the ends of elements and of nodes as stored numbers, for any data, in any schedule."""
        least, greatest = self.any_data(type)
        elements = least.ends[0], greatest.ends[1]
        return storage_hull(type, *elements), storage_hull(
            type, *_whole(self._once(by_type_and_schedule, type, self.any_data))
        )

    def input_hulls(self, type: Type) -> tuple[Hull, Hull]:
        """Return the ends of elements and nodes as stored numbers, for these inputs, in any schedule."""
        extremes = [_whole(node_range) for node_range in (self.by_value(type), self.by_schedule(type))]
        nodes = min(least for least, _ in extremes), max(greatest for _, greatest in extremes)
        if self.reduction.products:  # each product is a node
            return nodes, nodes
        return storage_hull(type, *self.run_inputs(type).ends), storage_hull(type, *nodes)

    def saturates(self, type: Type, these_inputs: bool) -> bool:
        """Return whether a leaf, of these inputs or of any data, lies beyond a type before it is rounded."""
        if self.reduction.products:
            return False
        leaves = self.reduction.before[0], np.asarray(self.reduction.init_before[0])
        if not these_inputs:
            (input, init), known = sources(self.reduction), constant_init(self.reduction)
            whole = [np.array(storage_range(s), x.dtype) for s, x in zip((input, init), leaves, strict=True)]
            leaves = whole[0], whole[1] if known is None or not known.size else known
        return any(saturates(x, s, type) for x, s in zip(leaves, sources(self.reduction), strict=True))

    def _once(self, f: Callable[..., Any], type: Type, operand: Callable[[Type], Any] | None = None) -> Any:
        key = f, *(type == source for source in sources(self.reduction))
        if key not in self.known:
            self.known[key] = f(self.reduction, operand(type) if operand else type)
        return self.known[key]


def _by_constants(reduction: Reduction, _: Type) -> Ends:
    products = reduction.products
    assert products
    shapes = [value.type.shape for value in products.op.operands[:2]]
    lhs, rhs = bounded_factor(products.ranges[0], shapes[0]), constant_factor(products.numbers[1])
    return extreme_sums(products.op, lhs, rhs)


def _whole(ends: Ends) -> Hull:
    """Return the least and the greatest node of all elements as Python's integers."""
    least, greatest = ends.hull
    return int(least), int(greatest)


def storage_hull(type: Type, least: int, greatest: int) -> Hull:
    """Return steps as stored numbers."""
    return least + zero_point(type), greatest + zero_point(type)
