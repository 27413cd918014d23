"""The listener that checks every operation and every node of a run for events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from interp.backends import NUMPY, State
from interp.engine.additions import Adding, Addition
from interp.engine.bodies import combining
from interp.engine.evaluate import Listener, Place
from interp.engine.facts import facts
from interp.engine.fold import Sums
from interp.engine.in_integers import hold_sum
from interp.engine.quant import to_destination_type
from interp.engine.requantizing import requantize_elements
from interp.engine.storage import identity
from interp.kernels.dynamism import as_ran
from interp.kernels.elementwise import plain
from interp.recorder import detect, detect_sums
from interp.recorder.batch import SCATTER, Batch, Judgement, mask_events, no_value
from interp.recorder.detect_sums import addition_events
from interp.recorder.event import KINDS, known_kinds
from interp.recorder.exact import Array
from interp.recorder.products import infinite_products, wrapped_products
from interp.speed.exact_contraction import accumulation_type
from interp.speed.order_free import Form, without_events
from spec.accumulator import LITERAL, Reading
from spec.faults import has_fault
from spec.integer_reading import in_integers
from spec.ir import Module, Op, Value
from spec.op_attributes import algorithm_of, expressed_element
from spec.types import ElementType, QuantizedType, is_tensor


class Watcher(Listener):
    """Listener that calls `note` for every judgement of the given kinds, with its batch."""

    def __init__(self, kinds: str | Iterable[str] = tuple(KINDS)) -> None:
        self.kinds = known_kinds(kinds)
        self.module: Module | None = None
        self.reading = LITERAL
        self.readings = dict[int, Reading]()  # of operations that add along an accumulation, by identity

    def on_sums(self, op: Op, adding: Adding, reading: Reading) -> None:
        self.readings[id(op)] = reading

    def on_addition(self, place: Place, addition: Addition) -> None:
        batch = Batch(place.op, place.op, addition.entries, addition.total, place, addition.total.shape)
        self._note(batch, addition_events(addition))

    def reading_of(self, op: Op) -> Reading:
        """Return the reading of an operation: that of its accumulation, or that of the run."""
        return self.readings.get(id(op), self.reading)

    def on_reading(self, reading: Reading) -> None:
        self.reading = reading

    def on_start(self, module: Module) -> None:
        self.module = module

    def instead(self, form: Form) -> Form | None:
        dequantizes = not self.reading.is_integer
        return without_events(form, self.kinds if dequantizes else self.kinds - {"erratum"})

    def note(self, batch: Batch, found: Judgement) -> None:
        """Handle the events of one kind in one batch; there is at least one."""

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if has_fault(op) and place is None:
            batch = Batch(op, op, operands, results[0], place, results[0].shape)
            self._judge(batch, lambda part: detect.fault_events(op, part.stored))
        if facts(op).computes and len(results) == 1 and is_tensor(op.result.type):
            batch = Batch(
                op if place is None else place.op, op, operands, results[0], place, results[0].shape
            )
            rounding = place is not None and "inexact" in self.kinds  # floats: where it adds up
            self._judge(batch, lambda part: self._operation_events(op, part, rounding))
        elif facts(op).contracts and place is None and not self._in_integers(op):
            for value, x in zip(op.operands[:2], operands[:2], strict=True):
                self._read(op, value, x)
            for kind, products in (("wrap", wrapped_products), ("inf", infinite_products)):
                if kind in self.kinds and id(op) not in self.readings:
                    for each in products(*as_ran(op, operands)):
                        self.note(*each)

    def on_node(self, place: Place, lhs: State, rhs: State, results: State) -> None:
        if facts(place.op).family == "contraction":
            batch = Batch(place.op, place.op, (lhs[0], rhs[0]), results[0], place, results[0].shape)
            rounding = "inexact" in self.kinds
            self._judge(batch, lambda part: self.sum_events(place.op, part, rounding))

    def on_block(self, place: Place, operands: State, total: Array) -> None:
        batch = Batch(place.op, place.op, operands, total, place, total.shape)
        held = self.reading_of(place.op).accumulator
        self._note(batch, detect_sums.accumulation_events(held, operands, total))

    def on_scaled(self, place: Place, operands: State, result: Array) -> None:
        batch = Batch(place.op, place.op, operands, result, place, result.shape)
        self._note(batch, detect_sums.scaled_events(operands[0], operands[1], result))

    def sums(self, op: Op) -> Sums | None:
        return Sums(self.kinds_of_sums(op))

    def kinds_of_sums(self, op: Op) -> frozenset[str]:
        """Return the events to hear of that the sums of a contraction may have."""
        if self._in_integers(op):
            return self.kinds & {detect_sums.kind_of(self.reading_of(op).accumulator)}
        integers = accumulation_type(op).is_integer
        return self.kinds & ({"wrap"} if integers else {"inexact", "nan", "inf"})

    def sum_of(self, op: Op, operands: State) -> Array:
        """Return what a contraction's accumulator holds of the sum of two numbers."""
        element = accumulation_type(op)
        if self._in_integers(op):
            return hold_sum(NUMPY, np.add(*operands, dtype=np.int64), self.reading_of(op).accumulator)
        return plain(NUMPY, "add", element, element)(*(x.astype(NUMPY.carrier(element)) for x in operands))

    def _in_integers(self, op: Op) -> bool:
        return self.reading_of(op).is_integer and in_integers(op)

    def _operation_events(self, op: Op, part: Batch, rounding: bool) -> Iterator[Judgement]:
        if self._in_integers(op):
            return detect_sums.elementwise_events(
                op, part.operands, part.stored, self.reading_of(op).accumulator
            )
        return detect.operation_events(op, part.operands, part.stored, rounding)

    def sum_events(self, op: Op, part: Batch, rounding: bool) -> Iterator[Judgement]:
        if self._in_integers(op):
            return detect_sums.accumulation_events(
                self.reading_of(op).accumulator, part.operands, part.stored
            )
        return detect.sum_events(accumulation_type(op), part.operands, part.stored, rounding)

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        value, first = op.operands[operand], 1 if op.name == SCATTER else 0
        n, is_reduction = len(op.results), facts(op).family == "reduction"
        if not is_reduction and operand > n:  # the indices of a scatter stand between inputs and updates
            first = 1
        argument = op.regions[-1].arguments[operand - first]
        batch = Batch(op, op, (before,), after, None, after.shape, f"operand {value.name}")
        self._convert(batch, value.type.element_type, argument.type.element_type, lossless=True)
        if is_reduction and operand - first >= n:
            self._check_init(op, operand - first - n, value.name, after)

    def on_precision(self, op: Op, operand: int, before: Array, after: Array) -> None:
        value, algorithm = op.operands[operand], algorithm_of(op)
        assert algorithm
        batch = Batch(op, op, (before,), after, None, after.shape, f"operand {value.name}")
        self._convert(batch, expressed_element(value.type), algorithm.precision_types[operand], lossless=True)

    def on_leaves(self, op: Op, operand: int, before: Array) -> None:
        source, argument = op.operands[operand].type.element_type, op.regions[-1].arguments[operand]
        wide = argument.type.element_type
        batch = Batch(op, op, (before,), None, None, before.shape)
        if isinstance(source, QuantizedType) and isinstance(wide, QuantizedType) and self.reading.is_integer:
            self.on_convert(op, operand, before, requantize_elements(NUMPY, before, source, wide))
        elif any(detect.may_convert_noticeably(source, wide, part.operands[0]) for part in batch.parts()):
            self.on_convert(op, operand, before, to_destination_type(NUMPY, before, source, wide))

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        destination = op.results[result].type.element_type
        if self._in_integers(op):
            batch, held = Batch(op, op, (before,), after, None, after.shape), self.reading_of(op).accumulator
            self._note(batch, detect_sums.contraction_result_events(op, held, before, after))
            return
        source = op.regions[-1].returns[result].type.element_type if op.regions else accumulation_type(op)
        self._convert(Batch(op, op, (before,), after, None, after.shape), source, destination, lossless=False)

    def on_empty_window(self, op: Op, where: Array) -> None:
        batch = Batch(op, op, (), None, None, where.shape, "window")
        self._note(batch, mask_events("empty_window", where, where, no_value))

    def on_equal_indices(self, op: Op, where: Array) -> None:
        updates = op.operands[len(op.results) + 1]
        batch = Batch(op, op, (), None, None, where.shape, f"operand {updates.name}")
        self._note(batch, mask_events("unspecified", where, where, no_value))

    def _read(self, op: Op, value: Value, x: Array) -> None:
        type = value.type.element_type
        batch = Batch(op, op, (x,), None, None, x.shape, f"operand {value.name}")
        self._judge(batch, lambda part: detect.operand_events(part.operands[0], type, part.shape))

    def _convert(
        self,
        batch: Batch,
        source: ElementType | QuantizedType,
        destination: ElementType | QuantizedType,
        lossless: bool,
    ) -> None:
        def judge(part: Batch) -> Iterator[Judgement]:
            both = isinstance(source, QuantizedType) and isinstance(destination, QuantizedType)
            whole = self.reading.is_integer and both
            of: Any = detect_sums.requantization_events if whole else detect.conversion_events
            yield from of(source, destination, part.operands[0], part.stored, lossless)

        self._judge(batch, judge)

    def _check_init(self, op: Op, k: int, name: str, init: Array) -> None:
        inner = combining(op.regions[-1], k)
        neutral = identity(inner) if inner else None
        if inner and neutral is not None and init.item() != neutral:
            here = np.ones((), bool)
            batch = Batch(op, inner, (init,), None, None, (), f"init value {name}")
            self._note(batch, mask_events("non_identity_init", here, here, lambda at: neutral))

    def _judge(self, batch: Batch, judged: Callable[[Batch], Iterator[Judgement]]) -> None:
        for part in batch.parts():
            self._note(part, judged(part))

    def _note(self, batch: Batch, judgements: Iterator[Judgement]) -> None:
        for judgement in judgements:
            if judgement.kind in self.kinds and (present := batch.present(judgement)).at.size:
                for part in batch.apart(present):
                    self.note(batch, part)
