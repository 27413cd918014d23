"""Extremes of elementwise operations whose operands lie between ends, by the facts about the operation.

THEOREM. Let a function never decrease, or never increase, in each operand while the others stay: in the
direction that its `trend` names, or in one that the others decide. On a box of operands its extremes are
among its values at the corners: at two of them if the trend is known. A magnitude is so on either side of
zero, and is 0 at zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product

import numpy as np

from interp.backends import Array
from interp.engine.facts import Facts
from interp.theory.sums import Ends, as_array

Bracket = Callable[..., tuple[Array, Array]]  # of numbers: what lies below and above the exact result


def exact_bracket(function: Callable[..., Array]) -> Bracket:
    """Return the bracket of a function that rounds nothing, or whose rounding is the wanted one."""

    def bracket(*numbers: Array) -> tuple[Array, Array]:
        result = function(*numbers)
        return result, result

    return bracket


def has_extremes(row: Facts) -> bool:
    """Return whether the facts about an operation say where its extremes lie."""
    return bool(row.monotone or row.trend or row.extremes)


def extremes(row: Facts, bracket: Bracket, operands: Sequence[Ends]) -> Ends:
    """Return ends of the results of an operation that `has_extremes`.

    ASSUMPTION: no result on the box is NaN, wraps, or divides by zero.
    """
    trend = "+" * len(operands) if row.monotone else row.trend
    if trend:
        ordered = (x if sign == "+" else x[::-1] for x, sign in zip(operands, trend, strict=True))
        least_of, greatest_of = zip(*ordered, strict=True)
        return Ends(bracket(*least_of)[0], bracket(*greatest_of)[1])
    assert row.extremes, "no theorem about this operation"
    below, above = zip(*(bracket(*corner) for corner in product(*operands)), strict=True)
    least = reduce(lambda x, y: np.minimum(as_array(x), as_array(y)), below)
    greatest = reduce(lambda x, y: np.maximum(as_array(x), as_array(y)), above)
    if row.extremes == "corners or zero":
        ((low, high),) = operands
        least = np.where((low <= 0) & (high >= 0), np.zeros_like(least), least)
    return Ends(least, greatest)
