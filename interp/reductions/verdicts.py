"""`verdict`: whether another schedule would have saved each element of a reduction's result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from interp.backends import NUMPY, Array
from interp.comparison.roundoff import holds_sums, quantum
from interp.engine.bodies import only_op
from interp.engine.evaluate import Context
from interp.engine.facts import facts_of
from interp.engine.fold import Node
from interp.engine.quant import Type
from interp.engine.stored import dequantized, is_stored_as_integer, storage_range, zero_point
from interp.fastpaths.exact_addition import addition_is_integer
from interp.ops import OPERATIONS
from interp.permitted.extremes import agreed, extremes
from interp.permitted.monotone import may_be_monotone
from interp.reductions.proof import missing
from interp.reductions.recorded import Reduction
from interp.reductions.safe_schedules import careful, of_integers, stays_inside
from interp.reductions.selecting import selects_alike
from interp.reductions.sums import Sums, contiguous, integer_dtype
from spec.errors import Bug, Malformed
from spec.readings import ANY
from spec.schedule import BALANCED, Schedule
from spec.types import ElementType, QuantizedType
from spec.verdict import (
    INEVITABLE,
    INEXACT,
    ORDER_DEPENDENT,
    SAFE,
    Verdict,
    verdict,
)

UNKNOWN = "unknown"
WORK = 1 << 28  # applications of a body to find the least and the greatest result
KINDS = {
    SAFE: "no schedule{} overflows",
    ORDER_DEPENDENT: "some schedules{} overflow and some do not",
    INEVITABLE: "every schedule{} overflows",
    INEXACT: "no theorem: rounding may change a sum, or a choice",
    UNKNOWN: "no theorem about this body, or what it selects",
}
DIFFERENT = "schedules give different results"  # of a body that is no sum


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Verdict on each element, in `kinds`: "safe", "order-dependent", "inevitable", "inexact" or "unknown".

    ASSUMPTION of the first three: the body adds all contiguous sums as integers (`addition_is_integer`), the
    type holds every partial sum of floats, or the body returns one of its leaves unchanged. Otherwise
    they are "inexact". Schedules have the init value once, unless it is zero (E9). Where another one may
    select other leaves (`selects_alike`) all are "unknown". For other bodies "order-dependent" means that two
    schedules give different results.

    `least` and `greatest` contiguous sum and `total` are stored numbers that nothing clamps, exact integers;
    None where the body is not a sum of integers.
    """

    reduction: Reduction
    kinds: Array
    least: Array | None = None
    greatest: Array | None = None
    total: Array | None = None

    @property
    def reading(self) -> str:
        """The reading of quantized operations for which the verdicts hold, or "any" (`spec.readings`)."""
        quantized = any(isinstance(type, QuantizedType) for type in self.reduction.types)
        return self.reduction.reading if quantized else ANY

    @property
    def counts(self) -> Counter[str]:
        """Return how many elements are of each kind."""
        return Counter({kind: n for kind in KINDS if (n := int((self.kinds == kind).sum()))})

    @property
    def wrong(self) -> Array:
        """Return where the accumulator differs from the exact sum of the leaves."""
        if self.total is None:
            raise Malformed(f"the body of {self.reduction.name} is not a sum of integers", "ask `permits`")
        return np.asarray(self.reduction.accumulators[0] != self.total, bool)

    def witness(self, index: tuple[int, ...] | int = ()) -> Verdict:
        """Return the contiguous sum that decides; if the schedule matters, with one of either kind."""
        if self.total is None:
            raise Malformed(
                f"the body of {self.reduction.name} is not a sum of integers", "it has no witness"
            )
        values = self.reduction.element(index).values()
        type = self.reduction.types[0]
        return verdict(values, type) if isinstance(type, QuantizedType) else of_integers(values, type)

    def schedule(self, index: tuple[int, ...] | int = ()) -> Schedule | None:
        """Return a schedule that gives the exact sum without overflow on the way, confirmed by a replay.

        The run's own schedule if it is one; None where none is known, for example where the total overflows.
        """
        witness, element = self.witness(index), self.reduction.element(index)
        for schedule in (element.schedule, BALANCED, careful(element)):
            if element.result(schedule) == (witness.total.value,) and stays_inside(element, schedule):
                return schedule
        if witness.kind in (SAFE, ORDER_DEPENDENT):
            raise Bug(f"no schedule gives {witness.total.value}, which one must", repr(witness))
        return None

    @property
    def meanings(self) -> dict[str, str]:
        """The meaning of each kind here; where inits are summed, for schedules with one init value."""
        one = " with one init value" if self.reduction.sums_inits else ""
        other = {} if self.total is not None else {ORDER_DEPENDENT: DIFFERENT}
        return {kind: meaning.format(one) for kind, meaning in (KINDS | other).items()}

    def first(self, kind: str) -> tuple[int, ...] | None:
        """Return the first element of a kind."""
        found = (self.kinds == kind).ravel()
        return tuple(map(int, np.unravel_index(found.argmax(), self.kinds.shape))) if found.any() else None

    def __repr__(self) -> str:
        return "\n".join(_lines(self))


