"""Monotone bodies, on which all bounds on the least and the greatest result rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

import numpy as np

from interp.backends import NUMPY, Array, fl
from interp.engine.facts import facts
from interp.engine.quant import quantize, round_parameters, scaled_and_moved
from interp.engine.stored import to_reals, storage_range
from interp.kernels.elementwise import prepare
from interp.kernels.structure import constant
from interp.theory.sums import Ends
from spec.algorithm import expressed_element
from spec.ir import Op, Region
from spec.types import ElementType, QuantizedType


def is_monotone(body: Region, ranges: Sequence[Ends]) -> Array:
    """Return for each element whether the body never decreases when an argument grows within its range.

    ranges: one for each argument of the body, arrays of one shape; a NaN as an end gives False.

    THEOREM. The results of the body never decrease when an argument grows, and lie between those at the least
    and those at the greatest arguments, if each operation is `monotone` and none of its numbers is NaN, for
    any arguments within the ranges. (NaN is not ordered, and it is stored as 0.)

    PROOF OBLIGATION. The numbers of an operation are its dequantized operands, its result before it is
    quantized, the quotient of that by the scale plus the zero point, and the storage bounds in the expressed
    type. Unless it is NaN, each is a monotone function of the operands, since rounding is monotone. It
    becomes
    NaN only beyond an end of a range: where a format without infinities overflows, where f8E8M0FNU meets a
    number that is not positive, and where infinities of opposite sign are added. So it suffices that none is
    NaN at the ends; for `add`, at each pair of ends. A scale that is zero, infinite or NaN is refused, and so
    are sums of integers, which wrap.
    """
    known = dict(zip((v.name for v in body.arguments), ranges, strict=True))
    holds = np.logical_and.reduce([low <= high for low, high in ranges])
    for op in body.ops[:-1]:
        if not is_ordered(op):
            return np.zeros_like(holds)
        known[op.result.name], numbers = _range(op, known)
        for number in numbers:
            holds = holds & ~np.isnan(number)
    return holds


def may_be_monotone(body: Region) -> bool:
    """Return whether a body may be monotone on some ranges, by its operations and types."""
    return all(map(is_ordered, body.ops[:-1]))


def is_ordered(op: Op) -> bool:
    """Return whether an operation is monotone, on types whose numbers are ordered and do not wrap."""
    row, values = facts(op), (*op.operands, *op.results)
    return row.monotone and all(_has_order(value.type.element_type, row.wraps) for value in values)


def _has_order(type: ElementType | QuantizedType, wraps: bool) -> bool:
    if isinstance(type, QuantizedType):
        return type.is_per_tensor and 0 < fl(type.scale, type.expressed_type) < inf
    return type.kind == "float" or (type.is_integer and not wraps)


def has_no_nan(type: ElementType | QuantizedType) -> bool:
    """Return whether no stored number of a type represents NaN."""
    if not isinstance(type, QuantizedType):
        return type.is_integer
    if not _has_order(type, False):
        return False
    ends = np.array(storage_range(type), NUMPY.carrier(type.storage_type))
    return not np.isnan(to_reals(ends, type)).any()


def _range(op: Op, known: Mapping[str, Ends]) -> tuple[Ends, list[Array]]:
    """Return the range of an operation's result, and the numbers at its ends, none of which may be NaN."""
    type = op.result.type.element_type
    if not op.operands:
        value = constant(NUMPY, op)()
        return Ends(value, value), [to_reals(value, type)]
    low, high = (
        [to_reals(known[v.name][side], v.type.element_type) for v in op.operands] for side in (0, 1)
    )
    found = [_apply(op, low), _apply(op, high)]
    numbers = [*low, *high, *found]
    if op.name == "stablehlo.add":
        numbers += [_apply(op, [low[0], high[1]]), _apply(op, [high[0], low[1]])]
    if isinstance(type, QuantizedType):
        numbers += [np.asarray(bound) for bound in round_parameters(type).bounds]
        numbers += [scaled_and_moved(NUMPY, x, type) for x in found]
        found = [quantize(NUMPY, x, type) for x in found]
    return Ends(*found), numbers


def _apply(op: Op, numbers: list[Array]) -> Array:
    """Return the operation's result as a number, before it is quantized."""
    types = [expressed_element(value.type) for value in op.operands]
    return prepare(NUMPY, op, types, expressed_element(op.result.type))(*numbers)
