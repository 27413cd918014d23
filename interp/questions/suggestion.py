"""Suggested accumulators: the narrowest storage in which every sum is proven exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interp.engine.bodies import only_op
from interp.engine.quant import Type
from interp.engine.stored import storage, storage_range, zero_point
from interp.questions.accumulator_ranges import AccumulatorRanges, Hull
from interp.questions.ends import Endless
from interp.recorder.recorded import Reduction
from interp.theory.addition import addition_is_integer, choice_is_exact, has_bounds, missing
from interp.theory.widths import narrowest
from spec.types import ElementType, QuantizedType, integer

WIDTHS = (4, 8, 16, 32)  # of storage types; of plain integers 64, too
NO_THEOREM = "no theorem about this body on these types"
NO_STORAGE = "no storage type is as wide as the operands'"


class Suggestion(NamedTuple):
    """The narrowest accumulator `type`, legal in the program, that is proven to make every sum exact.

    It is proven to hold every element and every node of `scope`, and its expressed type to add them exactly:
    in any schedule nothing saturates, and only the conversion of elements rounds.

    Its storage has one of `WIDTHS` and, if no number is negative, the accumulator's signedness. Expressed
    type, scale and zero point are the accumulator's own, as no other expressed type is legal. Schedules are
    those with one init value (E9), and the schedule of the run even if it has more. `scope` is "any data" or
    "these inputs". Without a type, `why` is the reason.

    ASSUMPTION, checked for the suggested type by `_narrowest`: every element is converted to a number that
    the storage can hold, whether a window reads it or not, and the body adds integers on every node.
    """

    type: Type | None = None
    scope: str = ""
    why: str = ""

    def __repr__(self) -> str:
        return self.text(repr(self.type))

    def text(self, type: str) -> str:
        """Return the suggestion as text, in which `type` is the text of the suggested type."""
        if self.type is None:
            return f"none, {self.why}"
        return type if self.scope == "any data" else f"{type} for {self.scope}"


UNKNOWN = Suggestion(why=NO_THEOREM)


def suggestion(ranges: AccumulatorRanges) -> Suggestion:
    """Return a suggestion for any data or, if there is none, for these inputs.

    With the weights of a contraction it may be narrower than for any weights.
    """
    found = _narrowest(ranges, "any data", ranges.data_hulls)
    if ranges.reduction.products:
        weighted = _narrowest(ranges, "these weights", ranges.weight_hulls)
        if weighted.type and (not found.type or storage(weighted.type).bits < storage(found.type).bits):
            return weighted
    return found if found.type is not None else _narrowest(ranges, "these inputs", ranges.input_hulls)


def _narrowest(
    ranges: AccumulatorRanges, scope: str, held: Callable[[Type], tuple[Hull, Hull]]
) -> Suggestion:
    """Return the first proven candidate, else the reason why the first with enough room is not proven."""
    unproven, beyond = "", NO_STORAGE
    for type in candidates(ranges.reduction):
        try:
            elements, nodes = held(type)
        except Endless as endless:
            unproven = unproven or endless.verdict
            continue
        ends = min(*elements, *nodes, zero_point(type)), max(*elements, *nodes, zero_point(type))
        if not has_room(type, ends):
            bits = narrowest(*ends, is_signed(type, ends[0]))
            beyond = f"{bits} bits are needed and there are at most {storage(type).bits}"
        elif ranges.saturates(type, scope == "these inputs"):
            beyond = f"{type!r} saturates a number that it rounds to its bound"
        elif is_exact(ranges.reduction, type, nodes):
            return Suggestion(type, scope)
        elif isinstance(type, QuantizedType):
            unproven = unproven or missing(type, *nodes)
    return Suggestion(None, scope, unproven or beyond)


def candidates(reduction: Reduction) -> Iterator[Type]:
    """Yield the accumulators that are legal in the program: narrow ones first, signed ones where needed."""
    (type,) = reduction.types
    sources = [value.type.storage_type.bits for value in (*reduction.inputs, *reduction.init_values)]
    if reduction.products:
        sources = [narrowest(*ends, signed=ends[0] < 0) for ends in reduction.products.ranges]
    in_program = isinstance(type, QuantizedType) and not reduction.products
    for bits in WIDTHS if in_program else (*WIDTHS, 64):
        if bits >= max(sources):
            if storage(type).kind != "signed":
                yield with_storage(type, integer(bits, False))
            yield with_storage(type, integer(bits, True))


def has_room(type: Type, ends: Hull) -> bool:
    """Return whether the storage holds all numbers of [least, greatest]."""
    least, greatest = storage_range(type)
    return least <= ends[0] and ends[1] <= greatest


def is_exact(reduction: Reduction, type: Type, nodes: Hull) -> bool:
    """Return whether the body in `type` is proven to be exact integer arithmetic on such nodes."""
    if not isinstance(type, QuantizedType):
        return True
    if not has_bounds(type):
        return False
    if only_op(reduction.body) != "add":
        return choice_is_exact(type, *nodes)
    least, greatest = (np.array([end], object) for end in nodes)
    return bool(addition_is_integer(type, least, greatest).all())


def is_signed(type: Type, least: int) -> bool:
    """Return whether storage must be signed, since the accumulator's is or a number is negative."""
    return storage(type).kind == "signed" or least < 0


def with_storage(type: Type, storage_type: ElementType) -> Type:
    """Return the same scale and zero point with the whole range of another storage type."""
    if not isinstance(type, QuantizedType):
        return storage_type
    prefix = (
        "i" if storage_type.kind == "signed" else type.spelling.rstrip("0123456789").replace("i", "") or "u"
    )
    low, high = storage_type.min_value, storage_type.max_value
    spelling = f"{prefix}{storage_type.bits}"
    return replace(type, storage_type=storage_type, storage_min=low, storage_max=high, spelling=spelling)