def verdicts(reduction: Reduction) -> Verdicts:
    """Return the verdicts on all elements by prefix sums; `spec.verdict.verdict` gives the same for each."""
    type = reduction.types[0]
    if not selects_alike(reduction) and not (reduction.is_sum and is_stored_as_integer(type)):
        return Verdicts(reduction, np.full(reduction.shape, UNKNOWN))
    if not reduction.is_sum or getattr(type, "kind", "") in ("boolean", "complex"):
        return Verdicts(reduction, _of_other_bodies(reduction).reshape(reduction.shape))
    if not is_stored_as_integer(type):
        return Verdicts(reduction, _of_floats(reduction).reshape(reduction.shape))
    sums, z = contiguous_of(reduction), zero_point(type)
    least, greatest, total = (np.asarray(x + z, x.dtype) for x in sums)
    low, high = storage_range(type)
    kinds = np.where((total < low) | (total > high), INEVITABLE, ORDER_DEPENDENT)
    kinds = np.where((least >= low) & (greatest <= high), SAFE, kinds)
    if isinstance(type, QuantizedType):
        kinds = np.where(addition_is_integer(type, least, greatest), kinds, INEXACT)
    if not selects_alike(reduction):
        kinds = np.full_like(kinds, UNKNOWN)
    return Verdicts(reduction, kinds, least, greatest, total)


def contiguous_of(reduction: Reduction) -> Sums:
    """Return the contiguous sums of the leaves as they were accumulated."""
    type = reduction.types[0]
    z, ends = zero_point(type), storage_range(type)
    dtype = integer_dtype(reduction.n + 1, *(end - z for end in ends))
    found = Sums(*(np.zeros(reduction.size, dtype) for _ in range(3)))
    start = int(reduction.init[0]) - z
    for part in reduction.parts:
        init = np.full(len(part.columns), start, dtype)
        sums = contiguous(init, part.blocks(), lambda x: x.astype(dtype) - z)
        for whole, own in zip(found, sums, strict=True):
            whole[part.columns] = own
    return Sums(*(x.reshape(reduction.shape) for x in found))


def _of_floats(reduction: Reduction) -> Array:
    """Return "safe" where all leaves are multiples of a step of which the type holds every sum.

    Then no sum is rounded. Magnitudes are added in f64, which may round a sum that is too large down to the
    largest that is not.
    """
    (type,) = reduction.types
    assert not isinstance(type, QuantizedType)
    init = np.asarray(reduction.init[0], np.float64)
    step, size = np.full(reduction.size, quantum(init)), np.full(reduction.size, abs(init))
    for columns, values, present in reduction.blocks():
        with np.errstate(invalid="ignore"):
            own = np.asarray(values if present is None else np.where(present, values, 0), np.float64)
            step[columns] = np.minimum(step[columns], quantum(own, 0))
            size[columns] += np.abs(own).sum(0)
    total = np.nextafter(size, np.inf) if type.precision == np.finfo(np.float64).nmant + 1 else size
    return np.where(holds_sums(type, step, total), SAFE, INEXACT)


