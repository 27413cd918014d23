"""`widths`: how many bits the sums of a program need, and what narrower accumulators cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from interp.apps.accumulator_study.answer import Widths
from interp.apps.accumulator_study.layers import (
    Layer,
    accumulator_for,
    exact_accumulator,
    is_by_blocks,
    layers_of,
)
from interp.apps.accumulator_study.observation import Clipping, ClipRecorder, join_runs
from interp.apps.accumulator_study.rows import ALL, Cost, Row, rows_of
from interp.apps.surveys.batches import Batch, add_batches, samples_of
from interp.apps.surveys.measure import Effect, Metric, Samples, measure_effect, metric_named
from interp.apps.surveys.study import tensors_of
from interp.comparison.side_by_side import tensors
from interp.engine.evaluate import Listener
from interp.engine.tensor import Tensor
from interp.engine.work import Progress, Work
from interp.execute.accumulating import Asked, Given, Hardware, asked_for
from interp.execute.along import is_contraction
from interp.execute.refine import refine, refuse_other_values
from interp.execute.run import reading_and_ways, run, runnable
from interp.recorder.names import name_of
from interp.recorder.recorded import Capture
from interp.rewrite.fewer_samples import Axes, sample_axes
from interp.rewrite.inlining import inline_and_name
from interp.theory.along import holds
from interp.theory.sums import Ends
from spec.accumulation import Accumulation
from spec.accumulator import Accumulator, Reading
from spec.errors import Malformed, Unsupported, several
from spec.ir import Module
from spec.schedule import LEFT

ALONE = (int, str, Accumulator, Hardware, Accumulation)
RAISE = "a program that simulates quantization in float sums floats: pass raise_qdq=True (--raise-qdq)"


def widths(
    module: Module,
    batches: Iterable[Any] | None = None,
    accumulators: Iterable[Given] | Given = (),
    metric: str | Metric | None = None,
    *,
    raise_qdq: bool = False,
    function: str = "main",
    mode: str = "mlir",
    reading: str | Reading = "dequantize",
    recipe: str | None = None,
    first: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Widths:
    """Return how many bits each channel of each layer's sums needs, and what other accumulators cost.

    batches: what `survey` takes; without them only what holds for every input is known. accumulators: what
    `run` takes: "i20 saturate", "i16 wrap", "i20 saturate blocks(16) i32". Each runs in every layer alone,
    and in all; all other sums are exact. metric: "accuracy" or a function, as for `survey`. raise_qdq:
    whether to raise simulated quantization first; without it only contractions of dequantized numbers are
    layers of such a program. first: the number of the first sample, so that studies of shards can be added.
    seconds: the study has the batches that were done by then, at least one. progress: called with a text,
    the steps done, and their number. Raises `Unsupported` if no sum is one of integers.
    """
    judge = metric_named(metric)
    asked = {
        repr(x): x for x in (asked_for(x, LEFT) for x in several(accumulators, "accumulators", alone=ALONE))
    }
    if asked and batches is None:
        raise Malformed("accumulators without data", "give batches: widths(m, [x], accumulators=...)")
    options = {"function": function, "mode": mode, "reading": reading, "recipe": recipe}
    work = Work(seconds, progress)
    if batches is None:
        return Study(module, options, asked, raise_qdq, work).empty

    def start(sample: Batch) -> Callable[[Batch, int], Widths]:
        refined = refine(module, *sample.args)
        study = Study(refined, options, asked, raise_qdq, work)

        def measure(taken: Batch, first: int) -> Widths:
            refuse_other_values(module, refined, taken.args)
            return study.measure(taken, judge, first)

        return measure

    return add_batches(batches, "widths", work, judge is not None, first, start)


class Study:
    """A program without calls, its layers, and the accumulators that are asked for."""

    def __init__(
        self,
        module: Module,
        options: Mapping[str, Any],
        asked: Mapping[str, Asked],
        raises: bool,
        work: Work,
    ) -> None:
        if raises:
            from interp.apps.quantization.raise_qdq import raise_qdq

            module = raise_qdq(module, options["function"]).module
        self.func = runnable(module, options["function"], options["mode"])
        self.program, names = inline_and_name(module, self.func)
        self.options = {key: options[key] for key in ("mode", "reading", "recipe")}
        work.tell("proof", 0, 1)
        self.layers, self.left_out = layers_of(self.program, names, self.options)
        if not self.layers:
            reasons = [f"{name}: {why}" for name, why in self.left_out]
            what_to_do = "\n".join([*reasons, *([RAISE] if self.left_out and not raises else [])])
            raise Unsupported(f"@{self.func.name} has no sums of integers", what_to_do, self.func.location)
        self.asked, self.raised, self.work = asked, raises, work
        for each in asked.values():  # refuses what a layer cannot be summed in, before long work begins
            ways = {layer.key: argument_of_run(each, layer, options) for layer in self.trial_layers}
            reading_and_ways(self.program, ["main"], LEFT, (options["reading"], ways, options["recipe"]))

    @cached_property
    def trial_layers(self) -> list[Layer]:
        """The layers that runs have in other accumulators."""
        return [layer for layer in self.layers if layer.is_tried]

    @cached_property
    def empty(self) -> Widths:
        """The study without data."""
        rows = tuple(row for layer in self.layers for row in rows_of(layer))
        return Widths(self.func.name, 0, rows, left_out=tuple(self.left_out), is_raised=self.raised)

    def measure(self, batch: Batch, metric: Metric | None, first: int) -> Widths:
        """Return the study of one batch, whose first sample has the number `first`."""
        samples = samples_of(self.func, batch, first)
        axes, capture = sample_axes(self.program, samples.size), Capture(self.program, LEFT)
        trial = Trial(self, tensors(self.func, batch.args), batch.target, metric, samples, axes, capture)
        rows, costs = [trial.observe(layer) for layer in self.layers], list[Cost]()
        total = len(self.asked) * (len(self.trial_layers) + 1)
        for name, asked in self.asked.items():
            clippings = list[list[Clipping]]()
            for layer in self.layers:
                if not layer.is_tried:
                    clippings.append([Clipping() for _ in layer.channels])
                    continue
                effect, own = trial.alone(layer, asked)
                clippings.append(own)
                costs.append(Cost(name, layer.name, effect))
                self.work.tell("runs", len(costs), total)
            pairs = zip(rows, clippings, strict=True)
            rows = [[_add_clipping(*each, name) for each in zip(*pair, strict=True)] for pair in pairs]
            costs.append(Cost(name, ALL, trial.together(asked)))
            self.work.tell("runs", len(costs), total)
        every, names = tuple(row for own in rows for row in own), tuple(self.asked)
        return replace(self.empty, samples=samples.count, rows=every, accumulators=names, costs=tuple(costs))


def argument_of_run(asked: Asked, layer: Layer, options: Mapping[str, Any]) -> Given:
    """Return what `run` takes for an accumulator that was asked for; a layer by blocks has it within them."""
    if is_by_blocks(layer.op, options) and not asked.accumulation.is_by_scales:
        return Accumulation.parse(f"scales({asked.accumulation!r}; left)")
    return asked.machine or asked.accumulation


def _add_clipping(row: Row, clipping: Clipping, accumulator: str) -> Row:
    return replace(row, clippings={**row.clippings, accumulator: clipping})


class Trial:
    """The runs of one batch: with exact sums, and with layers in other accumulators."""

    def __init__(
        self,
        study: Study,
        args: list[Tensor],
        target: Any,
        metric: Metric | None,
        samples: Samples,
        axes: Axes,
        capture: Capture,
    ) -> None:
        self.study, self.args, self.target, self.metric = study, args, target, metric
        self.samples, self.axes = samples, axes
        exact = exact_accumulator(study.options)
        self.exact: dict[str, Given] = {
            layer.key: accumulator_for(layer.op, exact, study.options) for layer in study.trial_layers
        }
        self.results = self._run(self.exact, capture)
        self.runs = capture.found
        self.ranges = dict[str, Ends]()  # of partial sums in any order, by layer

    def observe(self, layer: Layer) -> list[Row]:
        """Return the rows of a layer, with the extremes of its partial sums."""
        if not layer.is_tried:
            return list(rows_of(layer))
        runs = [x for x in self.runs if name_of(self.study.program, x.written) == layer.key]
        axis = self.axes.get(layer.op.results[0].name)
        joint = join_runs(layer, runs, replace(self.samples, axis=axis))
        if joint is None:
            return list(rows_of(layer))
        self.ranges[layer.key] = joint[1]
        columns = [[(int(a), int(b)) for a, b in zip(*ends, strict=True)] for ends in joint]
        return [
            replace(row, observed=ordered, observed_in_any_order=anyhow)
            for row, ordered, anyhow in zip(rows_of(layer), *columns, strict=True)
        ]

    def alone(self, layer: Layer, asked: Asked) -> tuple[Effect, list[Clipping]]:
        """Return the effect of an accumulator in one layer, and what clips there, by channel."""
        if self._keeps_exact(layer, asked):
            return self._effect(self.results), [Clipping() for _ in layer.channels]
        recorder = ClipRecorder(layer, asked.accumulation, self.samples, self.axes)
        own = argument_of_run(asked, layer, self.study.options)
        results = self._run({**self.exact, layer.key: own}, recorder)
        return self._effect(results), recorder.found

    def together(self, asked: Asked) -> Effect:
        """Return the effect of an accumulator in all layers."""
        if all(self._keeps_exact(layer, asked) for layer in self.study.trial_layers):
            return self._effect(self.results)
        layers, options = self.study.trial_layers, self.study.options
        return self._effect(self._run({x.key: argument_of_run(asked, x, options) for x in layers}))

    def _keeps_exact(self, layer: Layer, asked: Asked) -> bool:
        """Return whether an accumulator is known to hold all sums of a layer, so that its run is exact.

        THEOREM: a node that adds some of the leaves lies between their extreme sums in any order, if the init
        value stands once or is zero. Where every node's type holds these, no node loses anything.
        """
        accumulation, ends = asked.accumulation, self.ranges.get(layer.key)
        types = [
            x for a in accumulation.arithmetics for x in (a.element_type, a.product_type or a.element_type)
        ]
        repeats = (
            any(level.is_grouping for level in accumulation.levels) and accumulation.start != "from zero"
        )
        if (
            ends is None
            or self.study.options["recipe"] is not None
            or (repeats and not is_contraction(layer.op))
        ):
            return False
        return all(type is not None and type.is_integer and holds(type, ends) for type in types)

    def _effect(self, results: list[Tensor]) -> Effect:
        return measure_effect(results, self.results, self.metric, self.target, self.samples)

    def _run(self, accumulator: Mapping[str, Given], *listeners: Listener) -> list[Tensor]:
        known = {"accumulator": accumulator or None, "listeners": listeners, **self.study.options}
        return tensors_of(run(self.study.program, *self.args, **known))
