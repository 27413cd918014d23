"""Schedules that depend on the number of leaves: orders of summation, and numbers of init values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from spec.schedule import Schedule, Step, tree


class Tree:
    """A tree that grows from its leaves: node 0 is the init, 1 to n - 1 are the elements."""

    def __init__(self, n: int) -> None:
        self.n, self.steps = n, list[Step]()

    def combined(self, lhs: int, rhs: int) -> int:
        """Add a node over two others, and return its number."""
        self.steps.append((lhs, rhs))
        return self.n + len(self.steps) - 1

    def left(self, nodes: Sequence[int]) -> int:
        """Fold nodes from the left, and return the root."""
        root, *others = nodes
        for node in others:
            root = self.combined(root, node)
        return root

    def balanced(self, nodes: Sequence[int]) -> int:
        """Combine neighbours, round after round, and return the root."""
        while len(nodes) > 1:
            pairs = [self.combined(*nodes[k : k + 2]) for k in range(0, len(nodes) - 1, 2)]
            nodes = [*pairs, *nodes[2 * len(pairs) :]]
        return nodes[0]


def schedule(grown: Tree) -> Schedule:
    return tree(grown.steps)


@lru_cache(64)
def right_to_left(n: int) -> Schedule:
    """Return `x1 . (x2 . (... (init . xn)))`, for a commutative body the fold from the last element."""
    grown, root = Tree(n), 0
    for k, node in enumerate(range(n - 1, 0, -1)):
        root = grown.combined(node, root) if k else grown.combined(root, node)
    return schedule(grown)


@lru_cache(64)
def init_last(n: int) -> Schedule:
    """Return the fold of the elements from the left, to which the init is added at the end."""
    grown = Tree(n)
    grown.left([*range(1, n), 0])
    return schedule(grown)


@lru_cache(64)
def init_beside(n: int) -> Schedule:
    """Return the init combined with a balanced tree over the elements."""
    grown = Tree(n)
    if n > 1:
        grown.combined(0, grown.balanced(range(1, n)))
    return schedule(grown)


@lru_cache(64)
def init_beside_halves(n: int) -> Schedule:
    """Return the init combined with a tree that halves the elements, the first half the smaller one."""
    grown = Tree(n)

    def root(first: int, end: int) -> int:
        middle = (first + end) // 2
        return first if end - first == 1 else grown.combined(root(first, middle), root(middle, end))

    if n > 1:
        grown.combined(0, root(1, n))
    return schedule(grown)


@lru_cache(64)
def init_twice(n: int) -> Schedule:
    grown = Tree(n)
    grown.left([0, 0, *range(1, n)])
    return schedule(grown)


@lru_cache(64)
def without_init(n: int) -> Schedule:
    """Return the fold of the elements from the left, without the init; of the init if it is alone."""
    grown = Tree(n)
    grown.left([*range(1, n)] or [0])
    return schedule(grown)


@lru_cache(256)
def blocks_with_one_init(k: int, n: int) -> Schedule:
    """Return consecutive blocks of k elements folded left, to which the init is added first."""
    grown = Tree(n)
    roots = [grown.left(range(start, min(start + k, n))) for start in range(1, n, k)]
    grown.left([0, *roots])
    return schedule(grown)
