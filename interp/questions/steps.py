"""Inputs of a sum as steps of an accumulator: unbounded stored numbers minus the zero point."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from interp.backends import Array
from interp.engine.bodies import only_op
from interp.engine.quant import Type
from interp.engine.stored import is_stored_as_integer
from interp.questions.constants import constant
from interp.questions.ends import convert_unclamped, unclamped_ends
from interp.recorder.recorded import Reduction
from spec.ir import nested_ops


class Steps(NamedTuple):
    """Inputs and init value as steps of an accumulator: exact integers that no storage clamps.

    A scatter and a collective have an init value for each element.
    """

    inputs: Array
    init: int | Array

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the greatest element, including those that no window reads."""
        known = [x for x in (self.inputs, np.asarray(self.init)) if x.size]
        return min((int(x.min()) for x in known), default=0), max((int(x.max()) for x in known), default=0)

    def seeds(self, reduction: Reduction, dtype: np.dtype) -> Array:
        """Return the init value of every element, one after the other."""
        return np.broadcast_to(np.asarray(self.init, dtype), reduction.shape).reshape(-1)


def is_bounded(reduction: Reduction) -> bool:
    """Return whether the range of every node is known, as for sums, maxima and minima of stored integers."""
    known = only_op(reduction.body) in ("add", "maximum", "minimum")
    types = [*reduction.types, *(v.type.element_type for v in (*reduction.inputs, *reduction.init_values))]
    return known and all(is_stored_as_integer(type) for type in types)


def run_inputs(reduction: Reduction, type: Type) -> Steps:
    """Return the inputs of the run as steps of an accumulator of this type, or raise `Endless`.

    Of a contraction's products these are only the ends of their range.
    """
    if reduction.products:
        return Steps(np.array(reduction.products.possible, object), 0)
    input, init = sources(reduction)
    first = convert_unclamped(np.asarray(reduction.init_before[0]), init, type)
    return Steps(
        convert_unclamped(reduction.before[0], input, type), first if reduction.has_own_inits else int(first)
    )


def any_data(reduction: Reduction, type: Type) -> tuple[Steps, Steps]:
    """Return all inputs at the least and at the greatest stored value of their type, or raise `Endless`.

    The init value is also at an end of its range, unless the program computes it from constants.
    """
    if reduction.products:
        return tuple(Steps(np.array(end, object), 0) for end in reduction.products.possible)  # type: ignore
    input, init = sources(reduction)
    known = constant_init(reduction)
    if known is None or not known.size:
        starts = unclamped_ends(init, type)
    else:
        start = convert_unclamped(known, init, type)
        starts = int(start.min()), int(start.max())
    ends = unclamped_ends(input, type) if reduction.inputs[0].type.size else (0, 0)
    shape = reduction.inputs[0].type.shape
    least, greatest = (
        Steps(np.broadcast_to(np.array(end, np.int64 if abs(end) < 1 << 63 else object), shape), start)
        for end, start in zip(ends, starts, strict=True)
    )
    return least, greatest


def sources(reduction: Reduction) -> tuple[Type, Type]:
    """Return the types of the input and of the init value."""
    (input,), (init,) = reduction.inputs, reduction.init_values
    return input.type.element_type, init.type.element_type


def constant_init(reduction: Reduction) -> Array | None:
    """Return the init value if the program computes it from constants, else None."""
    if reduction.products:
        return reduction.init[0]
    if reduction.group:
        return None
    (init,) = reduction.init_values
    for function in reduction.module.functions.values():
        if any(op is reduction.written for op in nested_ops(function.body)):
            definitions = {result.name: op for op in nested_ops(function.body) for result in op.results}
            return constant(init, definitions)
    return None
