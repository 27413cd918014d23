"""The answer of `blame`, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from interp.apps.blaming.search import NOT_TRIED, Tried, largest
from interp.apps.blaming.slices import Slice
from interp.apps.diagnosing.diagnosis import FEW, Diagnosis, little_evidence
from interp.engine.markup import Display, align, join_lines
from interp.engine.work import Covered
from interp.recorder.event import number
from spec.ir import Module

SAME, PASSES, SLICE, UNKNOWN = "same", "passes", "slice", "unknown"
SHOWN = 12  # lines of a slice's program, and characters of one of its lines, that are printed
BROAD = 160


@dataclass(frozen=True, eq=False, repr=False)
class Blame(Display):
    """Result of `blame`: what makes an implementation's results other than the program's as written.

    implementation: its name. reference: the results that are expected. unequal: the number of elements, of
    `size`, that differ from these; largest: by how much at most; steps: the same in steps of the quantized
    value that the result dequantizes, None if there is none. passes: XLA's passes without all of which, and
    not without fewer, it gives the expected results. rows: XLA with each switch alone, and with all of them.
    remaining: elements in which the engine differs from the expected results, which no pass explains.
    slices: the smallest slice for each of these passes, or one. diagnosis: of the first slice.
    notes: what was presumed. covered: the loops of the search; seconds: how long it took. failure: why there
    are no results ("XLA's process died (signal 11)"), "" if there are; then all elements count as unequal.
    """

    function: str
    implementation: str
    reference: str
    unequal: int
    size: int
    largest: float
    step: float | None
    passes: tuple[str, ...]
    rows: tuple[Tried, ...]
    remaining: int
    slices: tuple[Slice, ...]
    diagnosis: Diagnosis | None
    notes: tuple[str, ...]
    covered: tuple[Covered, ...]
    seconds: float
    failure: str = ""

    @property
    def ok(self) -> bool:
        """Return whether nothing differs."""
        return not self.unequal and not self.failure

    @property
    def partial(self) -> bool:
        """Return whether the deadline left steps undone."""
        return any(each.partial for each in self.covered)

    @property
    def verdict(self) -> str:
        """The verdict: "same", "passes", "slice" (no pass is named) or "unknown"."""
        if self.ok:
            return SAME
        return PASSES if self.passes else SLICE if self.slices else UNKNOWN

    @property
    def steps(self) -> float | None:
        """The largest difference in steps of the quantized value that a result dequantizes."""
        return None if self.step is None or self.failure else self.largest / self.step

    @property
    def slice(self) -> Module | None:
        """The smallest slice that still differs, the first pass's if several are named."""
        return self.slices[0].module if self.slices else None

    @property
    def args(self) -> tuple[np.ndarray, ...]:
        """The arguments of `slice`."""
        return self.slices[0].args if self.slices else ()

    @property
    def deviations(self) -> tuple[str, ...]:
        """The names of the deviations that reproduce the implementation's results on the slice."""
        return tuple(trial.name for trial in self.diagnosis.explanations) if self.diagnosis else ()

    def save(self, folder: str | Path) -> list[Path]:
        """Write each slice and its arguments (`slice.mlir`, `slice0.npy`, ...), and return the files."""
        names = ["slice", *(f"slice_{k}_" for k in range(2, len(self.slices) + 1))]
        return [
            path for each, name in zip(self.slices, names, strict=False) for path in each.save(folder, name)
        ]

    def _repr_text_(self) -> str:
        return join_lines(_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer in plain Python values."""
        return {
            "function": self.function,
            "implementation": self.implementation,
            "reference": self.reference,
            "verdict": self.verdict,
            "failure": self.failure,
            "unequal": self.unequal,
            "elements": self.size,
            "largest": None if self.failure else self.largest,
            "steps": self.steps,
            "passes": list(self.passes),
            "remaining": self.remaining,
            "slices": [_plain(each) for each in self.slices],
            "diagnosis": self.diagnosis.to_dict() if self.diagnosis else None,
            "notes": list(self.notes),
            "partial": self.partial,
            "covered": [str(each) for each in self.covered],
            "rows": self.table(),
        }

    def table(self) -> list[dict[str, Any]]:
        """Return a row for the results, for each switch, and for each slice."""
        far = None if self.failure else self.largest
        head = self.implementation, self.unequal, self.size, far, not self.ok
        rows = [_row("results", *head, self.failure)]
        for each in self.rows:
            named = each.name in self.passes
            rows.append(_row("switch", each.name, each.unequal, self.size, each.largest, named, each.error))
        for part in self.slices:
            far = None if part.failure else largest(part.theirs, part.others)
            about = part.cause, part.unequal, part.size, far, True, part.failure
            rows.append({**_row("slice", *about), "operations": list(part.operations)})
        return rows

    def to_json(self) -> str:
        """Return the answer as JSON."""
        return json.dumps(self.to_dict(), indent=1) + "\n"


def _row(
    what: str,
    name: str,
    unequal: int | None,
    size: int,
    distance: float | None,
    blamed: bool,
    error: str = "",
) -> dict[str, Any]:
    return {
        "what": what,
        "name": name,
        "unequal": unequal,
        "elements": size,
        "largest": None if unequal is None else distance,
        "blamed": blamed,
        "operations": [],
        "error": error,
    }


def _plain(each: Slice) -> dict[str, Any]:
    return {
        "cause": each.cause,
        "operations": list(each.operations),
        "unequal": each.unequal,
        "elements": each.size,
        "by engine": each.by_engine,
        "failure": each.failure,
        "minimal": each.minimal,
        "permitted": each.permitted,
        "program": repr(each.module),
    }


def _lines(self: Blame) -> Iterator[str]:
    yield f"@{self.function} on {self.implementation}, beside {self.reference}"
    if self.ok:
        yield f"no difference: all {self.size:,} elements are equal"
    elif self.failure:
        yield from _death(self)
    else:
        yield f"{self.unequal:,} of {self.size:,} elements differ, by {_distance(self, self.largest)} at most"
        yield _verdict(self)
    yield from _table(self)
    if self.remaining and not self.ok:
        yield (
            f"no pass explains {self.remaining:,} elements, in which XLA with all of these off differs from "
            "the engine: it sums in other orders, and has other functions"
        )
    for each in self.slices:
        yield from _slice(each)
    if self.diagnosis is not None and (self.deviations or self.verdict == SLICE):
        yield f"deviation: {', '.join(self.deviations[:3]) or 'none that is known gives these results'}"
    if 0 < self.unequal <= FEW and not self.failure:
        yield little_evidence(self.unequal)
    yield from self.notes
    if self.partial:
        yield "partial, the deadline came: " + ", ".join(map(str, self.covered))


def _distance(self: Blame, distance: float) -> str:
    steps = "" if self.step is None else f" ({distance / self.step:.4g} steps)"
    return f"{distance:.4g}{steps}"


def _death(self: Blame) -> Iterator[str]:
    """Yield XLA's death, and the passes without which it lives."""
    dies = self.failure.replace("died", "dies").replace("gave", "gives")
    negation = "it does not" if "died" in self.failure else "it does"
    names = " and ".join(self.passes)
    if self.passes:
        yield f"{dies}; without the pass{'es' * (len(self.passes) > 1)} {names} {negation}"
        yield f"blame: {names}"
    else:
        yield f"{dies}; no pass is found without which {negation}"


def _verdict(self: Blame) -> str:
    if self.verdict == UNKNOWN:
        what = "no pass and no slice is found that makes the difference" if self.rows else "no slice is found"
        return f"unknown: {what}"
    if self.verdict == SLICE and self.rows:
        return "no pass makes the difference"
    if self.verdict == SLICE:
        found = "it is the smallest slice that differs"
        found = found if self.slices[0].minimal else "a smaller slice may differ"
        others = f"{found}; the others were not looked at"
        return f"blame: {_count(self.slices[0])}, with the values that came in; {others}"
    names = " and ".join(self.passes)
    if len(self.passes) == 1:
        return f"blame: {names}: with it off, every element is as expected"
    late = any(each.partial for each in self.covered if each.what.startswith("switches"))
    fewer = "perhaps with fewer, too" if late else "with fewer not"
    return f"blame: {names}: with these {len(self.passes)} off, every element is as expected, {fewer}"


def _count(each: Slice) -> str:
    return f"{len(each.operations)} operation{'s' * (len(each.operations) != 1)}"


def _table(self: Blame) -> Iterator[str]:
    """Yield the table of switches that change something, and how many do not."""
    telling = [row for row in self.rows if row.changes and row.unequal is not None]
    head = ["switched off", "unequal", "largest", *(["steps"] if self.step is not None else [])]
    cells = [head, ["(nothing)", *_nothing(self)]]
    for row in telling:
        assert row.unequal is not None
        name = row.name if len(row.off) == 1 else f"these {len(row.off)} together"
        cells.append([name, *_cells(self, row.unequal, row.largest)])
    yield from (row for row in align(cells, indent=2) if telling)
    same = [str(row.off[0]) for row in self.rows if _is_idle(row)]
    refused = [row.name for row in self.rows if row.unequal is None and row.error != NOT_TRIED]
    untried = [row.name for row in self.rows if row.error == NOT_TRIED]
    named = {"no effect alone": same, "no results without": refused, NOT_TRIED: untried}
    yield from (f"  {what}: {', '.join(names)}" for what, names in named.items() if names)


def _is_idle(row: Tried) -> bool:
    return len(row.off) == 1 and not row.changes and row.unequal is not None


def _nothing(self: Blame) -> list[str]:
    none = ["no results", "", *([""] if self.step is not None else [])]
    return none if self.failure else _cells(self, self.unequal, self.largest)


def _cells(self: Blame, unequal: int, largest: float) -> list[str]:
    steps = [] if self.step is None else [f"{largest / self.step:.4g}"]
    return [f"{unequal:,}", f"{largest:.4g}", *steps]


def _slice(each: Slice) -> Iterator[str]:
    of = f" of {each.cause}" if each.cause else ""
    seen = each.failure or f"{each.unequal:,} of {each.size:,} elements differ"
    yield f"smallest slice{'' if each.minimal else ' that was found'}{of}, run again: {seen}"
    if each.permitted:
        given = "some schedule of the specification gives these results"
        yield f"  permitted in the {each.permitted} reading: {given}"
    yield from (f"  {name}" for name in each.operations)
    if not each.failure:
        yield _element(each)
    lines = repr(each.module).splitlines()
    if len(lines) <= SHOWN and max(map(len, lines)) <= BROAD:
        yield from (f"  {line}" for line in lines)
        yield from (f"  {v.name} = {x.tolist()}" for v, x in _small(each))


def _element(each: Slice) -> str:
    """Return the line of the first element that differs."""
    k, index = each.first
    theirs, others = (number(x[k][index].item()) for x in (each.theirs, each.others))
    ours = number(each.ours[k][index].item())
    place = f"result {k}{f' at {index}' if index else ''}"
    without = f"without {each.cause} {others}, the engine {ours}" if each.cause else f"the engine {ours}"
    return f"  {place}: {theirs}; {without}"


def _small(each: Slice) -> Iterator[tuple[Any, np.ndarray]]:
    return ((v, x) for v, x in zip(each.module.main.inputs, each.args, strict=True) if x.size <= SHOWN)
