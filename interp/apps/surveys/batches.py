"""Batches of samples: the arguments of one run after another, cut from arrays that are read on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any, TypeVar, overload

import numpy as np

from interp.apps.surveys.columns import Column, column_of
from interp.apps.surveys.measure import Samples
from interp.engine.arguments import function_named
from interp.engine.work import Covered, Work
from interp.execute.refine import refine
from spec.errors import Malformed, short_text
from spec.ir import Func, Module
from spec.types import BundleType

OPEN_BATCH = 32  # samples of a batch whose size the program leaves open

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Batch:
    """Arguments of one run, what `metric` compares its results with, and how many of its samples count.

    count: the first samples that count, if the last batch had to be filled up; None for all. numbers: those
    of its samples in the data set, if they do not follow one another.
    """

    args: Sequence[Any]
    target: Any = None
    count: int | None = None
    numbers: Sequence[int] | None = None


def batch(given: Any, with_target: bool) -> Batch:
    """Return what an iterable of batches yields as a `Batch`; `Malformed` if a target is missing."""
    if isinstance(given, Batch):
        return given
    target = None
    if with_target:
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise Malformed(
                f"a batch without target: {short_text(type(given))}",
                "with a metric, every batch is a pair (arguments, target)",
            )
        given, target = given
    return Batch(tuple(given) if isinstance(given, tuple | list) else (given,), target)


def samples_of(func: Func, batch: Batch, first: int) -> Samples:
    """Return the samples of a batch: along the first dimension if all arguments and results share it."""
    types = (*(v.type for v in func.inputs), *func.results)
    shapes = [t.shape for t in types if not isinstance(t, BundleType)]
    firsts = {shape[0] if shape else None for shape in shapes}
    size = firsts.pop() if len(firsts) == 1 else None
    most = 1 if size is None else size
    count = most if batch.count is None else batch.count
    if not most:
        what_to_do = "expected at least one sample along the first dimension: leave empty batches out"
        raise Malformed("an empty batch", what_to_do)
    if not 0 < count <= most:
        raise Malformed(f"a batch in which {count} samples count", f"expected from 1 to {most}")
    numbers = None if batch.numbers is None else tuple(map(int, batch.numbers[:count]))
    return Samples(first, count, size, numbers=numbers)


class Batches(Sequence[Batch]):
    """Batches of one size over columns of samples; each is read when it is asked for, and not kept.

    `samples` is the number of all samples, `drawn` the numbers of those that were drawn, None for all; the
    last batch is filled up with its last sample. `choice` says which samples these are.
    """

    def __init__(
        self, columns: Sequence[Column], target: Column | None, size: int, drawn: Sequence[int], choice: str
    ) -> None:
        self.columns, self.target, self.size, self.choice = columns, target, size, choice
        self.drawn, self.samples = drawn, len(drawn)

    def __len__(self) -> int:
        return -(-self.samples // self.size)

    @overload
    def __getitem__(self, k: int) -> Batch: ...
    @overload
    def __getitem__(self, k: slice) -> list[Batch]: ...
    def __getitem__(self, k: int | slice) -> Batch | list[Batch]:
        if isinstance(k, slice):
            return [self[j] for j in range(*k.indices(len(self)))]
        first, stop = self.span(range(len(self))[k])
        rows = self.drawn[first:stop]
        target = None if self.target is None else self._read(self.target, rows)
        numbers = None if isinstance(self.drawn, range) else rows
        return Batch([self._read(x, rows) for x in self.columns], target, len(rows), numbers)

    def span(self, k: int) -> tuple[int, int]:
        """Return the positions of the first sample of a batch, and of the one after its last."""
        return k * self.size, min(self.samples, (k + 1) * self.size)

    def _read(self, column: Column, rows: Sequence[int]) -> np.ndarray:
        """Return the samples of some numbers, the last one again until the batch is full."""
        found = column.take(rows)
        missing = self.size - len(rows)
        return np.concatenate([found, np.repeat(found[-1:], missing, axis=0)]) if missing else found


def batched(
    module: Module,
    *arrays: Any,
    targets: Any = None,
    function: str = "main",
    limit: int | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> Batches:
    """Return batches of the size that the function takes from arrays of all samples; the last is filled up.

    arrays: anything with a length and rows: NumPy's arrays, memory maps, Zarr's arrays, or `columns` of a
    file or data set. They are read batch by batch. A size that is unknown becomes 32, or the number of
    samples if there are fewer. limit: only the first samples, so many. sample: so many samples, drawn without
    replacement by `seed` and read in the order drawn; the same on every machine. Raises `Malformed` if the
    arrays differ in length, or the arguments' first dimensions do.
    """
    func = function_named(module, function)
    columns = [column_of(x) for x in arrays]
    target = None if targets is None else column_of(targets)
    numbers = {len(x) for x in (*columns, *([] if target is None else [target]))}
    drawn, choice = choose_samples(min(numbers, default=0), limit, sample, seed)
    if module.is_dynamic and all(None in v.type.shape[:1] for v in func.inputs):
        part = range(min(OPEN_BATCH, *numbers, len(drawn)))
        func = function_named(refine(module, *(x.take(part) for x in columns)), function)
    size = samples_of(func, Batch(()), 0).size
    if size is None or len(numbers) != 1 or not size:
        raise Malformed(
            "samples cannot be told apart",
            "expected arguments and results with the same first dimension, "
            f"and arrays of one length\ngot lengths {sorted(numbers)}",
        )
    return Batches(columns, target, size, drawn, choice)


def choose_samples(
    number: int, limit: int | None, sample: int | None, seed: int
) -> tuple[Sequence[int], str]:
    """Return the numbers of the samples that were asked for, and a text that says which they are."""
    for name, most in (("limit", limit), ("sample", sample)):
        if most is not None and most < 1:
            raise Malformed(f"{name}={most}", "expected at least one sample")
    total = number if limit is None else min(number, limit)
    text = [f"limit {limit}"] if limit is not None else []
    if sample is None:
        return range(total), ", ".join(text)
    if sample > total:
        raise Malformed(f"sample={sample}", f"there are {total:,} samples to draw from")
    return draw(total, sample, seed), ", ".join([*text, f"sample {sample} seed {seed}"])


def draw(total: int, number: int, seed: int) -> list[int]:
    """Return different numbers below `total` in random order: the start of a shuffle by Fisher and Yates.

    Python promises the sequence of `Random.random` for a seed, so that every machine draws the same.
    """
    random, moved, drawn = Random(seed).random, dict[int, int](), []
    for k in range(number):
        j = k + int(random() * (total - k))
        drawn.append(moved.get(j, j))
        moved[j] = moved.get(k, k)
    return drawn


def add_batches(
    batches: Iterable[Any],
    verb: str,
    work: Work,
    is_judged: bool,
    first: int,
    start: Callable[[Batch], Callable[[Batch, int], Answer]],
) -> Answer:
    """Return the sum of the answers about each batch, of those that were done by the deadline, at least one.

    is_judged: whether each batch has a target. first: the number of the first sample. start: takes the first
    batch, which gives sizes that the program leaves open, and returns what measures a batch from the number
    of its first sample on; its answer has `samples`.
    """
    number = len(batches) if isinstance(batches, Sized) else 0
    found: Any = None
    measure: Callable[[Batch, int], Answer] | None = None
    loop = Covered("batches" if number else "or more batches", 0, number, work.seconds)
    for k, given in enumerate(batches):
        loop.total = max(number, k + 1)
        if found is not None and work.is_over:
            break
        taken = batch(given, is_judged)
        measure = measure or start(taken)
        whole = partial(measure, taken, first)
        each: Any = whole() if found is None else work.attempt(whole)
        if each is None:
            break
        found = each if found is None else found + each
        first += each.samples
        loop.done = k + 1
        work.tell(verb, k + 1, number)
    if found is None:
        raise Malformed("no batches", f"give at least one: {verb}(m, [x])")
    answer: Answer = replace(found, covered=(loop,))
    return answer
