"""`trace`: a recorded run with its noteworthy events, of which further questions can be asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.engine.work import Progress, Work
from interp.reductions.record import Record
from spec.errors import Unsupported
from spec.ir import Module

if TYPE_CHECKING:
    import numpy as np
    import pandas

    from interp.comparison.budget import Budget
    from interp.comparison.recipe_costs import RecipeCosts
    from interp.engine.quant import Type
    from interp.reductions.bounds import Bounds
    from interp.reductions.chain import Chain
    from interp.reductions.explain import Explanation
    from interp.reductions.matrix import Matrix
    from interp.reductions.shrink import Shrunk
    from interp.reductions.verdicts import Verdicts
    from interp.reductions.what_if import WhatIf
    from interp.reporting.summary import Summary
    from spec.schedule import Schedule


PATIENCE = 30.0  # seconds that shrinking may take, unless it is given more
SECONDS = 10.0  # that a summary or a page may take, unless it is given more


class Trace(Record):
    """A recorded run, with the questions about it as methods: see `Record` for its fields."""

    def explain(self, op: str | None = None, index: Any = None, k: int | None = None) -> Explanation | Chain:
        """Explain the element `index` (or the worst) of the operation `op`: of a reduction leaf by leaf.

        Of another operation: the elements that it was computed from, back to reductions and arguments.
        """
        from interp.reductions.explain import explain

        return explain(self, op, index, k)

    def verdict(
        self, op: str | None = None, *, seconds: float | None = None, progress: Progress | None = None
    ) -> Verdicts:
        """Return, for each element of a reduction, whether another schedule would have saved its sum.

        seconds, progress: see docs/debugging.md, as for every method here that has them.
        """
        from interp.reductions.verdicts import verdicts

        return verdicts(self.reduction(op), seconds, progress)

    def bounds(
        self, op: str | None = None, *, seconds: float | None = None, progress: Progress | None = None
    ) -> Bounds:
        """Return a reduction's smallest accumulators: for any data, for these inputs, for this schedule."""
        from interp.reductions.bounds import bounds

        return bounds(self.reduction(op), seconds, progress)

    def table(self, limit: int | None = None) -> np.ndarray:
        """Return the events (the first `limit`) as a structured array: see `reporting/table.py`."""
        from interp.reporting.table import table

        return table(self, limit)

    def frame(self, limit: int | None = None) -> pandas.DataFrame:
        """Return `table` as a pandas DataFrame."""
        from interp.reporting.table import frame

        return frame(self, limit)

    def to_json(self) -> str:
        """Return counts, groups and the kept events as JSON values: see `interp/reporting/as_json.py`."""
        from interp.reporting.as_json import as_json

        return as_json(self)

    def shrink(
        self,
        op: str | None = None,
        kind: str | None = None,
        *,
        seconds: float | None = PATIENCE,
        progress: Progress | None = None,
    ) -> Shrunk:
        """Return a program of a few leaves that shows a reduction's first event (of this kind).

        No leaf can be left out. If `fewest` is true, no smaller set of the leaves shows the event.
        """
        from interp.reductions.shrink import shrunk

        return shrunk(self, op, kind, seconds, progress)

    def matrix(
        self,
        op: str | None = None,
        types: Iterable[Type | str] | Type | str | None = None,
        schedules: Iterable[str | Schedule] | Schedule | str | None = None,
        recipes: Iterable[str] | str = (),
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Matrix | WhatIf:
        """Compute the sum `op` in other types, arithmetics and schedules, and compare with the exact sum.

        For a contraction the types are accumulators: `"i16"`, `"i20 saturate"`, `"f16"`, `"maddubs"`,
        or accumulations, which have their own order: `"lanes(16: left fma; balanced)"`.
        recipes: recipes of requantization to compare, too, or "all".
        """
        from interp.reductions.matrix import matrix

        return matrix(self, op, types, schedules, recipes, seconds, progress)

    def recipes(self, seconds: float | None = None, progress: Progress | None = None) -> RecipeCosts:
        """Return the error of every recipe of requantization against the float reference."""
        from interp.comparison.recipe_costs import recipe_costs

        self._refuse_share()
        return recipe_costs(self, seconds, progress)

    def summary(self, seconds: float | None = SECONDS, progress: Progress | None = None) -> Summary:
        """Return a line per reduction: its events, verdicts and headroom, and a type that suffices.

        seconds: None for any time; by default some seconds, in which the reductions with the most events for
        each element are judged first.
        """
        from interp.reporting.summary import summary

        return summary(self, seconds, progress)

    def report(
        self,
        path: str | Path,
        budget: Budget | None = None,
        *,
        seconds: float | None = SECONDS,
        progress: Progress | None = None,
    ) -> Path:
        """Write everything as one HTML page with pictures, which opens without a network; return its path.

        budget: the error budget to show, from `budget()`, which may take much longer than the page. seconds:
        as for `summary`; the page says what there was no time for.
        """
        from interp.pages.written import written
        from interp.reporting.page import page

        return written(path, page(self, budget, Work(seconds, progress)))

    def budget(
        self,
        inputs: Sequence[Any] | None = None,
        work: int | None = None,
        progress: Progress | None = None,
        recipes: bool = False,
        *,
        seconds: float | None = None,
    ) -> Budget:
        """Return the error against the float reference, divided by source and by operation.

        inputs: the real numbers that the arguments were rounded from. `work` limits the time of the budget by
        operation, and `progress` is called with the progress: see `interp/comparison/budget.py`.
        recipes: add the error of every recipe of requantization. seconds: when they have passed, operations
        that are left share a row.
        """
        from interp.comparison.budget import budget

        self._refuse_share()
        started = Work(seconds)
        found = budget(self, inputs, work, progress, seconds)
        if not recipes:
            return found
        costs = self.recipes(None if seconds is None else started.left, progress)
        return replace(found, recipes=costs, covered=(*found.covered, *costs.covered))

    def _refuse_share(self) -> None:
        if self.share:
            evidence = "expected the trace of a program that runs alone: its float reference runs alone, too"
            raise Unsupported("errors against the float reference of one process of several", evidence)

    def _repr_html_(self) -> str:
        from interp.reporting.notebook import notebook

        return notebook(self)

    def __repr__(self) -> str:
        lines = [*map(repr, self.shown), *([repr(self.stopped)] if self.stopped else [])]
        hidden = ", ".join(f"{kind} x {count:,}" for kind, count in self.hidden.items())
        if hidden and not lines:
            lines = ["no errors or warnings"]
        lines += [f"information: {hidden}"] if hidden else []
        return "\n".join([*(lines or ["no events"]), *self.unused.lines])


def trace(
    module: Module,
    *args: Any,
    kinds: str | Iterable[str] | None = None,
    keep: int = 0,
    break_on: str | Iterable[str] = (),
    **options: Any,
) -> Trace:
    """Run a program, `run(module, *args, **options)`, and record its events of the given `kinds`.

    kinds: names from `interp.events.event.KINDS`. By default all are counted, and errors and warnings shown;
    kinds that are named are shown, even if they are information. keep: how many of the first events that are
    shown to keep, besides the first and the worst of each group. break_on: kinds of events that end the run;
    then there are no results, and `Trace.stopped` is the point where it ended.
    """
    return Trace.of_run(module, args, kinds, keep, break_on, **options)


def trace_parallel(
    module: Module,
    args: Sequence[Sequence[Any]] = (),
    *,
    kinds: str | Iterable[str] | None = None,
    keep: int = 0,
    **options: Any,
) -> tuple[Trace, ...]:
    """Run a program on a grid, `run_parallel(module, args, **options)`; return a trace of each process.

    Each has the arguments, results, events and reductions of one process, in the order of their numbers. The
    leaves of a collective are elements of all processes of the group. kinds, keep: as for `trace`.
    """
    return Trace.of_grid(module, args, kinds, keep, **options)
