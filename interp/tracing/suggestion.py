"""Which accumulator to take instead: the narrowest storage in which every sum is proven exact."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interp.closed import only_op
from interp.judging.premise import addition_is_integer, choice_is_exact, missing
from interp.linting.losses import storage, zero_point
from interp.quant import Type
from interp.tracing.reductions import Reduction
from spec.types import ElementType, QuantizedType, integer

WIDTHS = (4, 8, 16, 32)  # of storage types; of plain integers 64, too
NO_THEOREM = "no theorem about this body on these types"
NO_STORAGE = "there are leaves beyond every storage"

Ends = tuple[int, int]  # the least and the greatest node as stored numbers that nothing clamps


class Suggestion(NamedTuple):
    """The narrowest `type`, legal in the program, that is proven to hold every node of `scope`, and the
    expressed type of which is proven to add them exactly: whatever the order, nothing saturates, and nothing
    is rounded but the leaves when they are converted.

    The expressed type, scale and zero point are the accumulator's own, as no other expressed type is legal.
    An order has the init value once (E9); the order of the run is included even if that has more.
    `scope` is "any data" or "these inputs". Without a type, `why` says what is missing.
    """

    type: Type | None = None
    scope: str = ""
    why: str = ""

    def __repr__(self) -> str:
        return self.told(repr(self.type))

    def told(self, type: str) -> str:
        """With another text for the type."""
        if self.type is None:
            return f"none, {self.why}"
        return type if self.scope == "any data" else f"{type} for {self.scope}"


UNKNOWN = Suggestion(why=NO_THEOREM)


def suggestion(reduction: Reduction, any_data: Ends | None, these_inputs: Ends | None) -> Suggestion:
    """For any data, or if there is none, for these inputs."""
    found = _for(reduction, "any data", any_data)
    return found if found.type is not None else _for(reduction, "these inputs", these_inputs)


def _for(reduction: Reduction, scope: str, ends: Ends | None) -> Suggestion:
    if ends is None:
        return Suggestion(None, scope, NO_STORAGE)
    type = reduction.types[0]
    z = zero_point(type)
    least, greatest = min(ends[0], z), max(ends[1], z)
    signed = is_signed(type, least)
    bits = narrowest(least, greatest, signed)
    sources = [value.type.storage_type.bits for value in (*reduction.inputs, *reduction.init_values)]
    widths = WIDTHS if isinstance(type, QuantizedType) else (*WIDTHS, 64)
    fitting = [width for width in widths if width >= max(bits, *sources)]
    if not fitting:
        return Suggestion(None, scope, f"{bits} bits are needed and there are at most {widths[-1]}")
    found = with_storage(type, integer(fitting[0], signed))
    if is_exact(reduction, found, ends):
        return Suggestion(found, scope)
    assert isinstance(found, QuantizedType)
    return Suggestion(None, scope, missing(found, *ends))


def is_exact(reduction: Reduction, type: Type, ends: Ends) -> bool:
    """Whether the body in `type` is known to be that of integers for such nodes."""
    if not isinstance(type, QuantizedType):
        return True
    if only_op(reduction.body) != "add":
        return choice_is_exact(type, *ends)
    least, greatest = (np.array([end], object) for end in ends)
    return bool(addition_is_integer(type, least, greatest).all())


def is_signed(type: Type, least: int) -> bool:
    """Whether storage for such numbers has a sign: where the accumulator's has, or a number is negative."""
    return storage(type).kind == "signed" or least < 0


def narrowest(least: int, greatest: int, signed: bool) -> int:
    """The fewest bits of an integer type whose range has both."""
    above, below = max(greatest, 0).bit_length(), max(-least - 1, 0).bit_length()
    return 1 + max(above, below) if signed else max(above, 1)


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
