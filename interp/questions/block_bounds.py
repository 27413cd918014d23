"""Bounds of a contraction by blocks of scales: what the sums of each block need, and the sum across them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import inf

import numpy as np

from interp.backends import Array
from interp.engine.markup import align, join_lines
from interp.engine.work import beat
from interp.questions.block_needs import adds_exactly, any_factor, ends_by_block, leaves_by_block
from interp.questions.bounds import LATE, MOST, WIDTHS, Bound, Bounds, Suggestion, headrooms
from interp.recorder.blocks import ByBlocks
from interp.recorder.recorded import Reduction
from interp.theory.along import (
    DATA,
    INPUTS,
    ROUNDS,
    TOO_WIDE,
    WEIGHTS,
    WIDEST,
    Held,
    bits,
    held_by,
    leaves_along,
)
from interp.theory.contractions import constant_factor
from interp.theory.sums import Ends, Leaves, ends_of
from spec.accumulation import Accumulation
from spec.trees import Arithmetic
from spec.types import integer

SHOWN = 24  # blocks that are printed in full
ANY_SCHEDULE, THIS_SCHEDULE = "any schedule", "this schedule"
Needs = Mapping[Held, Sequence[Ends]]  # what each type of nodes must hold, by block


@dataclass(frozen=True, eq=False, repr=False)
class BlockBounds(Bounds):
    """Ranges that the integers of each block need: `ranges` by scope, then by type, then by block.

    `headrooms` are those of the block with the least, in the types of this run. The suggestion holds the sums
    of every block. `exact_across`, by scope: whether the sum across blocks is proved to round nothing in any
    order, if the blocks' sums are held: of all results; None where no theorem is known.
    """

    ranges: Mapping[str, Needs] = field(default_factory=dict)
    exact_across: Mapping[str, bool | None] = field(default_factory=dict)

    @property
    def scopes(self) -> dict[str, Bound | None]:
        return {
            _title(scope, held, needs): _bound(reduce(Ends.join, blocks))
            for scope, needs in self.ranges.items()
            for held, blocks in needs.items()
        }

    @property
    def is_known(self) -> bool:
        return any(self.ranges.values())

    @property
    def proviso(self) -> str:
        return ""

    @property
    def present(self) -> int:
        """The bits of this run's accumulator of the reading."""
        return self._blocks.reading.accumulator.bits

    @property
    def _blocks(self) -> ByBlocks:
        assert self.reduction.by_blocks
        return self.reduction.by_blocks

    @property
    def present_types(self) -> tuple[Held, ...]:
        """The types of this run in which the nodes within blocks are held."""
        return tuple(next(iter(self.ranges.values()), {}))

    def bits(self, scope: str) -> tuple[int, ...]:
        """Return the bits that each block needs for a scope, a key of `ranges`: the most of its types."""
        columns = zip(*self.ranges[scope].values(), strict=True)
        return tuple(max(bits(ends) for ends in column) for column in columns)

    def widest(self, scope: str) -> int:
        """Return the first block that needs the most bits for a scope."""
        found = self.bits(scope)
        return found.index(max(found))

    @property
    def tightest(self) -> int | None:
        """The first block that has the least headroom, for the inputs of this run."""
        scope = next((name for name in self.ranges if name.startswith(INPUTS)), None)
        if scope is None or self.headroom is None:
            return None
        rooms = [_room(needs) for needs in zip(*_columns(self.ranges[scope]), strict=True)]
        least = [int(room.min(initial=MOST)) for room in rooms]
        return least.index(min(least))

    def _repr_text_(self) -> str:
        return join_lines(_lines(self))


def block_bounds(reduction: Reduction) -> BlockBounds:
    """Return the bounds of a contraction by blocks of scales."""
    beat()
    blocks = reduction.by_blocks
    assert blocks
    if blocks.asked and not any(_is_integer(a) for a in blocks.within.arithmetics):
        return BlockBounds(reduction, suggestion=Suggestion(why=ROUNDS))
    every = _every(blocks)
    ranges = _ranges(reduction, blocks, every)
    inputs = next(iter(needs for scope, needs in ranges.items() if scope.startswith(INPUTS)))
    rooms = [_room(needs) for needs in zip(*_columns(inputs), strict=True)]
    left = np.minimum.reduce(np.broadcast_arrays(*rooms)) if rooms else None
    left = None if left is None else np.broadcast_to(left, reduction.shape)
    exact = {scope: _is_exact(blocks, leaves) for scope, leaves in every.items()}
    found = (_suggest_nodes if blocks.asked else _suggest)(blocks, ranges)
    return BlockBounds(reduction, None, None, None, left, found, (), ranges=ranges, exact_across=exact)


