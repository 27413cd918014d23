"""Schedules that depend on the number of leaves: orders of summation, and numbers of init values, leaf 0."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from spec.schedule import Schedule, Step, tree


def chain(n: int, nodes: Sequence[int], first: int = 0) -> list[Step]:
    """Return the steps that fold nodes from the left, where `first` steps are before them."""
    roots = range(n + first, n + first + len(nodes) - 2)
    return list(zip([nodes[0], *roots], nodes[1:], strict=True)) if len(nodes) > 1 else []


@lru_cache(256)
def right_to_left(n: int) -> Schedule:
    """Return `x1 . (x2 . (... (init . xn)))`, for a commutative body the fold from the last element."""
    steps = chain(n, [0, *range(n - 1, 0, -1)])
    return tree(steps[:1] + [(leaf, root) for root, leaf in steps[1:]])


@lru_cache(256)
def init_last(n: int) -> Schedule:
    """Return the fold of the elements from the left, to which the init is added at the end."""
    return tree(chain(n, [*range(1, n), 0]))


@lru_cache(256)
def init_beside(n: int) -> Schedule:
    """Return the init combined with a balanced tree over the elements."""
    steps, nodes = list[Step](), [*range(1, n)]
    while len(nodes) > 1:
        pairs = list(zip(nodes[::2], nodes[1::2], strict=False))
        roots = range(n + len(steps), n + len(steps) + len(pairs))
        steps, nodes = steps + pairs, [*roots, *nodes[2 * len(pairs) :]]
    return tree([*steps, (0, nodes[0])] if n > 1 else [])


@lru_cache(256)
def init_beside_halves(n: int) -> Schedule:
    """Return the init combined with a tree that halves the elements, the first half the smaller one."""
    steps = list[Step]()

    def root(first: int, end: int) -> int:
        middle = (first + end) // 2
        if end - first == 1:
            return first
        steps.append((root(first, middle), root(middle, end)))
        return n + len(steps) - 1

    return tree([*steps, (0, last)] if n > 1 and (last := root(1, n)) else [])


@lru_cache(256)
def init_twice(n: int) -> Schedule:
    """Return the fold from the left of the init, once more the init, and the elements."""
    return tree(chain(n, [0, 0, *range(1, n)]))


@lru_cache(256)
def without_init(n: int) -> Schedule:
    """Return the fold of the elements from the left, without the init; of the init if it is alone."""
    return tree(chain(n, [*range(1, n)] or [0]))


@lru_cache(256)
def blocks_with_one_init(k: int, n: int) -> Schedule:
    """Return consecutive blocks of k elements folded left, to which the init is added first."""
    steps, roots = list[Step](), [0]
    for start in range(1, n, k):
        block = range(start, min(start + k, n))
        steps += chain(n, block, len(steps))
        roots.append(n + len(steps) - 1 if len(block) > 1 else start)
    return tree(steps + chain(n, roots, len(steps)))
