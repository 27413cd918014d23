"""How far the nodes of a sum reach: for any data of its types, for these inputs, and in this order.

All numbers are steps of the accumulator: stored numbers less the zero point, which no storage bounds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interp.closed import only_op
from interp.dtypes import numpy_dtype
from interp.fold import Node, fold
from interp.lint import LEAVES, constant
from interp.linting.losses import bounds as storage_bounds
from interp.linting.losses import is_stored_as_integer, zero_point
from interp.namespace import NUMPY, Array, State
from interp.quant import Type, to_destination_type
from interp.tracing.part import Part
from interp.tracing.reductions import Reduction
from interp.tracing.sums import WIDE, contiguous, integer_dtype
from spec.errors import Unsupported
from spec.ir import Value, walk
from spec.schedule import LEFT, Schedule
from spec.types import QuantizedType, integer

FAR = 1 << WIDE  # where storage ends that is as good as unbounded


class Reach(NamedTuple):
    """The least and the greatest node, by result element or of all of them."""

    least: Array
    greatest: Array

    @property
    def ends(self) -> tuple[int, int]:
        """Of all elements; zeros where there is none."""
        return (int(self.least.min()), int(self.greatest.max())) if self.least.size else (0, 0)


class Endless(Unsupported):
    """Leaves that no accumulator holds, as where the expressed type makes infinities of them."""


def is_bounded(reduction: Reduction) -> bool:
    """Whether we know of every node how far it can reach: of sums, and of what only chooses."""
    known = only_op(reduction.body) in ("add", "maximum", "minimum")
    types = [*reduction.types, *(v.type.element_type for v in (*reduction.inputs, *reduction.init_values))]
    return known and all(is_stored_as_integer(type) for type in types)


def by_value(reduction: Reduction) -> Reach:
    """In any order: the sums of contiguous leaves; of what only chooses the leaves."""
    inputs, init = _steps(reduction, reduction.before[0]), _init_steps(reduction, reduction.init_before[0])
    return _reach(reduction, inputs, int(init))


def by_type(reduction: Reduction) -> Reach:
    """In any order, for any inputs; an init value that the program computes from constants is known.

    A sum grows with every leaf, so that all leaves at an end of their range give an end of the reach.
    """
    (input,), (init,) = reduction.inputs, reduction.init_values
    ends = []
    for end in (0, 1):
        bound, start = (storage_bounds(value.type.element_type)[end] for value in (input, init))
        inputs = _steps(reduction, np.full(input.type.shape, bound, _dtype(input)))
        known = _constant(reduction)
        first = _init_steps(reduction, np.asarray(start, _dtype(init)) if known is None else known)
        ends.append(_reach_of_any(reduction, inputs, int(first)).ends[end])
    return Reach(*(np.array(end, object) for end in ends))


def by_order(reduction: Reduction) -> Reach:
    """The nodes of this schedule; of what only chooses the leaves, as in any order."""
    if not reduction.is_sum:
        return by_value(reduction)
    inputs = _steps(reduction, reduction.before[0])
    init = int(_init_steps(reduction, reduction.init_before[0]))
    dtype, nodes = _sum_dtype(reduction, inputs, init), _prefixes if reduction.schedule == LEFT else _nodes
    found = Reach(*(np.full(reduction.size, init, dtype) for _ in range(2)))
    for part in _parts(reduction, inputs, init):
        reached = nodes(reduction.schedule, np.full(len(part.columns), init, dtype), part)
        found.least[part.columns], found.greatest[part.columns] = reached
    return Reach(*(x.reshape(reduction.shape) for x in found))


def _prefixes(_: Schedule, init: Array, part: Part) -> Reach:
    """Of a left fold: its leaves, and the sums of the first of them."""
    least = greatest = total = init
    for values, present in part.blocks():
        sums = total + np.cumsum(values if present is None else np.where(present, values, 0), 0)
        leaves = values if present is None else np.where(present, values, init)
        least = np.minimum(least, np.minimum(sums, leaves).min(0))
        greatest = np.maximum(greatest, np.maximum(sums, leaves).max(0))
        total = sums[-1]
    return Reach(least, greatest)


def _nodes(schedule: Schedule, init: Array, part: Part) -> Reach:
    """Of any fold, which is done once more in integers."""
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
    return Reach(low, high)


def unbounded(type: Type) -> Type:
    """The same type with storage that no number here fills."""
    if not isinstance(type, QuantizedType):
        return type
    wide = integer(64, True)
    return replace(type, storage_type=wide, storage_min=-FAR, storage_max=FAR, spelling=wide.name)


def _dtype(value: Value) -> np.dtype:
    return numpy_dtype(value.type.storage_type)


def _steps(reduction: Reduction, stored: Array) -> Array:
    """Inputs as steps of the accumulator: exact integers."""
    return _converted(reduction, stored, reduction.inputs[0])


def _init_steps(reduction: Reduction, stored: Array) -> Array:
    return _converted(reduction, stored, reduction.init_values[0])


def _converted(reduction: Reduction, stored: Array, value: Value) -> Array:
    source, (type,) = value.type.element_type, reduction.types
    if not isinstance(type, QuantizedType) or not isinstance(source, QuantizedType):
        return stored.astype(object) if stored.dtype == np.uint64 else stored.astype(np.int64)
    if source == type:
        return stored.astype(np.int64) - zero_point(type)
    with np.errstate(all="ignore"):
        whole = to_destination_type(NUMPY, stored, source, unbounded(type)).astype(np.int64)
    if (abs(whole) >= FAR).any():
        raise Endless(f"{source!r} has numbers beyond 2^{WIDE} steps of {type!r}", "", reduction.op.location)
    return whole - zero_point(type)


def _constant(reduction: Reduction) -> Array | None:
    """The init value, where the program computes it from constants."""
    (init,) = reduction.init_values
    for function in reduction.module.functions.values():
        if any(op is reduction.op for op in walk(function.body)):
            definitions = {result.name: op for op in walk(function.body) for result in op.results}
            return constant(init, definitions)
    return None


def _sum_dtype(reduction: Reduction, inputs: Array, init: int) -> np.dtype:
    ends = int(inputs.min(initial=0)), int(inputs.max(initial=0)), init
    return integer_dtype(2 * reduction.n + 2, *ends)  # a block of one leaf has an init of its own


def _parts(reduction: Reduction, inputs: Array, init: int) -> list[Part]:
    """The leaves as steps: those of the run, unless its storage bounded one of them or these are others."""
    dtype = _sum_dtype(reduction, inputs, init)
    z = zero_point(reduction.types[0])
    if int(reduction.init[0]) == init + z and _is_accumulated(reduction, inputs):
        return [part._replace(leaves=part.flat(lambda x: x.astype(dtype) - z)) for part in reduction.parts]
    table = np.append(inputs.ravel(), init).astype(dtype)  # padding is -1, the last
    return [part._replace(leaves=part.flat(table.__getitem__)) for part in reduction.origins]


def _is_accumulated(reduction: Reduction, inputs: Array) -> bool:
    """Whether the run's own conversion of its inputs gives these steps."""
    source, (type,) = reduction.inputs[0].type.element_type, reduction.types
    with np.errstate(all="ignore"):
        stored = to_destination_type(NUMPY, reduction.before[0], source, type)
    return bool((stored == inputs + zero_point(type)).all())


