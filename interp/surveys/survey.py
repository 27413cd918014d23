"""`survey`: a program beside its float reference over a data set, layer by layer, batch after batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from dataclasses import replace
from typing import Any

from interp.execute.refine import refine
from interp.reading.load import Program
from interp.surveys.ranking import Ranker
from interp.surveys.result import Survey
from interp.surveys.study import Metric, Study, batch, metric_named
from spec.errors import Malformed
from spec.ir import Module

Progress = Callable[[str, int, int], None]


def survey(
    module: Module,
    batches: Iterable[Any],
    metric: str | Metric | None = None,
    against: Program | None = None,
    *,
    ranking: bool = False,
    first: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> Survey:
    """Run a program and its reference on batches of samples, and return what every layer loses.

    batches: an iterable of arguments, read one after the other: a tuple (one array alone for one argument), a
    `Batch`, or, with a metric, a pair `(arguments, target)`. The first one gives sizes that are unknown.
    Along the first dimension, where all arguments and results share it, lie samples.
    metric: "accuracy" (the target has the index of the largest number of each row of the first result), or a
    function `(results, target)` of real arrays that returns one for each sample, or one that counts for each
    sample of its batch. It is computed for the program and for the reference.
    against: the reference, by default that of `compare`. Values are matched as by `compare` of two programs.
    ranking: whether to rank the layers by what their quantization costs, one at a time: see `Ranking`. It
    takes two runs of the reference for each layer and batch.
    first: the number of the first sample, so that surveys of shards can be added: `a + b`. progress: called
    with a text, the batches done, and their number, 0 if that is not known. Other options are those of `run`.
    """
    judge, number = metric_named(metric), len(batches) if isinstance(batches, Sized) else 0
    study: Study | None = None
    found: Survey | None = None
    for k, given in enumerate(batches):
        taken = batch(given, judge is not None)
        if study is None:  # the first batch gives sizes that the program leaves open
            study = Study(refine(module, *taken.args), against, options)
            ranker = Ranker(study, judge) if ranking else None
        each = study.measured(taken, judge, first)
        if ranker:
            each = replace(each, ranking=ranker.ranked(taken))
        found = each if found is None else found + each
        first += each.samples
        if progress:
            progress("survey", k + 1, number)
    if found is None:
        raise Malformed("no batches", "give at least one: survey(m, [x])")
    return found
