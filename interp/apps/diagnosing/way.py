"""Ways to compute an operation: the declared one, and those that differ from it in a field or two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from interp.engine.accumulators import Hardware, Held
from interp.engine.leaf_counts import UPDATED
from interp.execute import along
from interp.execute.along import Adding, is_contraction, is_counted, leaves
from interp.kernels import SCHEDULED
from spec.accumulation import Accumulation, level_of
from spec.accumulator import Accumulator, Reading
from spec.integer_reading import in_integers
from spec.ir import Op
from spec.patterns import Level
from spec.recipes import SPECIFICATION
from spec.schedule import Schedule
from spec.trees import PLAIN, Arithmetic
from spec.types import ElementType, integer

Order = Callable[[int], Schedule]  # the schedule for n leaves, the init included


@dataclass(frozen=True)
class Way:
    """A way to compute an operation; the fields after `reading` change nothing if they are left out.

    order: a schedule, or a function from the number of leaves to one. machine: the accumulator of a sum.
    lanes: so many accumulators take turns. unsigned: the width of an accumulator of numbers from 0, which
    wraps or saturates as `machine` does.
    factors, products: the types that both are rounded to, once, before they are multiplied or summed.
    in_full: what is added to a float accumulator is not rounded to its type before.
    fused: products are not rounded at all. rounding: how a quotient becomes an integer (`roundings.MODES`).
    reciprocal: a quotient is a product with the rounded reciprocal of the scale. wraps: stored results wrap
    instead of saturating. flushes: subnormal numbers count as zeros. omits: the zero points left out, a
    key of `zero_points.PLACES`.
    """

    reading: Reading
    order: Schedule | Order
    machine: Hardware | None = None
    lanes: int = 0
    unsigned: int = 0
    factors: ElementType | None = None
    products: ElementType | None = None
    in_full: bool = False
    fused: bool = False
    rounding: str = ""
    reciprocal: bool = False
    wraps: bool = False
    flushes: bool = False
    omits: str = ""

    def schedule(self, n: int) -> Schedule:
        """Return the schedule for n leaves, the init included."""
        return self.order if isinstance(self.order, Schedule) else self.order(n)

    @property
    def sums_itself(self) -> bool:
        """Return whether a sum differs from the fold of a kernel in more than the schedule."""
        return bool(self.machine or self.lanes or self.factors or self.products or self.fused)

    def adding(self, op: Op, is_of_integers: bool) -> Adding:
        """Return how a sum adds, of integers or of floats where no accumulator is named."""
        accumulation = _accumulation(self, leaves(op), is_of_integers)
        if not self.unsigned or self.machine is None:
            return Adding(accumulation, factors=self.factors)
        last = self.machine.outer_held
        saturates = isinstance(last, Accumulator) and last.saturates
        return Adding(accumulation, integer(self.unsigned, False), saturates, self.factors)

    def arithmetic(self, held: Held | None, is_of_integers: bool) -> Arithmetic:
        """Return the arithmetic of nodes in an accumulator, or in the declared one."""
        if self.unsigned or (held is None and is_of_integers):
            return PLAIN
        if isinstance(held, Accumulator):
            return Arithmetic(type=f"i{held.bits}", rounding="saturate" if held.saturates else "")
        return Arithmetic(
            "exact" if self.fused or self.in_full else "plain",
            type=held.name if held else "",
            products=self.products.name if self.products else "",
            flush=self.flushes,
        )

    def reading_of(self, op: Op) -> Reading:
        """Return the reading of an operation; a quantized contraction has integers in integer accumulators.

        If the reading of all else is the dequantizing one, the sums become results by `specification`, which
        is what that reading does with exact sums.
        """
        machine = self.machine
        whole = is_contraction(op) and in_integers(op)
        if machine is None or not isinstance(machine.inner, Accumulator) or not whole:
            return self.reading
        last = machine.outer_held
        chosen = self.reading.chosen if self.reading.is_integer else SPECIFICATION
        return Reading("integer", last if isinstance(last, Accumulator) else Accumulator(), chosen)


@lru_cache(1024)
def _accumulation(way: Way, n: int, is_of_integers: bool) -> Accumulation:
    """Return the accumulation of n leaves and an init; groups start from zero, in the order given."""
    machine = way.machine
    inner, outer = (machine.inner, machine.outer_held) if machine else (None, None)
    grouping, size = ("lanes", way.lanes) if way.lanes else ("", 0)
    if machine and machine.grouping and not way.lanes:
        grouping, size = {"split": "lanes"}.get(machine.grouping, machine.grouping), machine.size
    groups = n if not size else min(size, n) if grouping == "lanes" else -(-n // size)
    order, last = way.schedule(groups + 1), way.arithmetic(outer, is_of_integers)
    omits_init = order.argument == ()  # of the order of one element, without the init
    level = Level(arithmetic=last) if omits_init else level_of(order, last)
    if not grouping:
        return Accumulation(level, (), "without init" * omits_init, way.flushes)
    first = Level(arithmetic=way.arithmetic(inner, is_of_integers))
    return Accumulation(Level(grouping, (size,), PLAIN, first, level), (), "from zero", way.flushes)


def has_groups(k: int, op: Op) -> bool:
    """Return whether there are more leaves than one group of k has, or it is not known."""
    return not is_counted(op) or leaves(op) > k


def is_scheduled(op: Op) -> bool:
    """Return whether the result depends on a schedule; a scatter has only one."""
    return op.name in SCHEDULED and op.name != UPDATED


def is_sum(op: Op) -> bool:
    """Return whether an operation adds, each sum the same known number of leaves."""
    return is_counted(op) and along.is_sum(op)


def sums_integers(op: Op) -> bool:
    """Return whether such a sum is one of integers, plain or of quantized numbers, in some reading."""
    return is_counted(op) and along.sums_integers(op)


def sums_unsigned(op: Op) -> bool:
    """Return whether an operation sums plain integers that are at least 0."""
    values = (*op.operands[:2], op.result) if is_contraction(op) else op.operands if is_sum(op) else ()
    types = [value.type.element_type for value in values]
    return bool(types) and all(isinstance(t, ElementType) and t.kind == "unsigned" for t in types)


def sums_floats(op: Op) -> bool:
    """Return whether an operation sums floats that no quantized type stands for."""
    types = [value.type for value in (*op.operands[:2], op.result)] if is_sum(op) else []
    return bool(types) and all(not t.is_quantized and t.storage_type.kind == "float" for t in types)
