"""Search for an in-order tree that gives a result, by values of intervals of leaves.

Leaves are cut into a few pieces. Each piece is folded along several trees, for all elements at once; then,
for one element after the other, every interval of pieces gets some of the values that the body makes of
values of its two parts. A value of all pieces that is the wanted one has a tree, which the caller runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from interp.backends import Array
from interp.questions.permitted.search import fold_leaves
from interp.questions.permitted.selection import Combine
from spec.permitted import State as Numbers
from spec.schedule import BALANCED, LEFT, Schedule, Step, random, tree

SPLITS = 4  # of an interval that are tried
ALONE, CHAIN = -1, -2  # in place of a split: a value of one piece; leaf after leaf, added to another interval
PUSHED = 64  # values of all leaves that are pushed through the operations after the reduction
Reaches = Callable[[Sequence[Numbers]], Numbers | None]


class Round(NamedTuple):
    """One attempt: into how many pieces leaves are cut, along how many trees, and how many values are kept.

    even: whether pieces have the same length; else they are cut at random.
    """

    pieces: int
    trees: int
    kept: int
    even: bool = True

    def applications(self, n: int) -> int:
        """Estimate how often the body is applied for an element of n leaves."""
        pieces = min(self.pieces, n)
        return n * (self.trees + 2 * self.kept) + (pieces**2 // 2 * SPLITS + pieces) * self.kept**2


ROUNDS = (
    *(Round(8, 8, 24), Round(16, 16, 32), Round(16, 24, 48, even=False), Round(32, 16, 48)),
    Round(24, 32, 64, even=False),
)


class Piece(NamedTuple):
    """Neighbouring leaves `start` to `stop - 1`, the trees over them, and their values, [trees, elements]."""

    start: int
    stop: int
    trees: Sequence[Schedule]
    values: Array


class Values(NamedTuple):
    """Some values of an interval of pieces, each with the split, and the numbers of the parts' values."""

    numbers: Array
    split: Array
    lhs: Array
    rhs: Array