def late(reduction: Reduction) -> BlockBounds:
    """Return no bounds, as there was no time."""
    return BlockBounds(reduction, suggestion=Suggestion(why=LATE))


def _is_integer(arithmetic: Arithmetic) -> bool:
    return arithmetic.element_type is not None and arithmetic.element_type.is_integer


Every = dict[str, list[list[Leaves]]]


def _every(blocks: ByBlocks) -> Every:
    """Return the leaves of each block by scope, for each kind of window."""
    op = blocks.op
    any_left, any_right = (any_factor(value) for value in op.operands[:2])
    weights = constant_factor(np.asarray(blocks.products.numbers[1]))
    known = [blocks.leaves_of(k) for k in range(len(blocks.edges))]
    shaped = [x.reshape(len(x), *op.result.type.shape) for x in known]
    return {
        DATA: list(leaves_by_block(op, any_left, any_right)),
        WEIGHTS: list(leaves_by_block(op, any_left, weights)),
        INPUTS: [[Leaves(x, x) for x in shaped]],
    }


def _ranges(reduction: Reduction, blocks: ByBlocks, every: Every) -> dict[str, Needs]:
    """Return what each block needs, by scope."""
    if blocks.asked:
        return {scope: _along(blocks, leaves) for scope, leaves in every.items()}
    held = declared_type(blocks)
    orders: dict[str, Callable[[Leaves], Ends | None]] = {
        ANY_SCHEDULE: lambda leaves: leaves.any_schedule(inf),
        THIS_SCHEDULE: lambda leaves: leaves.in_schedule(reduction.schedule),
    }
    found = dict[str, Needs]()
    for scope, leaves in every.items():
        for order in (ANY_SCHEDULE, THIS_SCHEDULE) if scope == INPUTS else (ANY_SCHEDULE,):
            if (ends := ends_by_block(orders[order], leaves)) is not None:
                found[f"{scope}, {order}"] = {held: ends}
    return found


def declared_type(blocks: ByBlocks) -> Held:
    """Return the type of the nodes within a block that name none."""
    accumulator = blocks.reading.accumulator
    return Held(accumulator.type, accumulator.saturates)


def _along(blocks: ByBlocks, every: Sequence[Sequence[Leaves]]) -> Needs:
    """Return what the types of the nodes within each block must hold along an accumulation."""
    needed = [
        [leaves_along(block, blocks.within, declared_type(blocks)).held for block in each] for each in every
    ]
    columns = [*zip(*needed, strict=True)]  # by block, then by kind of window
    kinds = dict.fromkeys(held for column in columns for each in column for held in each)
    zero = ends_of(0, 0)
    return {
        held: [reduce(Ends.join, (each.get(held, zero) for each in column)) for column in columns]
        for held in kinds
    }


def _columns(needs: Needs) -> list[list[tuple[Held, Ends]]]:
    return [[(held, ends) for ends in blocks] for held, blocks in needs.items()]


def _room(needs: Sequence[tuple[Held, Ends]]) -> Array:
    """Return the headroom of one block, by element: the least of its types."""
    return np.minimum.reduce(np.broadcast_arrays(*(headrooms(held.type, ends) for held, ends in needs)))


def _is_exact(blocks: ByBlocks, every: Sequence[Sequence[Leaves]]) -> bool | None:
    """Return whether the sum across blocks of exact sums rounds nothing, for leaves between these ends."""
    sums = ends_by_block(Leaves.total, every)
    assert sums
    found = adds_exactly(blocks.op, sums, blocks.across, blocks.reading.recipe)
    return None if found is None else bool(found.all())


def _suggest(blocks: ByBlocks, ranges: Mapping[str, Needs]) -> Suggestion:
    """Return the narrowest storage that holds the sums of every block, for any data or these weights."""
    (data, weights) = (_widest(ranges[f"{scope}, {ANY_SCHEDULE}"]) for scope in (DATA, WEIGHTS))
    storage = [next((n for n in (*WIDTHS, 64) if n >= width), 0) for width in (data, weights)]
    if not storage[1]:
        return Suggestion(why=TOO_WIDE)
    if not storage[0] or storage[1] < storage[0]:
        return Suggestion(integer(storage[1], True), WEIGHTS.removeprefix(f"{DATA}, "), bits=weights)
    fewer = weights if weights < data else 0
    return Suggestion(integer(storage[0], True), DATA, bits=data, weight_bits=fewer)


