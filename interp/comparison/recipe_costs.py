"""`Trace.recipes`: the error of each recipe of requantization against the float reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import numpy as np

from interp.backends import Array
from interp.comparison.locality import finite, is_real
from interp.comparison.witness import witness_of_program
from interp.engine.arguments import accept_arguments, function_named
from interp.engine.markup import align, join_lines
from interp.engine.tensor import Tensor
from interp.engine.work import Covered, Partly, Progress, Work
from interp.execute.run import run
from interp.execute.unused import refuse_accumulators
from interp.rewrite.float_reference import reference_of
from spec.accumulator import DEQUANTIZE, INTEGER, Reading
from spec.errors import Unspecified
from spec.ir import Module
from spec.recipes import EXACT, RECIPES
from spec.types import TensorType


class Ran(Protocol):
    """A run: the program, arguments and options, as `run` takes them."""

    @property
    def module(self) -> Module: ...
    @property
    def args(self) -> tuple[Any, ...]: ...
    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def reading(self) -> Reading: ...


@dataclass(frozen=True)
class RecipeCost:
    """One recipe and one result: its errors against the float reference, and its distance from `exact`.

    largest, mean: of the absolute errors, in expressed units. differ, steps: how many elements are not those
    of `exact`, and by how many storage steps at most. `reason` says why a recipe gives no result.
    """

    recipe: str
    result: int
    largest: float = 0.0
    mean: float = 0.0
    differ: int = 0
    steps: int = 0
    reason: str = ""

    def cells(self) -> list[str]:
        """Return the numbers as the cells of a table."""
        errors = f"{self.largest:.4g}", f"{self.mean:.4g}"
        return [self.recipe, f"{self.result}", *errors, f"{self.differ:,}", f"{self.steps:,}"]


@dataclass(frozen=True, eq=False, repr=False)
class RecipeCosts(Partly):
    """The errors of all recipes, in the integer reading, and of the dequantize reading, for comparison."""

    rows: tuple[RecipeCost, ...] = field(repr=False)
    title: str = ""
    covered: tuple[Covered, ...] = ()

    def __getitem__(self, recipe: str) -> RecipeCost:
        """Return the row of a recipe for its first result."""
        return next(row for row in self.rows if row.recipe == recipe)

    def _repr_text_(self) -> str:
        head = ["by recipe", "result", "largest error", "mean error", f"not {EXACT}", "steps"]
        known = [row.cells() for row in self.rows if not row.reason]
        refused = [f"{row.recipe}: {row.reason}" for row in self.rows if row.reason]
        late = [self.shortfall] if self.partial else []
        return join_lines([self.title, *align([head, *known]), *refused, *late])


def recipe_costs(ran: Ran, seconds: float | None = None, progress: Progress | None = None) -> RecipeCosts:
    """Run a program by every recipe, with its schedule and accumulator; compare with the float reference."""
    work = Work(seconds, progress)
    refuse_accumulators(ran.options, "recipes")
    func = function_named(ran.module, ran.options.get("function", "main"))
    known = reference_of(ran.module, func)
    stored = [Tensor(v.type, x) for v, x in zip(func.inputs, accept_arguments(func, ran.args), strict=True)]
    witness = witness_of_program(known.floats, [x.dequantize() for x in stored])
    reference = witness.reference()
    real = reference.arrays
    ways = {key: ran.options[key] for key in ("schedule", "function", "mode") if key in ran.options}
    base = run(ran.module, *ran.args, reading=Reading(INTEGER, ran.reading.accumulator, EXACT), **ways)
    rows = []
    readings = {name: Reading(INTEGER, ran.reading.accumulator, name) for name in RECIPES}
    for name, reading in work.through("recipes", {DEQUANTIZE: Reading(), **readings}.items()):
        try:
            outs = work.attempt(partial(run, ran.module, *ran.args, reading=reading, **ways))
            if outs is None:
                break
        except Unspecified as error:
            rows.append(RecipeCost(name, 0, reason=str(error).replace("\n", ";")))
            continue
        places = [k for k, type in enumerate(func.results) if is_real(type)]
        rows += [_cost(name, k, outs[k], base[k], real[k], func.results[k]) for k in places]
    title = f"error of @{func.name} by recipe of requantization, against its float reference "
    title += f"({known.name}) on {reference.name}"
    return RecipeCosts(tuple(rows), title, tuple(work.covered))


def _cost(name: str, k: int, out: Tensor, exact: Tensor, real: Array, type: TensorType) -> RecipeCost:
    x, y = (np.asarray(each).astype(np.float64) for each in (out.dequantize(), real))
    counted = finite(x, y)
    errors = np.abs(np.where(counted, x, 0) - np.where(counted, y, 0))
    mean = float(errors.sum() / max(1, np.count_nonzero(counted)))
    largest = float(errors.max(initial=0))
    if not type.is_quantized or not type.storage_type.is_integer:
        return RecipeCost(name, k, largest, mean, int(np.count_nonzero(out.storage != exact.storage)))
    apart = np.abs(out.storage.astype(object) - exact.storage.astype(object))
    return RecipeCost(name, k, largest, mean, int(np.count_nonzero(apart)), int(max(apart.flat, default=0)))
