"""`Trace.matrix`: a sum in other accumulators, arithmetics and schedules, and its exact value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import isfinite
from typing import Any, cast

import numpy as np

from interp.backends import Array
from interp.engine.additions import adds_integers
from interp.engine.leaf_counts import UPDATED
from interp.engine.markup import align, join_lines
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer
from interp.engine.work import Covered, Partly, Progress, Work, beat
from interp.execute.accumulating import Hardware
from interp.execute.record import Record
from interp.questions.arithmetics import (
    ARITHMETICS,
    EXACT,
    by_recipe,
    default_types,
    distances,
    exact_in_units,
    in_type,
    sums_by_arithmetic,
)
from interp.questions.what_if import (
    Cell,
    Machine,
    Row,
    accumulation_of,
    exact_products,
    machines_named,
    refuse,
    sum_along,
    usual,
)
from interp.recorder.exact import Unit, unit_at
from interp.recorder.recorded import Reduction
from spec.accumulation import ACCUMULATOR, NAMED, Accumulation, is_accumulation
from spec.accumulator import Accumulator
from spec.errors import Malformed, Unsupported, Violation, one_of, several
from spec.recipes import RECIPES
from spec.schedule import Schedule, parse
from spec.types import ElementType, QuantizedType, element_type_of

SCHEDULES = ("left", "balanced", "blocks(32)", "random(0)")
PERMITTED = {UPDATED: ("left",)}  # of these: a scatter never combines updates with each other

INTEGERS = "integers by {}"  # row of a recipe
Schedules = tuple[Schedule, ...]


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
        if type := None if is_contraction else _accumulation(accumulator):
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
            by_recipe = [name for name in map(INTEGERS.format, self.recipes) if name in made]
            rows += [[f"  {name}", *self._row(type, name, step)] for name in by_recipe]
        return rows

    def _row(self, type: Type, arithmetic: str, step: Fraction) -> list[str]:
        cells = [self.cell(type, arithmetic, schedule) for schedule in self.schedules]
        texts = [
            f"{_number_text(cell.error / step)} ({cell.wrong:,}){'*' if self.disagrees(cell) else ' '}"
            for cell in cells
        ]
        return [*texts, "~" if self.schedule_matters(type, arithmetic) else ""]


def matrix(
    trace: Record,
    op: str | None = None,
    types: Iterable[Type | str] | Type | str | None = None,
    schedules: Iterable[str | Schedule] | Schedule | str | None = None,
    recipes: Iterable[str] | str = (),
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Matrix:
    """Compute the sum `op` in `types` (or one type), in every arithmetic and schedule.

    recipes: of requantization, or "all": a row for each, of the integer reading by it where it is defined.

    By default the types are the sum's own, and storage of 8 to 32 bits with its scale and with the input's
    scale. Those of a contraction are accumulators, or accumulations: see `docs/accumulations.md`. Raises
    `Unsupported` for a body that is not a sum of integers or has several scales, and `Violation` for a type
    that does not fit.
    """
    work = Work(seconds, progress)
    reduction = trace.reduction(op)
    if reduction.along and not reduction.by_blocks:
        reduction = cast(Reduction, reduction.along.declared)
    trees = several(() if schedules is None else schedules, "schedules", alone=(str, Schedule))
    orders = tuple(dict.fromkeys(map(parse, trees or PERMITTED.get(reduction.op.name, SCHEDULES))))
    if reduction.products or reduction.by_blocks:
        if recipes:
            raise Unsupported(
                "recipes of a contraction's sums", "recipes follow the sums: run(m, ..., recipe=)"
            )
        alone = (str, Accumulator, Hardware, Accumulation)
        wanted = None if types is None else several(types, "types", alone=alone)
        if reduction.by_blocks:
            from interp.questions.block_matrix import block_matrix  # which few runs need

            return block_matrix(reduction, wanted, orders, work)
        return _sum_in_machines(reduction, wanted, orders, work)
    _refuse(reduction)
    kinds = (str, ElementType, QuantizedType, Accumulator, Hardware, Accumulation)
    given = () if types is None else several(types, "types", alone=kinds)
    named = [_accumulation(x) or machines_named(x) for x in given]
    machines = tuple(dict.fromkeys(m for x in named if isinstance(x, tuple) for m in x))
    own = (x for x in named if not isinstance(x, tuple))
    chosen: dict[Type, None] = dict.fromkeys(default_types(reduction) if types is None else own)
    if types is None:
        chosen = {type: None for type in chosen if _fits(reduction, type)}
    asked = tuple(RECIPES) if recipes == "all" else several(recipes, "recipes")
    rules = tuple(one_of(RECIPES, recipe, "recipe of requantization") for recipe in asked)
    own_type = reduction.types[:1] if machines else ()
    units = {type: unit_at(type, (), ()) for type in (*chosen, *own_type)}
    exact = work.attempt(lambda: exact_in_units(reduction, [unit.scale for unit in units.values()]))
    cells: dict[Any, list[Cell]] = _cells(
        reduction, {type: units[type] for type in chosen}, exact, orders, rules, work
    )
    for machine in work.through("accumulators", machines) if exact else ():
        found = work.attempt(partial(_along, reduction, machine, orders, *exact))  # type: ignore[misc]
        if found is None:
            break
        cells[machine] = found
    every = tuple(cell for own in cells.values() for cell in own)
    sums, unit = (None, Fraction(1)) if exact is None else exact
    return Matrix(reduction, tuple(cells), orders, every, sums, unit, rules, tuple(work.covered))


def _along(
    reduction: Reduction, machine: Machine, schedules: Schedules, exact: Array, unit: Fraction
) -> list[Cell]:
    """Return the sums of a reduction in an accumulator, for each schedule."""
    orders = [accumulation_of(machine, schedule) for schedule in schedules]
    sums = {order: sum_along(reduction, order) for order in dict.fromkeys(orders)}
    scale = 1.0
    if not reduction.products and adds_integers(orders[0]):
        scale = float(unit_at(reduction.types[0], (), ()).scale)
    with np.errstate(invalid="ignore"):
        errors = {order: x * scale - exact.astype(np.float64) * float(unit) for order, x in sums.items()}
    return [Cell(machine, s, sums[x], errors[x]) for s, x in zip(schedules, orders, strict=True)]


def _sum_in_machines(
    reduction: Reduction, given: Sequence[Any] | None, schedules: Schedules, work: Work
) -> Matrix:
    """Sum a contraction's products in accumulators, by default the usual ones of hardware."""
    whole = reduction.in_integers() or reduction
    assert whole.products
    named = map(machines_named, usual(whole.products) if given is None else given)
    machines = tuple(dict.fromkeys(machine for each in named for machine in each))
    refuse(whole, machines)
    exact = work.attempt(partial(exact_products, whole.products))
    cells = dict[Machine, list[Cell]]()
    for machine in work.through("accumulators", machines):
        row = None
        if exact is not None:
            row = work.attempt(partial(_along, whole, machine, schedules, exact, Fraction(1)))
        if row is None:
            break
        cells[machine] = row
    every = tuple(cell for row in cells.values() for cell in row)
    sums = np.full(whole.shape, np.nan) if exact is None else exact
    return Matrix(whole, tuple(cells), schedules, every, sums, covered=tuple(work.covered))