def cut(n: int, pieces: int, rng: np.random.Generator, even: bool) -> list[int]:
    """Return the ends of so many pieces of n leaves, of the same length or at random."""
    pieces = min(pieces, n)
    if even:
        return [n * k // pieces for k in range(pieces + 1)]
    return [0, *sorted(rng.choice(np.arange(1, n), pieces - 1, replace=False).tolist()), n]


def pieces_of(combine: Combine, x: Array, ends: Sequence[int], number: int, seed: int) -> list[Piece]:
    """Return pieces of leaves [leaves, elements], each folded along so many trees."""
    found = []
    for start, stop in pairwise(ends):
        trees = (
            [LEFT, BALANCED, *(random(seed + k) for k in range(number - 2))] if stop - start > 2 else [LEFT]
        )
        values = np.stack([fold_leaves(combine, (x[start:stop],), each)[0] for each in trees])
        found.append(Piece(start, stop, trees, values))
    return found


class Intervals:
    """Values of the intervals of pieces, for one element; `x` has its leaves."""

    def __init__(
        self,
        combine: Combine,
        pieces: Sequence[Piece],
        x: Array,
        at: int,
        kept: int,
        rng: np.random.Generator,
    ) -> None:
        self.combine, self.pieces, self.x, self.kept, self.rng = combine, pieces, x, kept, rng
        self.known = dict[tuple[int, int], Values]()
        for k, piece in enumerate(pieces):
            numbers, first = np.unique(piece.values[:, at], return_index=True)
            none = np.full(len(first), ALONE)
            self.known[k, k + 1] = Values(numbers, none, first, none)

    def fill(self) -> Values:
        """Return values of all pieces, from values of shorter intervals; all splits are tried."""
        count = len(self.pieces)
        for length in range(2, count):
            for i in range(count - length + 1):
                splits = list(range(i + 1, i + length))
                if len(splits) > SPLITS:
                    splits = self.rng.choice(splits, SPLITS, replace=False).tolist()
                joined = self.join(i, i + length, splits)
                if i == 0 or i + length == count:
                    joined = _once([joined, self.chain(i, i + length)])
                self.known[i, i + length] = self.choose(joined)
        if count > 1:
            self.known[0, count] = self.join(0, count, range(1, count))
        return self.known[0, count]

    def join(self, i: int, j: int, splits: Sequence[int]) -> Values:
        """Return what the body makes of the values of both parts, each number once."""
        parts = []
        for k in splits:
            lhs, rhs = self.known[i, k].numbers, self.known[k, j].numbers
            a, b = np.divmod(np.arange(len(lhs) * len(rhs)), len(rhs))
            (numbers,) = self.combine((lhs[a],), (rhs[b],))
            parts.append(Values(np.asarray(numbers), np.full(len(a), k), a, b))
        return _once(parts)

    def chain(self, i: int, j: int) -> Values:
        """Return values of the first pieces, or the last ones, in which one piece is added leaf by leaf."""
        before = self.known[(i, j - 1) if i == 0 else (i + 1, j)]
        total, piece = before.numbers, self.pieces[j - 1 if i == 0 else i]
        order = range(piece.start, piece.stop)
        for k in order if i == 0 else reversed(order):
            leaf = np.broadcast_to(self.x[k], total.shape)
            (total,) = self.combine((total,), (leaf,)) if i == 0 else self.combine((leaf,), (total,))
        none = np.full(len(total), CHAIN)
        return Values(np.asarray(total), none, np.arange(len(total)), none)

    def choose(self, values: Values) -> Values:
        if len(values.numbers) <= self.kept:
            return values
        chosen = self.rng.choice(len(values.numbers), self.kept, replace=False)
        return Values(*(column[chosen] for column in values))

    def steps(self, n: int, number: int) -> list[Step]:
        """Return the steps of the tree over n leaves that has a value of all pieces."""
        made = list[Step]()

        def node(i: int, j: int, number: int) -> int:
            values = self.known[i, j]
            if j == i + 1:
                return _piece_steps(self.pieces[i], int(values.lhs[number]), n, made)
            k = int(values.split[number])
            if k == CHAIN:
                total = node(*((i, j - 1) if i == 0 else (i + 1, j)), int(values.lhs[number]))
                piece = self.pieces[j - 1 if i == 0 else i]
                order = range(piece.start, piece.stop)
                for leaf in order if i == 0 else reversed(order):
                    made.append((total, leaf) if i == 0 else (leaf, total))
                    total = n + len(made) - 1
                return total
            lhs = node(i, k, int(values.lhs[number]))
            made.append((lhs, node(k, j, int(values.rhs[number]))))
            return n + len(made) - 1

        node(0, len(self.pieces), number)
        return made


def _once(parts: Sequence[Values]) -> Values:
    """Return the values of all parts, each number once."""
    whole = Values(*map(np.concatenate, zip(*parts, strict=True)))
    _, first = np.unique(whole.numbers, return_index=True)
    return Values(*(column[first] for column in whole))


def _piece_steps(piece: Piece, number: int, n: int, made: list[Step]) -> int:
    """Append the steps of a tree over one piece, and return its root."""
    nodes = list(range(piece.start, piece.stop))
    for lhs, rhs in list(piece.trees[number].steps(len(nodes), False)):
        made.append((nodes[lhs], nodes[rhs]))
        nodes.append(n + len(made) - 1)
    return nodes[-1]


def witnesses(
    combine: Combine,
    x: Array,
    reaches: Sequence[Reaches],
    take: Callable[[int], bool],
    direct: bool,
    rounds: Sequence[Round] = ROUNDS,
) -> Iterator[tuple[int, Schedule]]:
    """Yield elements, of leaves [leaves, elements], and a tree that gives what is wanted of each.

    reaches: for each element a function that returns the wanted one among values, or None. take: whether so
    many applications of the body may be made. direct: whether a value is the result itself, so that all
    values may be compared.
    """
    n, rng = len(x), np.random.default_rng(0)
    todo = list(range(x.shape[1]))
    for each in rounds:
        if not todo or n < 2:
            return
        ends = cut(n, each.pieces, rng, each.even)
        pieces = pieces_of(combine, x[:, todo], ends, each.trees, 100 * each.kept)
        rest = []
        for at, element in enumerate(todo):
            if not take(each.applications(n)):
                return
            intervals = Intervals(combine, pieces, x[:, element], at, each.kept, rng)
            numbers = intervals.fill().numbers
            step = 1 if direct else -(-len(numbers) // PUSHED)
            states = [(value,) for value in numbers[::step].tolist()]
            wanted = reaches[element](states)
            if wanted is None:
                rest.append(element)
            else:
                position = next(k for k, state in enumerate(states) if state is wanted)
                yield element, tree(intervals.steps(n, step * position))
        todo = rest
