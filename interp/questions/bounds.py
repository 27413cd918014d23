"""`bounds`: the accumulator widths that any data, these inputs, and this schedule require."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from interp.backends import Array
from interp.engine.quant import Type
from interp.engine.stored import is_stored_as_integer, storage, storage_range, zero_point
from interp.engine.work import Covered, Partly, Progress, Work, beat
from interp.questions.accumulator_ranges import AccumulatorRanges, storage_hull
from interp.questions.ends import Endless
from interp.questions.steps import constant_init, is_bounded
from interp.questions.suggestion import (
    NO_THEOREM,
    UNKNOWN,
    Suggestion,
    is_exact,
    is_signed,
    suggestion,
    with_storage,
)
from interp.recorder.recorded import Reduction
from interp.speed.exact_contraction import sums_plain_integers
from interp.theory.addition import has_bounds, precision
from interp.theory.sums import Ends
from interp.theory.widths import narrowest
from spec.types import QuantizedType, integer

MOST = 63  # bits of headroom; beyond, all count as this
LATE = "the deadline came first"
NOWHERE = -MOST  # where no power of two brings the sums into the range


class Bound(NamedTuple):
    """The `least` and the `greatest` node of a reduction, as unclamped stored numbers.

    ASSUMPTION: converting the leaves gives numbers (`unclamped`); if it does not, there is no `Bound`.

    `bits`: the narrowest storage, `signed` or not, that no node overflows. `precision`: the precision of any
    expressed type that is proven to add these nodes exactly, on the premise of `theory.addition.precision`; 0
    for plain integers, which are always exact. `exact`: whether the present expressed type is proven to add
    them exactly, in storage that holds them and the zero point.
    """

    least: int
    greatest: int
    bits: int
    signed: bool
    precision: int
    exact: bool


@dataclass(frozen=True, eq=False)
class Bounds(Partly):
    """The smallest accumulator by type (any data of these types), by value (these inputs, any schedule) and
    by schedule (these inputs, this schedule); for a contraction also by constants: any left operand, and the
    right one of this run, the weights. `channels` has that range for each output channel, in steps.

    A bound is None if the body is unknown or an assumption fails; `missing` has the reason for each.

    `headrooms`, by element: how often its sums could double within the present storage, in any schedule; it
    is negative if they must be halved to fit, and `NOWHERE` if no halving helps. It is None without
    `by_value`, and if a bound of the present storage is NaN in the expressed type. `suggestion` is another
    accumulator and the data for which it suffices, or the reason why there is none. If the deadline came
    first, there are no bounds.
    """

    reduction: Reduction
    by_type: Bound | None = None
    by_value: Bound | None = None
    by_schedule: Bound | None = None
    headrooms: Array | None = None
    suggestion: Suggestion = UNKNOWN
    missing: tuple[str, ...] = ("", "", "")
    by_constants: Bound | None = None
    channels: Ends | None = None
    covered: tuple[Covered, ...] = ()

    @property
    def suggested(self) -> Type | None:
        """The accumulator that is proven to hold every sum exactly, or None; see `suggestion`."""
        return self.suggestion.type

    @property
    def headroom(self) -> int | None:
        """The smallest headroom of all elements, in bits."""
        return None if self.headrooms is None else int(self.headrooms.min(initial=MOST))

    @property
    def scopes(self) -> dict[str, Bound | None]:
        """The three bounds, each under the name of the data and schedules that it covers."""
        weights = {"any data, these weights, any schedule": self.by_constants} if self.channels else {}
        return {
            f"any data, any schedule{self._with_inits('any data')}": self.by_type,
            **weights,
            f"these inputs, any schedule{self._with_inits('these inputs')}": self.by_value,
            "these inputs, this schedule": self.by_schedule,
        }

    @property
    def present(self) -> int:
        """The present number of bits: of an accumulator's range, or of storage."""
        type = self.reduction.types[0]
        low, high = storage_range(type)
        return narrowest(low, high, low < 0) if self.reduction.products else storage(type).bits

    @property
    def proviso(self) -> str:
        """The schedules for which the suggestion holds, if not all."""
        one = self._with_inits(self.suggestion.scope)
        this = ", and in this one" if self.reduction.schedule.may_repeat_init else ""
        return f", in any schedule{one}{this}" if one else ""

    @property
    def room(self) -> str:
        """Return the headroom as text; "-" if sums lie on a side of zero where the type has no numbers."""
        if self.headroom in (None, NOWHERE):
            return "unknown" if self.headroom is None else "-"
        return f"{self.headroom} bits{' or more' * (self.headroom == MOST)}"

    def _with_inits(self, scope: str) -> str:
        """Return, in words, the schedules that are covered, if not all: repeating an init changes the sum."""
        if self.reduction.has_own_inits:
            return ""
        any_init = scope == "any data" and self.reduction.is_sum and constant_init(self.reduction) is None
        return " with one init value" if scope and (any_init or self.reduction.sums_inits) else ""

    @property
    def is_known(self) -> bool:
        """Return whether a theorem covers the body."""
        return is_bounded(self.reduction)

    def __repr__(self) -> str:
        return "\n".join(_lines(self))


