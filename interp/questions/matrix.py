"""`Trace.matrix`: a sum in other accumulators, arithmetics and schedules, and its exact value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, cast

import numpy as np

from interp.backends import Array
from interp.engine.additions import adds_integers
from interp.engine.leaf_counts import UPDATED
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer
from interp.engine.work import Progress, Work, beat
from interp.execute.accumulating import Hardware
from interp.execute.record import Record
from interp.questions.arithmetics import (
    by_recipe,
    default_types,
    distances,
    exact_in_units,
    in_type,
    sums_by_arithmetic,
)
from interp.questions.what_if import (
    BY_RECIPE,
    Cell,
    Machine,
    Matrix,
    Schedules,
    accumulation_of,
    exact_products,
    machines_named,
    refuse,
    storage_named,
    sum_along,
    usual,
)
from interp.recorder.exact import Unit, unit_at
from interp.recorder.recorded import Reduction
from spec.accumulation import Accumulation
from spec.accumulator import Accumulator
from spec.errors import Unsupported, Violation, one_of, several
from spec.recipes import RECIPES
from spec.schedule import Schedule, parse
from spec.types import ElementType, QuantizedType

SCHEDULES = ("left", "balanced", "blocks(32)", "random(0)")
PERMITTED = {UPDATED: ("left",)}  # of these: a scatter never combines updates with each other


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
    named = [storage_named(x) or machines_named(x) for x in given]
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
        integers = {BY_RECIPE.format(name): x for name, x in found.items() if x is not None}
        for arithmetic, stored in (sums_by_arithmetic(reduction, type, schedule) | integers).items():
            errors = distances(stored, own, *exact)
            cells.append(Cell(type, schedule, stored, errors, arithmetic, exact[1], own.scale))
    return cells
