"""`survey`: a program beside its float reference over a data set, layer by layer, batch after batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interp.apps.surveys.batches import Batch, samples_of
from interp.apps.surveys.measure import (
    Metric,
    Ranked,
    Ranking,
    Samples,
    in_order,
    measure_effect,
    metric_named,
)
from interp.apps.surveys.part import Origin, digest_program, name_option, versions
from interp.apps.surveys.result import Survey
from interp.apps.surveys.shard import Course, survey_batches
from interp.apps.surveys.study import Study, tensors_of
from interp.comparison.side_by_side import lower_reference, translate_arguments
from interp.engine.tensor import Tensor
from interp.engine.work import Progress, Work
from interp.execute.refine import refine, refuse_other_values
from interp.execute.run import run, runnable
from interp.loading.load import Program, as_module
from interp.loading.models import is_function
from interp.loading.source import RESERVED
from interp.rewrite.float_reference_rules import dense_of, plain, reading
from spec.accumulator import DEQUANTIZE, reading_named
from spec.errors import Unsupported
from spec.ir import Module, Op, Value, return_only
from spec.schedule import parse
from spec.types import TensorType


def survey(
    module: Module,
    batches: Iterable[Any],
    metric: str | Metric | None = None,
    against: Callable[..., Any] | Program | None = None,
    *,
    ranking: bool = False,
    sums: bool = False,
    rates: bool = False,
    until: float | None = None,
    first: int = 0,
    shard: tuple[int, int] | None = None,
    save: str | Path | None = None,
    skip_unreadable: bool = False,
    seconds: float | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Survey:
    """Run a program and its reference on batches of samples, and return what every layer loses.

    batches: `batched` arrays, or an iterable of arguments, read one after the other: a tuple (one array alone
    for one argument), a `Batch`, or, with a metric, a pair `(arguments, target)`. The first one gives sizes
    that are unknown. Along the first dimension, where all arguments and results share it, lie samples.
    metric: "accuracy" (the target has the index of the largest number of each row of the first result), or a
    function `(results, target)` of real arrays that returns one for each sample, or one that counts for each
    sample of its batch. It is computed for the program and for the reference. against: the reference, by
    default that of `compare`; a program, or your own function or model of the dequantized arguments. Values
    are matched as by `compare` of two programs. ranking: whether to rank the layers by what their
    quantization costs, one at a time: see `Ranking`. It takes two runs of the reference for each layer and
    batch. sums: whether to observe the accumulators of sums: `Layer.room`, the headroom that `bounds` has,
    and events `absorbed`. rates: whether to count the samples with an overflow, for `Survey.rates`, which
    takes longer. until: stop
    as soon as their rate is known, with 95 % confidence, to be below or above this one; the samples must come
    in random order (`batched(sample=)`). first: the number of the first sample, so that surveys of shards can
    be added: `a + b`. shard: (i, n) for shard i of n, from 0 on, which `merge_surveys` adds. save: the file
    of the part, written on the way: the same call goes on where it stopped. skip_unreadable: leave out
    batches of `batched` that cannot be read; `Survey.unread` has them. seconds: the survey has the batches
    that were done by then, at least one. progress: called with a text, the batches done, and their number, 0
    if that is not known. Other options are those of `run`; accumulators are those of the program, by names
    such as `%4` or, of a called function, `%pool.4`.
    """
    judge = metric_named(metric)
    course = Course(shard, None if save is None else Path(save), skip_unreadable, until, first)
    asked = Asked(module, judge, against, ranking, sums, rates or until is not None, until, options)
    begin = partial(Surveyor, asked)
    return survey_batches(batches, judge is not None, begin, course, Work(seconds, progress))


class Asked(NamedTuple):
    """Options of a survey."""

    module: Module
    metric: Metric | None
    against: Callable[..., Any] | Program | None
    ranking: bool
    sums: bool
    rates: bool
    until: float | None
    options: dict[str, Any]


def settle_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a run with the usual ones, the reading and the schedule as they are meant."""
    usual = {"function": "main", "mode": "mlir", "schedule": "left", "reading": DEQUANTIZE, "recipe": None}
    settled = {**usual, **options}
    settled["reading"] = reading_named(settled["reading"], None, settled.pop("recipe"))
    return settled | {"schedule": parse(settled["schedule"])}


