"""All trees over a few leaves, and what their nodes hold: what every judgement is held against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from spec.ir import Region
from tests.library.oracles.bodies import body_of

State = tuple[Any, ...]
Body = Callable[[State, State], State]
MOST = 6  # leaves, the init included: 42 trees


class Node(NamedTuple):
    """One value that a tree over some leaves can have, and whether a sum on the way left the range."""

    state: State
    overflowed: bool


def key(state: State) -> str:
    """Tell states apart by their bits; every NaN is the same."""
    return repr(state)


class Trees:
    """The nodes of all trees over the leaves of one element; `combine` says whether a sum overflowed."""

    def __init__(self, leaves: Sequence[State], combine: Callable[[State, State], Node]) -> None:
        n = len(leaves)
        spans = {(i, i + 1): {key(leaf): Node(leaf, False)} for i, leaf in enumerate(leaves)}
        for width in range(2, n + 1):
            for i in range(n - width + 1):
                found: dict[str, Node] = {}
                for m in range(i + 1, i + width):
                    for a in spans[i, m].values():
                        for b in spans[m, i + width].values():
                            state, here = combine(a.state, b.state)
                            node = Node(state, here or a.overflowed or b.overflowed)
                            found[key(state) + " over" * node.overflowed] = node
                spans[i, i + width] = found
        self.roots = list(spans[0, n].values())

    @property
    def states(self) -> dict[str, State]:
        """The results that some tree gives."""
        return {key(root.state): root.state for root in self.roots}

    @property
    def kind(self) -> str:
        """Return whether no tree overflows, every one does, or some do."""
        over = {root.overflowed for root in self.roots}
        return "order-dependent" if len(over) > 1 else "inevitable" if over.pop() else "safe"


class Brute:
    """Results of trees; the body is evaluated once for each pair of operands."""

    def __init__(self, body: Region | Body) -> None:
        self.meaning = body_of(body) if isinstance(body, Region) else body
        self.known: dict[tuple[str, str], State] = {}

    def body(self, lhs: State, rhs: State) -> State:
        pair = key(lhs), key(rhs)
        if pair not in self.known:
            self.known[pair] = self.meaning(lhs, rhs)
        return self.known[pair]

    def results(self, leaves: Sequence[State]) -> dict[str, State]:
        return Trees(leaves, lambda a, b: Node(self.body(a, b), False)).states

    def with_inits(self, init: State, elements: Sequence[State], most: int) -> dict[str, State]:
        """Return the results of all trees over the leaves with up to `most` inits anywhere.

        A tree's parts have some neighbouring elements and some inits, wherever these stand.
        """
        n, spans = len(elements), dict[tuple[int, int, int], dict[str, State]]()
        for size, k in product(range(1, n + most + 1), range(most + 1)):
            for i in range(n - (size - k) + 1 if k <= size else 0):
                j = i + size - k
                if size == 1:
                    states = [init if k else elements[i]]
                else:
                    parts = [((i, m, x), (m, j, k - x)) for m, x in product(range(i, j + 1), range(k + 1))]
                    pairs = [(spans[a], spans[b]) for a, b in parts if a in spans and b in spans]
                    states = [self.body(x, y) for a, b in pairs for x in a.values() for y in b.values()]
                spans[i, j, k] = {key(state): state for state in states}
        counts = range(0 if elements else 1, most + 1)
        return {name: state for k in counts for name, state in spans[0, n, k].items()}


def by_integers(numbers: Sequence[int], low: int, high: int, wraps: bool) -> Trees:
    """Return all trees with integer addition that clamps to a range, or wraps around in it."""
    size = high - low + 1

    def combine(a: State, b: State) -> Node:
        exact = a[0] + b[0]
        stored = (exact - low) % size + low if wraps else min(max(exact, low), high)
        return Node((stored,), stored != exact)

    return Trees([(x,) for x in numbers], combine)


@cache
def trees(first: int, last: int) -> list[Any]:
    """All full binary trees over the leaves first to last - 1: a leaf is a number, a node a pair."""
    if last - first == 1:
        return [first]
    middles = range(first + 1, last)
    return [(lhs, rhs) for m in middles for lhs in trees(first, m) for rhs in trees(m, last)]


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
