"""Result of `Trace.budget`: the parts of each result's error, by source and by operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from interp.comparison.difference import Difference
from interp.comparison.locality import Operation, Switch
from interp.comparison.recipe_costs import RecipeCosts
from interp.engine.markup import align
from interp.engine.work import Covered, Partly
from interp.recorder.exact import unit_at
from spec.ir import Module
from spec.types import TensorType

PARTS = (
    "float arithmetic",
    "input rounding",
    "conversion",
    "accumulation rounding",
    "output rounding",
    "saturation",
)
CARRIED = "weights and folding"  # the first part, where a program carries the float program it was made from
SHOWN = 24  # operations in a table
WIDEST = len("-1.234e-09")  # in any run the columns have this width: XLA's last bits are the processor's


@dataclass(frozen=True, eq=False)
class ResultBudget:
    """Budget of one result: its `parts`, one for each of `PARTS`, perhaps after `CARRIED`, and their `total`.

    `switches`: the difference made by each of `Budget.switches`, that is, by operation. Together with the
    parts `before` them they also sum to the total. Elements that are infinite or NaN in one of the programs
    do not count; `not_finite` is their number.
    """

    number: int
    type: TensorType
    parts: tuple[Difference, ...]
    switches: tuple[Difference, ...]
    total: Difference

    def __getitem__(self, part: str) -> Difference:
        return next(each for each in self.parts if each.name == part)

    @property
    def before(self) -> tuple[Difference, ...]:
        """The parts between the float reference and its exact arithmetic, where operations begin."""
        return self.parts[: 1 - len(PARTS)]

    @property
    def not_finite(self) -> int:
        return int(np.count_nonzero(~self.total.counted))

    def lines(self) -> list[str]:
        worst = self.total.worst
        place = "no element counts" if worst is None else f"largest at {worst}"
        head = f"result {self.number}, {self.type!r}: {place}"
        left_out = f", {self.not_finite} not finite left out" if self.not_finite else ""
        titles = [title.rjust(WIDEST) for title in ("there", "in steps", "mean", "largest", "elements")]
        operations = [*self.before, *self.switches]
        some = sorted((x for x in operations if x.count), key=lambda x: -x.largest)
        tables = {"by source": (*self.parts, self.total), "by operation": some[:SHOWN]}
        lines = [
            line
            for title, rows in tables.items()
            for line in align([[title, *titles], *(self._row(row, worst) for row in rows)])
        ]
        return [head + left_out, *lines, *_left(len(operations), some)]

    def _row(self, difference: Difference, worst: tuple[int, ...] | None) -> list[str]:
        there = steps = "-"
        if worst is not None:
            exact = difference.at(worst)
            there = f"{float(exact):.4g}"
            if self.type.is_quantized:
                unit = unit_at(self.type.element_type, self.type.shape, worst)
                steps = f"{float(exact / unit.scale):.4g}"
        numbers = f"{difference.mean:.4g}", f"{difference.largest:.4g}", f"{difference.count:,}"
        return [difference.name, there, steps, *numbers]


def _left(n: int, some: Sequence[Difference]) -> list[str]:
    """Return lines about the operations that a table leaves out."""
    more = [f"{len(some) - SHOWN} more, each at most {some[SHOWN].largest:.4g}"] if len(some) > SHOWN else []
    return more + ([f"{n - len(some)} add nothing"] if n > len(some) else [])


@dataclass(frozen=True, eq=False)
class Budget(Partly):
    """Budgets of the `results` that are numbers, and `operations` by their added error, worst first.

    `programs`: for each part, the program with that source of error and those before it; the last is the
    program itself. `switches`: in program order, the arguments and the operations as they became actual.
    `given`: whether the real numbers for the arguments were given. `recipes`: the error of every recipe of
    requantization, if asked for.
    """

    title: str
    results: tuple[ResultBudget, ...]
    operations: tuple[Operation, ...]
    programs: Mapping[str, Module] = field(repr=False)
    given: bool = False
    switches: tuple[Switch, ...] = field(default=(), repr=False)
    recipes: RecipeCosts | None = None
    covered: tuple[Covered, ...] = ()

    def __getitem__(self, part: str) -> Difference:
        """Return a part of the first result."""
        return self.results[0][part]

    @property
    def total(self) -> Difference:
        """Return the total of the first result."""
        return self.results[0].total

    def __repr__(self) -> str:
        note = (
            [] if self.given else ["the arguments count as exact: inputs= takes what they were rounded from"]
        )
        if any(len(switch.ops) > 1 for switch in self.switches):
            note.append("some rows cover several operations: a larger work= gives more rows")
        note += [self.shortfall] if self.partial else []
        lines = [self.title, *note, *(line for result in self.results for line in result.lines())]
        return "\n".join([*lines, *([repr(self.recipes)] if self.recipes else [])])
