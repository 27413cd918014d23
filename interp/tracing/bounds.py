"""`bounds`: how wide must the accumulator be? For any data, for these inputs, and in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from interp.judging.premise import precision
from interp.linting.losses import bounds as storage_bounds
from interp.linting.losses import storage, zero_point
from interp.namespace import Array
from interp.quant import Type
from interp.tracing.events import signature
from interp.tracing.reach import Endless, Reach, by_order, by_type, by_value, is_bounded
from interp.tracing.reductions import Reduction
from interp.tracing.suggestion import (
    NO_STORAGE,
    NO_THEOREM,
    UNKNOWN,
    Ends,
    Suggestion,
    is_exact,
    is_signed,
    narrowest,
    suggestion,
)
from spec.types import QuantizedType

MOST = 63  # bits of headroom that are told apart


class Bound(NamedTuple):
    """`least` and `greatest` node as stored numbers that nothing clamps.

    `bits`: the narrowest storage, `signed` or not, that no node overflows. `precision`: of an expressed type
    whose bound makes `add` exact for these nodes; 0 for plain integers, which are always exact. `exact`:
    whether the present expressed type is known to do.
    """

    least: int
    greatest: int
    bits: int
    signed: bool
    precision: int
    exact: bool


@dataclass(frozen=True, eq=False)
class Bounds:
    """The smallest accumulator by type (any data of these types), by value (these inputs, in any order) and
    by order (these inputs, in this one); None where nothing is known of the body.

    `headrooms`, by element: how often its sums could double in the present accumulator, in any order;
    negative where they must be halved to fit. `suggestion` is another accumulator, with its scope, or what is
    missing for one.
    """

    reduction: Reduction
    by_type: Bound | None = None
    by_value: Bound | None = None
    by_order: Bound | None = None
    headrooms: Array | None = None
    suggestion: Suggestion = UNKNOWN

    @property
    def suggested(self) -> Type | None:
        """An accumulator that is proven to hold every sum exactly; None where none is."""
        return self.suggestion.type

    @property
    def headroom(self) -> int | None:
        """In bits: the least of all elements."""
        return None if self.headrooms is None else int(self.headrooms.min(initial=MOST))

    @property
    def is_known(self) -> bool:
        """Whether there is a theorem about the body."""
        return is_bounded(self.reduction)

    def __repr__(self) -> str:
        return "\n".join(_lines(self))


def bounds(reduction: Reduction) -> Bounds:
    """Exact integers, and minimal: with one bit less some order of some such data overflows."""
    if not is_bounded(reduction):
        return Bounds(reduction)
    type = reduction.types[0]
    reaches = [_reach(f, reduction) for f in (by_type, by_value, by_order)]
    found = [None if reach is None else _bound(reduction, reach) for reach in reaches]
    of_type, of_value, of_order = found
    scopes = (_hull(bound, of_order) for bound in (of_type, of_value))
    left = None if reaches[1] is None else headrooms(type, reaches[1])
    return Bounds(reduction, of_type, of_value, of_order, left, suggestion(reduction, *scopes))


def _reach(f: Callable[[Reduction], Reach], reduction: Reduction) -> Reach | None:
    """None where no accumulator would do."""
    try:
        return f(reduction)
    except Endless:
        return None


def headrooms(type: Type, reach: Reach) -> Array:
    """How many doublings the range of the type leaves, by element; at most `MOST`, negative for halvings."""
    low, high = (end - zero_point(type) for end in storage_bounds(type))
    bits = np.zeros(reach.least.shape, int)
    for k in range(1, MOST + 1):
        bits += (reach.greatest <= high >> k) & (reach.least >= -(-low >> k))
        bits -= (-(-reach.greatest >> k - 1) > high) | (reach.least >> k - 1 < low)
    return bits


def _bound(reduction: Reduction, reach: Reach) -> Bound:
    type = reduction.types[0]
    z = zero_point(type)
    least, greatest = (int(end) + z for end in reach.ends)
    signed = is_signed(type, least)
    needed = precision(type, least, greatest) if isinstance(type, QuantizedType) else 0
    exact = is_exact(reduction, type, (least, greatest))
    return Bound(least, greatest, narrowest(least, greatest, signed), signed, needed, exact)


def _hull(bound: Bound | None, of_order: Bound | None) -> Ends | None:
    """Of both: an order of blocks has the init value several times."""
    if bound is None or of_order is None:
        return None
    return min(bound.least, of_order.least), max(bound.greatest, of_order.greatest)


def _lines(self: Bounds) -> Iterator[str]:
    type = self.reduction.types[0]
    yield f"{signature(self.reduction.op)} in {type!r}, order {self.reduction.schedule!r}"
    if not self.is_known:
        yield f"  unknown: {NO_THEOREM}"
        return
    yield f"  {'smallest accumulator':36}{'from':>16}{'to':>16}  bits  exact with"
    rows = {
        "by type: any data, any order": self.by_type,
        "by value: these inputs, any order": self.by_value,
        "by order: these inputs, this order": self.by_order,
    }
    yield from (f"  {name:36}{_row(bound)}" for name, bound in rows.items())
    low, high = storage_bounds(type)
    yield f"  {'present':36}{low:>16,}{high:>16,}  {storage(type).bits:>4}  {_present(type)}"
    yield f"  headroom {self.headroom} bits; suggested: {self.suggestion!r}"


def _row(bound: Bound | None) -> str:
    if bound is None:
        return f"  none: {NO_STORAGE}"
    exact = f"p >= {bound.precision}" if bound.precision else "always"
    known = "" if bound.exact else ": not known of this type"
    return f"{bound.least:>16,}{bound.greatest:>16,}  {bound.bits:>4}  {exact}{known}"


def _present(type: Type) -> str:
    return f"p = {type.expressed_type.precision}" if isinstance(type, QuantizedType) else "always"
