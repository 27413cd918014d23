"""A recorded run, which answers all questions: its results, its events, and its reductions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from interp.engine.arguments import function_named
from interp.engine.evaluate import Listener, listening
from interp.engine.processes import ProcessGrid
from interp.engine.tensor import Tensor
from interp.execute.refusals import refuse_dynamic
from interp.execute.run import names_of, reading_and_ways, refuse_violations, run, run_parallel
from interp.execute.unused import NOTHING, Unused, settle
from interp.recorder.breakpoint import Stop, Stopped, breakpoint_on, first_event
from interp.recorder.event import KINDS, SEVERITIES, Event, Group, known_kinds, totals
from interp.recorder.layers import function_of
from interp.recorder.names import Named, find, list_names, qualifier, title_of
from interp.recorder.recorded import GRID, Capture, Reduction, Share, Watch, why_not
from spec.accumulator import LITERAL, Reading
from spec.errors import Malformed, whole
from spec.ir import Module, Op
from spec.schedule import Schedule, parse
from spec.types import TensorType

if TYPE_CHECKING:
    from interp.execute.accumulating import Ways


DERIVED = ("reductions", "shown", "_reading_and_ways")


@dataclass(frozen=True, eq=False)
class Record:
    """A recorded run: `results` as `run` returns them, and `groups` of events by operation and kind.

    `module`, `args` and `options` (those of `run`) are the program, its arguments and the options of the run.
    Groups are sorted by severity, errors first. `kept`: the first events, as many as were asked for.
    `stopped`: the point where a breakpoint ended the run. `severities` are those that are shown: information
    only if it was asked for, by naming kinds. `share`: set if it is one process of several, whose `args`,
    `results` and events these are; its options are without those of the grid. `unused`: the options that were
    asked for and that the program does not use; `options` have one reading for them.
    """

    module: Module
    args: tuple[Any, ...]
    options: Mapping[str, Any]
    results: tuple[Tensor, ...]
    groups: tuple[Group, ...]
    kept: tuple[Event, ...] = ()
    stopped: Stopped | None = None
    severities: tuple[str, ...] = SEVERITIES
    share: Share | None = None
    unused: Unused = NOTHING

    @classmethod
    def observe_run(
        cls,
        module: Module,
        args: Sequence[Any],
        kinds: str | Iterable[str] | None = None,
        keep: int = 0,
        break_on: str | Iterable[str] = (),
        **options: Any,
    ) -> Self:
        """Run a program once, and record it. Arguments as for `trace`."""
        stopping = known_kinds(break_on)
        watch = Watch(module, kinds, keep, options.get("schedule", "left"), stopping)
        listeners = [*listening(options.pop("listeners", ())), watch.recorder, watch.capture]
        said, options = _settle_options(module, options)
        if stopping:
            function = options.get("function", "main")
            listeners.append(breakpoint_on(stopping, watch.recorder, module, function, args))
        results: tuple[Tensor, ...] = ()
        stopped = None
        try:
            results = run(module, *args, listeners=listeners, **options)
        except Stop as stop:
            stopped = replace(stop.stopped, event=first_event(watch.recorder, stopping))
        return cls._of(watch, tuple(args), options, results, stopped, unused=said)

    @classmethod
    def observe_grid(
        cls,
        module: Module,
        args: Sequence[Sequence[Any]],
        kinds: str | Iterable[str] | None = None,
        keep: int = 0,
        **options: Any,
    ) -> tuple[Self, ...]:
        """Run a program on a grid of processes once, as `run_parallel` does, and record each of them."""
        ways = {name: options.pop(name) for name in GRID if name in options}
        ways["infeeds"] = [list(row) for row in ways.get("infeeds", ())]
        listeners = options.pop("listeners", ())
        grid = ProcessGrid(*(whole(ways.get(name, 1), name) for name in GRID[:2]))
        names = names_of(ways.get("functions", "main"), grid)
        settled = [_settle_options(module, {**options, "function": name}) for name in names]
        options = {key: x for key, x in settled[0][1].items() if key != "function"}
        watches = [Watch(module, kinds, keep, options.get("schedule", "left")) for _ in grid.processes]
        own = [(watch.recorder, watch.capture) for watch in watches]
        ran = run_parallel(module, args, **ways, **options, listeners=listeners, listeners_of=own)
        given = list(args) or [()] * len(own)
        shares = [Share(given, ways, k) for k in range(len(own))]
        return tuple(
            cls._of(watch, tuple(row), {**options, "function": name}, results, None, share, said)
            for watch, row, name, results, share, (said, _) in zip(
                watches, given, names, ran, shares, settled, strict=True
            )
        )

    @classmethod
    def _of(
        cls,
        watch: Watch,
        args: tuple[Any, ...],
        options: Mapping[str, Any],
        results: tuple[Tensor, ...],
        stopped: Stopped | None,
        share: Share | None = None,
        unused: Unused = NOTHING,
    ) -> Self:
        recorder = watch.recorder
        own = list(recorder.groups.values())
        if "absorbed" in recorder.kinds and stopped is None:
            from interp.recorder.absorbed import absorbed_groups  # which few runs need

            own += absorbed_groups(watch.capture.found, own if "inexact" in recorder.kinds else None)
        groups = tuple(sorted(own, key=_rank))
        known = groups, tuple(recorder.kept), stopped, watch.shown, share, unused
        made = cls(watch.capture.module, args, options, results, *known)
        if stopped is None:
            vars(made)["reductions"] = _by_name(watch.capture.found)
        return made

    def again(self, *listeners: Listener) -> tuple[Tensor, ...]:
        """Run again, with these listeners, and return the results."""
        if self.share is None:
            return run(self.module, *self.args, **{**self.options, "listeners": listeners})
        options = {**self.options, **self.share.ways}
        del options["function"]
        own = [listeners if k == self.share.number else () for k in range(len(self.share.args))]
        ran = run_parallel(self.module, self.share.args, **options, listeners_of=own)
        return ran.results[self.share.number]

    def first_events(self, keep: int, kinds: Iterable[str] | None) -> tuple[Event, ...]:
        """Run again, and return the first events that are shown, `keep` of them."""
        if self.share is None:
            stopped = self.stopped and self.stopped.event
            break_on = (stopped.kind,) if stopped else ()
            return self.observe_run(self.module, self.args, kinds, keep, break_on, **self.options).kept
        options = {**self.options, **self.share.ways}
        del options["function"]
        return self.observe_grid(self.module, self.share.args, kinds, keep, **options)[self.share.number].kept

    @property
    def schedule(self) -> Schedule:
        """The schedule of the run."""
        return parse(self.options.get("schedule", "left"))

    @property
    def reading(self) -> Reading:
        """The reading of quantized operations in which it ran."""
        return self._reading_and_ways[0]

    @cached_property
    def _reading_and_ways(self) -> tuple[Reading, Ways]:
        asked = (self.options.get("reading", LITERAL), *map(self.options.get, ("accumulator", "recipe")))
        functions = [self.options.get("function", "main")]
        return reading_and_ways(self.module, functions, self.options.get("schedule", "left"), asked)

    @property
    def result_types(self) -> tuple[TensorType, ...]:
        """The types of the results, also of tokens and tuples; none if the run stopped."""
        return (
            function_named(self.module, self.options.get("function", "main")).results if self.results else ()
        )

    @cached_property
    def shown(self) -> tuple[Group, ...]:
        """The groups whose severity is shown, the worst severity first."""
        return tuple(group for group in self.groups if group.severity in self.severities)

    @property
    def hidden_counts(self) -> Counter[str]:
        """The number of events, by kind, whose severity is not shown."""
        return totals(group for group in self.groups if group.severity not in self.severities)

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
        self.again(capture)
        return _by_name(capture.found)

    def reduction(self, name: str | int | Op | None = None) -> Reduction:
        """Return the reduction `%4`, `@pool/%4`; without a name, the only one or that of the first event."""
        if name is None:
            return _only(self)
        if isinstance(name, str) and name.startswith(("%", "@")) and name in self.reductions:
            return self.reductions[name]
        known = [_named_reduction(reduction) for reduction in self.reductions.values()]
        try:
            return self.reductions[str(find(name, known, "reduction"))]
        except Malformed as error:
            raise Malformed(error.verdict, "\n".join([error.evidence, *self.unrecorded_reductions])) from None

    @property
    def unrecorded_reductions(self) -> list[str]:
        """The reductions of the program that are not recorded in this reading, each with the reason."""
        found = ((op, why_not(op, self.reading)) for op in self.module.ops())
        lines = [f"{title_of(self.module, op)} is not recorded: {why}" for op, why in found if why]
        return lines + self.sums_not_judged

    @property
    def sums_not_judged(self) -> list[str]:
        """The sums along accumulations of which only the events are recorded, each with the reason."""
        sums = self._reading_and_ways[1]
        found = ((op, sums[id(op)].asked) for op in self.module.ops() if id(op) in sums)
        why = "is not judged: its body adds, in the order of {!r}, which is not a schedule"
        known = {id(reduction.written) for reduction in self.reductions.values()}
        return [f"{title_of(self.module, op)} {why.format(x)}" for op, x in found if id(op) not in known]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is derived: leaves are functions. An unpickled record runs again for them."""
        return {name: value for name, value in vars(self).items() if name not in DERIVED}


def _settle_options(module: Module, options: Mapping[str, Any]) -> tuple[Unused, dict[str, Any]]:
    """Return what a run in these options does not use, and the options for it; the program must be valid."""
    refuse_dynamic(module)
    refuse_violations(module, options.get("mode", "mlir"))
    return settle(module, function_named(module, options.get("function", "main")).name, options)


def _rank(group: Group) -> tuple[int, int]:
    """Return the place of a group: by severity, then by kind."""
    return SEVERITIES.index(group.severity), list(KINDS).index(group.kind)


def _by_name(found: Sequence[Reduction]) -> Mapping[str, Reduction]:
    return {reduction.name: reduction for reduction in found}


def _named_reduction(reduction: Reduction) -> Named:
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
        what_to_do = "explain, verdict, bounds and the like need one in the program"
        lines = [what_to_do, *record.unrecorded_reductions, *map(repr, record.shown)]
        raise Malformed("no reduction ran", "\n".join(lines))
    ran = list_names([_named_reduction(reduction) for reduction in known.values()])
    raise Malformed("several reductions ran", f"expected a name, one of {ran}")
