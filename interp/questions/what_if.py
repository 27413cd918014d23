"""Sums of a reduction or contraction in other accumulators, exact sums of products, and their `Matrix`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from interp.backends import Array
from interp.engine.additions import WIDE, Adding, adds_integers
from interp.engine.markup import align, join_lines
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer
from interp.engine.work import Covered, Partly, beat
from interp.execute.accumulating import FLOATS, Hardware, hardware
from interp.execute.along import sum_products, totals
from interp.kernels.contraction import factor_types
from interp.questions.arithmetics import ARITHMETICS, EXACT, largest
from interp.recorder.exact import unit_at
from interp.recorder.products import Products, product_terms
from interp.recorder.recorded import Reduction
from interp.speed.exact_contraction import accumulation_type
from spec.accumulation import ACCUMULATOR, NAMED, Accumulation, is_accumulation
from spec.accumulator import Accumulator
from spec.errors import Malformed, Unsupported
from spec.schedule import LEFT, Schedule, parse
from spec.types import ElementType, QuantizedType, element_type_of

INTEGERS = ("i16", "i20", "i24", "i32", *FLOATS[:3])
BY_RECIPE = "integers by {}"  # row of a recipe
Schedules = tuple[Schedule, ...]
BYTES = 8  # bits of factors whose products are added in pairs
Machine = Hardware | Accumulation
Row = Type | Machine
LARGEST = 2**53  # the largest sum that f64 has with all smaller ones


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


def storage_named(given: Any) -> Type | None:
    """Return the type of storage that is named, or None for an accumulator or an accumulation."""
    if not isinstance(given, str | ElementType | QuantizedType):
        return None
    try:
        type = element_type_of(given)
    except Malformed:
        if isinstance(given, str) and (
            is_accumulation(given) or ACCUMULATOR.match(given.strip()) or given in NAMED
        ):
            return None
        raise
    if isinstance(type, QuantizedType) and not type.is_per_tensor:
        raise Unsupported(f"{type!r} has several scales", "an accumulator has one")
    return type


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
        if most > LARGEST:
            raise Unsupported(f"sums of {whole.name} may reach {most:,}", f"expected at most {LARGEST:,}")
        return
    for machine in machines:
        if adds_integers(accumulation_of(machine, LEFT)):
            evidence = "integers accumulate integers: plain ones, or those of quantized operands"
            raise Unsupported(f"{whole.name} multiplies floats, got the accumulator {machine!r}", evidence)


@dataclass(frozen=True, eq=False, repr=False)
class Matrix(Partly):
    """Sums in other accumulators and schedules: `cells` by accumulator, arithmetic and schedule.

    Of a reduction the accumulators are types of storage. The arithmetic "specification" dequantizes, adds and
    quantizes; "wrap" and "saturate" add stored integers in the storage type, and "exact" in integers of any
    size: its only errors are from the conversion of the leaves, and from init values that the schedule
    repeats.

    Of a contraction they are `machines`: accumulators of hardware, whose schedule is that of their sums, and
    accumulations, which have their own order, and the same sums in every schedule. Where the operands
    represent quantized numbers, the products are those of the integers `q - zero_point`.

    `exact` are the sums that nothing rounds or clamps, in multiples of `unit`; those of floats are summed in
    f64, compensated. If the deadline came first, `accumulators` are those of which all cells were computed.
    """

    reduction: Reduction
    accumulators: tuple[Row, ...]
    schedules: tuple[Schedule, ...]
    cells: tuple[Cell, ...] = field(repr=False)
    exact: Array | None = field(repr=False)
    unit: Fraction = Fraction(1)
    recipes: tuple[str, ...] = ()
    covered: tuple[Covered, ...] = ()

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of storage among the accumulators."""
        return tuple(x for x in self.accumulators if isinstance(x, ElementType | QuantizedType))

    @property
    def machines(self) -> tuple[Machine, ...]:
        """The accumulators of hardware and the accumulations."""
        return tuple(x for x in self.accumulators if isinstance(x, Hardware | Accumulation))

    def cell(
        self,
        accumulator: Row | str,
        arithmetic: str | Schedule = "",
        schedule: str | Schedule | None = None,
    ) -> Cell:
        """Return the sums in an accumulator, by an arithmetic if it is a type of storage, and in a schedule.

        One without arithmetics has the schedule in the second place: `cell("i16 saturate", "left")`.
        """
        is_contraction = self.reduction.products or self.reduction.by_blocks
        if type := None if is_contraction else storage_named(accumulator):
            wanted: tuple[Any, ...] = (type,), arithmetic, parse(schedule or "left")
        else:
            wanted = machines_named(accumulator), "", parse(schedule or arithmetic or "left")  # type: ignore[arg-type]
        for cell in self.cells:
            if ((cell.accumulator,), cell.arithmetic, cell.schedule) == wanted:
                return cell
        kinds = "accumulators: " if self.machines else "types: "
        evidence = kinds + ", ".join(map(repr, self.accumulators))
        evidence += "" if self.machines else f"\narithmetics: {', '.join(ARITHMETICS)}"
        evidence += f"\nschedules: {', '.join(map(repr, self.schedules))}"
        raise Malformed(f"no cell {wanted[0][0]!r}, {arithmetic!r}, {wanted[2]!r}", evidence)

    def error(
        self, accumulator: Row | str, arithmetic: str | Schedule = "", schedule: str | Schedule | None = None
    ) -> Any:
        """Return the largest error, in expressed units or in integers."""
        return self.cell(accumulator, arithmetic, schedule).error

    def disagrees(self, cell: Cell) -> bool:
        """Return whether the cell differs from exact addition of the same converted leaves."""
        exact = self.cell(cell.accumulator, EXACT, cell.schedule)
        return not np.array_equal(cell.accumulators, exact.accumulators)

    def schedule_matters(self, accumulator: Row | str, arithmetic: str = "") -> bool:
        """Return whether two of the schedules give different sums."""
        first, *others = (self.cell(accumulator, arithmetic, x).accumulators for x in self.schedules)
        is_float = first.dtype.kind == "f"
        return any(not np.array_equal(first, other, equal_nan=is_float) for other in others)

    def _repr_text_(self) -> str:
        rows = [["", *map(repr, self.schedules), ""]]
        lines = self._heading()
        rows += self._type_rows() + self._machine_rows()
        return join_lines([*lines, *align(rows), *([self.shortfall] if self.partial else [])])

    def _heading(self) -> list[str]:
        """Return what the numbers are."""
        if products := self.reduction.products:
            whole = " of integers" if is_stored_as_integer(products.type) else ""
            return [
                f"{self.reduction.heading}: {self.reduction.size:,} sums of {self.reduction.n:,} products",
                f"largest error{whole} (sums that are not exact)",
                "~: the schedule matters",
            ]
        step = unit_at(self.reduction.types[0], (), ()).scale
        return [
            f"{self.reduction.heading}: {self.reduction.size:,} sums of {self.reduction.terms:,} leaves",
            f"largest error in steps of {float(step):.6g} (sums off by more than half a step of the type)",
            "*: not the sum of the converted leaves; ~: the schedule matters",
        ]

    def _machine_rows(self) -> list[list[str]]:
        """Return a row for each accumulator of hardware, and for each accumulation."""
        rows, step, indent = list[list[str]](), Fraction(1), "  "
        if not self.reduction.products:
            step, indent = unit_at(self.reduction.types[0], (), ()).scale, ""
        for machine in self.machines:
            cells = [self.cell(machine, schedule) for schedule in self.schedules]
            texts = [f"{error_text(cell.error / float(step))} ({cell.wrong:,})" for cell in cells]
            rows.append([f"{indent}{machine!r}", *texts, "~" if self.schedule_matters(machine) else ""])
        return rows

    def _type_rows(self) -> list[list[str]]:
        """Return the rows of each type of storage."""
        if not self.types:
            return []
        own = self.reduction.types[0]
        step = unit_at(own, (), ()).scale
        rows = list[list[str]]()
        for type in self.types:
            rows.append(
                [repr(type) + (" (its own)" if type == own else "")] + [""] * (len(self.schedules) + 1)
            )
            found = [self._row(type, arithmetic, step) for arithmetic in ARITHMETICS]
            alike = all(row == found[0] for row in found)
            names = ["every arithmetic"] if alike else ARITHMETICS
            rows += [[f"  {name}", *row] for name, row in zip(names, found, strict=False)]
            made = dict.fromkeys(cell.arithmetic for cell in self.cells if cell.type == type)
            by_recipe = [name for name in map(BY_RECIPE.format, self.recipes) if name in made]
            rows += [[f"  {name}", *self._row(type, name, step)] for name in by_recipe]
        return rows

    def _row(self, type: Type, arithmetic: str, step: Fraction) -> list[str]:
        cells = [self.cell(type, arithmetic, schedule) for schedule in self.schedules]
        texts = [
            f"{number_text(cell.error / step)} ({cell.wrong:,}){'*' if self.disagrees(cell) else ' '}"
            for cell in cells
        ]
        return [*texts, "~" if self.schedule_matters(type, arithmetic) else ""]


def number_text(steps: Fraction) -> str:
    """Return a number, even one beyond f64, as text with five digits."""
    try:
        return f"{float(steps):.5g}"
    except OverflowError:
        return f"{Decimal(steps.numerator) / Decimal(steps.denominator):.5g}"


def error_text(error: float) -> str:
    """Return an error of a contraction as text: an integer in full, else with four digits."""
    return f"{error:,.0f}" if error >= 1 and error.is_integer() and isfinite(error) else f"{error:.4g}"


WhatIf = Matrix
