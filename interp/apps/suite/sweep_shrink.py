"""Shrinking of chains: fewer steps, then the least sizes, down to the threshold at which a failure begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf

from interp.apps.suite.sweep import Chain, shape_after

Place = tuple[int, int]  # (-1, d) is dimension d of the start; (k, 0) the rows of the matrix of step k


def shrunk_chain(chain: Chain, fails: Callable[[Chain], bool], until: float = inf) -> Chain:
    """Return a chain with fewer steps and sizes that `fails` as `chain` does; `edges` says from where on.

    Each size is halved between one that passes and one that fails until they are neighbours: there may be
    others below. `until` is a time of `time.monotonic`.
    """
    search = Search(fails, until)
    while smaller := next(filter(search.fails, without_a_step(chain)), None):
        chain = smaller
    edges = []
    for place in sorted(places(chain), key=lambda place: -size(chain, place)):
        passes, fails_at = search.least(chain, place)
        chain = with_size(chain, place, fails_at)
        if passes and not search.is_over:
            edges.append(f"{described(place)}: fails from {fails_at:,} on, not at {passes:,}")
    return chain._replace(edges=tuple(edges))


@dataclass
class Search:
    """Trials until a time; what was tried is not tried again."""

    fail: Callable[[Chain], bool]
    until: float
    known: dict[Chain, bool] = field(default_factory=dict)

    def fails(self, chain: Chain) -> bool:
        """Return whether a chain fails; no longer tried after the time, and then False."""
        if chain not in self.known:
            if self.is_over:
                return False
            self.known[chain] = self.fail(chain)
        return self.known[chain]

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.until

    def least(self, chain: Chain, place: Place) -> tuple[int, int]:
        """Return a size that passes, 0 if 1 fails, and the next one, which fails, or the least until then."""
        low, high = 0, size(chain, place)
        if high > 1 and not self.fails(with_size(chain, place, 1)):
            low = 1
        else:
            high = 1
        while high - low > 1 and not self.is_over:
            middle = (low + high) // 2
            low, high = (low, middle) if self.fails(with_size(chain, place, middle)) else (middle, high)
        return low, high


def without_a_step(chain: Chain) -> Iterator[Chain]:
    """Yield the chain without one of its steps, where the others still fit."""
    for k in range(len(chain.steps)):
        smaller = chain._replace(steps=(*chain.steps[:k], *chain.steps[k + 1 :]))
        if smaller.steps and fits(smaller):
            yield smaller


def fits(chain: Chain) -> bool:
    """Return whether every step applies to the result of the one before."""
    shape = chain.shape
    try:
        for step in chain.steps:
            shape = shape_after(shape, step)
    except ValueError:
        return False
    return True


def places(chain: Chain) -> Iterator[Place]:
    yield from ((-1, d) for d in range(len(chain.shape)))
    yield from ((k, 0) for k, step in enumerate(chain.steps) if step.kind == "dot")


def size(chain: Chain, place: Place) -> int:
    k, d = place
    return chain.shape[d] if k < 0 else chain.steps[k].numbers[1]


def with_size(chain: Chain, place: Place, size: int) -> Chain:
    """Return the chain with another size in one place."""
    k, d = place
    if k < 0:
        return chain._replace(shape=(*chain.shape[:d], size, *chain.shape[d + 1 :]))
    at, _, first = chain.steps[k].numbers
    step = chain.steps[k]._replace(numbers=(at, size, first))
    return chain._replace(steps=(*chain.steps[:k], step, *chain.steps[k + 1 :]))


def described(place: Place) -> str:
    k, d = place
    return f"dimension {d} of %x0" if k < 0 else f"rows of the matrix of step {k}"
