"""The listeners that record a run, and the facts about other processes if it is one of several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from interp.recorder.event import KINDS, known_kinds
from interp.recorder.recorded import Capture
from interp.recorder.recorder import Recorder
from interp.recorder.severity import INFORMATION, SEVERITIES
from spec.ir import Module
from spec.options import whole
from spec.schedule import Schedule, parse

SHOWN = tuple(severity for severity in SEVERITIES if severity != INFORMATION)
GRID = ("num_replicas", "num_partitions", "functions", "infeeds")  # options of `run_parallel` alone


class Share(NamedTuple):
    """One process of several: the arguments of all, the options of their grid, and the number of this one."""

    args: Sequence[Sequence[Any]]
    ways: Mapping[str, Any]
    number: int


class Watch:
    """A recorder of events and one of reductions; `shown`: the severities that are shown."""

    def __init__(
        self,
        module: Module,
        kinds: str | Iterable[str] | None,
        keep: int,
        schedule: str | Schedule,
        stopping: frozenset[str] = frozenset(),
    ) -> None:
        self.shown = SEVERITIES if kinds is not None else SHOWN
        wanted = known_kinds(KINDS if kinds is None else kinds) | stopping
        self.recorder = Recorder(wanted, whole(keep, "number of events"), self.shown)
        self.capture = Capture(module, parse(schedule))
