"""Shrinking: a program of a few leaves of one result element that still shows an event."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from interp.engine.files import write_text
from interp.engine.work import Covered, Partly, Progress, Work
from interp.execute.record import Record
from interp.loading.on_demand import on_demand
from interp.questions.fewest_leaves import Search, search_of
from interp.recorder.element import PADDING
from interp.recorder.event import KINDS, Event, known_kinds, short
from interp.recorder.recorded import Reduction
from spec.errors import Bug, Malformed, Unsupported
from spec.ir import Module, captures, nested_ops
from spec.rules.verify import verify

EVENT = "// event ("


@dataclass(frozen=True, eq=False)
class Shrunk(Partly):
    """A program of one 1-dimensional `reduce` or `dot_general` that shows `event` on `args` under `schedule`.

    The leaves of a scatter are those of one element of its operand: its own value, the init, and its updates.
    Of a collective the first process's element is the init.

    `minimal`: if any one of the leaves is removed, the event does not happen. It is false only if time ran
    out. `fewest`: no smaller subset of the element's leaves shows it. That is decided if these subsets are
    few enough to be tried, as those of 12 leaves are. `source` names the reduction and the element from which
    the leaves come.
    """

    module: Module
    args: tuple[np.ndarray, ...]
    event: Event
    schedule: str
    mode: str
    minimal: bool
    fewest: bool
    source: str
    covered: tuple[Covered, ...] = ()

    @property
    def leaves(self) -> int:
        """Return the number of leaves, without the init value."""
        return len(self.args[0])

    @property
    def text(self) -> str:
        """The program as a conformance case; `case_events` finds the event in it again."""
        kind = "The fewest leaves" if self.fewest else "A few leaves"
        needed = ", none of which can be left out" if self.minimal and not self.fewest else ""
        why = f"{kind} of {self.source} that show it{needed}."
        event = f"event ({self.schedule}): {event_text(self.event)}"
        clause = f"trace: {self.event.kind}"
        mode = self.mode if verify(self.module, "strict") else "strict"
        return str(on_demand("case_text")(self.module, self.args, clause, [why], [event], mode))

    def save(self, path: str | Path) -> Path:
        """Write `text`, and check by running the file that it shows the event; raises `Bug` if not."""
        path = Path(path)
        write_text(path, self.text)
        if event_text(self.event) not in map(event_text, case_events(path)):
            raise Bug(f"{path} does not show the event", event_text(self.event))
        return path

    def __repr__(self) -> str:
        return f"{self.text}\n// {self.shortfall}" if self.partial else self.text


def event_text(event: Event) -> str:
    """Return an event as text: `saturate at result (), leaves 0..2: 100 + 40 -> 127 (exact 140)`."""
    return f"{event.kind} at {event.place}: {event.explanation}"


def case_events(path: str | Path) -> list[Event]:
    """Run a saved case, and return the first events of the kind that it names."""
    from interp.loading.load import load

    path = Path(path)
    case = on_demand("read_case")(path, path.parent)
    lines = [line for line in case.text.splitlines() if line.startswith(EVENT)]
    if not lines or case.args is None:
        raise Malformed(f"{path} names no event", "`Trace.shrink().save(path)` writes a file that does")
    schedule, _, event = lines[0].removeprefix(EVENT).partition("): ")
    kind, module = event.partition(" ")[0], load(path, dialect=case.dialect)
    found = Record.observe_run(module, case.args, kinds=kind, schedule=schedule, mode=case.mode)
    return [group.first for group in found.groups]


def smallest_case(
    of: Record,
    op: str | None = None,
    kind: str | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Shrunk:
    """Return a program of a few leaves, each of them needed, that shows a reduction's first event."""
    work = Work(seconds, progress)
    reduction = of.reduction(op)
    if reduction.by_blocks:
        evidence = "explain() has the leaves of an event, block by block"
        raise Unsupported(
            f"{reduction.name} is summed by blocks of scales, whose leaves are not left out", evidence
        )
    if reduction.along:
        verdict = f"{reduction.name} adds {reduction.manner}"
        raise Unsupported(verdict, "a program names no accumulation: explain() has the leaves of an event")
    kinds = known_kinds(KINDS if kind is None else kind)
    groups = [g for g in of.groups if g.first.op is reduction.written and g.kind in kinds]
    if not groups:
        raise Malformed(f"no {kind or 'event'} at {reduction.name}", f"the trace: {of!r}")
    event = groups[0].first
    mode = of.options.get("mode", "mlir")
    if reduction.products:
        search = search_of(reduction, event, mode)
    else:
        _refuse_what_needs_more(reduction, event)
        search = Search(reduction, leaves_of(reduction, event), init_of(reduction, event), event, mode)
    keep, minimal, fewest = search.fewest(work)
    ends = Covered("searches for fewer leaves", int(minimal), 1, work.seconds)
    module, args = search.alone(keep)
    source = f"{reduction.written.name.partition('.')[2]} {reduction.name}, {event.place}"
    known = search.event(module, args), repr(reduction.schedule), mode
    return Shrunk(module, args, *known, minimal, fewest, source, (ends,))


def leaves_of(reduction: Reduction, event: Event) -> list[tuple[Any, ...]]:
    """Return the leaves under the event: stored numbers before conversion, one for each operand."""
    assert event.index is not None
    if event.leaves is not None or event.what == "result":
        leaves = reduction.element(event.index).leaves[1:]
        if any(leaf.origin == PADDING for leaf in leaves):
            pairs = zip(reduction.inputs, reduction.init_values, strict=True)
            if any(x.type.element_type != init.type.element_type for x, init in pairs):
                raise Unsupported(
                    "the padding is not of the inputs' type", "it cannot be a leaf of a `reduce` of them"
                )
        return [leaf.before for leaf in leaves]
    if event.what in [f"operand {value.name}" for value in reduction.inputs]:
        return [tuple(x[event.index].item() for x in reduction.before)]
    return []  # the init value's own


def init_of(reduction: Reduction, event: Event) -> tuple[Any, ...]:
    """Return the init value, before conversion, of the element with the event."""
    values = [f"operand {value.name}" for value in reduction.init_values]
    own = event.index if event.leaves is not None or event.what in ("result", *values) else None
    first = own or (0,) * len(reduction.shape)
    return tuple(x[first if reduction.has_own_inits else ()] for x in map(np.asarray, reduction.init_before))


def _refuse_what_needs_more(reduction: Reduction, event: Event) -> None:
    where = event.op.location
    if event.index is None:
        raise Unsupported("the event is in a body that runs element by element", event.place, where)
    if event.kind == "unspecified" and event.inner is event.op:
        raise Unsupported("the event is in the positions where the updates land", event.place, where)
    if reduction.has_own_inits and reduction.schedule.may_repeat_init:
        verdict = f"a {short(reduction.written)} under {reduction.schedule!r} is not a `reduce`"
        raise Unsupported(verdict, "use schedule left", where)
    if event.what == "window":
        raise Unsupported("the event is in the choice of a window's element", event.place, where)
    calls = any(op.name == "func.call" for op in nested_ops(reduction.body))
    if calls or captures(reduction.op):
        raise Unsupported(f"the body of {reduction.name} uses what is outside of it", repr(event), where)
