"""Schedules: the full binary trees along which the specification's `exec(schedule)` folds a reduction.

The specification leaves the tree to the implementation, so here it is a value. Leaf 0 is the init value if
there is one (`seeded`); the elements follow in ascending order.
"""

from __future__ import annotations

import random as _random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from spec.errors import Malformed, several

Step = tuple[int, int]


@dataclass(frozen=True)
class Schedule:
    """A schedule: `left`, `balanced`, `blocks(k)`, `windows(k)`, `random(seed)` or `tree(steps)`."""

    name: str
    argument: int | tuple[Step, ...] | None = None

    def __post_init__(self) -> None:
        if (
            not isinstance(self.name, str)
            or self.name not in _ARGUMENTS
            or not _ARGUMENTS[self.name](self.argument)
        ):
            raise Malformed(f"{self.name!r} with {self.argument!r} is not a schedule", _EVIDENCE)

    def __repr__(self) -> str:
        if isinstance(self.argument, tuple):
            return f"{self.name}({', '.join(f'{lhs} {rhs}' for lhs, rhs in self.argument)})"
        return self.name if self.argument is None else f"{self.name}({self.argument})"

    def steps(self, n: int, seeded: bool) -> Iterator[Step]:
        """Yield the tree over n leaves, bottom up: step k combines two nodes into node n + k.

        Leaves are nodes 0 to n - 1. Only the init is ever used more than once.
        """
        return _STEPS[self.name](self.argument, n, seeded)

    @property
    def may_repeat_init(self) -> bool:
        """Return whether the init may occur more than once, or not at all."""
        return self.name in ("blocks", "windows", "tree")

    def most_inits(self, n: int) -> int:
        """Return how often the init value occurs in the tree over `n` elements, if none of them is absent."""
        if not self.may_repeat_init:
            return 1
        if isinstance(self.argument, tuple):
            return max(1, sum(leaf == 0 for step in self.argument for leaf in step))
        assert self.argument is not None
        if self.name == "blocks":
            return max(1, -(-n // self.argument))
        inits = 1
        while n > self.argument:
            n = -(-n // self.argument)
            inits += n
        return inits


def _left_of(nodes: list[int], fresh: int) -> tuple[list[Step], int]:
    """Fold nodes from the left, numbering new ones from `fresh`. Return the steps and the root."""
    steps, root = [], nodes[0]
    for k, node in enumerate(nodes[1:]):
        steps.append((root, node))
        root = fresh + k
    return steps, root


def _left(_: int | None, n: int, seeded: bool) -> Iterator[Step]:
    """Yield the steps of ((init . x0) . x1) . x2 ..."""
    yield from _left_of(list(range(n)), n)[0]


def _balanced_steps(_: int | None, n: int, seeded: bool) -> Iterator[Step]:
    """Combine neighbours 0-1, 2-3, ... in rounds, carrying an odd last node over, until one is left."""
    nodes, fresh = list(range(n)), n
    while len(nodes) > 1:
        pairs = list(zip(nodes[0::2], nodes[1::2], strict=False))
        yield from pairs
        odd = nodes[len(pairs) * 2 :]
        nodes = list(range(fresh, fresh + len(pairs))) + odd
        fresh += len(pairs)


def _blocks(k: int | None, n: int, seeded: bool) -> Iterator[Step]:
    """Fold blocks of k elements from the left, each from its own init, then the block results."""
    assert k is not None
    elements = list(range(1 if seeded else 0, n))
    fresh, roots = n, []
    for start in range(0, len(elements), k):
        block = [0] * seeded + elements[start : start + k]
        steps, root = _left_of(block, fresh)
        yield from steps
        fresh += len(steps)
        roots.append(root)
    if roots:
        yield from _left_of(roots, fresh)[0]


def _windows(k: int | None, n: int, seeded: bool) -> Iterator[Step]:
    """Fold windows of k centred on the nodes, each from its own init, repeatedly until k are left."""
    assert k is not None
    nodes, fresh = list(range(1 if seeded else 0, n)), n
    while len(nodes) > k:
        roots, low = [], -len(nodes) % k // 2
        for start in range(-low, len(nodes), k):
            window = [0] * seeded + nodes[max(start, 0) : start + k]
            steps, root = _left_of(window, fresh)
            yield from steps
            fresh += len(steps)
            roots.append(root)
        nodes = roots
    yield from _left_of([0] * seeded + nodes, fresh)[0]


def _random_tree(seed: int | None, n: int, seeded: bool) -> Iterator[Step]:
    """Draw split points from `random.Random(seed)` in preorder; one tree per number of leaves."""
    draw = _random.Random(seed)
    split: dict[tuple[int, int], int] = {}
    todo = [(0, n)]
    order = []
    while todo:  # preorder, without recursion: a tree may be as deep as it has leaves
        lo, hi = todo.pop()
        if hi - lo > 1:
            split[lo, hi] = lo + draw.randrange(1, hi - lo)
            order.append((lo, hi))
            todo += [(split[lo, hi], hi), (lo, split[lo, hi])]
    node = {(i, i + 1): i for i in range(n)}
    for k, (lo, hi) in enumerate(reversed(order)):  # children come after their parent in preorder
        middle = split[lo, hi]
        yield node[lo, middle], node[middle, hi]
        node[lo, hi] = n + k


def _tree(steps: tuple[Step, ...], n: int, seeded: bool) -> Iterator[Step]:
    """Return the given steps if they form a full binary tree over n leaves in order, with inits anywhere."""
    spans = {i: range(i, i + 1) for i in range(n)}  # the elements under each node that has no parent yet
    if seeded:
        spans[0] = range(0)
    for k, (lhs, rhs) in enumerate(steps):
        parts = [spans[i] if seeded and i == 0 else spans.pop(i, None) for i in (lhs, rhs)]
        covered = [part for part in parts if part]
        if None in parts or (len(covered) == 2 and covered[0].stop != covered[1].start):
            raise Malformed(f"step {k} of {Schedule('tree', steps)!r} is not on neighbours of {n} leaves")
        spans[n + k] = range(covered[0].start, covered[-1].stop) if covered else range(0)
    root = spans.get(n + len(steps) - 1)
    if root is None or len(root) != n - seeded or len(spans) - (seeded and n + len(steps) > 1) != 1:
        raise Malformed(f"{Schedule('tree', steps)!r} is not one tree over {n} leaves")
    yield from steps


_STEPS: dict[str, Callable[[Any, int, bool], Iterator[Step]]] = {
    "left": _left,
    "balanced": _balanced_steps,
    "blocks": _blocks,
    "windows": _windows,
    "random": _random_tree,
    "tree": _tree,
}

_ARGUMENTS: dict[str, Callable[[Any], bool]] = {
    "left": lambda argument: argument is None,
    "balanced": lambda argument: argument is None,
    "blocks": lambda k: type(k) is int and k >= 1,
    "windows": lambda k: type(k) is int and k >= 2,
    "random": lambda seed: type(seed) is int,
    "tree": lambda steps: isinstance(steps, tuple) and all(map(_is_step, steps)),
}


def _is_step(step: Any) -> bool:
    return isinstance(step, tuple) and len(step) == 2 and all(type(node) is int for node in step)


_EVIDENCE = (
    "schedules: left, balanced, blocks(k >= 1), windows(k >= 2), random(seed), tree(0 1, 3 2)\n"
    "accumulations, such as lanes(4: left; balanced), are given as accumulator="
)

LEFT, BALANCED = Schedule("left"), Schedule("balanced")


def blocks(k: int) -> Schedule:
    """Return the schedule of consecutive blocks of k elements folded left, each from its own init."""
    return Schedule("blocks", k)


def windows(k: int) -> Schedule:
    """Return the schedule of windows of k centred on the elements, folded left from an init, repeatedly.

    XLA's CPU backend does this with k = 32 along one dimension that is not too long. If k divides the number
    of elements, there are at most k windows and the init is the identity, it equals `blocks(k)`.
    """
    return Schedule("windows", k)


def random(seed: int) -> Schedule:
    """Return the schedule of a tree drawn from `random.Random(seed)`; it cannot be compiled."""
    return Schedule("random", seed)


def tree(steps: Sequence[Step]) -> Schedule:
    """Return the schedule of an explicit tree: step k combines two nodes into node n + k. Not compiled."""
    return Schedule("tree", several(steps, "steps"))


def parse(text: str | Schedule) -> Schedule:
    """Read the text of a schedule, such as `"left"`, `"blocks(32)"`, `"random(7)"` or `"tree(0 1, 3 2)"`."""
    if isinstance(text, Schedule):
        return text
    if isinstance(text, str):
        return _parse(text)
    raise Malformed(f"{text!r} is not a schedule", _EVIDENCE)


@lru_cache
def _parse(text: str) -> Schedule:
    words = text.strip()
    if words in ("left", "balanced"):
        return Schedule(words)
    if match := re.fullmatch(_NUMBERED, words):
        return Schedule(match[1], int(match[2]))
    if match := re.fullmatch(_TREE, words):
        numbers = [int(node) for node in re.findall("[0-9]+", match[0])]
        return tree(list(zip(numbers[::2], numbers[1::2], strict=True)))
    raise Malformed(f"{text!r} is not a schedule", _EVIDENCE)


_NUMBERED = r"(blocks|windows|random)\(\s*(-?[0-9]{1,99})\s*\)"
_STEP = r"\s*[0-9]{1,9}\s+[0-9]{1,9}\s*"
_TREE = rf"tree\((?:{_STEP}(?:,{_STEP})*)?\)"
