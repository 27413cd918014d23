"""The range of the nodes of a sum, for any data of its types, for these inputs, and in this schedule.

All numbers are steps of the accumulator: stored numbers minus the zero point, not bounded by storage.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interp.backends import Array
from interp.engine.leaf_counts import SCATTER, landing
from interp.engine.stored import convert_leaves, storage_range, zero_point
from interp.questions.landed import keeps_promises
from interp.questions.lint import LEAVES
from interp.questions.steps import Steps
from interp.recorder.part import Part
from interp.recorder.recorded import Reduction
from interp.theory.contracted_bounds import most_products
from interp.theory.sums import Ends, Sums, contiguous, integer_dtype, nodes, subset_sums, prefixes
from spec.schedule import LEFT, Schedule

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
    own = _bound_candidates if reduction.op.name == SCATTER else by_schedule  # other data may select otherwise
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
    return nodes(Ends(init, init), lambda body, start: reduction.folded(body, start[0], part))


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