class Surveyor:
    """A program and its reference, refined to the sizes of a batch; each batch becomes a survey."""

    def __init__(self, asked: Asked, sample: Batch) -> None:
        self.asked, against = asked, asked.against
        self.module, options = asked.module, asked.options
        self.refined = refine(self.module, *sample.args)
        self.other: Module | None
        if is_function(against):
            func = runnable(self.refined, options.get("function", "main"), options.get("mode", "mlir"))
            self.other = lower_reference(against, func, sample.args)
        else:
            self.other = None if against is None else as_module(against)
        self.reference = refine(self.other, *sample.args) if self.other else None
        self.study = Study(self.refined, self.reference, dict(options), asked.sums, asked.rates)
        if is_function(against):
            self.study.reference_name = getattr(against, "__name__", type(against).__name__)
        self.ranker = Ranker(self.study, asked.metric) if asked.ranking else None

    def samples(self, taken: Batch, first: int) -> Samples:
        """Return the samples of a batch."""
        return samples_of(self.study.func, taken, first)

    def decide(self, taken: Batch) -> None:
        """Match values whose units only numbers tell."""
        self.study.decide(taken)

    def empty(self) -> Survey:
        """Return the survey of no samples."""
        return Survey(0, (), (), None, ((), ()), self.study.func.name, until=self.asked.until)

    def measure(self, taken: Batch, first: int) -> Survey:
        """Return the survey of one batch, with its ranking if that was asked for."""
        refuse_other_values(self.module, self.refined, taken.args)
        if self.other and self.reference:
            refuse_other_values(self.other, self.reference, taken.args)
        found = self.study.measure(taken, self.asked.metric, first)
        ranking = self.ranker.rank(taken) if self.ranker else None
        return replace(found, ranking=ranking, until=self.asked.until)

    def origin(self, data: str, choice: str) -> Origin:
        """Return what the parts of the survey share."""
        asked = {name: getattr(self.asked, name) for name in ("metric", "ranking", "sums", "rates", "until")}
        asked |= {"samples": choice or "all", "batch": self.samples(Batch(()), 0).size}
        asked |= settle_options(self.asked.options)
        options = tuple(sorted((name, name_option(value)) for name, value in asked.items()))
        reference = name_option(self.asked.against) if is_function(self.asked.against) else ""
        if self.other and not reference:
            reference = digest_program(self.other)
        return Origin(digest_program(self.module), reference, options, versions(), data, None)


# Ranking of layers by what their quantization costs alone, and by what is won if they stay in float


CONSTANT = "stablehlo.constant"


class Ranker:
    """The variants of a program's reference, in each of which other layers are quantized.

    There is one with each layer alone, one with all layers but it, and one with all.
    """

    def __init__(self, study: Study, metric: Metric | None) -> None:
        if study.summing["accumulator"] is not None:
            raise Unsupported("a ranking in other accumulators", "its programs have other sums")
        self.study, self.metric = study, metric

    @cached_property
    def layers(self) -> dict[str, Quantization]:
        """The layers by name; the numbers of the first batch decide which pairs there are."""
        return dict(quantized_layers(self.study))

    @cached_property
    def variants(self) -> list[Module]:
        """The variants, in order."""
        study, each = self.study, list(self.layers.values())
        variants = [_simulate(study, [x]) for x in each]
        variants += [_simulate(study, [x for x in each if x is not left_out]) for left_out in each]
        return [*variants, _simulate(study, each)]

    def rank(self, batch: Batch) -> Ranking:
        """Return the ranking of one batch."""
        study, samples = self.study, samples_of(self.study.func, batch, 0)
        real = translate_arguments(study.arguments(batch), study.reference)
        expected, effects = tensors_of(run(study.left, *real, **study.options)), []
        for variant in self.variants:
            results = tensors_of(run(variant, *real, **study.options))
            effects.append(measure_effect(results, expected, self.metric, batch.target, samples))
        n = len(self.layers)
        rows = zip(self.layers, effects[:n], effects[n : 2 * n], strict=True)
        return Ranking(samples.count, in_order(Ranked(*row) for row in rows), effects[-1])


