"""A shard of a survey: its batches one after the other, checkpoints, and batches that cannot be read.

A data set that is indexed (`Batches`) is cut into n runs of whole batches; of an iterator, whose
length is not known, shard i takes every n-th batch from batch i on, and reads past the others. The program is
matched with its reference on the first batch that can be read, in every shard, so that all match alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, Protocol

from interp.apps.surveys.batches import Batch, Batches, batch
from interp.apps.surveys.measure import Samples
from interp.apps.surveys.part import Origin, Part, Unread, digest_samples
from interp.apps.surveys.rates import anytime
from interp.apps.surveys.result import Survey
from interp.engine.work import Covered, Work
from spec.errors import InterpError, Malformed

ENDLESS = 1 << 62  # batches of an iterable whose length is not known
SHARE = 20  # the time between two checkpoints, in times of writing one


class Surveyor(Protocol):
    """Survey of a program, once it is matched with its reference."""

    def samples(self, taken: Batch, first: int) -> Samples:
        """Return the samples of a batch."""

    def decide(self, taken: Batch) -> None:
        """Match values whose units only numbers tell."""

    def measure(self, taken: Batch, first: int) -> Survey:
        """Return the survey of a batch."""

    def empty(self) -> Survey:
        """Return the survey of no samples."""

    def origin(self, data: str, choice: str) -> Origin:
        """Return what the parts of the survey share."""


@dataclass(frozen=True)
class Course:
    """The way through a data set: which shard of how many, where to save it, and when to stop.

    skips: whether batches that cannot be read are left out. until: the rate of overflowing samples that is
    asked about. first: the number of the first sample.
    """

    shard: tuple[int, int] | None = None
    save: Path | None = None
    skips: bool = False
    until: float | None = None
    first: int = 0

    def __post_init__(self) -> None:
        k, n = self.shard or (0, 1)
        if not 0 <= k < n:
            raise Malformed(
                f"shard {k}/{n}", f"expected i/n with i from 0 to n - 1, such as {n - 1}/{max(n, 1)}"
            )
        if self.until is not None and n > 1:
            raise Malformed(
                "until= in one of several shards", "only who sees all samples can stop: shard=None"
            )
        if self.until is not None and not 0 < self.until < 1:
            raise Malformed(f"until={self.until}", "expected a rate between 0 and 1")
        if self.first and self.is_part:
            raise Malformed(f"first={self.first} in a part", "a part knows its samples: leave first= out")

    @property
    def is_part(self) -> bool:
        """Return whether the survey says where it comes from."""
        return self.shard is not None or self.save is not None


class Step(NamedTuple):
    """A batch of a data set: its number, the positions of its samples, and what reads it."""

    number: int
    span: tuple[int, int]
    read: Callable[[], Batch]


# Data sets


class Source:
    """A data set; `pilot` is its first batch that can be read, until it is let go.

    `total` is the number of its samples, None if it is not known yet; `choice` says which samples were drawn.
    """

    total: int | None = None
    choice = ""

    def __init__(self) -> None:
        self.pilot: Batch | None = None
        self.pilot_number = 0

    def read_pilot(self, skips: bool) -> Batch:
        """Read the first batch; skips: or else a later one, if it cannot be read."""
        raise NotImplementedError

    def own(self, shard: tuple[int, int]) -> range:
        """Return the numbers of a shard's batches, as far as the length is known; else with a huge end."""
        raise NotImplementedError

    def number(self, shard: tuple[int, int]) -> int:
        """Return how many batches a shard has, 0 if that is not known."""
        return len(self.own(shard))

    def positions(self, shard: tuple[int, int]) -> tuple[int, int] | None:
        """Return the positions of a shard's samples if they are known."""
        return None

    def steps(self, own: range) -> Iterator[Step]:
        """Yield the steps of some batches in order."""
        raise NotImplementedError

    def release(self) -> Batch:
        """Return the first batch, and let it go."""
        assert self.pilot is not None
        taken, self.pilot = self.pilot, None
        return taken


