"""Trees of sums as tapes: the order in which leaves are taken, and instructions for one sum and a stack.

The sum that is being added takes leaf after leaf; a new one pushes it on the stack, and is added to it later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from interp.engine.memo import once
from spec.accumulation import Accumulation
from spec.trees import ZERO as ZERO_CHILD
from spec.trees import Arithmetic, Node, Tree

# Words of an instruction: how a new sum starts; how many leaves are added, rounded and then unrounded; and
# how many sums of the stack are added then.
INSTRUCTION = 4
ZERO, PRODUCT = 1, 2  # starts; 0 goes on with the sum before
PLAIN, FMA, POP = 3, 4, 5  # other steps
FUSE, MORE = 6, 7  # the first leaf of a node of several, in place of those of FMA, and the others

Step = tuple[int, int]  # what to do, and the leaf, or -1


class Tape(NamedTuple):
    """A tree over n terms: the order of the terms, and the words: depth of the stack, instructions.

    arithmetics: those of the nodes. starts_with_products: whether a sum starts with a term, and not with
    zero, so that it may be -0. steps: the same one by one, each with its term, or -1.
    """

    order: np.ndarray
    words: np.ndarray
    steps: np.ndarray
    arithmetics: tuple[Arithmetic, ...]
    starts_with_products: bool

    @property
    def is_in_order(self) -> bool:
        """Return whether the terms are taken from the first to the last."""
        return bool((self.order == np.arange(len(self.order))).all())


PAIR = Tape(
    np.arange(2), np.array([2, 2, PRODUCT, 0, 0, 0, PRODUCT, 0, 0, 1]), np.zeros((0, 2)), (), True
)  # the sum of two products


@once
def tape_of(
    accumulation: Accumulation,
    n: int,
    has_init: bool,
    fuses: Callable[[Arithmetic], bool],
    init_is_zero: bool = True,
) -> Tape | None:
    """Return the tape of a tree over n terms and an init; None for no node, or one of more children.

    fuses: whether an arithmetic lets the product that its node names enter unrounded. An init that is not +0
    is term 0, once for each of its places, and the others come after it.
    """
    has_init = has_init and not accumulation.without_init
    tree = accumulation.tree(n + has_init, has_init)
    if not tree.nodes or not all(_is_known(node, tree.n, has_init) for node in tree.nodes):
        return None
    fused = {arithmetic: fuses(arithmetic) for arithmetic in tree.arithmetics}
    if has_init and not init_is_zero:
        if any(node.arithmetic.kind == "fused" or node.factor == 0 for node in tree.nodes):
            return None
        n, has_init = n + tree.places_of_init(), False
    return _write(list(_steps(tree, has_init, fused)), n, tree.arithmetics)


def _is_known(node: Node, n: int, has_init: bool) -> bool:
    """Return whether a node adds two children, or in a fused one products, and at most one sum."""
    if node.arithmetic.kind != "fused":
        return len(node.children) == 2
    sums, terms = sum(c >= n for c in node.children), sum(has_init <= c < n for c in node.children)
    return sums < 2 and terms > 0


def _write(steps: list[Step], n: int, arithmetics: tuple[Arithmetic, ...]) -> Tape:
    order = np.array([leaf for _, leaf in steps if leaf >= 0], np.int64)
    rows, depth, deepest = list[list[int]](), 0, 0
    for step, _ in steps:
        if step in (ZERO, PRODUCT):
            rows.append([step, 0, 0, 0])
            depth += 1
            deepest = max(deepest, depth)
            continue
        word = FMA - PLAIN + 1 if step in (FUSE, MORE) else step - PLAIN + 1
        if step != MORE and any(rows[-1][word + (step != FUSE) :]):
            rows.append([0, 0, 0, 0])
        rows[-1][word] += 1
        depth -= step == POP
    assert len(order) == n
    words = np.array([deepest, len(rows), *(word for row in rows for word in row)], np.int64)
    return Tape(order, words, np.array(steps, np.int64), arithmetics, any(row[0] == PRODUCT for row in rows))


def _steps(tree: Tree, has_init: bool, fused: dict[Arithmetic, bool]) -> Iterator[Step]:
    """Yield the steps that add along a tree of binary nodes; of two sums the deeper one is added first."""
    is_zero = lambda child: child == ZERO_CHILD or (has_init and child == 0)
    start = lambda child: (ZERO, -1) if is_zero(child) else (PRODUCT, child - has_init)
    needs = _needs(tree)
    todo: list[int | Step] = [tree.root]
    while todo:
        at = todo.pop()
        if isinstance(at, tuple):
            yield at
            continue
        node = tree.nodes[at - tree.n]
        sums = [child for child in node.children if child >= tree.n]
        if node.arithmetic.kind == "fused":
            first, *more = (child - has_init for child in node.children if has_init <= child < tree.n)
            todo += [(MORE, leaf) for leaf in reversed(more)]
            todo += [(FUSE, first), sums[0] if sums else (ZERO, -1)]
            continue
        if len(sums) == 2:
            deep, flat = sorted(sums, key=lambda child: -needs[child - tree.n])
            todo += [(POP, -1), flat, deep]
        elif sums:
            (leaf,) = (child for child in node.children if child < tree.n)
            todo += [*reversed(_add(node, leaf, is_zero(leaf), has_init, fused)), sums[0]]
        else:
            first, second = _first_and_second(node, is_zero, fused)
            yield start(first)
            yield from _add(node, second, is_zero(second), has_init, fused)


def _add(node: Node, leaf: int, is_zero: bool, has_init: bool, fused: dict[Arithmetic, bool]) -> list[Step]:
    """Return the steps that add a leaf to the sum before it."""
    if is_zero:
        return [(ZERO, -1), (POP, -1)]
    is_fused = fused[node.arithmetic] and node.factor == leaf
    return [(FMA if is_fused else PLAIN, leaf - has_init)]


def _first_and_second(
    node: Node, is_zero: Callable[[int], bool], fused: dict[Arithmetic, bool]
) -> tuple[int, int]:
    """Return the leaves of a node, first the one that a sum starts with: not what is added unrounded."""
    first, second = node.children
    if is_zero(first) or is_zero(second):
        return (first, second) if is_zero(first) else (second, first)
    return (second, first) if fused[node.arithmetic] and node.unrounded == 0 else (first, second)


def _needs(tree: Tree) -> list[int]:
    """Return how many sums each node needs at once (Sethi and Ullman)."""
    needs = list[int]()
    for node in tree.nodes:
        below = sorted(needs[child - tree.n] for child in node.children if child >= tree.n)
        needs.append(max(below[-1], below[0] + 1) if len(below) == 2 else below[0] if below else 1)
    return needs
