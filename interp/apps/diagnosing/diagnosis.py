"""The answer of `diagnose`, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from interp.apps.diagnosing.sampling import Sample
from interp.apps.diagnosing.search import Trial
from interp.engine.markup import align, join_lines
from interp.engine.work import Covered, Partly
from interp.execute.unused import NOTHING, Unused
from interp.recorder.event import number

SHOWN = 8  # explanations, and trials, that are printed
FEW = 4  # deviating elements that a wrong explanation may well reproduce by chance


@dataclass(frozen=True)
class Difference:
    """The first element of the first value that is not as declared.

    `name` is the value, or `result 0`; `operation` the operation that computes it, with its location.
    `unequal` of `size` elements of the value differ. `equal` has the values before it that are as declared;
    `here` is true if all operands of the operation are among these, so that this operation deviates.
    """

    name: str
    operation: str
    index: tuple[int, ...]
    declared: Any
    observed: Any
    unequal: int
    size: int
    equal: tuple[str, ...]
    here: bool

    def __repr__(self) -> str:
        place = f" at {self.index}" if self.index else ""
        numbers = f"declared {number(self.declared)}, observed {number(self.observed)}"
        after = f"; {', '.join(self.equal)} before it as declared" if self.equal else ""
        count = f"{self.unequal:,} of {self.size:,} elements differ"
        here = "\n  its operands are as declared: this operation deviates" if self.here else ""
        return f"{self.name} of {self.operation}{place}: {numbers}; {count}{after}{here}"


@dataclass(frozen=True, eq=False)
class Telling:
    """Arguments on which explanations differ: `interp run --random SEED` draws them, too.

    `groups` has the names of explanations that give the same results on them.
    """

    seed: int
    arguments: tuple[np.ndarray, ...] = field(repr=False)
    groups: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        groups = " | ".join(", ".join(group) for group in self.groups)
        return f"--random {self.seed} gives arguments on which they differ: {groups}"


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis(Partly):
    """Result of `diagnose`: `explanations` reproduce all that was observed; `tried` are all runs.

    `first` is the first difference from the declared meaning, None if there is none; `differing` is the
    number of all elements, of `size`, that differ. `untried` candidates were beyond the limit of runs.
    `telling` are arguments that tell several explanations apart, if some were found. `sample`: the samples
    on which the search ran, None for all; then `unequal` of a trial counts their elements only, while an
    explanation reproduces all elements. `unused` are the options of the declared meaning that the
    program does not use.
    """

    function: str
    declared: str
    size: int
    differing: int
    first: Difference | None
    explanations: tuple[Trial, ...]
    tried: tuple[Trial, ...]
    untried: int = 0
    telling: Telling | None = None
    unused: Unused = NOTHING
    sample: Sample | None = None
    covered: tuple[Covered, ...] = ()

    @property
    def ok(self) -> bool:
        """Return whether everything is reproduced, by the declared meaning or by an explanation."""
        return self.first is None or bool(self.explanations)

    @property
    def nearest(self) -> list[Trial]:
        """The trials that changed something, with the fewest unequal elements first."""
        known = [trial for trial in self.tried if trial.unequal is not None and trial.changes]
        return sorted(known, key=lambda trial: trial.unequal or 0)

    def _repr_text_(self) -> str:
        return join_lines(_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the diagnosis in plain Python values."""
        first = self.first and {
            "value": self.first.name,
            "operation": self.first.operation,
            "index": list(self.first.index),
            "declared": number(self.first.declared),
            "observed": number(self.first.observed),
            "equal before": list(self.first.equal),
            "here": self.first.here,
        }
        telling = self.telling and {"seed": self.telling.seed, "groups": list(map(list, self.telling.groups))}
        return {
            "function": self.function,
            "declared": self.declared,
            "elements": self.size,
            "differing": self.differing,
            "first": first,
            "explanations": [_plain(trial) for trial in self.explanations],
            "tried": [_plain(trial) for trial in self.tried],
            "not tried": self.untried,
            "telling": telling,
            "unused": self.unused.plain,
            "sample": None if self.sample is None else list(self.sample.rows),
        }

    def to_json(self) -> str:
        """Return the diagnosis as JSON."""
        return json.dumps(self.to_dict(), indent=1) + "\n"


