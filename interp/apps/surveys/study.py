"""A program and its reference, matched once, and the batches of samples that they run on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from interp.apps.surveys.batches import Batch, samples_of
from interp.apps.surveys.event_counts import Counted, add_events, axis_of, count_overflowing, recorder
from interp.apps.surveys.layer import Layer
from interp.apps.surveys.measure import Measured, Metric, Named, Samples, measure_layer
from interp.apps.surveys.result import Survey
from interp.comparison.matching import Matching, Pair, match_landmarks
from interp.comparison.side_by_side import Kept, refuse_other_results, tensors, translate_arguments
from interp.engine.tensor import Tensor
from interp.execute.run import run, runnable
from interp.execute.unused import settle
from interp.loading.load import Program, as_module
from interp.questions.along import bounds
from interp.questions.bounds import NOWHERE
from interp.recorder.absorbed import absorbed_groups
from interp.recorder.event import Event, Group, short
from interp.recorder.layers import layer_of
from interp.recorder.recorded import Capture, Reduction
from interp.rewrite.fewer_samples import sample_axes
from interp.rewrite.float_reference import reference_of
from interp.rewrite.inlining import inline_and_name
from spec.accumulator import DEQUANTIZE, reading_named
from spec.ir import Module, nested_ops
from spec.readings import reading_of
from spec.schedule import parse

KINDS = ("saturate", "wrap", "nan", "inf", "unspecified")
OF_SUMS = ("inexact",)  # additions that may have absorbed an operand, where sums are observed


class Study:
    """A program and its reference, matched once, and run on one batch after another."""

    def __init__(
        self,
        module: Module,
        against: Program | None,
        options: dict[str, Any],
        sums: bool = False,
        rates: bool = False,
    ) -> None:
        self.sums, self.rates = sums, rates  # whether to observe the accumulators, and the samples of events
        mode, function = (options.pop(k, default) for k, default in (("mode", "mlir"), ("function", "main")))
        self.func = runnable(module, function, mode)
        self.accumulator = _accumulator_text(options.get("accumulator"))
        self.unused, options = settle(module, self.func.name, options)
        known = reference_of(module, self.func) if against is None else None
        other = known.module if known else as_module(against)
        self.reference_name = "the program given"
        if known:
            self.reference_name = f"its float reference ({known.name})" if known.quantizes else known.name
        self.quantizes = known is None or known.quantizes
        self.reference = runnable(other, "main" if against is None else function, mode)
        refuse_other_results(self.func, self.reference)
        pairs = (other, self.reference), (module, self.func)
        (self.left, lefts), (self.right, rights) = (inline_and_name(*pair) for pair in pairs)
        self.names = lefts, rights
        self.matching: Matching = match_landmarks(self.left.main, self.right.main)
        self.pairs, self.has_units = self.matching.pairs(), False
        self.summing = {"accumulator": options.pop("accumulator", None)}  # the reference has its own
        self.options = {"mode": mode, **options}
        self.axes = sample_axes(self.right, samples_of(self.func, Batch(()), 0).size)

    def measure(self, batch: Batch, metric: Metric | None, first: int) -> Survey:
        """Return the survey of one batch, whose first sample has the number `first`."""
        samples = samples_of(self.func, batch, first)
        captures = [Capture(self.right, parse(self.options.get("schedule", "left")))] if self.sums else []
        seen = recorder((*KINDS, *OF_SUMS) if self.sums else KINDS, samples, self.axes, self.rates)
        layers, results, expected = self.compare(batch, samples, seen, *captures)
        rooms = self._rooms(reduction for capture in captures for reduction in capture.found)
        layers = [replace(x, room=rooms.get(x.name)) for x in layers]
        inner = {name: room for name, room in rooms.items() if name not in {x.name for x in layers}}
        place = lambda event: replace(samples, axis=axis_of(event.op, event.what, self.axes))
        groups = [*seen.groups.values()]
        if samples.count == samples.size or samples.size is None:  # no row only fills the batch up
            groups += absorbed_groups((x for capture in captures for x in capture.found), groups)
        events = add_events(self._count(group, place) for group in groups if group.kind not in OF_SUMS)
        judged = Measured.of(metric, results, expected, batch.target, samples) if metric else None
        alone = tuple(tuple(x.value.name for x in side) for side in self.matching.alone())
        return Survey(
            samples.count,
            tuple(layers),
            events,
            judged,
            (alone[0], alone[1]),
            self.func.name,
            reference=self.reference_name,
            left_out=self.left_out,
            quantizes=self.quantizes,
            unused=self.unused,
            accumulator=self.accumulator,
            reading=reading_of(self.right, "main", reading_named(self.options.get("reading", DEQUANTIZE))),
            overflowing=count_overflowing(seen),
            inner=tuple(sorted(inner.items())),
        )

    def compare(
        self, batch: Batch, samples: Samples, *listeners: Any
    ) -> tuple[list[Layer], list[Tensor], list[Tensor]]:
        """Return the layers of one batch, the program's results last, and the results of both programs."""
        given, ours, theirs = self.arguments(batch), self._keeper(1), self._keeper(0)
        heard = [ours, *listeners]
        results = tensors_of(run(self.right, *given, listeners=heard, **self.summing, **self.options))
        real = translate_arguments(given, self.reference)
        expected = tensors_of(run(self.left, *real, listeners=[theirs], **self.options))
        self._leave_out_units(theirs, ours)
        layers = [self._layer(pair, ours, theirs, samples) for pair in self.pairs]
        ends = enumerate(zip(results, expected, strict=True))
        layers += [measure_layer(_result(k), x, y, None, samples) for k, (x, y) in ends]
        return layers, results, expected

    def _rooms(self, reductions: Iterable[Reduction]) -> dict[str, int | None]:
        """Return the least headroom of the accumulators in each layer, by its name, as `bounds` has it.

        A sum in a region has its own name. It is None for a layer with a sum of which it is not known.
        """
        rooms: dict[str, list[int | None]] = defaultdict(list)
        for reduction in reductions:
            value = reduction.written.results[0].name
            name, _ = self._layers.get(value, (self.given_name(value, 1), ""))
            room = bounds(reduction).headroom
            rooms[name].append(None if room == NOWHERE else room)
        return {name: _least(found) for name, found in rooms.items()}

    def decide(self, batch: Batch) -> None:
        """Match values by the numbers of a batch, if there are any to be matched so; this is done once."""
        if any(map(self.matching.is_guess, self.pairs)):
            self.compare(batch, samples_of(self.func, batch, 0))

    def _leave_out_units(self, *kept: Kept) -> None:
        """Leave out pairs in other units, once and for all by the numbers of the first batch."""
        if not self.has_units:
            self.matching.leave_out_units(lambda x, side: kept[side].found[x.last_value.name].dequantize())
            self.pairs, self.has_units = self.matching.pairs(), True

    def arguments(self, batch: Batch) -> list[Any]:
        """Return the arguments of a batch, checked."""
        return tensors(self.func, batch.args)

    @cached_property
    def _layers(self) -> dict[str, tuple[str, str]]:
        """The layer of each value: the name of the layer's value, and its own."""
        return {
            v.name: (self.given_name(x.value.name, 1), layer_of(self.right, x.op))
            for x in (pair.right for pair in self.pairs)
            for v in x.chain
        }

    @property
    def left_out(self) -> tuple[tuple[str, str, str], ...]:
        """The values at the same place that do not mean the same: reference, program, and the reason."""
        pairs = self.matching.left_out
        return tuple(
            (self.given_name(x.left.value.name, 0), self.given_name(x.right.value.name, 1), x.reason)
            for x in pairs
        )

    @property
    def chains(self) -> Mapping[str, Sequence[str]]:
        """The names of the values that belong to each layer, by its name; none to results."""
        found = {
            self.given_name(pair.right.value.name, 1): [self.given_name(v.name, 1) for v in pair.right.chain]
            for pair in self.pairs
        }
        return defaultdict(list, found)

    def _count(self, group: Group, samples_of: Callable[[Event], Samples]) -> Counted:
        """Return events at an operation, which belongs to a layer, or is its own."""
        value = group.first.op.results[0].name
        name = self.given_name(value, 1)
        layer = self._layers.get(value, (name, group.first.layer))
        return Counted.of(group, layer, name, self._positions.get(value, 0), samples_of)

    @cached_property
    def _positions(self) -> dict[str, int]:
        """The place of each value in the order of the operations that compute them."""
        ops = nested_ops(self.right.main.body)
        return {v.name: k for k, op in enumerate(ops, 1) for v in op.results}

    def given_name(self, value: str, side: int) -> str:
        """Return the name of a value in the program as it was given."""
        return self.names[side].get(value, value)

    def _keeper(self, side: int) -> Kept:
        """Return a listener that keeps the values of one side that are compared."""
        landmarks = [(pair.left, pair.right)[side] for pair in self.pairs]
        values = [v for x in landmarks for v in (x.last_value, x.quantized_value) if v is not None]
        return Kept({v.name: v for v in values})

    def _layer(self, pair: Pair, ours: Kept, theirs: Kept, samples: Samples) -> Layer:
        x, y = ours.found[pair.right.last_value.name], theirs.found[pair.left.last_value.name]
        stored = None if pair.right.quantized_value is None else ours.found[pair.right.quantized_value.name]
        samples = replace(samples, axis=self.axes.get(pair.right.value.name))
        name, partner = self.given_name(pair.right.value.name, 1), self.given_name(pair.left.value.name, 0)
        named = Named(name, partner, short(pair.right.op), pair.how, layer_of(self.right, pair.right.op))
        return measure_layer(named, x, y, stored, samples)


def _least(rooms: Sequence[int | None]) -> int | None:
    """Return the least headroom of some sums, None if that of one is not known."""
    known = [room for room in rooms if room is not None]
    return min(known) if known and len(known) == len(rooms) else None


def _accumulator_text(given: Any) -> str:
    """Return the accumulator that was asked for, or those of named sums, as text; "" if none was."""
    if isinstance(given, Mapping):
        return ", ".join(f"{name}: {_accumulator_text(each)}" for name, each in given.items())
    return "" if given is None else str(given)


def tensors_of(results: Sequence[Any]) -> list[Tensor]:
    """Return the results that are tensors, without tokens and tuples."""
    return [x for x in results if isinstance(x, Tensor)]


def _result(number: int) -> Named:
    return Named(f"result {number}", f"result {number}", "return", "result")