class Indexed(Source):
    """Batches that are read by their number."""

    def __init__(self, batches: Batches) -> None:
        super().__init__()
        self.batches, self.choice, self.total = batches, batches.choice, batches.samples

    def read_pilot(self, skips: bool) -> Batch:
        """Read the first batch that can be read."""
        for k in range(len(self.batches)):
            try:
                self.pilot, self.pilot_number = self.batches[k], k
                return self.pilot
            except Exception:
                if not skips or k + 1 == len(self.batches):
                    raise
        raise Malformed("no batches", "the data set is empty")

    def own(self, shard: tuple[int, int]) -> range:
        """Return the batches of a shard: one of n runs, whose lengths differ by one at most."""
        (k, n), number = shard, len(self.batches)
        return range(k * number // n, (k + 1) * number // n)

    def positions(self, shard: tuple[int, int]) -> tuple[int, int]:
        """Return the positions of a shard's samples."""
        own, size = self.own(shard), self.batches.size
        return min(self.batches.samples, own.start * size), min(self.batches.samples, own.stop * size)

    def steps(self, own: range) -> Iterator[Step]:
        """Yield the steps of some batches in order."""
        for k in own:
            is_held = self.pilot is not None and k == self.pilot_number
            read = self.release if is_held else partial(self.batches.__getitem__, k)
            yield Step(k, self.batches.span(k), read)


class Streamed(Source):
    """Batches of an iterable; at most two are alive: one in use, and one that the iterable makes."""

    def __init__(self, batches: Iterable[Any], is_judged: bool) -> None:
        super().__init__()
        self.length = len(batches) if isinstance(batches, Sized) else 0
        self.batches, self.is_judged = iter(batches), is_judged
        self.position = 0  # of the sample after the last one that was read
        self.count: Callable[[Batch], int] = lambda taken: 1

    def read_pilot(self, skips: bool) -> Batch:
        """Read the first batch."""
        self.pilot = self._next()
        if self.pilot is None:
            raise Malformed("no batches", "give at least one: survey(m, [x])")
        self.held: Batch | None = self.pilot
        return self.pilot

    def _next(self) -> Batch | None:
        for given in self.batches:
            return batch(given, self.is_judged)
        return None

    def own(self, shard: tuple[int, int]) -> range:
        """Return every n-th batch."""
        return range(shard[0], self.length or ENDLESS, shard[1])

    def number(self, shard: tuple[int, int]) -> int:
        """Return how many batches a shard has, 0 if that is not known."""
        return len(self.own(shard)) if self.length else 0

    def steps(self, own: range) -> Iterator[Step]:
        """Yield the steps of some batches in order; count the samples of all."""
        number, taken = 0, self.held
        self.held = self.pilot = None
        while taken is not None:
            span = self.position, self.position + self.count(taken)
            self.position = span[1]
            if number in own:
                slot = [taken]
                taken = None
                yield Step(number, span, slot.pop)
            taken = None
            number, taken = number + 1, self._next()


def source_of(batches: Iterable[Any], is_judged: bool) -> Source:
    """Return batches as a data set that is indexed, or else read in sequence."""
    return Indexed(batches) if isinstance(batches, Batches) else Streamed(batches, is_judged)


# The loop


def survey_batches(
    batches: Iterable[Any], is_judged: bool, begin: Callable[[Batch], Surveyor], course: Course, work: Work
) -> Survey:
    """Return the survey of a shard, going on where its file stopped.

    begin: takes the first batch of the data set, which gives sizes that the program leaves open.
    """
    source, shard = source_of(batches, is_judged), course.shard or (0, 1)
    surveyor = begin(source.read_pilot(course.skips))
    if isinstance(source, Streamed):
        source.count = lambda taken: surveyor.samples(taken, 0).count
    found = surveyor.empty()
    if course.is_part:
        found = resume(course, _first_part(source, surveyor, shard), found)
    return Walk(source, surveyor, course, work, found).go(shard)


def _first_part(source: Source, surveyor: Surveyor, shard: tuple[int, int]) -> Part:
    """Return the part of a shard of which nothing is done."""
    assert source.pilot is not None
    data = digest_samples(source.pilot, surveyor.samples(source.pilot, 0), source.pilot_number)
    origin = replace(surveyor.origin(f"{data:064x}", source.choice), total=source.total)
    return Part(origin, (shard[0],), shard[1], source.positions(shard))


def resume(course: Course, part: Part, empty: Survey) -> Survey:
    """Return the survey in the file of a shard, or that of no samples if there is no file yet."""
    from interp.apps.surveys.part_file import read_survey

    if course.save is None or not course.save.exists():
        return replace(empty, part=part)
    found = read_survey(course.save)
    assert found.part is not None
    difference = part.origin.difference(found.part.origin)
    if (part.shards, part.of) != (found.part.shards, found.part.of):
        difference = "shard", part.name, found.part.name
    if difference:
        verdict = f"{course.save} is of something else: its {difference[0]} is {difference[2]}"
        raise Malformed(verdict, f"expected {difference[1]}: remove the file, or name another one")
    return found


class Walk:
    """A walk through the batches of a shard; `found` is what it knows so far."""

    def __init__(self, source: Source, surveyor: Surveyor, course: Course, work: Work, found: Survey) -> None:
        self.source, self.surveyor, self.course, self.work = source, surveyor, course, work
        self.found = found
        self.written = self.cost = 0.0  # the time of the last checkpoint, and what it took

    def go(self, shard: tuple[int, int]) -> Survey:
        """Return the survey of the shard, or of what was done of it by the deadline."""
        part, own = self.found.part, self.source.own(shard)
        following = part.following if part else 0
        if following is None:
            return self.found
        before, rest = sum(k < following for k in own[:following]), own
        while rest and rest[0] < following:
            rest = rest[1:]
        if rest and rest[0] != self.source.pilot_number:
            self.surveyor.decide(self.source.release())
        return self._through(rest, before, self.source.number(shard))

    def _through(self, own: range, before: int, number: int) -> Survey:
        """Take batch after batch; before: how many were done before, of `number` if that is known."""
        loop = Covered("batches" if number else "or more batches", before, number, self.work.seconds)
        is_whole = True
        for step in self.source.steps(own):
            loop.total = max(number, loop.done + 1)
            is_first = loop.done == before
            if (not is_first and self.work.is_over) or not self._take(step, is_first):
                is_whole = False
                break
            loop.done += 1
            self.work.tell("survey", loop.done, number)
            if self._is_decided():
                loop.total = loop.done
                break
            self._write()
        self._finish(is_whole)
        return replace(self.found, covered=(loop,))

    def _take(self, step: Step, is_first: bool) -> bool:
        """Add a batch to the survey, or why it cannot be read; return whether there was time for it."""
        try:
            taken = step.read()
        except MemoryError:
            raise
        except Exception as error:
            if not self.course.skips:
                raise
            self._add(None, step, 0, (Unread(step.span, _reason(error)),))
            return True
        whole = partial(self.surveyor.measure, taken, step.span[0] + self.course.first)
        found = whole() if is_first else self.work.attempt(whole)
        if found is not None:
            samples = self.surveyor.samples(taken, step.span[0])
            digest = digest_samples(taken, samples, step.span[0]) if self.found.part else 0
            self._add(found, step, digest, ())
        return found is not None

    def _add(self, found: Survey | None, step: Step, digest: int, unread: tuple[Unread, ...]) -> None:
        part = self.found.part
        whole = self.found if found is None else replace(self.found, part=None) + found
        part = part and part.extend(step.span, digest, step.number + 1)
        self.found = replace(whole, part=part, unread=(*self.found.unread, *unread))

    def _is_decided(self) -> bool:
        """Return whether the rate that was asked about is known to lie on one side."""
        until, events = self.course.until, self.found.overflowing
        if until is None or events is None:
            return False
        low, high = anytime(events, self.found.samples)
        return high < until or low > until

    def _write(self) -> None:
        """Write a checkpoint, unless that would take more than a part of the time."""
        if self.course.save is None or monotonic() < self.written + SHARE * self.cost:
            return
        begin = monotonic()
        self._save()
        self.written = monotonic()
        self.cost = self.written - begin

    def _finish(self, is_whole: bool) -> None:
        """Complete the part, and write it."""
        part, total = self.found.part, self.source.total
        if part is None:
            return
        if is_whole:
            known = self.source.position if isinstance(self.source, Streamed) else total
            self.found = replace(self.found, part=part.finish(known or 0))
        if self.course.save is not None:
            self._save()

    def _save(self) -> None:
        from interp.apps.surveys.part_file import save_survey

        assert self.course.save is not None
        save_survey(self.found, self.course.save)


def _reason(error: Exception) -> str:
    """Return the first line of an error, with its type unless it is one of ours."""
    lines: Sequence[str] = str(error).splitlines() or [""]
    return lines[0] if isinstance(error, InterpError) else f"{type(error).__name__}: {lines[0]}"
