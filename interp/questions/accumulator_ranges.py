"""The ranges of a sum's nodes, for any data, these weights or these inputs, in an accumulator of any type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from interp.backends import Array
from interp.engine.leaf_counts import SCATTER, landing
from interp.engine.quant import Type
from interp.engine.storage import convert_leaves, storage_range, zero_point
from interp.kernels.scatter import BROKEN
from interp.questions.lint import LEAVES
from interp.questions.scatters import SELECTED, keeps_promises, selects_alike
from interp.questions.steps import Endless, Steps, any_data, constant_init, run_inputs, saturates, sources
from interp.recorder.leaves import Part
from interp.recorder.recorded import Reduction
from interp.theory.contractions import bounded_factor, constant_factor, extreme_sums, most_products
from interp.theory.sums import Ends, Sums, contiguous, integer_dtype, nodes, prefixes, subset_sums
from spec.schedule import LEFT, Schedule

# The range of the nodes of a sum, for any data of its types, for these inputs, and in this schedule.
#
# All numbers are steps of the accumulator: stored numbers minus the zero point, not bounded by storage.

ONE_INIT = {"left", "balanced", "random"}  # schedules in which the init value stands once


def by_value(reduction: Reduction, steps: Steps) -> Ends:
    """Return the range in any schedule: that of all sums a node can be, or for an extremum of the leaves.

    ASSUMPTION: the body adds these steps as integers, or returns one of them.
    """
    init, sums_of = steps.seeds(reduction, _sum_dtype(reduction, steps)), node_sums(reduction)
    found = Ends(init.copy(), init.copy())
    for part in _parts(reduction, steps):
        start = init[part.columns]
        if reduction.is_sum:
            sums = sums_of(start, part.blocks())
            found.least[part.columns], found.greatest[part.columns] = sums.least, sums.greatest
            continue
        for values, present in part.blocks():
            low, high = (values if present is None else np.where(present, values, start) for _ in range(2))
            found.least[part.columns] = np.minimum(found.least[part.columns], low.min(0))
            found.greatest[part.columns] = np.maximum(found.greatest[part.columns], high.max(0))
    return Ends(*(x.reshape(reduction.shape) for x in found))


def by_type(reduction: Reduction, ends: tuple[Steps, Steps]) -> Ends:
    """Return the range in any schedule, for any inputs: `ends` are those of `any_data`.

    ASSUMPTION: as in `by_value`. A sum grows with every leaf, so that leaves at an end of their range give an
    end of the range.
    """
    found = (_range_of_any(reduction, steps).hull[end] for end, steps in enumerate(ends))
    return Ends(*(np.array(end, object) for end in found))


def by_schedule(reduction: Reduction, steps: Steps) -> Ends:
    """Return the range in this schedule; for maximum and minimum, as in any schedule."""
    if not reduction.is_sum:
        return by_value(reduction, steps)
    init = steps.seeds(reduction, _sum_dtype(reduction, steps))
    found = Ends(init.copy(), init.copy())
    for part in _parts(reduction, steps):
        found.least[part.columns], found.greatest[part.columns] = _in_schedule(
            reduction, init[part.columns], part
        )
    return Ends(*(x.reshape(reduction.shape) for x in found))


def by_type_and_schedule(reduction: Reduction, ends: tuple[Steps, Steps]) -> Ends:
    """Return the range for any inputs, in any schedule and in this one, even if it repeats the init."""
    found = by_type(reduction, ends)
    one_init = reduction.schedule.name in ONE_INIT or reduction.has_own_inits
    if not reduction.is_sum or one_init or not any(s.init for s in ends):
        return found
    own = (
        _bound_candidates if reduction.op.name == SCATTER else by_schedule
    )  # other data may select otherwise
    least, greatest = (own(reduction, s).hull[end] for end, s in enumerate(ends))
    hull = min(least, int(found.least)), max(greatest, int(found.greatest))
    return Ends(*(np.array(end, object) for end in hull))


def _bound_candidates(reduction: Reduction, steps: Steps) -> Ends:
    """Bound the sums of any number of sources and init values that a tree over all candidates may have."""
    n = LEAVES[SCATTER](reduction.op).most
    parts = [n * int(x) for x in steps.inputs.flat[:1]] + [_most_inits(n, reduction.schedule) * steps.init]
    return Ends(*(np.array(sum(pick(x, 0) for x in parts), object) for pick in (min, max)))


def node_sums(reduction: Reduction) -> Callable[..., Sums]:
    """Return the function that finds the sums of nodes: `subset_sums` for a scatter, else `contiguous`."""
    return subset_sums if reduction.is_scatter else contiguous


def beyond_alone(reduction: Reduction, low: int, high: int) -> Array:
    """Return which elements have a leaf that is outside a range; only products can be."""
    found = np.zeros(reduction.size, bool)
    least, greatest = storage_range(reduction.inputs[0].type.element_type)
    if reduction.products and not low <= least <= greatest <= high:
        for columns, values, _ in reduction.blocks():
            found[columns] |= ((values < low) | (values > high)).any(0)
    return found.reshape(reduction.shape)


def _in_schedule(reduction: Reduction, init: Array, part: Part) -> Ends:
    """Return the extremes of the nodes of a part in the schedule of the run."""
    if reduction.schedule == LEFT:
        return prefixes(init, part.blocks())
    return nodes(Ends(init, init), lambda body, start: reduction.fold(body, start[0], part))


def _sum_dtype(reduction: Reduction, steps: Steps) -> np.dtype:
    n = reduction.n
    return integer_dtype(n + _most_inits(n, reduction.schedule), *steps.ends, 0)


def _most_inits(n: int, schedule: Schedule) -> int:
    """Bound the number of init values in a tree over n leaves: with blocks of one leaf, each has one."""
    steps = schedule.argument if isinstance(schedule.argument, tuple) else ()
    return max(2 * n + 2, len(steps) + 1)


def _parts(reduction: Reduction, steps: Steps) -> list[Part]:
    """Return the leaves as steps: those of the run if it converted to these steps, else by their origins."""
    dtype = _sum_dtype(reduction, steps)
    if reduction.products:
        return [part._replace(leaves=part.flat(lambda x: x.astype(dtype))) for part in reduction.parts]
    inputs, init = steps
    z = zero_point(reduction.types[0])
    if (reduction.init[0] == init + z).all() and _is_accumulated(reduction, inputs):
        return [part._replace(leaves=part.flat(lambda x: x.astype(dtype) - z)) for part in reduction.parts]
    padding = np.ravel(init)[:1]  # it is -1, the last
    table = np.append(*(x.astype(dtype) for x in (inputs.ravel(), padding)))  # i64 and u64 would be f64
    return [part._replace(leaves=part.flat(table.__getitem__)) for part in reduction.origins]


def _is_accumulated(reduction: Reduction, inputs: Array) -> bool:
    """Return whether the run converted its inputs to exactly these steps."""
    source, (type,) = reduction.inputs[0].type.element_type, reduction.types
    stored = convert_leaves(reduction.before[0], source, type)
    return bool((stored == inputs + zero_point(type)).all())


def _range_of_any(reduction: Reduction, steps: Steps) -> Ends:
    """Return the range for equal inputs, from the number of leaves unless some may be padding.

    In a select_and_scatter, data may select as many sources as there are windows that cover an element.
    """
    op, (inputs, init) = reduction.op, steps
    if reduction.is_scatter:
        return _landing_of_any(reduction, steps)
    count = LEAVES[op.name](op)
    if count.padding and op.name == "stablehlo.reduce_window":
        return by_value(reduction, steps)
    n, sums = most_products(reduction.written) if reduction.products else count.most, [init]
    if n and inputs.size:
        x = int(inputs.flat[0])
        sums += [x, n * x, init + x, init + n * x] if reduction.is_sum else [x]
    return Ends(np.array(min(sums), object), np.array(max(sums), object))


def _landing_of_any(reduction: Reduction, steps: Steps) -> Ends:
    """Return the range for equal updates that all land on one element, or for one if no two ever meet."""
    alone = reduction.op["unique_indices"] and keeps_promises(reduction)
    most, sums = landing(reduction.op).most, [int(steps.init)]
    n = min(most, 1) if alone else most
    if n and steps.inputs.size:
        x = int(steps.inputs.flat[0])
        sums += [x, sums[0] + n * x] if reduction.is_sum else [x]
    return Ends(np.array(min(sums), object), np.array(max(sums), object))


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
