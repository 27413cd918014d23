"""The answer of `prove`, as text and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from interp.engine.stored import is_stored_as_integer, storage
from interp.engine.work import Covered, Partly
from interp.execute.unused import NOTHING, Unused
from interp.questions.proving.judgement import NOT_JUDGED, PROVED, REFUTED, UNKNOWN, Judgement
from interp.questions.proving.witness import Witness
from interp.recorder.event import heading, number
from spec.accumulator import Reading
from spec.ir import Func

VERDICTS = (REFUTED, NOT_JUDGED, UNKNOWN, PROVED)
SHOWN = 8  # elements of a witness's argument that are printed in full


@dataclass(frozen=True, eq=False)
class Row:
    """One accumulation: its judgement, and the witness if it is refuted."""

    judgement: Judgement
    qualifier: str = ""
    witness: Witness | None = None

    @property
    def verdict(self) -> str:
        """The verdict: "proved", "refuted", "unknown" or "not judged"."""
        return self.judgement.verdict

    @property
    def name(self) -> str:
        """The name of the operation: `%4`, or `@pool/%4`."""
        return (f"@{self.qualifier}/" if self.qualifier else "") + self.judgement.op.results[0].name

    @property
    def place(self) -> str:
        """The elements whose sums lie farthest beyond the accumulator's range: `(:, 37, :, :)`, or ""."""
        if not self.judgement.beyond:
            return ""
        return f"({', '.join(':' if i is None else str(i) for i in self.judgement.beyond[0])})"

    def __repr__(self) -> str:
        return "\n".join(_lines(self))


@dataclass(frozen=True, eq=False)
class Proof(Partly):
    """The accumulations of a function in program order, each with its verdict for every input.

    `unused` are the options that were asked for and that the program does not use. `covered` says how many
    accumulations, and how many searches for a witness, were done before the deadline.
    """

    function: Func
    rows: tuple[Row, ...]
    schedule: str
    reading: Reading
    unused: Unused = NOTHING
    covered: tuple[Covered, ...] = ()

    @property
    def ok(self) -> bool:
        """Return whether every accumulation was looked at, and none is refuted; some may be unknown."""
        return not (self.counts[REFUTED] or self.counts[NOT_JUDGED])

    @property
    def counts(self) -> Counter[str]:
        """The number of rows of each verdict."""
        return Counter(row.verdict for row in self.rows)

    def __getitem__(self, name: str) -> Row:
        """Return the row of an operation, by the name of its result."""
        return next(row for row in self.rows if row.name.removeprefix("%") == name.removeprefix("%"))

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {verdict}" for verdict in VERDICTS if (n := self.counts[verdict]))
        plural = "" if len(self.rows) == 1 else "s"
        head = f"@{self.function.name}, schedule {self.schedule}, reading {self.reading!r}"
        head = f"{head}: {len(self.rows)} accumulation{plural}: {counts or 'none'}"
        late = ", ".join(str(each) for each in self.covered if each.partial)
        partial = [f"partial, the deadline came first: {late}"] if late else []
        return "\n".join([head, *partial, *map(repr, self.rows), *self._notes()])

    def _notes(self) -> list[str]:
        """Return the unused options that no row mentions."""
        rows = any(row.verdict == NOT_JUDGED for row in self.rows)
        return [line for line in self.unused.lines if not (rows and line.startswith("the accumulator"))]

    def to_dict(self) -> dict[str, Any]:
        """Return the rows in plain Python values."""
        return {
            "function": self.function.name,
            "schedule": self.schedule,
            "reading": repr(self.reading),
            "ok": self.ok,
            "counts": {verdict: n for verdict in VERDICTS if (n := self.counts[verdict])},
            "partial": self.partial,
            "covered": [{"what": x.what, "done": x.done, "total": x.total} for x in self.covered],
            "unused": self.unused.plain,
            "rows": [_plain(row, self.function) for row in self.rows],
        }

    def to_json(self) -> str:
        """Return the rows as JSON."""
        return json.dumps(self.to_dict(), indent=1)


def _lines(self: Row) -> Iterator[str]:
    judgement = self.judgement
    name = heading(judgement.op, self.qualifier)
    yield f"{name} in {_type(self)}: {_verdict(self)}"
    if judgement.ends is not None and judgement.ends.least.size:
        least, greatest = (number(end) for end in judgement.ends.hull)
        worst = f", worst at result {self.place}" if self.place else ""
        yield f"  sums from {_group_digits(least)} to {_group_digits(greatest)}{worst}{_room(self)}"
    if self.witness:
        yield f"  witness: {self.witness!r}"


def _type(self: Row) -> str:
    text = repr(self.judgement.type)
    head, _, tail = text.partition("{")
    return text if not tail else f"{head}{{...}}>"


def _verdict(self: Row) -> str:
    judgement = self.judgement
    scope = f" in {'' if judgement.scope.startswith('any') else 'the '}{judgement.scope}"
    why = f": {judgement.why}" if judgement.why else ""
    return f"{judgement.verdict}{scope if judgement.verdict == PROVED and judgement.scope else ''}{why}"


def _group_digits(text: str) -> str:
    return f"{int(text):,}" if text.lstrip("-").isdigit() else text


def _room(self: Row) -> str:
    """Return the bits that every order needs as an integer, and those that there are."""
    judgement = self.judgement
    if judgement.bits is None:
        return ""
    if not is_stored_as_integer(judgement.type):
        return f"; as integers {judgement.bits} bits"
    return f"; {judgement.bits} bits needed, {storage(judgement.type).bits} there"


def _plain(row: Row, function: Func) -> dict[str, Any]:
    judgement, seen = row.judgement, row.witness
    ends = None if judgement.ends is None else [_finite(end) for end in judgement.ends.hull]
    return {
        "name": row.name,
        "operation": judgement.op.name,
        "location": str(judgement.op.location),
        "verdict": row.verdict,
        "scope": judgement.scope,
        "why": judgement.why,
        "type": repr(judgement.type),
        "ends": ends,
        "place": row.place,
        "bits": judgement.bits,
        "event": repr(seen.event) if seen else None,
        "witness": _arguments(seen.args, function) if seen else None,
    }


def _finite(x: float) -> float | str:
    """Return a number as JSON has it: an infinity or NaN as text."""
    return x if isinstance(x, int) or isfinite(x) else str(x)


def _arguments(args: tuple[Any, ...], function: Func) -> dict[str, Any]:
    pairs = zip(function.inputs, args, strict=True)
    return {value.title: np.asarray(x).tolist() for value, x in pairs}
