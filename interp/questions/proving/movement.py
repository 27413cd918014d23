"""Ranges of operations that move elements: their kernels, applied to the least and to the greatest.

THEOREM: such an operation picks elements of its operands by indices. Where these are known, it picks the
same ones from the ends; otherwise a result may be any element of the operands that it picks from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from interp.backends import Array
from interp.engine.facts import facts
from interp.questions.proving.ranges import Range, anywhere, between, widen_along, has_order, hull, type_range
from spec.ir import Op

Function = Callable[..., Array]


def moves(op: Op) -> bool:
    """Return whether the operation's result consists of elements of its operands."""
    return facts(op).moves or (facts(op).family == "indexing" and facts(op).error == "placed")


def data_of(op: Op) -> list[int]:
    """Return the numbers of the operands whose elements are moved; the others are indices."""
    if facts(op).moves:
        return list(range(len(op.operands)))
    return [0, 1] if op.name == "stablehlo.dynamic_update_slice" else [0]


def movement_range(op: Op, operands: Sequence[Range], function: Function) -> Range:
    """Return the range of the result of an operation that moves elements; `function` is its kernel."""
    type, data = op.result.type, data_of(op)
    if not has_order(type):
        return type_range(type)
    others = [x for k, x in enumerate(operands) if k not in data]
    nan = any(operands[k].nan for k in data)
    if not all(x.is_point for x in others):
        return hull([anywhere(type, operands[k]) for k in data])
    full = [x.full for x in operands]
    least = greatest = np.asarray(function(*(ends[0] for ends in full)))
    if any(x.least is not x.greatest for x in operands):
        greatest = np.asarray(function(*(ends[k in data] for k, ends in enumerate(full))))
    return between(type, least, greatest, nan)


def sort_ranges(op: Op, operands: Sequence[Range]) -> list[Range]:
    """Return the ranges of sorted operands: an element may come from anywhere along the dimension."""
    return [
        widen_along(x, [op["dimension"] % x.type.rank]) if has_order(x.type) else type_range(x.type)
        for x in operands
    ]
