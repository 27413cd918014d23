"""Merging of the parts of a survey: refusal of those that do not belong together, and how far all are.

Every statistic of a survey is a count, an exact sum, an extreme or a choice by the lowest sample. So the
parts add up to the bits of one process, in any order and number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, NamedTuple

from interp.apps.surveys.part import Part, Range, join_parts, join_ranges, other_division, range_text
from interp.apps.surveys.part_file import read_survey
from interp.apps.surveys.result import Survey
from interp.engine.markup import Display, align, join_lines
from spec.errors import Malformed


def merge_surveys(parts: Iterable[Survey | str | Path]) -> Survey:
    """Return the survey of all shards, with the bits that one process has.

    parts: surveys of `survey(shard=(i, n))`, or the files that `save=` or `interp survey -o` wrote, in any
    order. Raises `Malformed` for parts that are missing, doubled, unfinished, or of another program, other
    options, versions or data; it names them.
    """
    named = list(_name_parts(parts))
    if not named:
        raise Malformed("no parts", "give the files of all shards")
    _refuse_foreign(named)
    _refuse_doubled(named)
    _refuse_unfinished(named)
    _refuse_missing(named)
    named.sort(key=lambda pair: pair[1].shards)
    merged = reduce(add, (replace(found, part=None, covered=()) for _, _, found in named))
    if not merged.layers:
        raise Malformed("no sample could be read", str(merged.unread[0]) if merged.unread else "")
    part = join_parts([part for _, part, _ in named])
    whole = replace(part, shards=(0,), of=1, wanted=(0, part.samples))
    return replace(merged, part=whole, covered=())


Named = tuple[str, Part, Survey]  # a file, or a name


def _name_parts(parts: Iterable[Survey | str | Path]) -> Iterator[Named]:
    for k, given in enumerate(parts):
        found = read_survey(given) if isinstance(given, str | Path) else given
        name = str(given) if isinstance(given, str | Path) else f"survey {k}"
        if found.part is None:
            raise Malformed(f"{name} is no part", "expected a survey with shard=(i, n)")
        yield name, found.part, found


def _refuse_foreign(named: Sequence[Named]) -> None:
    first, origin = named[0][0], named[0][1]
    for name, part, _ in named[1:]:
        if found := origin.origin.difference(part.origin) or other_division(origin, part):
            what, ours, theirs = found
            verdict = f"{name} is foreign: its {what} is not that of {first}"
            raise Malformed(verdict, f"{theirs} in {name}, {ours} in {first}")


def _refuse_doubled(named: Sequence[Named]) -> None:
    seen: dict[int, str] = {}
    for name, part, _ in named:
        for shard in part.shards:
            if shard in seen:
                verdict = f"{name} is doubled: {seen[shard]} is shard {shard}/{part.of}, too"
                raise Malformed(verdict, "give each shard once")
            seen[shard] = name


def _refuse_unfinished(named: Sequence[Named]) -> None:
    for name, part, _ in named:
        if part.following is not None:
            of = f" of {part.wanted[1] - part.wanted[0]:,}" if part.wanted else ""
            evidence = f"{part.name} has {part.samples:,}{of} samples: run it again, and it goes on"
            raise Malformed(f"{name} is unfinished", evidence)


def _refuse_missing(named: Sequence[Named]) -> None:
    n = named[0][1].of
    missing = sorted(set(range(n)) - {shard for _, part, _ in named for shard in part.shards})
    done = [range for _, part, _ in named for range in part.done]
    total, joined = named[0][1].origin.total, join_ranges(done)
    if missing:
        gaps = _gaps(joined, total or 0)
        samples = f": samples {', '.join(map(range_text, gaps))}" if gaps else ""
        raise Malformed(
            f"missing {', '.join(f'shard {k}/{n}' for k in missing)}{samples}",
            f"got {len(named)} of {n} parts: " + ", ".join(sorted(name for name, *_ in named)),
        )
    if sum(stop - first for first, stop in done) != total or joined not in ((), ((0, total),)):
        raise Malformed("the parts do not have every sample once", f"they have {joined} of {total}")


def _gaps(joined: Sequence[Range], total: int) -> list[Range]:
    """Return the positions below `total` that no range has."""
    ends = [0, *(stop for _, stop in joined)]
    starts = [*(first for first, _ in joined), total]
    return [gap for gap in zip(ends, starts, strict=True) if gap[0] < gap[1]]


# How far all shards are


class PartState(NamedTuple):
    """A part's file, its shard, and its samples: how many are done, of how many (None: not known yet)."""

    file: str
    shard: str
    samples: int
    of: int | None
    unread: int
    is_finished: bool


@dataclass(frozen=True, repr=False)
class Parts(Display):
    """Progress of the shards of a survey; `missing` are those without a part."""

    states: tuple[PartState, ...]
    missing: tuple[str, ...]
    total: int | None

    @property
    def is_complete(self) -> bool:
        """Return whether every shard is finished."""
        return not self.missing and all(x.is_finished for x in self.states)

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each part."""
        names = ("part", "shard", "samples", "of", "not read", "finished")
        return [dict(zip(names, x, strict=True)) for x in self.states]

    def to_json(self) -> str:
        """Return the parts as JSON."""
        found = {"parts": self.rows(), "missing": self.missing, "total": self.total}
        return json.dumps(found, indent=1)

    def _repr_text_(self) -> str:
        done = sum(x.samples for x in self.states)
        of = "" if self.total is None else f" of {self.total:,}"
        cells = [[_cell(x) for x in row.values()] for row in self.rows()]
        missing = [f"missing: {', '.join(self.missing)}"] if self.missing else []
        return join_lines([f"{done:,}{of} samples", *align([list(self.rows()[0]), *cells]), *missing])


def _cell(x: Any) -> str:
    if x is None or isinstance(x, bool):
        return "yes" if x else "-" if x is None else "no"
    return f"{x:,}" if isinstance(x, int) else str(x)


def list_parts(parts: Iterable[Survey | str | Path]) -> Parts:
    """Return how far the shards of a survey are; `Malformed` for parts that are doubled or foreign."""
    named = list(_name_parts(parts))
    if not named:
        raise Malformed("no parts", "give the files of all shards")
    _refuse_foreign(named)
    _refuse_doubled(named)
    named.sort(key=lambda pair: pair[1].shards)
    states, seen = list[PartState](), set[int]()
    for name, part, found in named:
        wanted = part.wanted and part.wanted[1] - part.wanted[0]
        unread = sum(stop - first for (first, stop), _ in found.unread)
        shard, is_finished = part.name.split()[-1], part.following is None
        states.append(PartState(name, shard, part.samples, wanted, unread, is_finished))
        seen.update(part.shards)
    of, totals = named[0][1].of, [part.origin.total for _, part, _ in named]
    missing = tuple(f"shard {k}/{of}" for k in range(of) if k not in seen)
    return Parts(tuple(states), missing, next((x for x in totals if x is not None), None))
