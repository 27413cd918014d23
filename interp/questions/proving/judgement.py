"""Judgement of an accumulation: whether all of its partial sums fit, for every input.

THEOREM (floats): a float sum of n leaves, rounded in precision p after every addition, in any order, differs
from the exact one by at most ((1 + 2^-p)^n - 1) times the sum of magnitudes, as additions of IEEE's formats
are exact where they are subnormal. So no node is infinite if that sum times (1 + 2^-p)^n is at most the
largest number.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, isfinite, log1p
from typing import Any

import numpy as np

from interp.backends import Array, max_finite
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer
from interp.theory.along import Held
from interp.theory.sums import Ends, Leaves, as_array, narrowest
from spec.ir import Op
from spec.schedule import Schedule
from spec.types import ElementType

PROVED, REFUTED, UNKNOWN, NOT_JUDGED = "proved", "refuted", "unknown", "not judged"
LATE = "the deadline came first"
ANY_ORDER, ANY_SCHEDULE = "any order", "any schedule"
SLACK = 2.0**-44  # relative error of a few operations in f64, generously


def _exact(x: Any) -> Any:
    """Return integers as Python's; floats as they are."""
    array = as_array(x)
    return array.astype(object) if array.dtype.kind in "iu" else array


@dataclass(frozen=True, eq=False)
class Judgement:
    """Judgement of a sum by its ranges: "proved", "unknown" or "not judged"; a witness may refute it.

    type: that of the accumulator, whose numbers go from `limits[0]` to `limits[1]`: steps from the zero point
    if they are integers. ends: the extremes of partial sums by result element, in every order, tree or in the
    schedule that `scope` names. needed: those in every order as integers, or None. result: its number.
    inner: the addition in the body, if there is a body. along: the text of the accumulation that was asked
    for; `nodes` has what each type of its nodes must hold, and type, ends and limits are those of the worst.
    """

    op: Op
    type: Type
    verdict: str
    scope: str
    why: str = ""
    ends: Ends | None = None
    limits: tuple[Any, Any] | None = None
    needed: Ends | None = None
    result: int = 0
    inner: Op | None = None
    along: str = ""
    nodes: tuple[tuple[Held, Ends], ...] = ()

    @property
    def bits(self) -> int | None:
        """Return the fewest bits of an integer accumulator that holds every partial sum, or None."""
        if self.needed is None:
            return None
        least, greatest = (int(end) for end in self.needed.hull)
        return narrowest(least, greatest, self.is_signed or least < 0)

    @property
    def is_signed(self) -> bool:
        """Return whether the accumulator is signed, as all are but unsigned integers."""
        return not (isinstance(self.type, ElementType) and self.type.kind == "unsigned")

    @property
    def beyond(self) -> tuple[tuple[int | None, ...], int] | None:
        """Return where the ends lie farthest beyond the limits, and on which side, -1 or 1; or None.

        A place is the index of a result element, with None for a dimension along which all are alike.
        """
        if self.ends is None or self.limits is None:
            return None
        least, greatest = map(_exact, self.ends)  # a limit of 64 bits has no difference there
        sides = self.limits[0] - least, greatest - self.limits[1]
        below, above = np.broadcast_arrays(*map(as_array, sides))
        excess = as_array(np.maximum(below, above))
        if not excess.size or not np.any(excess > 0):
            return None
        at = np.unravel_index(int(excess.argmax()), excess.shape)
        place = (None if n == 1 else int(i) for i, n in zip(at, excess.shape, strict=True))
        return tuple(place), 1 if above[at] >= below[at] else -1


def judge_integers(
    op: Op,
    type: Type,
    limits: tuple[int, int],
    leaves: Leaves,
    schedule: Schedule,
    own: Leaves | None = None,
) -> Judgement:
    """Judge a sum of integers between these limits: in every order, or tree, or else in this schedule.

    own: the leaves of the schedule's tree, if in `leaves` the init stands for several (`repeating`).
    """
    every = leaves.any_order()
    if fits(every, limits):
        return Judgement(op, type, PROVED, ANY_ORDER, "", every, limits, every)
    trees, nodes = leaves.any_schedule(), (own or leaves).in_schedule(schedule)
    if trees is not None and not schedule.may_repeat_init and fits(trees, limits):
        why = "in another order of the leaves it may overflow"
        return Judgement(op, type, PROVED, ANY_SCHEDULE, why, trees, limits, every)
    scope = f"schedule {schedule!r}"
    if nodes is not None and fits(nodes, limits):
        return Judgement(op, type, PROVED, scope, "in another order it may overflow", nodes, limits, every)
    return Judgement(op, type, UNKNOWN, scope, "", nodes or every, limits, every)


def judge_floats(op: Op, element: ElementType, leaves: Leaves) -> Judgement:
    """Judge a sum of floats in any order."""
    with np.errstate(all="ignore"):
        most = max_finite(element)
        bound = leaves.magnitude * (1 + slack_of(leaves.n)) * (1 + growth(element, leaves.n))
        ends = (
            Ends(-bound, bound)
            if not isfinite(float(bound.max(initial=0)))
            else partial_sums(element, leaves, leaves.any_order())
        )
    verdict = PROVED if bool((bound <= most).all()) else UNKNOWN
    return Judgement(op, element, verdict, ANY_ORDER, "", ends, (-most, most))


def partial_sums(element: ElementType, leaves: Leaves, exact: Ends) -> Ends:
    """Return ends of float sums, of all leaves or of some, that are rounded to `element` after each addition.

    exact: the ends of the exact sums.
    """
    slack = leaves.magnitude * (growth(element, leaves.n) + slack_of(leaves.n))
    return Ends(exact.least - slack, exact.greatest + slack)


def total(element: ElementType, leaves: Leaves) -> Ends:
    """Return ends of the float sum of all leaves, in any order."""
    return partial_sums(element, leaves, leaves.total())


def slack_of(n: int) -> float:
    """Return a bound of the relative error of sums of n magnitudes that are computed in f64 here."""
    return SLACK + n * 2.0**-52


def growth(element: ElementType, n: int) -> float:
    """Return `(1 + 2^-p)^n - 1`, rounded up, or infinity."""
    exponent = (n + 1) * log1p(2.0**-element.precision)
    return expm1(exponent) * (1 + SLACK) if exponent < 500 else float("inf")


def fits(ends: Ends, limits: tuple[int, int]) -> bool:
    """Return whether all numbers between the ends are within the limits."""
    least, greatest = ends.hull
    return bool(limits[0] <= least and greatest <= limits[1])


def unknown_judgement(op: Op, type: Type, why: str, needed: Ends | None = None) -> Judgement:
    """Return the judgement on an accumulation about which nothing is known."""
    return Judgement(op, type, UNKNOWN, "", why, needed if is_stored_as_integer(type) else None, None, needed)


def not_judged(op: Op, type: Type, why: str) -> Judgement:
    """Return the judgement on an accumulation that was not looked at."""
    return Judgement(op, type, NOT_JUDGED, "", why)


def without_leaves(op: Op, type: Type) -> Judgement:
    """Return the judgement on an accumulation that never adds anything."""
    nothing: Array = np.zeros((0,) * max(1, op.results[0].type.rank), np.int64)
    return Judgement(op, type, PROVED, ANY_ORDER, "it has no elements", Ends(nothing, nothing))
