"""`Trace.matrix` of a contraction by blocks of scales: the integers of each block in other accumulators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from interp.backends import Array
from interp.engine import additions
from interp.engine.additions import WIDE
from interp.engine.work import Work
from interp.questions.what_if import (
    LARGEST,
    Cell,
    Machine,
    Matrix,
    Schedules,
    accumulation_of,
    error_text,
    machines_named,
    usual,
)
from interp.recorder.blocks import ByBlocks, part_of_terms
from interp.recorder.products import product_terms
from interp.recorder.recorded import Reduction
from spec.accumulation import Accumulation
from spec.accumulator import Accumulator
from spec.errors import Unsupported
from spec.types import ElementType


@dataclass(frozen=True, eq=False, repr=False)
class BlockMatrix(Matrix):
    """The integers of each block in other accumulators and schedules: sums and errors are [blocks, *result].

    The scaled sums across blocks are no part of it: `explain` and `run` have them.
    """

    def wrong_by_block(self, cell: Cell) -> tuple[int, ...]:
        """Return how many sums of each block are not exact."""
        return tuple(int(np.count_nonzero(errors)) for errors in cell.errors)

    def worst_block(self, cell: Cell) -> int | None:
        """Return the first block with the largest error, or None if all sums are exact."""
        sizes = [float(np.abs(errors).max(initial=0)) for errors in np.nan_to_num(cell.errors, nan=np.inf)]
        return sizes.index(max(sizes)) if max(sizes, default=0) else None

    def _heading(self) -> list[str]:
        blocks = _blocks(self.reduction)
        most = max(last - first for first, last in blocks.edges)
        return [
            f"{self.reduction.heading}: {len(blocks.edges):,} blocks of {self.reduction.size:,} sums of"
            f" up to {most:,} products",
            "largest error of integers within blocks (sums that are not exact), and the block that has it",
            "~: the schedule matters",
        ]

    def _machine_rows(self) -> list[list[str]]:
        rows = list[list[str]]()
        for machine in self.machines:
            cells = [self.cell(machine, schedule) for schedule in self.schedules]
            rows.append([f"  {machine!r}", *map(self._text, cells), "~" * self.schedule_matters(machine)])
        return rows

    def _text(self, cell: Cell) -> str:
        block = self.worst_block(cell)
        return f"{error_text(cell.error)} ({cell.wrong:,})" + ("" if block is None else f" in {block}")


def block_matrix(
    reduction: Reduction, given: Sequence[Any] | None, schedules: Schedules, work: Work
) -> BlockMatrix:
    """Sum the integers of each block in accumulators, by default the usual ones of hardware."""
    blocks = _blocks(reduction)
    named = map(machines_named, usual(blocks.products) if given is None else given)
    machines = tuple(dict.fromkeys(machine for each in named for machine in each))
    _refuse(reduction, machines)
    leaves = [blocks.leaves_of(k).sum(axis=0) for k in range(len(blocks.edges))]
    exact = np.stack([x.reshape(reduction.shape) for x in leaves])
    cells = dict[Machine, list[Cell]]()
    for machine in work.through("accumulators", machines):
        row = work.attempt(partial(_row, blocks, machine, schedules, exact))
        if row is None:
            break
        cells[machine] = row
    every = tuple(cell for row in cells.values() for cell in row)
    return BlockMatrix(reduction, tuple(cells), schedules, every, exact, covered=tuple(work.covered))


def _blocks(reduction: Reduction) -> ByBlocks:
    assert reduction.by_blocks
    return reduction.by_blocks


def _refuse(reduction: Reduction, machines: Sequence[Machine]) -> None:
    """Refuse sums that f64 does not hold, and accumulations that are not those of one block."""
    blocks = _blocks(reduction)
    most = max(map(abs, blocks.products.possible)) * max(last - first for first, last in blocks.edges)
    if most > LARGEST:
        raise Unsupported(
            f"sums of blocks of {reduction.name} may reach {most:,}", f"expected at most {LARGEST:,}"
        )
    for machine in machines:
        if isinstance(machine, Accumulation) and machine.is_by_scales:
            evidence = f"expected the accumulation within blocks: {machine.within!r}"
            raise Unsupported(f"{machine!r} in the matrix of a contraction by blocks", evidence)


def _row(blocks: ByBlocks, machine: Machine, schedules: Schedules, exact: Array) -> list[Cell]:
    """Return the sums of all blocks in an accumulator, for each schedule."""
    orders = [accumulation_of(machine, schedule) for schedule in schedules]
    sums = {order: _sums(blocks, order, Accumulator().type) for order in dict.fromkeys(orders)}
    errors = {order: found - exact.astype(np.float64) for order, found in sums.items()}
    return [Cell(machine, s, sums[x], errors[x]) for s, x in zip(schedules, orders, strict=True)]


@np.errstate(all="ignore")
def _sums(blocks: ByBlocks, accumulation: Accumulation, declared: ElementType) -> Array:
    """Return the sums of all blocks along an accumulation, in f64."""
    products = blocks.products
    terms, shape, arrange = product_terms(products.geometry, products.numbers, [WIDE, WIDE], accumulation)
    zero = np.zeros(shape, np.int64)
    add = lambda edge: additions.sums(accumulation, part_of_terms(terms, *edge), zero, declared)
    return np.stack([arrange(add(edge)).astype(np.float64) for edge in blocks.edges])
