"""The range of the nodes of a sum: for any data of its types, for these inputs, and in this schedule.

All numbers are steps of the accumulator: stored numbers less the zero point, not bounded by storage.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.bodies import only_op
from interp.engine.fold import Node, fold
from interp.engine.leaf_counts import SCATTER
from interp.engine.quant import Type
from interp.engine.stored import converted, is_stored_as_integer, zero_point
from interp.reductions.ends import unclamped, unclamped_ends
from interp.reductions.lint import LEAVES, constant
from interp.reductions.part import Part
from interp.reductions.recorded import Reduction
from interp.reductions.sums import contiguous, integer_dtype
from spec.ir import walk
from spec.schedule import LEFT, Schedule

ONE_INIT = {"left", "balanced", "random"}  # schedules in which the init value stands once


class NodeRange(NamedTuple):
    """The least and the greatest node, per result element or of all elements."""

    least: Array
    greatest: Array

    @property
    def ends(self) -> tuple[int, int]:
        """Return the least and the greatest node of all elements; zeros without elements."""
        return (int(self.least.min()), int(self.greatest.max())) if self.least.size else (0, 0)


class Steps(NamedTuple):
    """Inputs and init value as steps of an accumulator: exact integers that no storage clamps."""

    inputs: Array
    init: int

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the greatest element, those that no window reads included."""
        ends = [int(self.inputs.min()), int(self.inputs.max())] if self.inputs.size else []
        return min([self.init, *ends]), max([self.init, *ends])


def is_bounded(reduction: Reduction) -> bool:
    """Return whether the range of every node is known: for sums, maxima and minima of stored integers."""
    known = only_op(reduction.body) in ("add", "maximum", "minimum")
    types = [*reduction.types, *(v.type.element_type for v in (*reduction.inputs, *reduction.init_values))]
    return known and all(is_stored_as_integer(type) for type in types)


def given(reduction: Reduction, type: Type) -> Steps:
    """Return the inputs of the run as steps of an accumulator of this type, or raise `Endless`."""
    input, init = sources(reduction)
    first = unclamped(np.asarray(reduction.init_before[0]), init, type)
    return Steps(unclamped(reduction.before[0], input, type), int(first))


def any_data(reduction: Reduction, type: Type) -> tuple[Steps, Steps]:
    """Return all inputs at the least and at the greatest stored value of their type, or raise `Endless`.

    The init value, too, unless the program computes it from constants.
    """
    input, init = sources(reduction)
    known = constant_init(reduction)
    starts = unclamped_ends(init, type) if known is None else (int(unclamped(known, init, type)),) * 2
    ends = unclamped_ends(input, type) if reduction.inputs[0].type.size else (0, 0)
    shape = reduction.inputs[0].type.shape
    least, greatest = (
        Steps(np.broadcast_to(np.array(end, np.int64 if abs(end) < 1 << 63 else object), shape), start)
        for end, start in zip(ends, starts, strict=True)
    )
    return least, greatest


def by_value(reduction: Reduction, steps: Steps) -> NodeRange:
    """Return the range in any schedule: of the sums of contiguous leaves; for an extremum, of the leaves.

    ASSUMPTION: the body adds these steps as integers, or returns one of them.
    """
    dtype = _sum_dtype(reduction, steps)
    init = steps.init
    found = NodeRange(*(np.full(reduction.size, init, dtype) for _ in range(2)))
    for part in _parts(reduction, steps):
        start = np.full(len(part.columns), init, dtype)
        if reduction.is_sum:
            sums = contiguous(start, part.blocks(), lambda x: x)
            found.least[part.columns], found.greatest[part.columns] = sums.least, sums.greatest
            continue
        for values, present in part.blocks():
            low, high = (values if present is None else np.where(present, values, start) for _ in range(2))
            found.least[part.columns] = np.minimum(found.least[part.columns], low.min(0))
            found.greatest[part.columns] = np.maximum(found.greatest[part.columns], high.max(0))
    return NodeRange(*(x.reshape(reduction.shape) for x in found))


def by_type(reduction: Reduction, ends: tuple[Steps, Steps]) -> NodeRange:
    """Return the range in any schedule, for any inputs, by `any_data`.

    ASSUMPTION: as in `by_value`. A sum grows with every leaf, so all leaves at an end of their range give
    an end of the range.
    """
    found = (_range_of_any(reduction, steps).ends[end] for end, steps in enumerate(ends))
    return NodeRange(*(np.array(end, object) for end in found))


def by_schedule(reduction: Reduction, steps: Steps) -> NodeRange:
    """Return the range in this schedule; for maximum and minimum, as in any schedule."""
    if not reduction.is_sum:
        return by_value(reduction, steps)
    dtype, nodes = _sum_dtype(reduction, steps), _prefixes if reduction.schedule == LEFT else _nodes
    found = NodeRange(*(np.full(reduction.size, steps.init, dtype) for _ in range(2)))
    for part in _parts(reduction, steps):
        extremes = nodes(reduction.schedule, np.full(len(part.columns), steps.init, dtype), part)
        found.least[part.columns], found.greatest[part.columns] = extremes
    return NodeRange(*(x.reshape(reduction.shape) for x in found))


