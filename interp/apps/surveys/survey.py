"""`survey`: a program beside its float reference over a data set, layer by layer, batch after batch."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from dataclasses import replace
from functools import partial
from typing import Any

from interp.apps.surveys.ranking import Ranker
from interp.apps.surveys.result import Survey
from interp.apps.surveys.study import Batch, Metric, Study, batch, metric_named
from interp.engine.work import Covered, Progress, Work
from interp.execute.refine import refine
from interp.loading.load import Program
from spec.errors import Malformed
from spec.ir import Module


def survey(
    module: Module,
    batches: Iterable[Any],
    metric: str | Metric | None = None,
    against: Program | None = None,
    *,
    ranking: bool = False,
    first: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Survey:
    """Run a program and its reference on batches of samples, and return what every layer loses.

    batches: an iterable of arguments, read one after the other: a tuple (one array alone for one argument), a
    `Batch`, or, with a metric, a pair `(arguments, target)`. The first one gives sizes that are unknown.
    Along the first dimension, where all arguments and results share it, lie samples. metric: "accuracy" (the
    target has the index of the largest number of each row of the first result), or a function `(results,
    target)` of real arrays that returns one for each sample, or one that counts for each sample of its batch.
    It is computed for the program and for the reference. against: the reference, by default that of
    `compare`. Values are matched as by `compare` of two programs. ranking: whether to rank the layers by
    what their quantization costs, one at a time: see `Ranking`. It takes two runs of the reference for each
    layer and batch. first: the number of the first sample, so that surveys of shards can be added: `a + b`.
    seconds: the survey has the batches that were done by then, at least one. progress: called with a text,
    the batches done, and their number, 0 if that is not known. Other options are those of `run`.
    """
    judge, number = metric_named(metric), len(batches) if isinstance(batches, Sized) else 0
    work = Work(seconds, progress)
    study: Study | None = None
    found: Survey | None = None
    loop = Covered("batches" if number else "or more batches", 0, number, work.seconds)
    for k, given in enumerate(batches):
        loop.total = max(number, k + 1)
        if found is not None and work.is_over:
            break
        taken = batch(given, judge is not None)
        if study is None:  # the first batch gives sizes that the program leaves open
            study = Study(refine(module, *taken.args), against, options)
            ranker = Ranker(study, judge) if ranking else None
        whole = partial(_measured, study, ranker, taken, judge, first)
        each = whole() if found is None else work.attempt(whole)
        if each is None:
            break
        found = each if found is None else found + each
        first += each.samples
        loop.done = k + 1
        work.tell("survey", k + 1, number)
    if found is None:
        raise Malformed("no batches", "give at least one: survey(m, [x])")
    return replace(found, covered=(loop,))


def _measured(study: Study, ranker: Ranker | None, taken: Batch, judge: Metric | None, first: int) -> Survey:
    """Return the survey of one batch, with its ranking if that was asked for."""
    found = study.measured(taken, judge, first)
    return replace(found, ranking=ranker.ranked(taken)) if ranker else found
