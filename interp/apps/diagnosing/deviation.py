"""Ways to compute an operation: the declared one, and deviations, which differ from it in a field or two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from interp.execute.accumulating import Hardware, reading_of_sum
from interp.execute.along import Adding, is_sum, leaves
from spec.accumulation import Accumulation, level_of
from spec.accumulator import Reading
from spec.ir import Op
from spec.patterns import Level
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
    key of `retyped.PLACES`.
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
        saturates = self.machine.accumulation().level.arithmetic.saturates
        return Adding(accumulation, integer(self.unsigned, False), saturates, self.factors)

    def arithmetic(self, named: Arithmetic, is_of_integers: bool) -> Arithmetic:
        """Return the arithmetic of nodes that have the type of an accumulator, or the declared one."""
        if self.unsigned or (is_of_integers and not named.type):
            return PLAIN
        if named.element_type and named.element_type.is_integer:
            return named
        kind, products = "exact" if self.fused or self.in_full else "plain", self.products
        return replace(named, kind=kind, products=products.name if products else "", flush=self.flushes)

    def reading_of(self, op: Op) -> Reading:
        """Return the reading of an operation, whose sums may be of integers in the accumulator."""
        return reading_of_sum(op, self.machine.accumulation(), self.reading) if self.machine else self.reading


@dataclass(frozen=True, eq=False)
class Deviation:
    """One deviation from the declared meaning.

    aspect: deviations of one aspect exclude each other, so that pairs are of two aspects. applies: whether
    it can occur at an operation. fields: what it sets in a `Way`.
    """

    name: str
    sentence: str
    aspect: str
    applies: Callable[[Op], bool]
    fields: dict[str, Any]

    def __repr__(self) -> str:
        return self.name

    def of(self, way: Way) -> Way:
        """Return a way with this deviation."""
        return replace(way, **self.fields)

    def goes_with(self, other: Deviation) -> bool:
        """Return whether a device may have both: an accumulator of groups leaves nothing to lanes."""
        fields = {**self.fields, **other.fields}
        machine = fields.get("machine")
        grouped = machine and machine.accumulation().level.is_grouping and "lanes" in fields
        return self.aspect != other.aspect and not grouped


@lru_cache(1024)
def _accumulation(way: Way, n: int, whole: bool) -> Accumulation:
    """Return the accumulation of n leaves and an init; groups start from zero, in the order given."""
    level = way.machine.accumulation().level if way.machine else Level()
    named = (level.inner or level).arithmetic, (level.outer or level).arithmetic
    inner, outer = (way.arithmetic(arithmetic, whole) for arithmetic in named)
    grouping, size = ("lanes", way.lanes) if way.lanes else (level.name, sum(level.numbers))
    groups = n if not size else min(size, n) if grouping == "lanes" else -(-n // size)
    order = way.schedule(groups + 1)
    start = "without init" if order.argument == () else ""  # the order of one element, without the init
    last = Level(arithmetic=outer) if start else level_of(order, outer)
    if size:
        last, start = Level(grouping, (size,), PLAIN, Level(arithmetic=inner), last), "from zero"
    return Accumulation(last, (), start, way.flushes)


def sums_floats(op: Op) -> bool:
    """Return whether an operation sums floats that no quantized type stands for."""
    types = [value.type for value in (*op.operands[:2], op.result)] if is_sum(op) else []
    return bool(types) and all(not t.is_quantized and t.storage_type.kind == "float" for t in types)