def _widest(needs: Needs) -> int:
    return max((bits(ends) for blocks in needs.values() for ends in blocks), default=2)


def _suggest_nodes(blocks: ByBlocks, ranges: Mapping[str, Needs]) -> Suggestion:
    """Return the accumulation whose types within blocks are the narrowest that hold everything."""
    within, declared, scope = blocks.within, declared_type(blocks), DATA
    if not all(map(_is_integer, within.arithmetics)):
        return Suggestion(why=ROUNDS)
    if _widest(ranges[WEIGHTS]) < _widest(ranges[DATA]):
        scope = WEIGHTS
    needed = {held: reduce(Ends.join, every) for held, every in ranges[scope].items()}
    if any(bits(ends) > WIDEST - held.saturates for held, ends in needed.items()):
        return Suggestion(why=TOO_WIDE)

    def change(a: Arithmetic) -> Arithmetic:
        held = held_by(a, declared)
        width = lambda held: f"i{bits(needed[held])}" if held in needed else repr(held.type)
        products = width(held._replace(type=a.product_type)) if a.product_type else ""
        return Arithmetic(
            a.kind, type=width(held), products=products, rounding="saturate" if held.saturates else ""
        )

    text = f"scales({within.change(change)!r}; {blocks.across!r})"
    return Suggestion(Accumulation.parse(text), scope)


def _bound(ends: Ends) -> Bound:
    least, greatest = map(int, ends.hull)
    return Bound(least, greatest, bits(ends), True, 0, True)


def _title(scope: str, held: Held, needs: Needs) -> str:
    return scope if len(needs) == 1 else f"{scope}, in {held!r}"


def _lines(self: BlockBounds) -> Iterator[str]:
    blocks = self._blocks
    yield f"{self.reduction.signature} by {len(blocks.edges):,} blocks, within them {blocks.within!r}"
    if self.partial or not self.is_known:
        yield f"  {self.shortfall or f'not judged: {self.suggestion.why}'}"
        return
    rows = [["smallest accumulator within blocks for", "from", "to", "bits", "block"]]
    for scope, needs in self.ranges.items():
        for held, every in needs.items():
            known, widths = _bound(reduce(Ends.join, every)), [bits(ends) for ends in every]
            numbers = f"{known.least:,}", f"{known.greatest:,}", str(known.bits)
            rows.append([_title(scope, held, needs), *numbers, str(widths.index(max(widths)))])
    for held in self.present_types:
        low, high = held.type.min_value, held.type.max_value
        rows.append([f"present, {held!r}", f"{low:,}", f"{high:,}", str(held.type.bits), ""])
    yield from align(rows, [0], indent=2)
    least = "" if self.tightest is None else f", least in block {self.tightest}"
    yield f"  headroom {self.room}{least}; suggested: {_suggestion(self)}"
    yield f"  across blocks {blocks.across!r}, in {blocks.element_type!r}: {_across(self)}"
    yield from _table(self)


def _suggestion(self: BlockBounds) -> str:
    found = self.suggestion
    return found.text(repr(found.type)) if found.type else repr(found)


def _across(self: BlockBounds) -> str:
    """Return what is known of the sum across blocks."""
    known = [scope for scope, exact in self.exact_across.items() if exact]
    if known:
        return f"nothing is rounded for {known[0]}, if every block's sum is held"
    if None in self.exact_across.values():
        return "no theorem about roundings in these nodes"
    return "terms and sums may be rounded"


def _table(self: BlockBounds) -> Iterator[str]:
    """Yield the bits that each block needs; of many blocks, the widest ones."""
    edges, scopes = self._blocks.edges, list(self.ranges)
    columns = [self.bits(scope) for scope in scopes]
    numbers = list(range(len(edges)))
    if len(edges) > SHOWN:
        numbers = sorted({self.widest(scope) for scope in scopes})
    rows = [["block", "leaves", *(scope.removesuffix(f", {ANY_SCHEDULE}") for scope in scopes)]]
    for k in numbers:
        rows.append([str(k), f"{edges[k][0] + 1}..{edges[k][1]}", *(str(column[k]) for column in columns)])
    yield "  bits by block"
    yield from align(rows, [], indent=2)
    if len(edges) > len(numbers):
        yield f"  ... {len(edges) - len(numbers):,} blocks that need no more"
