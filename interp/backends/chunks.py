"""Some leaves of a fold that a compiled loop has just taken, to be looked at again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Numbers = np.ndarray
State = tuple[Numbers, ...]


class Chunk(NamedTuple):
    """Consecutive leaves of some columns, after the loop took them.

    first: how many leaves came before. column: the first one, flat. leaves: [leaf, column]. before, after:
    the state, by column; `after` may be written to, to begin counts anew. loop: it takes leaves.
    """

    first: int
    column: int
    leaves: State
    before: State
    after: State
    loop: Callable[..., Any]

    def earliest(self, holds: Callable[[State], Numbers], columns: Numbers) -> Moment:
        """Return where, leaf by leaf, a state first `holds`, which it does at the end in all these columns.

        What holds goes on to hold. Leaves are taken once more: one, two, four, and so on, as it may be soon;
        then half of those among which it is.
        """
        low, high, step = 0, len(self.leaves[0]), 1
        state = tuple(x[columns] for x in self.before)
        while high - low > 1:
            middle = min(low + step, (low + high) // 2)
            step *= 2
            later = tuple(x.copy() for x in state)
            taken = [np.ascontiguousarray(x[low:middle, columns]) for x in self.leaves]
            self.loop(middle - low, len(columns), *taken, *later)
            if (here := holds(later)).any():
                high, columns, state = middle, columns[here], tuple(x[here] for x in state)
            else:
                low, state = middle, later
        column = int(columns[0])
        leaf = tuple(x[low, column] for x in self.leaves)
        return Moment(self.first + low + 1, self.column + column, tuple(x[0] for x in state), leaf)


class Moment(NamedTuple):
    """A node of a left fold: its last leaf, leaf 0 being the init value, its column, its state and leaf."""

    leaf: int
    column: int
    state: State
    taken: State
