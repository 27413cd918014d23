"""Verdicts on a contraction by blocks of scales: would another schedule have saved the sums of its blocks?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from interp.backends import Array
from interp.engine.work import beat
from interp.questions.block_needs import adds_exactly
from interp.questions.verdicts import KINDS, Verdicts
from interp.recorder.recorded import Reduction
from interp.theory.sums import Ends, contiguous
from spec.verdict import INEVITABLE, INEXACT, ORDER_DEPENDENT, SAFE

ROUNDED = "no sum of a block overflows; scaled sums, or the sum across blocks, may be rounded"
ORDER = (SAFE, ORDER_DEPENDENT, INEVITABLE)  # the worst last


@dataclass(frozen=True, eq=False, repr=False)
class BlockVerdicts(Verdicts):
    """Verdict on each result of a contraction by blocks of scales: the worst of those on its blocks.

    Where no block overflows in any schedule, it is "safe" if nothing is rounded across them in any order,
    else "inexact". `by_block` has the verdict on each block, [blocks, *result].
    """

    by_block: Array = field(default_factory=lambda: np.zeros((0,)))

    @property
    def meanings(self) -> dict[str, str]:
        return super().meanings | {
            SAFE: "no block overflows in any schedule, and nothing is rounded across them",
            ORDER_DEPENDENT: "a block overflows in some schedules and not in others",
            INEVITABLE: "a block overflows in every schedule",
            INEXACT: ROUNDED,
        }

    def first_block(self, kind: str) -> tuple[int, tuple[int, ...]] | None:
        """Return the block of the first element of a kind that has this verdict, and the element."""
        if (index := self.first(kind)) is None or kind not in ORDER[1:]:
            return None
        return int((self.by_block[(slice(None), *index)] == kind).argmax()), index

    def __repr__(self) -> str:
        return "\n".join(_lines(self))


def block_verdicts(reduction: Reduction) -> BlockVerdicts:
    """Return the verdicts on all elements of a contraction by blocks, in the accumulator of the reading.

    They are about the sums that the program declares: the accumulator of the reading in each block, and the
    expressed type across them.
    """
    beat()
    blocks = reduction.by_blocks
    assert blocks
    held, shape = blocks.reading.accumulator.type, reduction.shape
    kinds, totals = list[Array](), list[Array]()
    for k in range(len(blocks.edges)):
        leaves = blocks.leaves_of(k)
        sums = contiguous(np.zeros(reduction.size, leaves.dtype), iter([(leaves, None)]))
        beyond = [(x < held.min_value) | (x > held.max_value) for x in (sums.total, leaves)]
        fits = (sums.least >= held.min_value) & (sums.greatest <= held.max_value)
        never = beyond[0] | beyond[1].any(0)
        kinds.append(np.where(never, INEVITABLE, np.where(fits, SAFE, ORDER_DEPENDENT)).reshape(shape))
        totals.append(sums.total.reshape(shape))
    exact = adds_exactly(blocks.op, [Ends(x, x) for x in totals], None, blocks.reading.recipe)
    across = INEXACT if exact is None else np.where(exact, SAFE, INEXACT)
    return BlockVerdicts(reduction, _worst(kinds, across), by_block=np.stack(kinds))


def _worst(kinds: Sequence[Array], across: Array | str) -> Array:
    """Return the worst verdict of the blocks of each element; that across them where all are safe."""
    ranks = np.max([np.select([x == kind for kind in ORDER], range(len(ORDER))) for x in kinds], axis=0)
    return np.where(ranks == 0, across, np.array(ORDER)[ranks])


def _lines(self: BlockVerdicts) -> Iterator[str]:
    reduction, blocks = self.reduction, self.reduction.by_blocks
    assert blocks
    how = f"by {len(blocks.edges):,} blocks, within them {blocks.within!r}"
    yield f"{reduction.signature} {how}, {self.reading} reading"
    for kind in KINDS:
        if count := self.counts[kind]:
            yield f"{count:>9,} {kind + ':':16} {self.meanings[kind]}"
            if found := self.first_block(kind):
                block, index = found
                first, last = blocks.edges[block]
                yield f"{'':>10}first {index}: block {block}, leaves {first + 1}..{last}"
    if self.partial:
        yield self.shortfall
    if not blocks.reading.accumulator.saturates:
        yield "          integers wrap: where the total of a block fits, every schedule gives it"