def _fits(reduction: Reduction, type: Type) -> bool:
    """Return whether the reduction is valid with this accumulator; its init's type may forbid it."""
    try:
        in_type(reduction, type)
    except Violation:
        return False
    return True


def _accumulation(given: Any) -> Type | None:
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


def _refuse(reduction: Reduction) -> None:
    source, init = (v.type.element_type for v in (*reduction.inputs, *reduction.init_values)[:2])
    if not reduction.is_sum or not is_stored_as_integer(reduction.types[0]):
        evidence = "wrapping and saturating are kinds of integer addition"
        raise Unsupported(f"{reduction.name} is not a sum of integers", evidence, reduction.op.location)
    if any(isinstance(type, QuantizedType) and not type.is_per_tensor for type in (source, init)):
        raise Unsupported(f"{reduction.name} sums values of several scales", "", reduction.op.location)


def _cells(
    reduction: Reduction,
    units: Mapping[Type, Unit],
    exact: tuple[Array, Fraction] | None,
    schedules: Sequence[Schedule],
    recipes: Sequence[str],
    work: Work,
) -> dict[Type, list[Cell]]:
    """Return the cells of each type for which there was time."""
    done = dict[Type, list[Cell]]()
    for type in work.through("types", tuple(units)):
        if exact is None:
            break
        cells = work.attempt(partial(_cells_of, reduction, units[type], exact, type, schedules, recipes))
        if cells is None:
            break
        done[type] = cells
    return done


def _cells_of(
    reduction: Reduction,
    own: Unit,
    exact: tuple[Array, Fraction],
    type: Type,
    schedules: Sequence[Schedule],
    recipes: Sequence[str],
) -> list[Cell]:
    """Return the cells of one type."""
    cells = []
    for schedule in schedules:
        beat()
        found = {name: by_recipe(reduction, type, schedule, name) for name in recipes}
        integers = {INTEGERS.format(name): x for name, x in found.items() if x is not None}
        for arithmetic, stored in (sums_by_arithmetic(reduction, type, schedule) | integers).items():
            errors = distances(stored, own, *exact)
            cells.append(Cell(type, schedule, stored, errors, arithmetic, exact[1], own.scale))
    return cells


def _number_text(steps: Fraction) -> str:
    """Return a number, even one beyond f64, as text with five digits."""
    try:
        return f"{float(steps):.5g}"
    except OverflowError:
        return f"{Decimal(steps.numerator) / Decimal(steps.denominator):.5g}"


def error_text(error: float) -> str:
    """Return an error of a contraction as text: an integer in full, else with four digits."""
    return f"{error:,.0f}" if error >= 1 and error.is_integer() and isfinite(error) else f"{error:.4g}"


WhatIf = Matrix
