"""Ways to compute an operation: the declared one, and those that differ from it in a field or two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from interp.engine.accumulators import Hardware, Held
from interp.engine.bodies import only_op
from interp.engine.facts import facts
from interp.engine.leaf_counts import UPDATED, reduced, windowed
from interp.kernels import SCHEDULED
from interp.speed.exact_contraction import sums_plain_integers
from interp.theory.factor_ranges import number_of_products
from spec.accumulator import Accumulator, Reading
from spec.integer_reading import in_integers
from spec.ir import Op
from spec.recipes import SPECIFICATION
from spec.schedule import Schedule
from spec.types import ElementType

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

    def machine_or(self, held: Held) -> Hardware:
        """Return the accumulator of a sum that the program's meaning keeps in another."""
        machine = self.machine or Hardware(held)
        return replace(machine, grouping="split", size=self.lanes) if self.lanes else machine

    @property
    def sums_itself(self) -> bool:
        """Return whether a sum differs from the fold of a kernel in more than the schedule."""
        return bool(self.machine or self.lanes or self.factors or self.products or self.fused)

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


def is_contraction(op: Op) -> bool:
    return facts(op).family == "contraction"


def is_sum_of_elements(op: Op) -> bool:
    """Return whether a reduction of one operand adds, in the order of a schedule."""
    plain = op.name in ("stablehlo.reduce", "stablehlo.reduce_window") and len(op.results) == 1
    return plain and only_op(op.regions[0]) == "add"


def is_sum(op: Op) -> bool:
    return is_contraction(op) or is_sum_of_elements(op)


def is_counted(op: Op) -> bool:
    """Return whether the number of leaves, from which an order is made, is known: the same for each sum."""
    return is_contraction(op) or op.name in ("stablehlo.reduce", "stablehlo.reduce_window")


def leaves(op: Op) -> int:
    """Return the number of leaves that an operation `is_counted` for adds to each init value."""
    if is_contraction(op):
        return number_of_products(op)
    return (reduced(op) if op.name == "stablehlo.reduce" else windowed(op)).positions


def has_groups(k: int, op: Op) -> bool:
    """Return whether there are more leaves than one group of k has, or it is not known."""
    return not is_counted(op) or leaves(op) > k


def is_scheduled(op: Op) -> bool:
    """Return whether the result depends on a schedule; a scatter has only one."""
    return op.name in SCHEDULED and op.name != UPDATED


def sums_integers(op: Op) -> bool:
    """Return whether an operation sums integers, plain or of quantized numbers, in some reading."""
    if is_contraction(op):
        return sums_plain_integers(op) or in_integers(op)
    type = op.regions[0].returns[0].type if is_sum_of_elements(op) else None
    return type is not None and type.storage_type.is_integer


def sums_unsigned(op: Op) -> bool:
    """Return whether an operation sums plain integers that are at least 0."""
    values = (*op.operands[:2], op.result) if is_contraction(op) else op.operands if is_sum(op) else ()
    types = [value.type.element_type for value in values]
    return bool(types) and all(isinstance(t, ElementType) and t.kind == "unsigned" for t in types)


def sums_floats(op: Op) -> bool:
    """Return whether an operation sums floats that no quantized type stands for."""
    types = [value.type for value in (*op.operands[:2], op.result)] if is_sum(op) else []
    return bool(types) and all(not t.is_quantized and t.storage_type.kind == "float" for t in types)
