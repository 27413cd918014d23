"""`trace`: a run and what was noteworthy about it, open to every further question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interp.engine.evaluate import listening
from interp.engine.tensor import Tensor
from interp.events.breakpoint import Stop, Stopped, breakpoint_on, first_event
from interp.events.event import KINDS, Event, Group, known_kinds, totals
from interp.events.recorder import Recorder
from interp.execute.run import run
from spec.ir import Module
from spec.options import whole

if TYPE_CHECKING:
    import numpy as np
    import pandas

    from interp.comparison.budget import Budget
    from interp.comparison.locality import Progress
    from interp.engine.quant import Type
    from interp.reductions.bounds import Bounds
    from interp.reductions.explain import Story
    from interp.reductions.matrix import Matrix
    from interp.reductions.recorded import Reduction
    from interp.reductions.shrink import Shrunk
    from interp.reductions.verdicts import Verdicts
    from interp.reporting.summary import Summary
    from spec.schedule import Schedule


@dataclass(frozen=True, eq=False)
class Trace:
    """`results` as `run` gives them, and `groups` of events: by kind, then by operation as they began.

    `module`, `args` and `options` (those of `run`) are what ran, so that it can be run again. `kept`: the
    first events, as many as were asked for. `stopped`: where a breakpoint ended the run.
    """

    module: Module
    args: tuple[Any, ...]
    options: Mapping[str, Any]
    results: tuple[Tensor, ...]
    groups: tuple[Group, ...]
    kept: tuple[Event, ...] = ()
    stopped: Stopped | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """Of each group the first and the worst."""
        return tuple(dict.fromkeys(event for group in self.groups for event in (group.first, group.worst)))

    @property
    def counts(self) -> Counter[str]:
        """By kind, how many events there were."""
        return totals(self.groups)

    @cached_property
    def reductions(self) -> Mapping[str, Reduction]:
        """Every reduction that ran, by the name of its first result: `t.reductions["%4"]`."""
        from interp.reductions.recorded import reductions

        return reductions(self)

    def reduction(self, name: str | None = None) -> Reduction:
        """The reduction `%4`; without a name the only one, or that of the first event."""
        from interp.reductions.recorded import chosen

        return chosen(self, name)

    def explain(self, op: str | None = None, index: Any = None, k: int = 0) -> Story:
        """How the element `index`, or that of the first event, of the reduction `op` came about."""
        from interp.reductions.explain import explain

        return explain(self, op, index, k)

    def verdict(self, op: str | None = None) -> Verdicts:
        """Would another order have saved the sums of the reduction `op`? For each element of its result."""
        from interp.reductions.verdicts import verdicts

        return verdicts(self.reduction(op))

    def bounds(self, op: str | None = None) -> Bounds:
        """The smallest accumulator of the reduction `op`: for any data, for these inputs, in this order."""
        from interp.reductions.bounds import bounds

        return bounds(self.reduction(op))

    def has(self, *kinds: str) -> bool:
        """Whether there was an event of one of these kinds."""
        return not known_kinds(kinds).isdisjoint(group.kind for group in self.groups)

    def table(self, limit: int | None = None) -> np.ndarray:
        """Every event as a row of a structured array, or the first `limit`: see `interp/events/table.py`."""
        from interp.events.table import table

        return table(self, limit)

    def frame(self, limit: int | None = None) -> pandas.DataFrame:
        """`table` as a pandas DataFrame."""
        from interp.events.table import frame

        return frame(self, limit)

    def to_json(self) -> str:
        """Counts, groups and the events that were kept: see `interp/events/as_json.py`."""
        from interp.events.as_json import as_json

        return as_json(self)

    def shrink(self, op: str | None = None, kind: str | None = None) -> Shrunk:
        """The fewest leaves that show the first event (of that kind) of a reduction, as a program."""
        from interp.reductions.shrink import shrunk

        return shrunk(self, op, kind)

    def matrix(
        self,
        op: str | None = None,
        types: Iterable[Type | str] | Type | str | None = None,
        schedules: Iterable[str | Schedule] | Schedule | str | None = None,
    ) -> Matrix:
        """The sum `op` in other accumulation types, arithmetics and orders, against the exact one."""
        from interp.reductions.matrix import matrix

        return matrix(self, op, types, schedules)

    def summary(self) -> Summary:
        """Every reduction in a line: events over its result, verdicts, headroom, a type that would do."""
        from interp.reporting.summary import summary

        return summary(self)

    def report(self, path: str | Path) -> Path:
        """All of it as one HTML page with pictures, that opens without a network."""
        from interp.reporting.report import report

        return report(self, path)

    def budget(
        self, inputs: Sequence[Any] | None = None, work: int | None = None, progress: Progress | None = None
    ) -> Budget:
        """What the error against floats is made of; `inputs`: what the arguments were rounded from.

        `work` bounds how long the budget by operation takes, and `progress` is told how far it is: see
        `interp/comparison/budget.py`.
        """
        from interp.comparison.budget import budget

        return budget(self, inputs, work, progress)

    def _repr_html_(self) -> str:
        from interp.reporting.notebook import notebook

        return notebook(self)

    def __getstate__(self) -> dict[str, Any]:
        """Pickled without its reductions, which an unpickled one finds again: their leaves are functions."""
        return {name: value for name, value in vars(self).items() if name != "reductions"}

    def __repr__(self) -> str:
        lines = [*map(repr, self.groups), *([repr(self.stopped)] if self.stopped else [])]
        return "\n".join(lines) or "no events"


def trace(
    module: Module,
    *args: Any,
    kinds: str | Iterable[str] = tuple(KINDS),
    keep: int = 0,
    break_on: str | Iterable[str] = (),
    **options: Any,
) -> Trace:
    """`run(module, *args, **options)`, and the events of the given `kinds` (`events.KINDS`).

    keep: so many events, the first ones, are kept beside the first and the worst of each group.
    break_on: kinds of events that end the run. Then there are no results, and `Trace.stopped` says where.
    """
    stopping = known_kinds(break_on)
    recorder = Recorder(known_kinds(kinds) | stopping, whole(keep, "number of events"))
    listeners = [*listening(options.pop("listeners", ())), recorder]
    if stopping:
        function = options.get("function", "main")
        listeners.append(breakpoint_on(stopping, recorder, module, function, args))
    results: tuple[Tensor, ...] = ()
    stopped = None
    try:
        results = run(module, *args, listeners=listeners, **options)
    except Stop as stop:
        stopped = replace(stop.stopped, event=first_event(recorder, stopping))
    order = list(KINDS)
    groups = tuple(sorted(recorder.groups.values(), key=lambda group: order.index(group.kind)))
    return Trace(module, args, options, results, groups, tuple(recorder.kept), stopped)
