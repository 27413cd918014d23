"""`trace`: a run and what was noteworthy about it, open to every further question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interp.run import run
from interp.tensor import Tensor
from interp.tracing.events import KINDS, Event, Group, known_kinds, totals
from interp.tracing.recorder import Recorder
from spec.ir import Module

if TYPE_CHECKING:
    from interp.tracing.reductions import Reduction


@dataclass(frozen=True, eq=False)
class Trace:
    """`results` as `run` gives them, and `groups` of events: by kind, then by operation as they began.

    `module`, `args` and `options` (those of `run`) are what ran, so that it can be run again.
    """

    module: Module
    args: tuple[Any, ...]
    options: Mapping[str, Any]
    results: tuple[Tensor, ...]
    groups: tuple[Group, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that were kept: of each group the first and the worst."""
        return tuple(dict.fromkeys(event for group in self.groups for event in (group.first, group.worst)))

    @property
    def counts(self) -> Counter[str]:
        """By kind, how many events there were."""
        return totals(self.groups)

    @cached_property
    def reductions(self) -> Mapping[str, Reduction]:
        """Every reduction that ran, by the name of its first result: `t.reductions["%4"]`."""
        from interp.tracing.reductions import reductions

        return reductions(self)

    def reduction(self, name: str | None = None) -> Reduction:
        """The reduction `%4`; without a name the only one, or that of the first event."""
        from interp.tracing.reductions import chosen

        return chosen(self, name)

    def has(self, *kinds: str) -> bool:
        """Whether there was an event of one of these kinds."""
        return any(group.kind in known_kinds(kinds) for group in self.groups)

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.groups)) or "no events"


def trace(module: Module, *args: Any, kinds: str | Iterable[str] = tuple(KINDS), **options: Any) -> Trace:
    """`run(module, *args, **options)`, and the events of the given `kinds` (`events.KINDS`)."""
    recorder = Recorder(kinds)
    listeners = (*options.pop("listeners", ()), recorder)
    results = run(module, *args, listeners=listeners, **options)
    order = list(KINDS)
    groups = tuple(sorted(recorder.groups.values(), key=lambda group: order.index(group.kind)))
    return Trace(module, args, options, results, groups)
