"""Every tree over a few leaves, computed for many elements at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from interp.backends import State
from interp.questions.permitted.selection import Combine
from spec.schedule import Schedule, Step, tree

LEAVES = 9  # an init and eight elements have 1430 trees, whose nodes have 2974 values
APPLICATIONS = 2974

Interval = tuple[int, int]


class Trees(NamedTuple):
    """Results of all trees: `values` has, per interval of the leaves, an array `[trees, elements]`."""

    n: int
    values: dict[Interval, State]

    @property
    def results(self) -> State:
        return self.values[0, self.n]

    def schedule(self, number: int) -> Schedule:
        """Return the tree that gives result number `number`."""
        steps: list[Step] = []

        def node(first: int, last: int, number: int) -> int:
            if last - first == 1:
                return first
            for middle in range(first + 1, last):
                left, right = (len(self.values[part][0]) for part in ((first, middle), (middle, last)))
                if number < left * right:
                    break
                number -= left * right
            lhs = node(first, middle, number // right)
            steps.append((lhs, node(middle, last, number % right)))
            return self.n + len(steps) - 1

        node(0, self.n, number)
        return tree(steps)


def every_tree(leaves: State, combine: Combine) -> Trees:
    """Return the values of all trees over all intervals of `[leaves, elements]`."""
    n = len(leaves[0])
    values = {(k, k + 1): tuple(x[k : k + 1] for x in leaves) for k in range(n)}
    for length in range(2, n + 1):
        for first in range(n - length + 1):
            last = first + length
            pairs = [(values[first, middle], values[middle, last]) for middle in range(first + 1, last)]
            lhs = [[np.repeat(x, len(b[0]), 0) for x in a] for a, b in pairs]
            rhs = [[np.tile(x, (len(a[0]), 1)) for x in b] for a, b in pairs]
            sides = (tuple(map(np.concatenate, zip(*side, strict=True))) for side in (lhs, rhs))
            values[first, last] = combine(*sides)
    return Trees(n, values)
