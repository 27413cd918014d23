"""All trees over a few leaves, and what their nodes hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any


@cache
def trees(first: int, last: int) -> list[Any]:
    """All full binary trees over the leaves first to last - 1: a leaf is a number, a node a pair."""
    if last - first == 1:
        return [first]
    middles = range(first + 1, last)
    return [(lhs, rhs) for m in middles for lhs in trees(first, m) for rhs in trees(m, last)]


def overflows(node: Any, numbers: Sequence[int], low: int, high: int) -> tuple[int, bool]:
    """Return the result of saturating addition along a tree, and whether it clamped."""
    if isinstance(node, int):
        return numbers[node], False
    (a, first), (b, second) = (overflows(child, numbers, low, high) for child in node)
    return min(max(a + b, low), high), first or second or not low <= a + b <= high


def nodes(root: Any, numbers: Sequence[int]) -> Iterator[int]:
    """The exact sums of all nodes of a tree, its leaves and root included; the root's is the last."""
    if isinstance(root, int):
        yield numbers[root]
        return
    total = 0
    for child in root:
        values = list(nodes(child, numbers))
        yield from values
        total += values[-1]
    yield total