def bounds(reduction: Reduction, seconds: float | None = None, progress: Progress | None = None) -> Bounds:
    """Return all bounds, or none if there is no time; progress counts leaves."""
    work = Work(seconds, progress)
    found = work.whole("elements", reduction.size, lambda: _bounds(reduction))
    found = found or Bounds(reduction, suggestion=Suggestion(why=LATE), missing=(LATE,) * 3)
    return replace(found, covered=tuple(work.covered))


def _bounds(reduction: Reduction) -> Bounds:
    """Return bounds as exact integers.

    Bounds by value and by schedule are minimal: with one bit less, some schedule overflows. Bounds by type
    are minimal if every stored value of the operands may occur, in every combination.
    """
    beat()
    if not is_stored_as_integer(reduction.types[0]):
        reduction = reduction.in_integers() or reduction
    if not is_bounded(reduction):
        return Bounds(reduction)
    (type,), ranges = reduction.types, AccumulatorRanges(reduction)
    questions = (ranges.by_type, ranges.by_value, ranges.by_schedule)
    found, missing = zip(*(_range(question, type) for question in questions), strict=True)
    of_type, of_value, of_order = (node_range and _bound(reduction, node_range) for node_range in found)
    left = headrooms(type, found[1]) if found[1] and has_bounds(type) else None
    known = of_type, of_value, of_order, left, suggestion(ranges)
    if not reduction.products:
        return Bounds(reduction, *known, missing)
    channels = ranges.by_constants(type)
    return Bounds(reduction, *known, (missing[0], "", *missing[1:]), _bound(reduction, channels), channels)


def _range(f: Callable[[Type], Ends], type: Type) -> tuple[Ends | None, str]:
    """Return a range of nodes, or the reason why there is none."""
    try:
        return f(type), ""
    except Endless as endless:
        return None, endless.verdict


def headrooms(type: Type, node_range: Ends) -> Array:
    """Return how often each element's range can double; at most `MOST`, negative for halvings, or `NOWHERE`.

    It is `NOWHERE` if there are sums on a side of zero where the type has no numbers.
    """
    low, high = (end - zero_point(type) for end in storage_range(type))
    bits = np.full(node_range.least.shape, NOWHERE)
    for k in range(MOST - 1, 0, -1):
        bits[(-(-node_range.greatest >> k) <= high) & (node_range.least >> k >= low)] = -k
    for k in range(MOST + 1):
        bits[(node_range.greatest <= high >> k) & (node_range.least >= -(-low >> k))] = k
    return bits


def _bound(reduction: Reduction, node_range: Ends) -> Bound:
    (type,) = reduction.types
    least, greatest = storage_hull(type, *map(int, node_range.hull))
    signed = is_signed(type, least)
    bits = narrowest(least, greatest, signed)
    if not isinstance(type, QuantizedType):
        return Bound(least, greatest, bits, signed, 0, True)
    z = type.zero_point  # it is stored, too
    wide = integer(min(narrowest(min(least, z), max(greatest, z), signed), 64), signed)
    needed = precision(type, least, greatest)
    exact = is_exact(reduction, with_storage(type, wide), (least, greatest))
    return Bound(least, greatest, bits, signed, needed, exact)


def _lines(self: Bounds) -> Iterator[str]:
    type = self.reduction.types[0]
    whole = self.reduction.products and not sums_plain_integers(self.reduction.written)
    what = f"integers q - zero_point in {self.reduction.text(type)}" if whole else self.reduction.text(type)
    yield f"{self.reduction.signature} in {what}, schedule {self.reduction.schedule!r}"
    if self.partial or not self.is_known:
        yield f"  {self.shortfall or f'unknown: {NO_THEOREM}'}"
        return
    width = max(len(scope) for scope in self.scopes) + 2
    low, high = storage_range(type)
    ends = [low, high, *(end for bound in self.scopes.values() if bound for end in bound[:2])]
    digits = max(15, *(len(f"{end:,}") for end in ends)) + 1
    yield f"  {'smallest accumulator for':{width}}{'from':>{digits}}{'to':>{digits}}  bits  exact with"
    for (scope, bound), why in zip(self.scopes.items(), self.missing, strict=True):
        yield f"  {scope:{width}}{_row(bound, why, digits)}"
    yield f"  {'present':{width}}{low:>{digits},}{high:>{digits},}  {self.present:>4}  {_present(type)}"
    room = self.room + self._with_inits("these inputs") * (self.headroom not in (None, NOWHERE))
    yield f"  headroom {room}; suggested: {_suggestion_text(self)}{self.proviso}"


def _row(bound: Bound | None, why: str, digits: int) -> str:
    if bound is None:
        return f"  none: {why}"
    exact = "always" if bound.precision == 0 else f"p >= {bound.precision}"
    known = "" if bound.exact else ": not known of this type"
    return f"{bound.least:>{digits},}{bound.greatest:>{digits},}  {bound.bits:>4}  {exact}{known}"


def _suggestion_text(self: Bounds) -> str:
    found = self.suggestion
    return found.text(self.reduction.text(found.type)) if found.type else repr(found)


def _present(type: Type) -> str:
    return f"p = {type.expressed_type.precision}" if isinstance(type, QuantizedType) else "always"