def _reach(reduction: Reduction, inputs: Array, init: int) -> Reach:
    dtype = _sum_dtype(reduction, inputs, init)
    found = Reach(*(np.full(reduction.size, init, dtype) for _ in range(2)))
    for part in _parts(reduction, inputs, init):
        start = np.full(len(part.columns), init, dtype)
        if reduction.is_sum:
            sums = contiguous(start, part.blocks(), lambda x: x)
            found.least[part.columns], found.greatest[part.columns] = sums.least, sums.greatest
            continue
        for values, present in part.blocks():
            low, high = (values if present is None else np.where(present, values, start) for _ in range(2))
            found.least[part.columns] = np.minimum(found.least[part.columns], low.min(0))
            found.greatest[part.columns] = np.maximum(found.greatest[part.columns], high.max(0))
    return Reach(*(x.reshape(reduction.shape) for x in found))


def _reach_of_any(reduction: Reduction, inputs: Array, init: int) -> Reach:
    """Of equal inputs by their number, where none of them is padding.

    Of select_and_scatter any data may select as many sources as there are windows around an element.
    """
    op = reduction.op
    count = LEAVES[op.name](op)
    if count.padding and op.name == "stablehlo.reduce_window":
        return _reach(reduction, inputs, init)
    n, sums = count.most, [init]
    if n and inputs.size:
        x = int(inputs.flat[0])
        sums += [x, n * x, init + x, init + n * x] if reduction.is_sum else [x]
    return Reach(np.array(min(sums), object), np.array(max(sums), object))
