"""`trace`: a recorded run with its noteworthy events, and the questions about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.engine.files import write_page
from interp.engine.work import Progress, Work
from interp.execute.record import Record
from interp.loading.on_demand import on_demand
from spec.errors import Unsupported
from spec.ir import Module

if TYPE_CHECKING:
    import numpy as np
    import pandas

    from interp.answers.summary import Summary
    from interp.comparison.budget import Budget
    from interp.comparison.recipe_costs import RecipeCosts
    from interp.engine.quant import Type
    from interp.questions.bounds import Bounds
    from interp.questions.chain import Chain
    from interp.questions.explanation import Explanation
    from interp.questions.shrink import Shrunk
    from interp.questions.verdicts import Verdicts
    from interp.questions.what_if import Matrix
    from spec.schedule import Schedule
import json
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from interp.engine.evaluate import ACROSS
from interp.recorder.event import SEVERITIES, Event, Group
from spec.errors import Malformed, whole
from spec.readings import reading_of

PATIENCE = 30.0  # seconds that shrinking may take, unless it is given more
SECONDS = 10.0  # that a summary or a page may take, unless it is given more


class Trace(Record):
    """A recorded run, with the questions about it as methods: see `Record` for its fields."""

    def explain(self, op: str | None = None, index: Any = None, k: int | None = None) -> Explanation | Chain:
        """Explain the element `index` (or the worst) of the operation `op`: of a reduction leaf by leaf.

        Of another operation: the elements that it was computed from, back to reductions and arguments.
        """
        from interp.questions.explain import explain

        return explain(self, op, index, k)

    def verdict(
        self, op: str | None = None, *, seconds: float | None = None, progress: Progress | None = None
    ) -> Verdicts:
        """Return, for each element of a reduction, whether another schedule would have saved its sum.

        seconds, progress: see docs/debugging.md, as for every method here that has them.
        """
        from interp.questions.along import verdicts

        return verdicts(self.reduction(op), seconds, progress)

    def bounds(
        self, op: str | None = None, *, seconds: float | None = None, progress: Progress | None = None
    ) -> Bounds:
        """Return a reduction's smallest accumulators: for any data, for these inputs, for this schedule."""
        from interp.questions.along import bounds

        return bounds(self.reduction(op), seconds, progress)

    def table(self, limit: int | None = None) -> np.ndarray:
        """Return the events (the first `limit`) as a structured array, with a field for each column."""

        return table(self, limit)

    def frame(self, limit: int | None = None) -> pandas.DataFrame:
        """Return `table` as a pandas DataFrame."""

        return frame(self, limit)

    def to_json(self) -> str:
        """Return counts, groups and the kept events as JSON values: see `interp/answers/trace.py`."""

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
        from interp.questions.shrink import smallest_case

        return smallest_case(self, op, kind, seconds, progress)

    def matrix(
        self,
        op: str | None = None,
        types: Iterable[Type | str] | Type | str | None = None,
        schedules: Iterable[str | Schedule] | Schedule | str | None = None,
        recipes: Iterable[str] | str = (),
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Matrix:
        """Compute the sum `op` in other types, arithmetics and schedules, and compare with the exact sum.

        For a contraction the types are accumulators: `"i16"`, `"i20 saturate"`, `"f16"`, `"maddubs"`,
        or accumulations, which have their own order: `"lanes(16: left fma; balanced)"`.
        recipes: recipes of requantization to compare, too, or "all".
        """
        from interp.questions.matrix import matrix

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
        from interp.answers.summary import summary

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
        return write_page(path, on_demand("page")(self, budget, Work(seconds, progress)))

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
        return str(on_demand("notebook")(self))

    def __repr__(self) -> str:
        lines = [*map(repr, self.shown), *([repr(self.stopped)] if self.stopped else [])]
        hidden = ", ".join(f"{kind} x {count:,}" for kind, count in self.hidden_counts.items())
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

    kinds: names from `interp.recorder.event.KINDS`. By default all are counted, errors and warnings shown;
    kinds that are named are shown, even if they are information. keep: how many of the first events that are
    shown to keep, besides the first and the worst of each group. break_on: kinds of events that end the run;
    then there are no results, and `Trace.stopped` is the point where it ended.
    """
    return Trace.observe_run(module, args, kinds, keep, break_on, **options)


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
    return Trace.observe_grid(module, args, kinds, keep, **options)


# A trace as JSON: counts, groups and events, for other programs to read


def as_json(trace: Record) -> str:
    """Return a trace as JSON values: `reading`, `counts`, `groups` and `events`.

    `reading` is that of quantized operations, "any" where all agree; `counts` are by kind; `groups`,
    by severity, have their first and worst event; `events` are those that the trace kept.

    An event's numbers are stored ones. Numbers that JSON lacks are strings: a fraction `"1/3"`, `"nan"`,
    `"inf"`, a complex number. `leaves` are the first and the last one under the node, or null.
    """
    document = {
        "schedule": str(trace.options.get("schedule", "left")),
        "reading": reading_of(trace.module, trace.options.get("function", "main"), trace.reading),
        "results": [*map(repr, trace.result_types)],
        "counts": dict(trace.counts),
        "groups": [_group(group) for group in trace.groups],
        "events": [_event(event) for event in trace.kept],
        "stopped": None if trace.stopped is None else repr(trace.stopped),
        "unused": trace.unused.plain,
    }
    return json.dumps(document, indent=1) + "\n"


def _group(group: Group) -> dict[str, Any]:
    ends = {"first": _event(group.first), "worst": _event(group.worst)}
    return {"kind": group.kind, "severity": group.severity, "count": group.count, **ends}


def _event(event: Event) -> dict[str, Any]:
    process = {} if event.process is None else {"process": event.process}
    block = {} if event.within is None else {"block": "across" if event.within == ACROSS else event.within}
    return {
        **process,
        **block,
        "kind": event.kind,
        "op": event.name,
        "layer": event.layer,
        "operation": event.op.name,
        "inner": event.inner.name,
        "location": str(event.location),
        "what": event.what,
        "index": event.index,
        "leaves": event.leaves,
        "operands": [_number(x) for x in event.operands],
        "exact": _number(event.exact),
        "stored": _number(event.stored),
    }


def _number(x: Any) -> Any:
    if isinstance(x, Fraction):
        return x.numerator if x.denominator == 1 else str(x)
    return str(x) if isinstance(x, complex) or (isinstance(x, float) and not isfinite(x)) else x


# All events of a trace as a table


MOST = 1_000_000  # rows, where no limit is given
NO_LEAF = -1
OBJECTS = ("index", "operands", "exact", "stored")


def table(of: Record, limit: int | None = None) -> np.ndarray:
    """Return one row for each event that is shown, in the sequence in which they happened; the first `limit`.

    Fields: `kind`, `op` (its name), `location`, `what` and `index` (the tensor and a tuple, or None),
    `first` and `last` (the leaves under the node, -1 outside of a tree), `operands` (a tuple), `exact` and
    `stored`: see `Event`. `of.counts` has their number; beyond a million events a limit must be given.
    """
    total = sum(group.count for group in of.shown)
    if limit is None and total > MOST:
        raise Malformed(f"there are {total:,} events", "take the first ones: table(limit=100_000)")
    wanted = total if limit is None else min(whole(limit, "number of rows"), total)
    events = of.kept if len(of.kept) >= wanted else _again(of, wanted)
    rows = [_row(event) for event in events[:wanted]]
    widths = {name: max((len(row[k]) for row in rows), default=1) for k, name in enumerate(_TEXTS)}
    texts = [(name, f"U{width}") for name, width in widths.items()]
    return np.array(rows, [*texts, ("first", "i8"), ("last", "i8"), *((name, "O") for name in OBJECTS)])


def frame(of: Record, limit: int | None = None) -> pandas.DataFrame:
    """Return `table` as a pandas DataFrame."""
    try:
        import pandas
    except ImportError:
        raise Unsupported("pandas is not installed", "pip install 'stablehlo-interp[frame]'") from None
    return pandas.DataFrame.from_records(table(of, limit))


_TEXTS = ("kind", "op", "location", "what")


def _row(event: Event) -> tuple[Any, ...]:
    name, location = event.name, str(event.location)
    first, last = event.leaves or (NO_LEAF, NO_LEAF)
    texts = event.kind, name, location, event.what
    return (*texts, first, last, event.index, event.operands, event.exact, event.stored)


def _again(of: Record, keep: int) -> tuple[Event, ...]:
    """Run the program again, and return its events."""
    kinds = {group.kind for group in of.shown} if len(of.severities) == len(SEVERITIES) else None
    return of.first_events(keep, kinds)
