"""A progress bar: a listener for long reductions, and a counter of steps for other work."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from interp.backends import Array, State
from interp.engine.evaluate import Listener, Place
from interp.engine.fold import Leaves
from interp.recorder.event import heading
from interp.recorder.names import qualifier
from spec.ir import Module, Op

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


class ProgressBar(Listener):
    """Progress bar of the leaves that the running reduction has folded, shown after `after` seconds of a run.

    It is a context manager; the bar disappears at the end.
    """

    sees_nodes = False  # a reduction that has a fast path needs no bar

    def __init__(self, console: Console, after: float = 1.0) -> None:
        self.console = console
        self.due = time.monotonic() + after
        self.bar: Progress | None = None
        self.op = ""
        self.done = self.total = 0
        self.unit = "leaves"
        self.module: Module | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.stop()

    def on_start(self, module: Module) -> None:
        self.module = module

    def on_fold(self, op: Op, region: int, init: State | None, leaves: Leaves, columns: Array | None) -> None:
        self.op, self.done, self.total = heading(op, qualifier(self.module, op)), 0, leaves.n

    def on_node(self, place: Place, lhs: State, rhs: State, results: State) -> None:
        self.done += len(place.node.first) if place.node.stacked else 1
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + 0.1
            self.show()

    def step(self, what: str, done: int, total: int) -> None:
        """Set how many steps of other work are done."""
        self.op, self.done, self.total, self.unit = what, done, total, "steps"
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + 0.1
            self.show()

    def show(self) -> None:
        """Draw the bar."""
        if self.bar is None:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn(self.unit),
            )
            self.bar = Progress(*columns, TimeElapsedColumn(), console=self.console, transient=True)
            self.bar.add_task(self.op, total=self.total)
            self.bar.start()
        (task,) = self.bar.task_ids
        self.bar.update(task, description=self.op, completed=min(self.done, self.total), total=self.total)
        self.bar.refresh()
