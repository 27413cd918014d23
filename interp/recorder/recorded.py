"""The reductions of a run, with the leaves of every result element, and the listeners that record them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.additions import WIDE, Adding
from interp.engine.evaluate import Context, Listener, Place
from interp.engine.facts import facts
from interp.engine.fold import NOTHING, Leaves, Sums, Tally
from interp.engine.leaf_counts import UPDATED
from interp.engine.markup import Display
from interp.engine.quant import to_destination_type
from interp.engine.storage import is_stored_as_integer
from interp.kernels import OPERATIONS, reduce, reduce_window, scatter, select_and_scatter
from interp.recorder.along import adds_as_written, as_schedule, sum_elements, sum_products
from interp.recorder.blocks import ByBlocks
from interp.recorder.element import Element, element
from interp.recorder.event import INFORMATION, KINDS, SEVERITIES, known_kinds
from interp.recorder.folded import Along, Folded
from interp.recorder.grids import Grids, products_by_blocks
from interp.recorder.grids import products as products_of
from interp.recorder.leaves import Collected, Part, as_fold, part_of, stack_rows
from interp.recorder.products import (
    NO_TYPE,
    Products,
    accumulator_type,
    as_sum,
    held_in,
    is_held,
    zero,
)
from interp.recorder.recorder import Recorder
from interp.speed.integer_bodies import SCALES_DIFFER, dequantizing_op
from interp.speed.order_free import Form
from spec.accumulation import Accumulation
from spec.accumulator import LITERAL, Accumulator, Reading
from spec.errors import Malformed, whole
from spec.integer_reading import in_integers, sums_blocks
from spec.ir import Module, Op, Region, Value
from spec.schedule import Schedule, parse
from spec.types import TensorType, integer

PADDING = -1  # its origin


class Reduction(Folded, Display):
    """One run of one reduction, and its elements: see `Folded` for its fields."""

    @cached_property
    def origins(self) -> tuple[Part, ...]:
        """Return parts like `parts`, in which the leaves are flat indices of the inputs, or `PADDING`."""
        if self.is_scatter:
            found = scatter.landing(NUMPY, self.op, self.operands[len(self.op.results)])
            return _whole([_number_part(*each) for each in found], self.size)
        shape = self.inputs[0].type.shape
        index = np.arange(prod(shape)).reshape(shape)
        padding = np.asarray(PADDING)
        part = self.parts[0]
        if self.op.name == "stablehlo.reduce":
            return (part._replace(leaves=reduce.slices(NUMPY, self.op, (index,))),)
        if self.op.name == "stablehlo.reduce_window":
            return (part._replace(leaves=reduce_window.window_leaves(NUMPY, self.op, (index,), (padding,))),)
        capture = Capture(self.module, self.schedule)
        ctx = Context(NUMPY, self.module, self.schedule, OPERATIONS, (capture,))
        with np.errstate(all="ignore"):
            select_and_scatter.select_and_scatter(
                ctx, select_indices(self.op), self.operands[0], index, padding
            )
        return tuple(capture.parts)

    def in_integers(self, accumulator: Accumulator | None = None) -> Reduction | None:
        """Return a contraction of quantized numbers as the sums of its integers `q - zero_point`, or None.

        accumulator: that of the new sums; by default the one of this run, or i32. There are no
        `accumulators`, as the program did not run so.
        """
        products = self.products and (self.products.integers or self.products)
        if not products or not is_stored_as_integer(products.type):
            return None
        own = self.types[0] if is_stored_as_integer(self.types[0]) else held_in(Accumulator())
        type = own if accumulator is None else held_in(accumulator)
        summed, init = as_sum(products.op, products.type, type), (zero(type),)
        known = self.operands, init, lambda: (products.part,), (), self.results, self.run, self.written
        return Reduction(summed, self.module, self.schedule, *known, products)

    def element(self, index: tuple[int, ...] | int) -> Element:
        """Return the leaves of one result element."""
        return element(self, self.check_index(index))

    def block(self, number: int) -> Reduction:
        """Return the sums of one block of a contraction that is summed by blocks of scales.

        Its leaves are the products of the block, added along the accumulation within blocks.
        """
        if not self.by_blocks or not 0 <= number < len(self.by_blocks.edges):
            count = len(self.by_blocks.edges) if self.by_blocks else 0
            raise Malformed(f"{self.name} has no block {number!r}", f"it has {count} blocks")
        own, blocks = self.by_blocks.products_of(number), self.by_blocks
        known = self.operands, (zero(WIDE),), lambda: (own.part,), (), self.results, self.run, self.written
        summed = Reduction(as_sum(own.op, own.type, WIDE, own.n), self.module, self.schedule, *known, own)
        adding = Adding(blocks.within, blocks.reading.accumulator.type, blocks.reading.accumulator.saturates)
        return cast(Reduction, sum_products(summed, adding, blocks.reading, own))


def why_not(op: Op, reading: Reading) -> str:
    """Return why a reduction is not recorded in a reading, "" if it is, or if the operation is none."""
    if facts(op).contracts and not is_held(op, reading):
        return NO_TYPE.format(reading.accumulator)
    return (
        SCALES_DIFFER if facts(op).is_recorded and op.regions and dequantizing_op(op, reading) is None else ""
    )


def select_indices(op: Op) -> Op:
    """Return the select_and_scatter with its source's indices as source; its body keeps the first one."""
    index = integer(64, True)
    operand, source, init = op.operands
    source, init, result = (
        Value(value.name, TensorType(value.type.shape, index)) for value in (source, init, op.result)
    )
    lhs, rhs = (Value(name, TensorType((), index)) for name in ("%lhs", "%rhs"))
    first = Region((lhs, rhs), (Op("stablehlo.return", (lhs,), ()),))
    return replace(op, operands=(operand, source, init), results=(result,), regions=(op.regions[0], first))


