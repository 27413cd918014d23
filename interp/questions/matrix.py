"""`Trace.matrix`: a sum in other accumulators, arithmetics and schedules, and its exact value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import isfinite, lcm
from typing import Any

import numpy as np

from interp.backends import Array
from interp.engine.accumulators import Hardware, is_machine
from interp.engine.leaf_counts import UPDATED
from interp.engine.markup import aligned
from interp.engine.quant import Type
from interp.engine.stored import is_stored_as_integer, storage
from interp.engine.work import Covered, Partly, Progress, Work, beat
from interp.execute.along import Adding, adds_integers, totals
from interp.execute.record import Record
from interp.questions.arithmetics import ARITHMETICS, EXACT, accumulated, by_recipe, exact_sums, in_type
from interp.questions.what_if import Machine, machines_named, products_of, sums_in
from interp.recorder.exact import Unit, unit_at
from interp.recorder.recorded import Reduction
from interp.theory.sums import integer_dtype
from spec.accumulation import Accumulation
from spec.accumulation_text import NAMES
from spec.accumulator import Accumulator
from spec.errors import Malformed, Unsupported, Violation
from spec.options import one_of, several
from spec.recipes import RECIPES
from spec.schedule import Schedule, parse
from spec.types import ElementType, QuantizedType, element_type_of, integer

SCHEDULES = ("left", "balanced", "blocks(32)", "random(0)")
PERMITTED = {UPDATED: ("left",)}  # of these: a scatter never combines updates with each other
BITS = (8, 16, 32)
INTEGERS = "integers by {}"  # row of a recipe
Row = Type | Machine
Schedules = tuple[Schedule, ...]


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
        """The accumulator, where it is a type of storage."""
        return self.accumulator

    @property
    def machine(self) -> Any:
        """The accumulator, where it is one of hardware or an accumulation."""
        return self.accumulator

    @property
    def error(self) -> Any:
        """The largest error, in expressed units or in integers; infinite where a sum is, or is NaN."""
        if self.errors.dtype.kind != "f":
            return _largest(self.errors) * self.unit
        return float(np.nan_to_num(np.abs(self.errors), nan=np.inf, posinf=np.inf).max(initial=0))

    @property
    def wrong(self) -> int:
        """Return how many sums are off by more than half a step, so that the type has a nearer number.

        In accumulators without steps, these are the sums that are not exact.
        """
        if not self.step:
            return int(np.count_nonzero(self.errors))
        return int(np.count_nonzero(2 * np.abs(self.errors) > int(self.step / self.unit)))


@dataclass(frozen=True, eq=False)
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
        if type := None if self.reduction.products else _accumulation(accumulator):
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

    def __repr__(self) -> str:
        rows = [["", *map(repr, self.schedules), ""]]
        lines = self._heading()
        rows += self._of_types() + self._of_machines()
        return "\n".join([*lines, *aligned(rows), *([self.shortfall] if self.partial else [])])

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

    def _of_machines(self) -> list[list[str]]:
        """Return a row for each accumulator of hardware, and for each accumulation."""
        rows, step, indent = list[list[str]](), Fraction(1), "  "
        if not self.reduction.products:
            step, indent = unit_at(self.reduction.types[0], (), ()).scale, ""
        for machine in self.machines:
            cells = [self.cell(machine, schedule) for schedule in self.schedules]
            texts = [f"{_error_text(cell.error / float(step))} ({cell.wrong:,})" for cell in cells]
            rows.append([f"{indent}{machine!r}", *texts, "~" if self.schedule_matters(machine) else ""])
        return rows

    def _of_types(self) -> list[list[str]]:
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
            f"{_shown(cell.error / step)} ({cell.wrong:,}){'*' if self.disagrees(cell) else ' '}"
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
    trees = several(() if schedules is None else schedules, "schedules", alone=(str, Schedule))
    orders = tuple(dict.fromkeys(map(parse, trees or PERMITTED.get(reduction.op.name, SCHEDULES))))
    if reduction.products:
        if recipes:
            raise Unsupported(
                "recipes of a contraction's sums", "recipes follow the sums: run(m, ..., recipe=)"
            )
        alone = (str, Accumulator, Hardware, Accumulation)
        wanted = None if types is None else several(types, "types", alone=alone)
        return _of_products(reduction, wanted, orders, work)
    _refuse(reduction)
    kinds = (str, ElementType, QuantizedType, Accumulator, Hardware, Accumulation)
    given = () if types is None else several(types, "types", alone=kinds)
    named = [_accumulation(x) or machines_named(x) for x in given]
    machines = tuple(dict.fromkeys(m for x in named if isinstance(x, tuple) for m in x))
    own = (x for x in named if not isinstance(x, tuple))
    chosen: dict[Type, None] = dict.fromkeys(_default(reduction) if types is None else own)
    if types is None:
        chosen = {type: None for type in chosen if _fits(reduction, type)}
    asked = tuple(RECIPES) if recipes == "all" else several(recipes, "recipes")
    rules = tuple(one_of(RECIPES, recipe, "recipe of requantization") for recipe in asked)
    own_type = reduction.types[:1] if machines else ()
    units = {type: unit_at(type, (), ()) for type in (*chosen, *own_type)}
    exact = work.attempt(lambda: _exact(reduction, [unit.scale for unit in units.values()]))
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
    """Return the sums of a reduction's leaves in an accumulator, for each schedule."""
    cells, type = list[Cell](), reduction.types[0]
    for schedule in schedules:
        beat()
        accumulation = Accumulation.of(repr(machine), schedule) if isinstance(machine, Hardware) else machine
        total = np.zeros(reduction.size)
        for part in reduction.parts:
            seed, is_own = reduction.seeds()[part.columns], reduction.has_own_inits
            leaves = part.seeded(seed) if is_own else part.flat(lambda x: x)
            with np.errstate(all="ignore"):
                total[part.columns] = totals(Adding(accumulation), type, leaves, seed, not is_own)
        scale = unit_at(type, (), ()).scale if adds_integers(accumulation) else Fraction(1)
        sums = total.reshape(reduction.shape)
        errors = sums * float(scale) - exact.astype(np.float64) * float(unit)
        cells.append(Cell(machine, schedule, sums, errors))
    return cells


