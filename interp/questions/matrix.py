"""`Trace.matrix`: a sum in other accumulation types, arithmetics and schedules, and its exact value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import lcm

import numpy as np

from interp.backends import Array
from interp.engine.accumulators import Hardware
from interp.engine.leaf_counts import UPDATED
from interp.engine.markup import aligned
from interp.engine.quant import Type
from interp.engine.stored import is_stored_as_integer, storage
from interp.engine.work import Covered, Partly, Progress, Work, beat
from interp.execute.record import Record
from interp.questions.arithmetics import ARITHMETICS, EXACT, accumulated, by_recipe, exact_sums, in_type
from interp.questions.what_if import WhatIf, what_if
from interp.recorder.exact import Unit, unit_at
from interp.recorder.recorded import Reduction
from interp.theory.sums import integer_dtype
from spec.accumulation import Accumulation
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


@dataclass(frozen=True, eq=False)
class Cell:
    """One way to accumulate: its stored integers, and their distances from the exact sums of the leaves.

    `errors` are exact integers in multiples of `unit`; `step` is the type's scale.
    """

    type: Type
    arithmetic: str
    schedule: Schedule
    accumulators: Array = field(repr=False)
    errors: Array = field(repr=False)
    unit: Fraction
    step: Fraction

    @property
    def error(self) -> Fraction:
        """The largest error, in expressed units."""
        return _largest(self.errors) * self.unit

    @property
    def wrong(self) -> int:
        """Return how many elements are off by more than half a step, so that the type has a nearer number."""
        return int(np.count_nonzero(2 * np.abs(self.errors) > int(self.step / self.unit)))


@dataclass(frozen=True, eq=False)
class Matrix(Partly):
    """Errors of a sum: `cells` by type, arithmetic and schedule.

    The arithmetic "specification" dequantizes, adds and quantizes; "wrap" and "saturate" add stored integers
    in the storage type, and "exact" in integers of any size: its only errors are from the conversion of the
    leaves, and from init values that the schedule repeats. If the deadline came first, `types` are those of
    which all cells were computed.
    """

    reduction: Reduction
    types: tuple[Type, ...]
    schedules: tuple[Schedule, ...]
    cells: tuple[Cell, ...] = field(repr=False)
    recipes: tuple[str, ...] = ()
    covered: tuple[Covered, ...] = ()

    def cell(self, type: Type | str, arithmetic: str, schedule: Schedule | str) -> Cell:
        wanted = element_type_of(type), arithmetic, parse(schedule)
        for cell in self.cells:
            if (cell.type, cell.arithmetic, cell.schedule) == wanted:
                return cell
        evidence = f"types: {', '.join(map(repr, self.types))}\narithmetics: {', '.join(ARITHMETICS)}"
        evidence += f"\nschedules: {', '.join(map(repr, self.schedules))}"
        raise Malformed(f"no cell {wanted[0]!r}, {arithmetic!r}, {wanted[2]!r}", evidence)

    def error(self, type: Type | str, arithmetic: str, schedule: Schedule | str) -> Fraction:
        """Return the largest error, in expressed units."""
        return self.cell(type, arithmetic, schedule).error

    def disagrees(self, cell: Cell) -> bool:
        """Return whether the cell differs from exact addition of the same converted leaves."""
        exact = self.cell(cell.type, EXACT, cell.schedule)
        return not np.array_equal(cell.accumulators, exact.accumulators)

    def schedule_matters(self, type: Type | str, arithmetic: str) -> bool:
        """Return whether two of the schedules give different numbers."""
        first, *others = (self.cell(type, arithmetic, schedule) for schedule in self.schedules)
        return any(not np.array_equal(first.accumulators, cell.accumulators) for cell in others)

    def __repr__(self) -> str:
        own = self.reduction.types[0]
        step = unit_at(own, (), ()).scale
        lines = [
            f"{self.reduction.heading}: {self.reduction.size:,} sums of {self.reduction.terms:,} leaves",
            f"largest error in steps of {float(step):.6g} (sums off by more than half a step of the type)",
            "*: not the sum of the converted leaves; ~: the schedule matters",
        ]
        rows = [["", *map(repr, self.schedules), ""]]
        for type in self.types:
            rows.append([repr(type) + (" (its own)" if type == own else "")] + [""] * (len(rows[0]) - 1))
            found = [self._row(type, arithmetic, step) for arithmetic in ARITHMETICS]
            alike = all(row == found[0] for row in found)
            names = ["every arithmetic"] if alike else ARITHMETICS
            rows += [[f"  {name}", *row] for name, row in zip(names, found, strict=False)]
            made = dict.fromkeys(cell.arithmetic for cell in self.cells if cell.type == type)
            by_recipe = [name for name in map(INTEGERS.format, self.recipes) if name in made]
            rows += [[f"  {name}", *self._row(type, name, step)] for name in by_recipe]
        return "\n".join([*lines, *aligned(rows), *([self.shortfall] if self.partial else [])])

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
) -> Matrix | WhatIf:
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
        return what_if(reduction, wanted, orders, work)
    _refuse(reduction)
    given = () if types is None else several(types, "types", alone=(str, ElementType, QuantizedType))
    chosen = dict.fromkeys(_default(reduction) if types is None else map(_accumulation, given))
    if types is None:
        chosen = {type: None for type in chosen if _fits(reduction, type)}
    asked = tuple(RECIPES) if recipes == "all" else several(recipes, "recipes")
    named = tuple(one_of(RECIPES, recipe, "recipe of requantization") for recipe in asked)
    cells = _cells(reduction, tuple(chosen), orders, named, work)
    done = tuple(cells)
    every = tuple(cell for own in cells.values() for cell in own)
    return Matrix(reduction, done, orders, every, named, tuple(work.covered))


def _fits(reduction: Reduction, type: Type) -> bool:
    """Return whether the reduction is valid with this accumulator; its init's type may forbid it."""
    try:
        in_type(reduction, type)
    except Violation:
        return False
    return True


def _accumulation(given: Type | str) -> Type:
    type = element_type_of(given)
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
    types: Sequence[Type],
    schedules: Sequence[Schedule],
    recipes: Sequence[str],
    work: Work,
) -> dict[Type, list[Cell]]:
    """Return the cells of each type for which there was time."""
    units = {type: unit_at(type, (), ()) for type in types}
    done = dict[Type, list[Cell]]()
    exact = work.attempt(lambda: _exact(reduction, [each.scale for each in units.values()]))
    for type in work.through("types", types):
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
            cells.append(Cell(type, arithmetic, schedule, stored, errors, exact[1], own.scale))
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
