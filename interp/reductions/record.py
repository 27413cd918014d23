"""A recorded run, which answers all questions: its results, its events, and its reductions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from interp.engine.evaluate import listening
from interp.engine.tensor import Tensor
from interp.events.breakpoint import Stop, Stopped, breakpoint_on, first_event
from interp.events.event import KINDS, Event, Group, known_kinds, totals
from interp.events.names import Named, find, function_of, listed, qualifier
from interp.events.recorder import Recorder
from interp.execute.run import run
from interp.reductions.recorded import Capture, Reduction
from spec.accumulator import LITERAL, Reading, reading_named
from spec.errors import Malformed
from spec.ir import Module, Op
from spec.options import whole
from spec.schedule import Schedule, parse


@dataclass(frozen=True, eq=False)
class Record:
    """A recorded run: `results` as `run` returns them, and `groups` of events by operation and kind.

    `module`, `args` and `options` (those of `run`) are the program, its arguments and the options of the run.
    `kept`: the first events, as many as were asked for. `stopped`: the point where a breakpoint ended the
    run.
    """

    module: Module
    args: tuple[Any, ...]
    options: Mapping[str, Any]
    results: tuple[Tensor, ...]
    groups: tuple[Group, ...]
    kept: tuple[Event, ...] = ()
    stopped: Stopped | None = None

    @classmethod
    def of_run(
        cls,
        module: Module,
        args: Sequence[Any],
        kinds: str | Iterable[str] = tuple(KINDS),
        keep: int = 0,
        break_on: str | Iterable[str] = (),
        **options: Any,
    ) -> Self:
        """Run a program once, and record it. Arguments as for `trace`."""
        stopping = known_kinds(break_on)
        recorder = Recorder(known_kinds(kinds) | stopping, whole(keep, "number of events"))
        capture = Capture(module, parse(options.get("schedule", "left")))
        listeners = [*listening(options.pop("listeners", ())), recorder, capture]
        if stopping:
            function = options.get("function", "main")
            listeners.append(breakpoint_on(stopping, recorder, module, function, args))
        results: tuple[Tensor, ...] = ()
        stopped = None
        try:
            results = run(module, *args, listeners=listeners, **options)
        except Stop as stop:
            stopped = replace(stop.stopped, event=first_event(recorder, stopping))
        kinds_in_order = list(KINDS)
        groups = sorted(recorder.groups.values(), key=lambda group: kinds_in_order.index(group.kind))
        made = cls(module, tuple(args), options, results, tuple(groups), tuple(recorder.kept), stopped)
        if stopped is None:
            vars(made)["reductions"] = _by_name(capture.found)
        return made

    @property
    def schedule(self) -> Schedule:
        """The schedule of the run."""
        return parse(self.options.get("schedule", "left"))

    @property
    def reading(self) -> Reading:
        """The reading of quantized operations in which it ran."""
        ways = (self.options.get(key) for key in ("accumulator", "recipe"))
        return reading_named(self.options.get("reading", LITERAL), *ways)

    @property
    def events(self) -> tuple[Event, ...]:
        """The first and the worst event of each group."""
        return tuple(dict.fromkeys(event for group in self.groups for event in (group.first, group.worst)))

    @property
    def counts(self) -> Counter[str]:
        """The number of events by kind."""
        return totals(self.groups)

    def has(self, *kinds: str) -> bool:
        """Return whether there was an event of one of these kinds."""
        return not known_kinds(kinds).isdisjoint(group.kind for group in self.groups)

    @cached_property
    def reductions(self) -> Mapping[str, Reduction]:
        """Every reduction that ran, by its name: `%4`, `@pool/%4`; one that runs again is `%4#2`, `%4#3`.

        They were recorded during the run. Only a record that was unpickled, or whose run stopped at a
        breakpoint, runs the program again.
        """
        capture = Capture(self.module, self.schedule)
        run(self.module, *self.args, **{**self.options, "listeners": (capture,)})
        return _by_name(capture.found)

    def reduction(self, name: str | int | Op | None = None) -> Reduction:
        """Return the reduction `%4`, `@pool/%4`; without a name, the only one or that of the first event."""
        if name is None:
            return _only(self)
        known = [_named(reduction) for reduction in self.reductions.values()]
        return self.reductions[str(find(name, known, "reduction"))]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the reductions, whose leaves are functions; an unpickled record runs again for them."""
        return {name: value for name, value in vars(self).items() if name != "reductions"}


def _by_name(found: Sequence[Reduction]) -> Mapping[str, Reduction]:
    return {reduction.name: reduction for reduction in found}


def _named(reduction: Reduction) -> Named:
    module, op = reduction.module, reduction.written
    return Named(op, function_of(module, op), qualifier(module, op), reduction.run)


def _only(record: Record) -> Reduction:
    known = record.reductions
    if len(known) == 1:
        return next(iter(known.values()))
    for group in record.groups:
        runs = [reduction for reduction in known.values() if reduction.written is group.first.op]
        if group.run < len(runs):
            return runs[group.run]
    if not known:
        raise Malformed("no reduction ran", "explain, verdict, bounds and the like need one in the program")
    ran = listed([_named(reduction) for reduction in known.values()])
    raise Malformed("several reductions ran", f"expected a name, one of {ran}")