def _of_products(
    reduction: Reduction,
    given: Sequence[str | Machine | Accumulator] | None,
    schedules: Schedules,
    work: Work,
) -> Matrix:
    """Sum a contraction's products in accumulators, by default the usual ones of hardware."""
    whole, machines, chunks = products_of(reduction, given)
    exact = work.attempt(chunks.exact)
    known = np.full(whole.size, np.nan) if exact is None else exact
    cells, done = list[Cell](), list[Machine]()
    for machine in work.through("accumulators", machines):
        sums = None if exact is None else work.attempt(partial(sums_in, chunks, machine, schedules))
        if sums is None:
            break
        done.append(machine)
        for schedule, x in zip(schedules, sums, strict=True):
            with np.errstate(invalid="ignore"):
                errors = (x - known.astype(np.float64)).reshape(whole.shape)
            cells.append(Cell(machine, schedule, x.reshape(whole.shape), errors))
    exactly = known.reshape(whole.shape)
    return Matrix(whole, tuple(done), schedules, tuple(cells), exactly, covered=tuple(work.covered))


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
        if isinstance(given, str) and (given.strip().startswith(NAMES) or is_machine(given)):
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


def _default(reduction: Reduction) -> Iterator[Type]:
    """Return the default types: its own, and 8 to 32 bits, plain or with its own or the input's scale."""
    own, source = reduction.types[0], reduction.inputs[0].type.element_type
    yield own
    for type in (own, source):
        for bits in BITS:
            held = integer(bits, storage(type).kind == "signed")
            if bits >= storage(source).bits and (wider := _stored_in(type, held)) is not None:
                yield wider


def _stored_in(type: Type, held: ElementType) -> Type | None:
    """Return the same scale in the whole range of another storage type, if that includes the zero point."""
    if not isinstance(type, QuantizedType):
        return held
    if not held.min_value <= type.zero_point <= held.max_value:
        return None
    low, high = held.min_value, held.max_value
    return replace(type, storage_type=held, storage_min=low, storage_max=high, spelling=held.name)


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
        for arithmetic, stored in (accumulated(reduction, type, schedule) | integers).items():
            errors = _less(stored, own, *exact)
            cells.append(Cell(type, schedule, stored, errors, arithmetic, exact[1], own.scale))
    return cells


def _exact(reduction: Reduction, scales: Sequence[Fraction]) -> tuple[Array, Fraction]:
    """Return the exact sums in multiples of a unit that divides all scales."""
    source, init = (v.type.element_type for v in (*reduction.inputs, *reduction.init_values))
    own, scale = unit_at(init, (), ()), unit_at(source, (), ()).scale
    first = np.vectorize(own.number, otypes=[object])(reduction.init_before[0])
    parts = [Fraction(x).denominator for x in (scale, *first.flat, *scales)]
    unit = Fraction(1, lcm(*parts))
    step, starts = int(scale / unit), np.vectorize(int, otypes=[object])(first / unit)
    totals, inits = exact_sums(reduction)
    most = max((abs(int(x)) for x in starts.flat), default=0)
    dtype = integer_dtype(2, _factor(totals) * step, _factor(inits) * most)
    return np.asarray(totals.astype(dtype) * step + inits.astype(dtype) * starts.astype(dtype), dtype), unit


def _less(stored: Array, own: Unit, exact: Array, unit: Fraction) -> Array:
    """Return the real values of stored numbers minus the exact sums, in multiples of the unit."""
    step = int(own.scale / unit)
    dtype = integer_dtype(4, (_factor(stored) + abs(own.zero_point)) * step, _largest(exact))
    return np.asarray((stored.astype(dtype) - own.zero_point) * step - exact.astype(dtype), dtype)


def _largest(x: Array) -> int:
    """Return the largest absolute value, even if the dtype cannot hold it."""
    return max(abs(int(x.min())), abs(int(x.max()))) if x.size else 0


def _factor(x: Array) -> int:
    """Return the largest absolute value, but at least 1, as the other factor must fit the dtype as well."""
    return max(1, _largest(x))


def _shown(steps: Fraction) -> str:
    """Return a number, even one beyond f64, as text with five digits."""
    try:
        return f"{float(steps):.5g}"
    except OverflowError:
        return f"{Decimal(steps.numerator) / Decimal(steps.denominator):.5g}"


def _error_text(error: float) -> str:
    """Return an error of a contraction as text: an integer in full, else with four digits."""
    return f"{error:,.0f}" if error >= 1 and error.is_integer() and isfinite(error) else f"{error:.4g}"


WhatIf = Matrix