@dataclass(frozen=True, eq=False)
class Quantization:
    """A layer's quantization: a value of the reference and its type, and constants in place of operands."""

    value: Value
    type: TensorType
    op: Op | None
    operands: dict[int, np.ndarray]


def quantized_layers(study: Study) -> Iterator[tuple[str, Quantization]]:
    """Yield the layers that the program quantizes, by name: arguments, and matched values."""
    left, right = study.matching.sides
    for ours, theirs in zip(right.arguments, left.arguments, strict=True):
        if stored := _last_quantized(ours):
            yield f"argument {ours[0].name}", Quantization(theirs[-1], stored.type, None, {})
    for pair in study.pairs:
        rounds = pair.left.op.name == pair.right.op.name and pair.right.index not in study.matching.merged
        operands = _other_constants(study, pair.left.op, pair.right.op) if rounds else {}
        if pair.right.quantized_value or operands:
            kept = pair.right.quantized_value or pair.left.last_value
            name = study.given_name(pair.right.value.name, 1)
            yield name, Quantization(pair.left.last_value, kept.type, pair.left.op, operands)


def _last_quantized(chain: Sequence[Value]) -> Value | None:
    return next((v for v in chain[::-1] if v.type.is_quantized), None)


def _other_constants(study: Study, left: Op, right: Op) -> dict[int, np.ndarray]:
    """Return the constant operands of the program's operation that differ from the reference's, as reals."""
    sides = study.matching.sides
    found = {}
    for k, (x, y) in enumerate(zip(left.operands, right.operands, strict=False)):
        if x.type.shape == y.type.shape and sides[0].is_static(x) and sides[1].is_static(y):
            was, is_now = static(study.left, x).dequantize(), static(study.right, y).dequantize()
            if was.dtype == is_now.dtype and not np.array_equal(was, is_now, equal_nan=True):
                found[k] = is_now
    return found


def static(module: Module, value: Value) -> Tensor:
    """Return a value that depends on no argument."""
    main = module.main
    body = replace(return_only(main.body, [value]), arguments=())
    func = replace(main, body=body, results=(value.type,))
    (found,) = run(replace(module, functions={**module.functions, "main": func}))
    return found


def _simulate(study: Study, layers: Sequence[Quantization]) -> Module:
    """Return the reference with the quantization of some layers."""
    main = study.left.main
    by_value = {x.value.name: x for x in layers if x.type.is_quantized}
    by_op = {id(x.op): x.operands for x in layers if x.op is not None}
    known: dict[str, Value] = {}
    ops: list[Op] = []

    def through(values: Iterable[Value]) -> None:
        for value in values:
            if value.name in by_value:
                ops.extend(quantized_and_back(value, by_value[value.name].type))
                known[value.name] = ops[-1].result

    through(main.inputs)
    for op in main.body.ops:
        new = reading(op, known)
        for k, numbers in by_op.get(id(op), {}).items():
            constant = Value(f"%constant{RESERVED}{k}{RESERVED}{op.results[0].name[1:]}", op.operands[k].type)
            ops.append(Op(CONSTANT, (), (constant,), {"value": dense_of(numbers, constant.type)}))
            new = replace(new, operands=(*new.operands[:k], constant, *new.operands[k + 1 :]))
        ops.append(new)
        through(op.results)
    func = replace(main, body=replace(main.body, ops=tuple(ops)))
    return replace(study.left, functions={**study.left.functions, "main": func})


def quantized_and_back(value: Value, type: TensorType) -> list[Op]:
    """Return operations that quantize a float value to a type, and dequantize it again."""
    steps = [("uniform_quantize", type), ("uniform_dequantize", plain(type))]
    if plain(type) != value.type:
        steps = [("convert", plain(type)), *steps, ("convert", value.type)]
    ops: list[Op] = []
    for k, (name, result) in enumerate(steps):
        operand = ops[-1].result if ops else value
        new = Value(f"%step{k}{RESERVED}{value.name.removeprefix('%')}", result)
        ops.append(Op(f"stablehlo.{name}", (operand,), (new,)))
    return ops
