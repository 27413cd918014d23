"""`explain`: the computation of one element of a reduction, or of others back to the nearest ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np

from interp.backends import Array
from interp.engine.markup import align, join_lines
from interp.execute.record import Record
from interp.questions.chain import Chain, chain, named_operation
from interp.questions.explanation import AROUND, SHOWN, Explanation, Row, explanation, table_lines
from interp.questions.verdicts import verdicts
from interp.recorder.accumulator import real, short
from interp.recorder.blocks import Block
from interp.recorder.event import number
from interp.recorder.names import result_number
from interp.recorder.recorded import Reduction
from interp.theory.sums import narrowest
from spec.errors import Malformed, whole


def explain(
    trace: Record, op: str | None = None, index: Any = None, k: int | None = None
) -> Explanation | Chain:
    """Explain element `index`, or the worst one, of the operation `op`, or of that with the worst event.

    Without a name it is a reduction, if one ran. k: the number of the result, by default the one that
    the name says: of `%4#1` it is 1.
    """
    if (named := named_operation(trace, op)) is not None:
        return chain(trace, named, index, result_number(named.op, op) if k is None else k)
    reduction = trace.reduction(op)
    k = result_number(reduction.op, op) if k is None else k
    if whole(k, "operand") >= len(reduction.types):
        raise Malformed(f"no operand {k} of {reduction.name}", f"it reduces {len(reduction.types)}")
    where = worst_element(trace, reduction) if index is None else index
    return explain_element(reduction, where, k)


def explain_element(reduction: Reduction, index: tuple[int, ...] | int, k: int = 0) -> Explanation:
    """Return the explanation of one element; of a contraction by blocks of scales, block by block."""
    if reduction.by_blocks:
        return explain_blocks(reduction, index)
    return explanation(reduction.element(index), k)


# The worst element of a reduction's result.


def worst_element(trace: Record, reduction: Reduction) -> tuple[int, ...]:
    """Return the index of the element whose result is farthest from the exact sum of its leaves.

    Where no such sum is known, or none is wrong, it is the element with the worst event, or else the first.
    """
    off = _errors(reduction)
    if off is not None and off.any():
        return tuple(map(int, np.unravel_index(int(off.argmax()), reduction.shape)))
    for group in trace.groups:
        event = group.worst
        index = event.index if event.op is reduction.written and event.leaves else None
        if index is not None and event.what == "result" and event.run == reduction.run:
            return index
    return (0,) * len(reduction.shape)


def _errors(reduction: Reduction) -> Array | None:
    """Return the distances of the accumulators from the exact sums of integers, if these are known."""
    if reduction.by_blocks:
        with np.errstate(invalid="ignore"):
            return np.asarray(abs(reduction.accumulators[0] - reduction.by_blocks.exact_results))
    total = verdicts(reduction).total if reduction.is_sum and not reduction.along else None
    return None if total is None else abs(reduction.accumulators[0].astype(total.dtype) - total)


# Contractions by blocks of scales: block by block, one of them leaf by leaf, and across.

HEADER = ("block", "leaves", "exact", "held", "bits", "scales", "term", "converted", "")


@dataclass(frozen=True, eq=False, repr=False)
class BlockExplanation(Explanation):
    """One element of a contraction by blocks of scales: its rows are those of the sum across the blocks.

    `blocks` has the sum of each block; `block(k)` explains one of them leaf by leaf.
    """

    blocks: tuple[Block, ...] = field(default=())

    def block(self, number: int) -> Explanation:
        """Explain the sum of one block, leaf by leaf; the leaves have their numbers in the whole sum."""
        reduction = cast(Reduction, self.element.reduction).block(number)
        found = explanation(reduction.element(self.element.index))
        before = self.blocks[number].first - 1
        return replace(found, rows=tuple(_renumber(row, before) for row in found.rows))

    @cached_property
    def first_bad_block(self) -> int | None:
        """The first block with an event within it, or None."""
        return next((k for k in range(len(self.blocks)) if self.blocks[k].events), None)

    @property
    def exact_total(self) -> Fraction:
        """The sum of exact integers in every block, times its scales, that nothing rounds."""
        return sum((x.exact * x.scale for x in self.blocks), Fraction(0))

    def bits_of(self, number: int) -> int:
        """Return the fewest bits of a signed integer that holds every exact node of a block in this order."""
        nodes = self.blocks[number].nodes
        return narrowest(min(nodes, default=0), max(nodes, default=0), True)

    def _repr_text_(self) -> str:
        return join_lines(_lines(self))


def explain_blocks(reduction: Reduction, index: tuple[int, ...] | int) -> BlockExplanation:
    """Return the explanation of one element of a contraction by blocks of scales."""
    at = reduction.check_index(index)
    assert reduction.by_blocks
    across = explanation(reduction.element(at))
    return BlockExplanation(across.element, 0, across.rows, reduction.by_blocks.element(at).blocks)


def _renumber(row: Row, before: int) -> Row:
    """Return a row with the numbers of its leaves in the whole sum; 0 is the init value."""
    place = lambda number: number + before if number else 0
    leaf = row.leaf and row.leaf._replace(number=place(row.leaf.number))
    node = row.node and row.node._replace(leaves=(place(row.node.leaves[0]), place(row.node.leaves[1])))
    return row._replace(leaf=leaf, node=node)


def _lines(self: BlockExplanation) -> Iterator[str]:
    reduction, blocks = self.element.reduction, self.blocks
    assert reduction.by_blocks
    known = reduction.by_blocks
    count = f"{len(blocks):,} blocks, {blocks[-1].last:,} leaves"
    yield f"{reduction.signature} at {self.element.index} by {count}"
    yield f"within blocks {known.within!r}:"
    shown = _places_to_print(self)
    table = iter(align([HEADER, *(_cells(self, blocks[k]) for k in shown)], [len(HEADER) - 1], 2))
    yield next(table)
    before = -1
    for k in [*shown, len(blocks)]:
        if k > before + 1:
            yield f"  ... {_summary(self, range(before + 1, k))} ..."
        if k < len(blocks):
            yield next(table)
        before = k
    if (bad := self.first_bad_block) is not None:
        yield f"block {bad}, leaves {blocks[bad].first:,}..{blocks[bad].last:,}:"
        yield from table_lines(self.block(bad))
    own = "" if known.across.has_type else f" in {known.element_type!r}"
    yield f"across blocks {known.across!r}{own}:"
    yield from table_lines(self)
    yield _ending(self)


def _cells(self: BlockExplanation, block: Block) -> tuple[str, ...]:
    first = "first: " if block.number == self.first_bad_block else ""
    mark = f"! {first}{', '.join(block.events_text)}" if block.events else ""
    lhs, rhs = block.scales
    return (
        str(block.number),
        f"{block.first}..{block.last}",
        number(block.exact),
        number(block.held),
        str(self.bits_of(block.number)),
        f"{real(Fraction(lhs))} * {real(Fraction(rhs))}",
        short(block.term),
        number(block.stored),
        mark,
    )


def _places_to_print(self: BlockExplanation) -> list[int]:
    """Return the blocks to print: both ends, and about the first and the last one with an event."""
    n = len(self.blocks)
    if n <= SHOWN:
        return list(range(n))
    bad = [k for k in range(n) if self.blocks[k].events]
    centres = {0, n - 1, *bad[:1], *bad[-1:]}
    return [k for k in range(n) if any(abs(k - centre) < AROUND for centre in centres)]


def _summary(self: BlockExplanation, numbers: Sequence[int]) -> str:
    kinds = sum((self.blocks[k].events for k in numbers), Counter[str]())
    noted = ", ".join(f"{kind} x {n:,}" for kind, n in kinds.items())
    return f"{len(numbers):,} blocks, {noted or 'no event'}"


def _ending(self: BlockExplanation) -> str:
    """Return a line with the sum that has neither overflows nor roundings."""
    exact, last = self.exact_total, self.result
    text = f"  with exact sums everywhere {short(exact)}"
    if last != last or last in (float("inf"), float("-inf")):
        return text
    off = Fraction(last) - exact
    return f"{text}: off by {real(off)}" if off else text
