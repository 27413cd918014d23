"""Bodies that select one of their leaves, proven by trying all pairs of states that may be combined."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from interp.backends import State

Combine = Callable[[State, State], State]
ROUNDS = 3  # in which the states that arise from the leaves must be complete
TRIED = 8  # leaves above which all nodes are listed


class Table(NamedTuple):
    """Table of a body: `results[x, y]` is the number of its result on the states numbered x and y."""

    states: State
    results: np.ndarray

    def state(self, number: int) -> tuple[Any, ...]:
        return tuple(x[number].item() for x in self.states)


def is_selection(table: Table) -> bool:
    """Return whether every tree selects the first, or the last, of its best leaves.

    THEOREM. Let C be the leaves and all results of the body on members of C, and let r(x) be the body on x
    and x. Suppose that the body on x and y is the body on r(x) and r(y), and is r(x) or r(y); that r(r(x)) =
    r(x); and that the members r(x) of C have ranks, such that of two the one with the higher rank results, on
    either side, and in each rank always the left one or always the right one. By induction, the result of a
    tree of several leaves is r of the first (or the last) of its leaves of the highest rank.

    PROOF OBLIGATION. The table has all pairs of C.
    """
    results = table.results
    r = results.diagonal()
    if (r[r] != r).any() or (results[np.ix_(r, r)] != results).any():
        return False
    kept = np.unique(r)
    result = results[np.ix_(kept, kept)]
    left, right = result == kept[:, None], result == kept
    return bool((left | right).all()) and _is_ranked(left, left & right.T)


def within(table: Table, leaves: Iterable[int]) -> list[int]:
    """Return numbers of states among which is the result of every tree that has several leaves, `leaves` too.

    THEOREM. For one leaf, let J be the smallest set of states that contains it and, with each state, the
    body's results on it and any other state, on either side. By induction, every node above the leaf is in J,
    and so is the root.
    """
    count = len(table.results)
    made = np.zeros((count, count), bool)  # of each state, what the body makes of it and another
    made[np.arange(count)[:, None], table.results] = True
    made[np.arange(count)[None, :], table.results] = True
    found = np.ones(count, bool)
    for leaf in sorted(leaves, key=lambda leaf: int(made[leaf].sum()))[:TRIED]:
        above, before = made[leaf], np.zeros(count, bool)
        while (above != before).any():
            above, before = above | made[above].any(0), above
        found &= above
    return [int(number) for number in found.nonzero()[0]]


def _is_ranked(left: np.ndarray, wins: np.ndarray) -> bool:
    """Return whether `wins` ranks the states, the same on both sides, and one side wins within each rank."""
    others = ~np.eye(len(left), dtype=bool)
    rank = (wins & others).sum(1)
    if ((wins & others) != (rank[:, None] > rank)).any():
        return False
    order = np.argsort(rank, kind="stable")
    ranks = np.split(order, np.flatnonzero(np.diff(rank[order])) + 1)
    tied = (left[np.ix_(same, same)][others[: len(same), : len(same)]] for same in ranks)
    return not any(sides.any() and not sides.all() for sides in tied)


def table_of(leaves: State, combine: Combine, most: int) -> tuple[Table, np.ndarray] | None:
    """Return the table of all results that the body reaches from the leaves, and the leaves' numbers.

    None if it has more than `most` pairs.
    """
    states = leaves
    if any(x.dtype.kind == "c" for x in leaves):
        return None
    for _ in range(ROUNDS):
        first, _ = _number_states(states)
        states = tuple(x[first] for x in states)
        m = len(first)
        if m * m > most:
            return None
        made = combine(tuple(np.repeat(x, m) for x in states), tuple(np.tile(x, m) for x in states))
        states = tuple(np.concatenate(pair) for pair in zip(states, made, strict=True))
        first, numbers = _number_states(states)
        if len(first) == m:
            own = np.empty(m, np.int64)
            own[numbers[:m]] = np.arange(m)
            table = Table(tuple(x[:m] for x in states), own[numbers[m:]].reshape(m, m))
            _, numbers = _number_states(tuple(map(np.concatenate, zip(table.states, leaves, strict=True))))
            own[numbers[:m]] = np.arange(m)
            return table, own[numbers[m:]]
    return None


def _number_states(states: State) -> tuple[np.ndarray, np.ndarray]:
    """Return the first position of each distinct state, and the number of every state."""
    packed = np.zeros(len(states[0]), np.int64)
    for x in states:
        values, number = np.unique(keys(x), return_inverse=True)
        packed = packed * len(values) + number  # as many as there are pairs: products fit
        _, packed = np.unique(packed, return_inverse=True)
    _, first, number = np.unique(packed, return_index=True, return_inverse=True)
    return first, number


def keys(x: np.ndarray) -> np.ndarray:
    """Return integers that are equal where elements have equal bits, or are both NaN."""
    if x.dtype.kind != "f":
        return x
    x = np.where(np.isnan(x), np.nan, x).astype(x.dtype)
    return np.ascontiguousarray(x).view(f"i{x.itemsize}")