def _number_part(columns: Array, numbers: Array) -> Part:
    return Part(Leaves(len(numbers), lambda i: (numbers[i],), lambda: (numbers,)), columns)


def _after_first(leaves: Leaves) -> Leaves:
    """Return all leaves but the first."""
    return Leaves(leaves.n - 1, lambda i: leaves.at(i + 1), lambda: tuple(x[1:] for x in leaves.stack()))


def _whole(parts: list[Part], size: int) -> tuple[Part, ...]:
    """Return the parts, and one without leaves for the elements that are in none of them."""
    found = np.concatenate([np.zeros(0, np.int64), *(part.columns for part in parts)])
    rest = np.setdiff1d(np.arange(size), found)
    return (*parts, _number_part(rest, np.zeros((0, len(rest)), np.int64))) if rest.size else tuple(parts)


def _converted_when_asked(op: Op, operand: int, before: Array) -> Leaves:
    """Return the leaves of a `reduce` whose operand a fast path takes unconverted."""
    types = [values[operand].type.element_type for values in (op.operands, op.regions[-1].arguments)]

    @cache
    def convert() -> Leaves:
        with np.errstate(all="ignore"):
            return reduce.slices(NUMPY, op, (to_destination_type(NUMPY, before, *types),))

    n = prod(before.shape[d] for d in op["dimensions"])
    return Leaves(n, lambda i: convert().at(i), lambda: convert().stack())


def _identity(op: Op) -> int:
    """Return the identity of an operation, also of one operand of a collective: that of its bodies."""
    return id(op.regions) if op.regions else id(op)