def by_type_and_schedule(reduction: Reduction, ends: tuple[Steps, Steps]) -> NodeRange:
    """Return the range for any inputs, in any schedule and in this one, even if it repeats the init."""
    found = by_type(reduction, ends)
    if not reduction.is_sum or reduction.schedule.name in ONE_INIT or not any(s.init for s in ends):
        return found
    own = _scattered if reduction.op.name == SCATTER else by_schedule  # other data may select otherwise
    least, greatest = (own(reduction, s).ends[end] for end, s in enumerate(ends))
    hull = min(least, int(found.least)), max(greatest, int(found.greatest))
    return NodeRange(*(np.array(end, object) for end in hull))


def _scattered(reduction: Reduction, steps: Steps) -> NodeRange:
    """Bound the sums of any number of sources and init values that a tree over all candidates may have."""
    n = LEAVES[SCATTER](reduction.op).most
    parts = [n * int(x) for x in steps.inputs.flat[:1]] + [_most_inits(n, reduction.schedule) * steps.init]
    return NodeRange(*(np.array(sum(pick(x, 0) for x in parts), object) for pick in (min, max)))


def _prefixes(_: Schedule, init: Array, part: Part) -> NodeRange:
    """Return the range of the nodes of a left fold: its leaves, and its prefix sums."""
    least = greatest = total = init
    for values, present in part.blocks():
        sums = total + np.cumsum(values if present is None else np.where(present, values, 0), 0)
        leaves = values if present is None else np.where(present, values, init)
        least = np.minimum(least, np.minimum(sums, leaves).min(0))
        greatest = np.maximum(greatest, np.maximum(sums, leaves).max(0))
        total = sums[-1]
    return NodeRange(least, greatest)


def _nodes(schedule: Schedule, init: Array, part: Part) -> NodeRange:
    """Return the range of the nodes of any fold, by folding once more in integers."""
    low = high = init

    def body(lhs: State, rhs: State, node: Node) -> State:
        nonlocal low, high
        total = lhs[0] + rhs[0]
        for x in (lhs[0], rhs[0], total):
            least: Array = x if node.present is None else np.where(node.present, x, low)
            most: Array = x if node.present is None else np.where(node.present, x, high)
            low = np.minimum(low, least.min(0) if node.stacked else least)
            high = np.maximum(high, most.max(0) if node.stacked else most)
        return (total,)

    fold(NUMPY, body, (init,), part.leaves, schedule)
    return NodeRange(low, high)


def sources(reduction: Reduction) -> tuple[Type, Type]:
    """Return the types of the input and of the init value."""
    (input,), (init,) = reduction.inputs, reduction.init_values
    return input.type.element_type, init.type.element_type


def constant_init(reduction: Reduction) -> Array | None:
    """Return the init value, where the program computes it from constants."""
    (init,) = reduction.init_values
    for function in reduction.module.functions.values():
        if any(op is reduction.written for op in walk(function.body)):
            definitions = {result.name: op for op in walk(function.body) for result in op.results}
            return constant(init, definitions)
    return None


def _sum_dtype(reduction: Reduction, steps: Steps) -> np.dtype:
    n = reduction.n
    return integer_dtype(n + _most_inits(n, reduction.schedule), *steps.ends, 0)


def _most_inits(n: int, schedule: Schedule) -> int:
    """Bound how often a tree over n leaves has the init value: each block of one leaf has its own."""
    steps = schedule.argument if isinstance(schedule.argument, tuple) else ()
    return max(2 * n + 2, len(steps) + 1)


def _parts(reduction: Reduction, steps: Steps) -> list[Part]:
    """Return the leaves as steps: those of the run if its conversion gives these steps, else looked up."""
    dtype = _sum_dtype(reduction, steps)
    inputs, init = steps
    z = zero_point(reduction.types[0])
    if int(reduction.init[0]) == init + z and _is_accumulated(reduction, inputs):
        return [part._replace(leaves=part.flat(lambda x: x.astype(dtype) - z)) for part in reduction.parts]
    table = np.append(inputs.ravel(), init).astype(dtype)  # padding is -1, the last
    return [part._replace(leaves=part.flat(table.__getitem__)) for part in reduction.origins]


def _is_accumulated(reduction: Reduction, inputs: Array) -> bool:
    """Return whether the run converted its inputs to exactly these steps."""
    source, (type,) = reduction.inputs[0].type.element_type, reduction.types
    stored = converted(reduction.before[0], source, type)
    return bool((stored == inputs + zero_point(type)).all())


def _range_of_any(reduction: Reduction, steps: Steps) -> NodeRange:
    """Return the range of equal inputs, from their number if none of them is padding.

    In a select_and_scatter, any data may select as many sources as there are windows around an element.
    """
    op, (inputs, init) = reduction.op, steps
    count = LEAVES[op.name](op)
    if count.padding and op.name == "stablehlo.reduce_window":
        return by_value(reduction, steps)
    n, sums = count.most, [init]
    if n and inputs.size:
        x = int(inputs.flat[0])
        sums += [x, n * x, init + x, init + n * x] if reduction.is_sum else [x]
    return NodeRange(np.array(min(sums), object), np.array(max(sums), object))