def _of_other_bodies(reduction: Reduction) -> Array:
    """Return "safe" where the body returns a leaf unchanged; else judge by least and greatest result."""
    row = facts_of(only_op(reduction.body))
    if row.identity and not row.wraps:  # a result is no further out than its operands
        init = reduction.init[0].reshape(1, 1)
        first = agreed(reduction.body, init, False) & _are_numbers(reduction.types[0], init)
        safe = np.repeat(first, reduction.size)
        for columns, values, present in reduction.blocks():
            kept = values if present is None else np.where(present, values, init)
            safe[columns] &= agreed(reduction.body, kept, False) & _are_numbers(reduction.types[0], kept)
        return np.where(safe, SAFE, INEXACT)
    kinds = np.full(reduction.size, UNKNOWN, "U16")
    work = reduction.n**3 * reduction.size
    if (
        may_be_monotone(reduction.body)
        and len(reduction.types) == 1
        and work <= WORK
        and all(not part.leaves.present for part in reduction.parts)
    ):
        kinds[_differ(reduction)] = ORDER_DEPENDENT
    return kinds


def _are_numbers(type: Type, leaves: Array) -> Array:
    """Return, per element, whether no leaf stands for NaN, which would win every choice."""
    if not isinstance(type, QuantizedType):
        return np.ones(leaves.shape[1:], bool)
    return ~np.isnan(dequantized(leaves.astype(NUMPY.carrier(type.storage_type)), type)).any(0)


def _differ(reduction: Reduction) -> Array:
    """Return where the least and the greatest result of any schedule differ."""
    context = Context(NUMPY, reduction.module, reduction.schedule, OPERATIONS)
    body = context.body(reduction.op, len(reduction.op.regions) - 1)
    differ = np.zeros(reduction.size, bool)
    for part in reduction.parts:
        init = np.repeat(reduction.init[0].reshape(1, 1), len(part.columns), 1)
        leaves = np.concatenate([init, *(values for values, _ in part.blocks())])
        with np.errstate(all="ignore"):
            apply = lambda a, b: body(a, b, Node(0, 0, None, False))
            ends = extremes(reduction.body, (leaves,), apply, False)
        if ends:
            differ[part.columns] = ends.hold & (ends.least[0] != ends.greatest[0])
    return differ


def _lines(self: Verdicts) -> Iterator[str]:
    reading = f", {self.reading} reading" if self.reading != ANY else ""
    how = f"schedule {self.reduction.schedule!r}{reading}"
    yield f"{self.reduction.signature} in {self.reduction.types[0]!r}, {how}"
    for kind, meaning in self.meanings.items():
        if count := self.counts[kind]:
            yield f"{count:>9,} {kind + ':':16} {meaning}{_wrong(self, kind)}"
            if self.total is not None and kind != SAFE:
                yield f"{'':>10}{_witnessed(self, kind)}"
    if self.total is not None and isinstance(self.reduction.types[0], ElementType):
        one = " with one init value" if self.reduction.sums_inits else ""
        yield f"          integers wrap: where the total fits, every schedule{one} gives it"


def _wrong(self: Verdicts, kind: str) -> str:
    count = 0 if self.total is None else int((self.wrong & (self.kinds == kind)).sum())
    repeated = self.reduction.sums_inits and self.reduction.schedule.may_repeat_init
    this = "this one, which repeats it" if repeated else "this one"
    return f"; {count:,} went wrong in {this}" if count else ""


def _witnessed(self: Verdicts, kind: str) -> str:
    """Return a line: `first (0, 3, 1, 1): leaves 2..40 sum to 33,015, the total is 20,123`."""
    index = self.first(kind)
    assert index is not None
    found = self.witness(index)
    sum_, leaves = found.witness, self.reduction.element(index).leaves
    place = f"leaves {leaves[sum_.first].number}..{leaves[sum_.last].number}"
    text = f"first {index}: {place} sum to {sum_.value:,}, the total is {found.total.value:,}"
    return f"{text}; {_missing(self, index)}" if kind == INEXACT else text


def _missing(self: Verdicts, index: tuple[int, ...]) -> str:
    type = self.reduction.types[0]
    assert isinstance(type, QuantizedType)
    assert self.least is not None
    assert self.greatest is not None
    return missing(type, int(self.least[index]), int(self.greatest[index]))
