"""Sums of a recorded reduction or contraction in other accumulators, and the exact sums of products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from interp.backends import Array
from interp.engine.additions import WIDE, Adding, adds_integers
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer
from interp.engine.work import beat
from interp.execute.accumulating import FLOATS, Hardware, hardware
from interp.execute.along import sum_products, totals
from interp.kernels.contraction import factor_types
from interp.questions.arithmetics import largest
from interp.recorder.products import Products, product_terms
from interp.recorder.recorded import Reduction
from interp.speed.exact_contraction import accumulation_type
from spec.accumulation import Accumulation, is_accumulation
from spec.accumulator import Accumulator
from spec.errors import Unsupported
from spec.schedule import LEFT, Schedule
from spec.types import ElementType

INTEGERS = ("i16", "i20", "i24", "i32", *FLOATS[:3])
BYTES = 8  # bits of factors whose products are added in pairs
Machine = Hardware | Accumulation
Row = Type | Machine
EXACT = 2**53  # the largest sum that f64 has with all smaller ones


@dataclass(frozen=True, eq=False)
class Cell:
    """Sums in one accumulator and schedule, and their distances from the exact sums.

    accumulator: a type of storage, in which stored integers are added by an `arithmetic`; or an accumulator
    of hardware or an accumulation, which have their own. `errors` are floats, or exact integers in multiples
    of `unit`; `step` is the scale of the type.
    """

    accumulator: Row
    schedule: Schedule
    accumulators: Array = field(repr=False)
    errors: Array = field(repr=False)
    arithmetic: str = ""
    unit: Fraction = Fraction(1)
    step: Fraction = Fraction(0)

    @property
    def type(self) -> Any:
        """The accumulator, where it is a type of storage; `machine`, where it is another one."""
        return self.accumulator

    machine = type

    @property
    def error(self) -> Any:
        """The largest error, in expressed units or in integers; infinite where a sum is, or is NaN."""
        if self.errors.dtype.kind != "f":
            return largest(self.errors) * self.unit
        return float(np.nan_to_num(np.abs(self.errors), nan=np.inf, posinf=np.inf).max(initial=0))

    @property
    def wrong(self) -> int:
        """Return how many sums are off by more than half a step, so that the type has a nearer number.

        In accumulators without steps, these are the sums that are not exact.
        """
        if not self.step:
            return int(np.count_nonzero(self.errors))
        return int(np.count_nonzero(2 * np.abs(self.errors) > int(self.step / self.unit)))


def machines_named(given: str | Machine | Accumulator) -> tuple[Machine, ...]:
    """Return the accumulation that is named, or the accumulators: two for an integer type alone."""
    if isinstance(given, Accumulation) or (isinstance(given, str) and is_accumulation(given)):
        return (Accumulation.parse(given),)
    return hardware(given)


def accumulation_of(machine: Machine, schedule: Schedule) -> Accumulation:
    """Return the accumulation of an accumulator whose sums are in a schedule."""
    return machine.accumulation(schedule) if isinstance(machine, Hardware) else machine


def sum_along(reduction: Reduction, accumulation: Accumulation) -> Array:
    """Return the sums of a reduction along an accumulation, as numbers of its nodes, in f64."""
    with np.errstate(all="ignore"):
        if reduction.products:
            return _sum_products(reduction.products, accumulation).astype(np.float64)
        sums = np.zeros(reduction.size)
        for part in reduction.parts:
            seed, is_own = reduction.seeds()[part.columns], reduction.has_own_inits
            leaves = part.with_init(seed) if is_own else part.flat(lambda x: x)
            sums[part.columns] = totals(Adding(accumulation), reduction.types[0], leaves, seed, not is_own)
        return sums.reshape(reduction.shape)


def _sum_products(products: Products, accumulation: Accumulation) -> Array:
    declared = accumulation_type(products.op)
    if is_stored_as_integer(products.type) and not declared.is_integer:  # of dequantized numbers
        declared = Accumulator().type
    types = _factor_types(products)
    return sum_products(accumulation, products.geometry, products.numbers, types, (declared, False))


def _factor_types(products: Products) -> list[ElementType]:
    return [WIDE, WIDE] if is_stored_as_integer(products.type) else list(factor_types(products.op))


def exact_products(products: Products) -> Array:
    """Return the sums of products that nothing rounds or clamps: of floats in f64, compensated."""
    with np.errstate(all="ignore"):
        terms, shape, arrange = product_terms(products.geometry, products.numbers, _factor_types(products))
        if terms.type.is_integer:
            whole = np.zeros(shape, np.int64)
            for i in range(terms.n):
                beat("products", i, terms.n)
                whole += terms.at(i)
            return arrange(whole).astype(object)
        total, lost = np.zeros(shape), np.zeros(shape)
        for i in range(terms.n):
            beat("products", i, terms.n)
            x = terms.at(i)
            after = total + x
            back = after - total
            lost += (total - (after - back)) + (x - back)
            total = after
        return arrange(total + lost)


def usual(products: Products) -> tuple[str, ...]:
    """Return the usual accumulators; pairs in i16 only for factors of 8 bits."""
    if not is_stored_as_integer(products.type):
        return FLOATS[:3]
    pairs = all(high - low < 1 << BYTES for low, high in products.ranges)
    return (*INTEGERS, *(["maddubs"] if pairs else []))


def refuse(whole: Reduction, machines: Sequence[Machine]) -> None:
    """Refuse complex numbers, integer accumulators of floats, and integer sums that f64 does not hold."""
    assert whole.products
    if whole.op.result.type.storage_type.kind == "complex":
        raise Unsupported(f"{whole.name} multiplies complex numbers", "accumulators hold real ones")
    if is_stored_as_integer(whole.products.type):
        most = max(map(abs, whole.products.possible)) * max(whole.n, 1)
        if most > EXACT:
            raise Unsupported(f"sums of {whole.name} may reach {most:,}", f"expected at most {EXACT:,}")
        return
    for machine in machines:
        if adds_integers(accumulation_of(machine, LEFT)):
            evidence = "integers accumulate integers: plain ones, or those of quantized operands"
            raise Unsupported(f"{whole.name} multiplies floats, got the accumulator {machine!r}", evidence)