def _plain(trial: Trial) -> dict[str, Any]:
    return {
        "deviations": [each.name for each in trial.deviations],
        "where": trial.where,
        "operations": trial.operations,
        "unequal": trial.unequal,
        "error": trial.error,
        "alone": list(trial.alone),
    }


def _lines(self: Diagnosis) -> Iterator[str]:
    yield f"@{self.function}, declared: {self.declared}"
    yield from self.unused.lines
    if self.first is None:
        yield f"no difference: all {self.size:,} elements are as declared"
        return
    yield f"first difference: {self.first!r}"
    yield from _explanation_lines(self) if self.explanations else _not_found(self)
    yield _trial_counts(self)


def _explanation_lines(self: Diagnosis) -> Iterator[str]:
    first, *others = self.explanations
    reproduced = f"all {self.size:,} elements, {self.differing:,} of which are not as declared"
    yield f"explanation: {first.name}: reproduces {reproduced}"
    yield from (f"  {each.name}: {each.sentence}" for each in first.deviations)
    if first.alone:
        yield f"  it is enough at {' or at '.join(first.alone[:SHOWN])} alone"
    if others:
        what = "explanations reproduce" if len(others) > 1 else "explanation reproduces"
        yield f"{len(others)} other {what} the same results:"
        yield from (f"  {trial.name}" for trial in others[:SHOWN])
        if len(others) > SHOWN:
            yield f"  ... {len(others) - SHOWN} more in .explanations"
        yield repr(self.telling) if self.telling else "no random input was found on which they differ"
    if self.differing <= FEW:
        yield little_evidence(self.differing)


def little_evidence(differing: int) -> str:
    """Return the warning that few elements differ."""
    what = "elements are" if differing > 1 else "element is"
    return f"{differing} differing {what} little evidence: try an input on which more elements differ"


def _not_found(self: Diagnosis) -> Iterator[str]:
    """Yield the nearest trials; pairs only where both deviations come nearer than each of them."""
    few = self.sample
    tried = "that was tried" if self.partial or self.untried else "that is known"
    yield f"none found: no deviation {tried} reproduces all elements; nearest:"
    head = f"unequal of {few.elements:,} elements" if few else "unequal elements"
    differing = few.differing if few else self.differing
    rows = [["deviation", head], [DECLARED, f"{differing:,}"]]
    single = {trial.name: trial.unequal or 0 for trial in self.nearest if len(trial.deviations) == 1}
    for trial in self.nearest:
        parts = [single.get(each.name, differing) for each in trial.deviations]
        better = (trial.unequal or 0) < min(differing, *parts)
        if len(rows) < SHOWN + 2 and (len(trial.deviations) == 1 or better):
            rows.append([trial.name, f"{trial.unequal:,}"])
    yield from align(rows, indent=2)


DECLARED = "(as declared)"


def _trial_counts(self: Diagnosis) -> str:
    """Return how many runs of each kind were tried, and what was not."""
    pairs = sum(len(trial.deviations) > 1 for trial in self.tried)
    idle = sum(trial.unequal is not None and not trial.changes for trial in self.tried)
    undefined = sum(trial.unequal is None for trial in self.tried)
    text = f"tried: {len(self.tried) - pairs:,} single deviations, {pairs:,} pairs"
    text += f"; {idle:,} of them change nothing here" if idle else ""
    text += f"; {undefined:,} could not run here" if undefined else ""
    text += f"; {self.untried:,} candidates not tried (limit)" if self.untried else ""
    text += f"\nsearched on {self.sample!r}" if self.sample else ""
    return text + (f"\n{self.shortfall}: seconds=None tries all" if self.partial else "")
