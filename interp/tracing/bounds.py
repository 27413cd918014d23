"""`bounds`: how wide must the accumulator be? For any data, for these inputs, and in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import frexp
from typing import NamedTuple

import numpy as np

from interp.judging.premise import addition_is_integer
from interp.linting.losses import bounds as storage_bounds
from interp.linting.losses import storage, zero_point
from interp.namespace import Array, fl
from interp.quant import Type
from interp.tracing.events import signature
from interp.tracing.reach import Endless, Reach, by_order, by_type, by_value, is_bounded
from interp.tracing.reductions import Reduction
from spec.types import ElementType, QuantizedType, integer

WIDTHS = (4, 8, 16, 32)  # of storage types; of plain integers 64, too
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
    negative where they must be halved to fit. `suggested` is the narrowest storage type for any data, or if
    there is none, for these inputs.
    """

    reduction: Reduction
    by_type: Bound | None = None
    by_value: Bound | None = None
    by_order: Bound | None = None
    headrooms: Array | None = None
    suggested: Type | None = None

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
    found = [None if reach is None else _bound(type, reach) for reach in reaches]
    of_type, of_value, of_order = found
    suggested = _suggested(reduction, of_type) or _suggested(reduction, of_value)
    left = None if reaches[1] is None else headrooms(type, reaches[1])
    return Bounds(reduction, of_type, of_value, of_order, left, suggested)


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


def narrowest(least: int, greatest: int, signed: bool) -> int:
    """The fewest bits of an integer type whose range has both."""
    above, below = max(greatest, 0).bit_length(), max(-least - 1, 0).bit_length()
    return 1 + max(above, below) if signed else max(above, 1)


def _bound(type: Type, reach: Reach) -> Bound:
    z = zero_point(type)
    least, greatest = (int(end) + z for end in reach.ends)
    signed = storage(type).kind == "signed" or least < 0
    bits = narrowest(least, greatest, signed)
    if not isinstance(type, QuantizedType):
        return Bound(least, greatest, bits, signed, 0, True)
    exact = addition_is_integer(type, np.array([least], object), np.array([greatest], object))
    return Bound(least, greatest, bits, signed, _precision(type, least, greatest), bool(exact.all()))


def _precision(type: QuantizedType, least: int, greatest: int) -> int:
    """The smallest p with magnitudes up to 2^p where the scale is a power of two, else up to 2^(p - 4)."""
    z = type.zero_point
    magnitude = max(max(abs(q), abs(q - z)) for q in (least, greatest, z))
    bits = max(0, magnitude - 1).bit_length()
    return bits if frexp(fl(type.scale, type.expressed_type))[0] == 0.5 else bits + 4


def _suggested(reduction: Reduction, bound: Bound | None) -> Type | None:
    """The narrowest type that verification lets these inputs be promoted to."""
    if bound is None:
        return None
    type = reduction.types[0]
    z = zero_point(type)
    bits = narrowest(min(bound.least, z), max(bound.greatest, z), bound.signed)
    sources = [value.type.storage_type.bits for value in (*reduction.inputs, *reduction.init_values)]
    widths = WIDTHS if isinstance(type, QuantizedType) else (*WIDTHS, 64)
    fitting = [width for width in widths if width >= max(bits, *sources)]
    return with_storage(type, integer(fitting[0], bound.signed)) if fitting else None


def with_storage(type: Type, storage_type: ElementType) -> Type:
    """The same scale and zero point in another storage type, with its whole range."""
    if not isinstance(type, QuantizedType):
        return storage_type
    prefix = (
        "i" if storage_type.kind == "signed" else type.spelling.rstrip("0123456789").replace("i", "") or "u"
    )
    low, high = storage_type.min_value, storage_type.max_value
    spelling = f"{prefix}{storage_type.bits}"
    return replace(type, storage_type=storage_type, storage_min=low, storage_max=high, spelling=spelling)


def _lines(self: Bounds) -> Iterator[str]:
    type = self.reduction.types[0]
    yield f"{signature(self.reduction.op)} in {type!r}, order {self.reduction.schedule!r}"
    if not self.is_known:
        yield "  unknown: no theorem about this body on these types"
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
    yield f"  headroom {self.headroom} bits; suggested: {self.suggested!r}"


def _row(bound: Bound | None) -> str:
    if bound is None:
        return "  none: there are leaves beyond every storage"
    exact = f"p >= {bound.precision}" if bound.precision else "always"
    known = "" if bound.exact else ": not known of this type"
    return f"{bound.least:>16,}{bound.greatest:>16,}  {bound.bits:>4}  {exact}{known}"


def _present(type: Type) -> str:
    return f"p = {type.expressed_type.precision}" if isinstance(type, QuantizedType) else "always"
