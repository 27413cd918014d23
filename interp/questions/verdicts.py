"""`verdict`: for each result element, whether another schedule would have saved its sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from interp.backends import Array
from interp.engine.stored import is_stored_as_integer, storage_range, zero_point
from interp.engine.work import Covered, Partly, Progress, Work, beat
from interp.kernels.scatter import BROKEN
from interp.questions import landed
from interp.questions.judged_bodies import UNJUDGED, UNKNOWN, float_verdicts, body_verdicts
from interp.questions.landed import Order, Permuted, keeps_promises, scatter_verdict
from interp.questions.node_range import beyond_alone, node_sums
from interp.questions.safe_schedules import alone, careful, integer_verdict, stays_inside
from interp.questions.selecting import selects_alike
from interp.recorder.part import Part
from interp.recorder.recorded import Reduction
from interp.theory.addition import addition_is_integer, missing
from interp.theory.sums import Blocks, Sums, integer_dtype
from spec.errors import Bug, Malformed
from spec.readings import ANY
from spec.schedule import BALANCED, LEFT, Schedule
from spec.types import ElementType, QuantizedType
from spec.verdict import INEVITABLE, INEXACT, ORDER_DEPENDENT, SAFE, Verdict, judge

KINDS = {
    SAFE: "no schedule{} overflows",
    ORDER_DEPENDENT: "some schedules{} overflow and some do not",
    INEVITABLE: "every schedule{} overflows",
    INEXACT: "no theorem: rounding may change a sum, or a choice",
    UNKNOWN: "no theorem about this body, or what it selects",
    UNJUDGED: "the deadline came first",
}
SHOWN = 8  # leaves that a sum is printed with
DIFFERENT = "schedules give different results"  # of a body that is no sum


@dataclass(frozen=True, eq=False)
class Verdicts(Partly):
    """Verdict on each element, in `kinds`: "safe", "order-dependent", "inevitable", "inexact" or "unknown".

    If the deadline came first, all are "not judged": the elements of a reduction are judged together.

    ASSUMPTION for the first three: the body adds all contiguous sums as integers (`addition_is_integer`), the
    type holds every partial sum of floats, or the body returns one of its leaves unchanged. Otherwise they
    are "inexact". Schedules have the init value once, unless it is zero (E9). If another schedule may select
    other leaves (`selects_alike`), all are "unknown". For other bodies "order-dependent" means that two
    schedules give different results.

    The leaves of a contraction of integers are exact products: one that the accumulator does not hold
    overflows in every schedule.

    A scatter combines its updates with its operand one after the other, in any permutation; schedules that
    combine updates with each other are not permitted, and not judged. If the data violates `unique_indices`
    or `indices_are_sorted` of the scatter, all are "unknown".

    `least` and `greatest`, of the sums that nodes can be, and `total` are unclamped stored numbers, exact
    integers; they are None if the body is not a sum of integers.
    """

    reduction: Reduction
    kinds: Array
    least: Array | None = None
    greatest: Array | None = None
    total: Array | None = None
    covered: tuple[Covered, ...] = ()

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

    def witness(self, index: tuple[int, ...] | int = ()) -> Verdict | Permuted:
        """Return the sum that decides; if the schedule matters, one schedule of each outcome as well."""
        if self.total is None:
            raise Malformed(
                f"the body of {self.reduction.name} is not a sum of integers", "it has no witness"
            )
        element, type = self.reduction.element(index), self.reduction.types[0]
        if self.reduction.is_scatter:
            return scatter_verdict(element, type)
        values = element.values()
        if (one := alone(values, type)) is not None:
            return one
        if not isinstance(type, QuantizedType):
            return integer_verdict(values, type)
        adds = lambda type, *ends: bool(addition_is_integer(type, *map(np.asarray, ends)))
        return judge(values, type, adds)

    def schedule(self, index: tuple[int, ...] | int = ()) -> Schedule | None:
        """Return a schedule that gives the exact sum without overflow on the way, confirmed by a replay.

        It is the run's own schedule if possible, and None if none is known, as when the total overflows. For
        a scatter it is `left` or None, since schedules do not permute updates: see `order`.
        """
        witness, element = self.witness(index), self.reduction.element(index)
        is_scatter = self.reduction.is_scatter
        for schedule in (LEFT,) if is_scatter else (element.schedule, BALANCED, careful(element)):
            if element.result(schedule) == (witness.total.value,) and stays_inside(element, schedule):
                return schedule
        if not is_scatter and witness.kind in (SAFE, ORDER_DEPENDENT):
            raise Bug(f"no schedule gives {witness.total.value}, although one must", repr(witness))
        return None

    def order(self, index: tuple[int, ...] | int = ()) -> Order | None:
        """Return an order of a scatter's leaves that gives the exact sum without overflow on the way.

        It lists the numbers of leaves; the init value, 0, is first. It is confirmed by a replay, and None if
        none is known.
        """
        if not self.reduction.is_scatter:
            raise Malformed(f"{self.reduction.name} has no order of updates", "ask `schedule`")
        total, element = self.witness(index).total.value, self.reduction.element(index)
        numbers = [int(x) - zero_point(self.reduction.types[0]) for x in element.values()]
        order = landed.careful(numbers)
        moved = landed.in_order(element, order)
        return order if moved.result() == (total,) and stays_inside(moved, LEFT) else None

    @property
    def meanings(self) -> dict[str, str]:
        """The meaning of each kind here; if inits are summed, it covers schedules with one init value."""
        one = " with one init value" if self.reduction.sums_inits else ""
        different = landed.DIFFERENT if self.reduction.is_scatter else DIFFERENT
        other = {} if self.total is not None else {ORDER_DEPENDENT: different}
        if not keeps_promises(self.reduction):
            other[UNKNOWN] = BROKEN
        return {kind: meaning.format(one) for kind, meaning in (KINDS | other).items()}

    def first(self, kind: str) -> tuple[int, ...] | None:
        """Return the first element of a kind."""
        found = (self.kinds == kind).ravel()
        return tuple(map(int, np.unravel_index(found.argmax(), self.kinds.shape))) if found.any() else None

    def __repr__(self) -> str:
        return "\n".join(_lines(self))


def verdicts(
    reduction: Reduction, seconds: float | None = None, progress: Progress | None = None
) -> Verdicts:
    """Return the verdicts on all elements, or on none if there is no time; progress counts leaves."""
    work = Work(seconds, progress)
    found = work.whole("elements", reduction.size, lambda: _verdicts(reduction))
    found = found or Verdicts(reduction, np.full(reduction.shape, UNJUDGED))
    return replace(found, covered=tuple(work.covered))


def _verdicts(reduction: Reduction) -> Verdicts:
    """Return the verdicts on all elements, by prefix sums; each equals that of `spec.verdict.verdict`."""
    beat()
    type = reduction.types[0]
    is_known = selects_alike(reduction) and keeps_promises(reduction)
    if not is_known and not (reduction.is_sum and is_stored_as_integer(type)):
        return Verdicts(reduction, np.full(reduction.shape, UNKNOWN))
    if not reduction.is_sum or getattr(type, "kind", "") in ("boolean", "complex"):
        return Verdicts(reduction, body_verdicts(reduction).reshape(reduction.shape))
    if not is_stored_as_integer(type):
        return Verdicts(reduction, float_verdicts(reduction).reshape(reduction.shape))
    sums, z = sums_of(reduction), zero_point(type)
    least, greatest, total = (np.asarray(x + z, x.dtype) for x in sums)
    low, high = storage_range(type)
    never = (total < low) | (total > high) | beyond_alone(reduction, low, high)
    kinds = np.where(never, INEVITABLE, ORDER_DEPENDENT)
    kinds = np.where((least >= low) & (greatest <= high), SAFE, kinds)
    if isinstance(type, QuantizedType):
        kinds = np.where(addition_is_integer(type, least, greatest), kinds, INEXACT)
    if not is_known:
        kinds = np.full_like(kinds, UNKNOWN)
    return Verdicts(reduction, kinds, least, greatest, total)


def sums_of(reduction: Reduction) -> Sums:
    """Return the sums of accumulated leaves that nodes can be."""
    type = reduction.types[0]
    z, ends = zero_point(type), storage_range(type)
    if reduction.products:
        ends = storage_range(reduction.products.type)
    dtype = integer_dtype(reduction.n + 1, *(end - z for end in ends))
    found = Sums(*(np.zeros(reduction.size, dtype) for _ in range(3)))
    start = reduction.seeds().astype(dtype) - z
    for part in reduction.parts:
        sums = node_sums(reduction)(start[part.columns], _steps(part, dtype, z))
        for whole, own in zip(found, sums, strict=True):
            whole[part.columns] = own
    return Sums(*(x.reshape(reduction.shape) for x in found))


def _steps(part: Part, dtype: np.dtype, zero_point: int) -> Blocks:
    """Yield the stored leaves of a part as steps."""
    return ((leaves.astype(dtype) - zero_point, present) for leaves, present in part.blocks())


def _lines(self: Verdicts) -> Iterator[str]:
    reading = f", {self.reading} reading" if self.reading != ANY else ""
    how = f"schedule {self.reduction.schedule!r}{reading}"
    yield f"{self.reduction.signature} in {self.reduction.text(self.reduction.types[0])}, {how}"
    for kind, meaning in self.meanings.items():
        if count := self.counts[kind]:
            yield f"{count:>9,} {kind + ':':16} {meaning}{_wrong(self, kind)}"
            if self.total is not None and kind != SAFE:
                yield f"{'':>10}{_witness_line(self, kind)}"
    if self.partial:
        yield self.shortfall
    if self.total is not None and isinstance(self.reduction.types[0], ElementType):
        one = " with one init value" if self.reduction.sums_inits else ""
        yield f"          integers wrap: where the total fits, every schedule{one} gives it"


def _wrong(self: Verdicts, kind: str) -> str:
    count = 0 if self.total is None else int((self.wrong & (self.kinds == kind)).sum())
    repeated = self.reduction.sums_inits and self.reduction.schedule.may_repeat_init
    this = "this one, which repeats it" if repeated else "this one"
    return f"; {count:,} went wrong in {this}" if count else ""


def _witness_line(self: Verdicts, kind: str) -> str:
    """Return the line `first (0, 3, 1, 1): leaves 2..40 sum to 33,015, the total is 20,123`."""
    index = self.first(kind)
    assert index is not None
    found = self.witness(index)
    if isinstance(found, Permuted):
        return _scatter_line(found, index)
    sum_, leaves = found.witness, self.reduction.element(index).leaves
    place = f"leaves {leaves[sum_.first].number}..{leaves[sum_.last].number}"
    text = f"first {index}: {place} sum to {sum_.value:,}, the total is {found.total.value:,}"
    return f"{text}; {_missing(self, index)}" if kind == INEXACT else text


def _scatter_line(found: Permuted, index: tuple[int, ...]) -> str:
    """Return the line `first (3,): the init and updates 1, 4 sum to 140, the total is 20`."""
    updates = [str(k) for k in found.witness.leaves[1:]]
    some = ", ".join(updates if len(updates) <= SHOWN else [*updates[:SHOWN], "..."])
    place = f"the init and leaves {some}" if some else "the init"
    return f"first {index}: {place} sum to {found.witness.value:,}, the total is {found.total.value:,}"


def _missing(self: Verdicts, index: tuple[int, ...]) -> str:
    type = self.reduction.types[0]
    assert isinstance(type, QuantizedType)
    assert self.least is not None
    assert self.greatest is not None
    return missing(type, int(self.least[index]), int(self.greatest[index]))
