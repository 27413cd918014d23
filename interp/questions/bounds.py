"""`bounds`: the accumulator widths that any data, these inputs, and this schedule require."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from interp.backends import Array
from interp.engine.bodies import only_op
from interp.engine.markup import join_lines
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer, storage, storage_range, zero_point
from interp.engine.work import Covered, Partly, Progress, Work, beat
from interp.questions.accumulator_ranges import AccumulatorRanges, Hull, storage_hull
from interp.questions.steps import Endless, constant_init, has_computed_input, is_bounded, is_computed
from interp.recorder.recorded import Reduction
from interp.speed.exact_contraction import sums_plain_integers
from interp.theory.quantized_arithmetic import (
    addition_is_integer,
    choice_is_exact,
    has_bounds,
    missing,
    precision,
)
from interp.theory.sums import Ends, narrowest
from spec.types import ElementType, QuantizedType, integer

# Suggested accumulators: the narrowest storage in which every sum is proven exact.

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
    "these inputs". Without a type, `why` is the reason. `bits`: how many the numbers need, which may be fewer
    than its storage has; 0 if an accumulation says them itself. `weight_bits`: how many they need for any
    left operand with the right one of this run, where these are fewer; else 0.

    ASSUMPTION, checked for the suggested type by `_narrowest`: every element is converted to a number that
    the storage can hold, whether a window reads it or not, and the body adds integers on every node.
    """

    type: Any = None  # of storage, or an accumulation
    scope: str = ""
    why: str = ""
    bits: int = 0
    weight_bits: int = 0

    def __repr__(self) -> str:
        return self.text(repr(self.type))

    @property
    def narrow_type(self) -> str:
        """The type of as many bits as the numbers need, if storage has none of that width; else ""."""
        if not self.bits or self.bits == storage(self.type).bits:
            return ""
        return self._name(self.bits)

    def _name(self, bits: int) -> str:
        return integer(bits, storage(self.type).kind == "signed").name

    def text(self, type: str, is_short: bool = False) -> str:
        """Return the suggestion as text, in which `type` is the text of the suggested type."""
        if self.type is None:
            return f"none, {self.why}"
        scope = "" if self.scope == "any data" else f" for {self.scope}"
        if self.weight_bits:
            scope = f", {self._name(self.weight_bits)} for these weights"
        if self.narrow_type and not is_short:
            return f"{self.narrow_type}{scope}; {type} is the next storage type"
        return f"{self.narrow_type} in {type}{scope}" if self.narrow_type else f"{type}{scope}"


UNKNOWN = Suggestion(why=NO_THEOREM)


def suggestion(ranges: AccumulatorRanges) -> Suggestion:
    """Return a suggestion for any data or, if there is none that narrows a computed sum, for these inputs.

    With the weights of a contraction the storage, or the bits that it needs, may be fewer than for any.
    """
    found = _narrowest(ranges, "any data", ranges.data_hulls)
    if ranges.reduction.products:
        weighted = _narrowest(ranges, "these weights", ranges.weight_hulls)
        if weighted.type and (not found.type or storage(weighted.type).bits < storage(found.type).bits):
            return weighted
        if weighted.type and weighted.bits < found.bits:
            return found._replace(weight_bits=weighted.bits)
    if found.type is not None and not _is_idle(ranges.reduction, found.type):
        return found
    observed = _narrowest(ranges, "these inputs", ranges.input_hulls)
    return observed if observed.type is not None or found.type is None else found


def _is_idle(reduction: Reduction, type: Type) -> bool:
    """Return whether a type is wider than that of plain integers that the program computes, as i32 of i8."""
    (present,) = reduction.types
    is_wider = storage(type).bits > storage(present).bits and not isinstance(present, QuantizedType)
    return is_wider and reduction.products is None and has_computed_input(reduction)


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
        bits = narrowest(*ends, is_signed(type, ends[0]))
        if not has_room(type, ends):
            beyond = f"{bits} bits are needed and there are at most {storage(type).bits}"
        elif ranges.saturates(type, scope == "these inputs"):
            beyond = f"{type!r} saturates a number that it rounds to its bound"
        elif is_exact(ranges.reduction, type, nodes):
            return Suggestion(type, scope, bits=bits)
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


MOST = 63  # bits of headroom; beyond, all count as this
LATE = "the deadline came first"
COMPUTED = "for any left operand of this type: `widths` follows how it is computed, and may need fewer bits"
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


@dataclass(frozen=True, eq=False, repr=False)
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
    def suggested(self) -> Any:
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

    def _repr_text_(self) -> str:
        return join_lines(_lines(self))


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
    if self.suggestion.type and self.suggestion.scope != "these inputs" and is_computed(self.reduction):
        yield f"  {COMPUTED}"


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
