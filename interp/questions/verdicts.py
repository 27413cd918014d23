"""`verdict`: for each result element, whether another schedule would have saved its sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from interp.backends import NUMPY, Array
from interp.comparison.roundoff import holds_sums, quantum
from interp.engine.bodies import only_op
from interp.engine.evaluate import Context
from interp.engine.facts import facts_of
from interp.engine.fold import Node
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer, storage_range, to_reals, zero_point
from interp.engine.work import Covered, Partly, Progress, Work, beat
from interp.kernels import OPERATIONS
from interp.kernels.scatter import BROKEN
from interp.questions import scatters
from interp.questions.accumulator_ranges import beyond_alone, node_sums
from interp.questions.permitted.extremes import extremes, may_be_monotone, schedules_agree
from interp.questions.scatters import Order, Permuted, keeps_promises, scatter_verdict, selects_alike
from interp.recorder.element import Element
from interp.recorder.leaves import Part
from interp.recorder.recorded import Reduction
from interp.theory.quantized_arithmetic import addition_is_integer, missing
from interp.theory.sums import Blocks, Sums, integer_dtype
from spec.errors import Bug, Malformed
from spec.readings import ANY
from spec.schedule import BALANCED, LEFT, Schedule, tree
from spec.types import ElementType, QuantizedType
from spec.verdict import (
    INEVITABLE,
    INEXACT,
    ORDER_DEPENDENT,
    SAFE,
    Sum,
    Verdict,
    judge,
    judge_integers,
    never_clamping,
)

# Schedules for the leaves of one element in which no sum overflows, or one does.


def alone(values: list[int], type: Type) -> Verdict | None:
    """Return the verdict if a leaf itself is beyond the range, as a product may be, else None."""
    low, high = storage_range(type)
    for k, x in enumerate(values):
        if not low <= x <= high:
            total = sum(values) - (len(values) - 1) * zero_point(type)
            return Verdict(INEVITABLE, Sum(x, k, k), Sum(total, 0, len(values) - 1))
    return None


def careful(element: Element) -> Schedule:
    """Return the schedule that combines neighbours of opposite sign first."""
    z = zero_point(element.reduction.types[0])
    return tree(never_clamping([x - z for x in element.values()]))


def stays_inside(element: Element, schedule: Schedule) -> bool:
    """Return whether the exact sum of every node of a schedule lies in the storage range."""
    type, nodes = element.reduction.types[0], element.values()
    low, high = storage_range(type)
    for lhs, rhs in schedule.steps(len(nodes), not element.reduction.has_own_inits):
        nodes.append(nodes[lhs] + nodes[rhs] - zero_point(type))
    return all(low <= node <= high for node in nodes)


# Verdicts on bodies that do not add integers, element by element.

UNKNOWN = "unknown"
UNJUDGED = "not judged"
ALTERED = "different"  # of a sum along an accumulation
WORK = 1 << 28  # applications of a body to find the least and the greatest result


def float_verdicts(reduction: Reduction) -> Array:
    """Return "safe" where all leaves are multiples of one number, and the type holds every sum exactly.

    Then no sum is rounded. More leaves make the step smaller or equal and the magnitude larger or equal, so
    that an element is left alone once the type does not hold its sums.
    """
    (type,) = reduction.types
    assert not isinstance(type, QuantizedType)
    init = reduction.seeds().astype(np.float64)
    step, size = quantum(init[None], 0), abs(init)
    for columns, values, present in reduction.blocks():
        with np.errstate(invalid="ignore"):
            open = np.flatnonzero(holds_sums(type, step[columns], size[columns]))
            some = columns[open]
            own = np.asarray(values if present is None else np.where(present, values, 0), np.float64)[:, open]
            step[some] = np.minimum(step[some], quantum(own, 0))
            size[some] += np.abs(own).sum(0)
    return np.where(holds_sums(type, step, size), SAFE, INEXACT)


def body_verdicts(reduction: Reduction) -> Array:
    """Return "safe" where the body returns a leaf unchanged; else judge by the least and greatest result."""
    row = facts_of(only_op(reduction.body))
    if row.identity and not row.wraps:  # a result is no further out than its operands
        init = reduction.seeds()
        safe = schedules_agree(reduction.body, init[None], False) & _are_numbers(
            reduction.types[0], init[None]
        )
        for columns, values, present in reduction.blocks():
            kept = values if present is None else np.where(present, values, init[columns])
            safe[columns] &= schedules_agree(reduction.body, kept, False) & _are_numbers(
                reduction.types[0], kept
            )
        return np.where(safe, SAFE, INEXACT)
    if reduction.is_scatter:
        return np.array([kind or UNKNOWN for kind in scatters.update_verdicts(reduction)], "U16")
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
    """Return, per element, whether no leaf represents NaN, which would win every choice."""
    if not isinstance(type, QuantizedType):
        return np.ones(leaves.shape[1:], bool)
    return ~np.isnan(to_reals(leaves.astype(NUMPY.carrier(type.storage_type)), type)).any(0)


def _differ(reduction: Reduction) -> Array:
    """Return where the least and the greatest result over all schedules differ."""
    context = Context(NUMPY, reduction.module, reduction.schedule, OPERATIONS)
    body = context.body(reduction.op, len(reduction.op.regions) - 1)
    differ = np.zeros(reduction.size, bool)
    for part in reduction.parts:
        init = reduction.seeds()[None, part.columns]
        leaves = np.concatenate([init, *(values for values, _ in part.blocks())])
        with np.errstate(all="ignore"):
            apply = lambda a, b: body(a, b, Node(0, 0, None, False))
            ends = extremes(reduction.body, (leaves,), apply, False)
        if ends:
            differ[part.columns] = ends.hold & (ends.least[0] != ends.greatest[0])
    return differ


KINDS = {
    SAFE: "no schedule{} overflows",
    ORDER_DEPENDENT: "some schedules{} overflow and some do not",
    INEVITABLE: "every schedule{} overflows",
    INEXACT: "no theorem: rounding may change a sum, or a choice",
    UNKNOWN: "no theorem about this body, or what it selects",
    UNJUDGED: "the deadline came first",
    ALTERED: "no schedule of the declared type gives this result",
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
        if self.reduction.by_blocks:
            return self.reduction.reading
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
            return judge_integers(values, type.min_value, type.max_value)
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
        order = scatters.careful(numbers)
        moved = scatters.in_order(element, order)
        return order if moved.result() == (total,) and stays_inside(moved, LEFT) else None

    @property
    def meanings(self) -> dict[str, str]:
        """The meaning of each kind here; if inits are summed, it covers schedules with one init value."""
        one = " with one init value" if self.reduction.sums_inits else ""
        different = scatters.DIFFERENT if self.reduction.is_scatter else DIFFERENT
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
    yield f"{self.reduction.signature} {self.reduction.manner}{reading}"
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