class Capture(Listener):
    """Listener that keeps the leaves that a run's reductions fold, or would fold without a fast path.

    A reduction inside another one's body is not kept separately. In the integer reading, reductions with
    several scales are not kept, since questions about a reduction need numbers of one scale; a contraction by
    blocks of scales is, as the sum across its blocks. Nor are sums of products in a saturating accumulator
    whose additions no type has: see `why_not`. Nor are sums by a quantized body in an order that is not a
    schedule.
    """

    def __init__(self, module: Module, schedule: Schedule) -> None:
        self.module, self.schedule = module, schedule
        self.reading = LITERAL
        self.found: list[Reduction] = []
        self.runs = Counter[int]()  # of each operation, by its identity
        self.running: Op | None = None
        self.converted: list[Array] = []
        self.parts: list[Part] = []
        self.accumulators: list[Array] = []
        self.contraction: Op | None = None  # the last one, as its kernel ran it
        self.collected: Collected | None = None
        self.grids = Grids()
        self.readings = dict[int, Reading]()  # of contractions in other accumulators, by identity
        self.along = dict[int, tuple[Adding, Reading]]()  # the sums that no schedule of a type adds
        self.schedules = dict[int, Schedule]()  # those of sums that have their own

    def on_reading(self, reading: Reading) -> None:
        self.reading = reading

    def on_sums(self, op: Op, adding: Adding, reading: Reading) -> None:
        """Hear of a sum in another accumulator, which may be that of a reading, or a schedule."""
        own = Accumulation.of(reading.accumulator, self.schedule)
        if reading.is_integer and in_integers(op) and adding.accumulation == own:
            self.readings[id(op)] = reading
        elif adding == Adding(adding.accumulation) and (schedule := as_schedule(adding.accumulation)):
            self.schedules[_identity(op)] = schedule
        else:
            self.along[_identity(op)] = adding, reading

    def _keep(self, found: Reduction, own: Products | None = None) -> None:
        """Keep a reduction, in the order of its own schedule or along its accumulation."""
        at = _identity(found.written)
        if at in self.schedules:
            found = replace(found, schedule=self.schedules[at])
        elif at in self.along:
            how = self.along[at][0], self.reading
            if own is None and adds_as_written(found.types[0], how[0].accumulation):
                return
            found = replace(found, accumulators=())
            added = sum_products(found, *how, own) if own else sum_elements(found, *how)
            found = cast(Reduction, added)
        self.found.append(found)

    def instead(self, form: Form) -> Form | None:
        return form

    def tally(self, op: Op) -> Tally:
        return NOTHING

    def sums(self, op: Op) -> Sums:
        return Sums(frozenset())

    def on_leaves(self, op: Op, operand: int, before: Array) -> None:
        self.on_convert(op, operand, before, before)
        read = dequantizing_op(op, self.reading) or op
        self.on_fold(op, 0, None, _converted_when_asked(read, operand, before), None)

    def on_contraction(self, op: Op, operands: State, results: State) -> None:
        """Keep a contraction, whose leaves are products."""
        reading = self.readings.get(id(op), self.reading)
        if reading.is_integer and sums_blocks(op):
            self.on_blocks(op, operands, results)
            return
        if not is_held(op, reading):
            return
        products, own = products_of(op, self.module, operands, reading, self.grids), None
        if id(op) in self.along:
            own = products_of(op, self.module, operands, self.along[id(op)][1], self.grids)
        type = accumulator_type(op, reading)
        summed, init = as_sum(op, products.type, type), (zero(type),)
        self.runs[id(op)] += 1
        known = self.module, self.schedule, operands, init, lambda: (products.part,)
        run = self.runs[id(op)] - 1
        self._keep(Reduction(summed, *known, tuple(self.accumulators), results, run, op, products), own)

    def on_blocks(self, op: Op, operands: State, results: State) -> None:
        """Keep a contraction that is summed by blocks of scales: its leaves are the scaled sums."""
        asked = self.along.get(id(op))
        reading = asked[1] if asked else self.reading
        within, across = Accumulation.of(reading.accumulator, self.schedule), Accumulation.of(self.schedule)
        if asked:
            how = asked[0].accumulation
            within, across = how.within.in_accumulator(reading.accumulator), how.across
        blocks = ByBlocks(products_by_blocks(op, operands), within, across, reading, asked is not None)
        type = blocks.element_type
        summed = as_sum(op, type, type, len(blocks.edges))
        self.runs[id(op)] += 1
        known = self.module, self.schedule, operands, (zero(type),), lambda: (blocks.part,)
        run = self.runs[id(op)] - 1
        found = Reduction(summed, *known, tuple(self.accumulators), results, run, op, by_blocks=blocks)
        if asked:
            adding = Adding(across, type)
            found = replace(found, along=Along(adding, replace(found, accumulators=()), reading))
        self.found.append(found)

    def on_group(self, op: Op, processes: Sequence[tuple[int, int]], first: tuple[int, ...]) -> None:
        if self.running is None:
            self.collected = Collected(op, tuple(processes), first)

    def on_collective(self, collected: Collected, accumulator: Array, result: Array) -> None:
        """Keep a collective, whose leaves are elements of processes."""
        op, (others, first), run = collected.op, stack_rows(collected.after), self.runs[id(collected.op)]
        self.collected = None
        self.runs[id(op)] += 1
        read = dequantizing_op(as_fold(op, len(collected.processes)), self.reading)
        if read is not None:
            known = (
                stack_rows(collected.before),
                (first,),
                lambda: (part_of(others),),
                (accumulator,),
                (result,),
            )
            self._keep(Reduction(read, self.module, self.schedule, *known, run, op, group=collected.group))

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        if self.collected and self.collected.op is op:
            self.collected.before.append(before)
            self.collected.after.append(after)
            return
        if self.running is None and facts(op).reduces:
            self.running, self.converted, self.parts, self.accumulators = op, [], [], []
        if self.running is op:
            self.converted.append(after)

    def on_fold(self, op: Op, region: int, init: State | None, leaves: Leaves, columns: Array | None) -> None:
        if self.running is op and region == len(op.regions) - 1:
            everywhere = np.arange(op.results[0].type.size)
            own = _after_first(leaves) if op.name == UPDATED else leaves
            self.parts.append(Part(own, everywhere if columns is None else columns))

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        if self.collected and self.collected.op is op:
            self.on_collective(self.collected, before, after)
        elif self.running is op:
            self.accumulators.append(before)
        elif facts(op).family == "contraction":
            self.accumulators, self.contraction = [before], op

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is None:
            self.grids.on_op(self.module, op, operands, results)
            if self.contraction and self.contraction.results is op.results:
                self.on_contraction(self.contraction, operands[:2], results)
            elif facts(op).contracts and id(op) in self.along:  # computed as a quantized contraction
                self.on_contraction(op, operands[:2], results)
        if self.running is op:
            init, parts = tuple(self.converted[-len(results) :]), tuple(self.parts)
            if op.name == UPDATED:
                init = tuple(self.converted[: len(results)])
                parts = _whole(self.parts, op.results[0].type.size)
            self.runs[id(op)] += 1
            read = dequantizing_op(op, self.reading)
            if read is not None:
                accumulators, run = tuple(self.accumulators), self.runs[id(op)] - 1
                known = self.module, self.schedule, operands, init, lambda: parts, accumulators, results, run
                self._keep(Reduction(read, *known, as_written=op))
            self.running = None


# The listeners that record a run, and the facts about other processes if it is one of several.

SHOWN = tuple(severity for severity in SEVERITIES if severity != INFORMATION)
GRID = ("num_replicas", "num_partitions", "functions", "infeeds")  # options of `run_parallel` alone


class Share(NamedTuple):
    """One process of several: the arguments of all, the options of their grid, and the number of this one."""

    args: Sequence[Sequence[Any]]
    ways: Mapping[str, Any]
    number: int


class Watch:
    """A recorder of events and one of reductions; `shown`: the severities that are shown."""

    def __init__(
        self,
        module: Module,
        kinds: str | Iterable[str] | None,
        keep: int,
        schedule: str | Schedule,
        stopping: frozenset[str] = frozenset(),
    ) -> None:
        self.shown = SEVERITIES if kinds is not None else SHOWN
        wanted = known_kinds(KINDS if kinds is None else kinds) | stopping
        self.recorder = Recorder(wanted, whole(keep, "number of events"), self.shown)
        self.capture = Capture(module, parse(schedule))
