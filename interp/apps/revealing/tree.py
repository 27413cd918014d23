"""The tree of a sum from probes: a large number and its negative absorb what is added below their meeting.

With M in leaf i, -M in leaf j and units in other leaves, the result counts the units outside the lowest
common ancestor of i and j. From a random leaf, the pivot, one probe for each other leaf of a group tells
where that leaf leaves the way from the pivot to the root. Leaves that leave it at one node are a group.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple

import numpy as np

from interp.apps.revealing.device import Refused
from interp.backends import Array

SINGLES = 3  # children that are one leaf in a row, before the rest of a node is presumed to be such


class Meeting(NamedTuple):
    """A probe: M in leaf i, -M in leaf j, and units in those of `units` that are neither."""

    i: int
    j: int
    units: Array


Counts = Callable[[Sequence[Meeting]], Array]
Nested = int | tuple[Any, ...]  # a leaf, or the children of a node
Task = Generator[Any, Any, Any]


class Inconsistent(Refused):
    """Counts that no tree explains."""


class Probing(NamedTuple):
    """How meetings are counted: `counts` gives the units outside, or MANY where they are not countable.

    cap: the most units that are counted. child: units are lost below i's child alone, as where sums saturate.
    signs: only one unit is told from none, as where sums are rounded toward zero.
    """

    counts: Counts
    cap: int
    child: bool = False
    signs: bool = False


def recover(n: int, probing: Probing, rng: np.random.Generator, presume: bool = True) -> Nested:
    """Return the tree over n leaves; `Inconsistent` if counts contradict each other."""
    search = _Search(probing, rng, presume)
    roots: list[Nested] = _run(search.build(np.arange(n), None), probing.counts)
    return roots[0]


def _run(first: Task, counts: Counts) -> Any:
    """Run a task and those that it starts; all probes that wait are asked together."""
    parents: dict[int, tuple[int, int]] = {}  # task -> its parent and its place
    waiting: dict[int, list[Any]] = {}  # parent -> results of its children
    missing: dict[int, int] = {}
    tasks, asked, number = {0: first}, list[tuple[int, Sequence[Meeting]]](), 1
    ready: list[tuple[int, Any]] = [(0, None)]
    while True:
        while ready:
            task, value = ready.pop()
            try:
                kind, what = tasks[task].send(value)
            except StopIteration as stop:
                del tasks[task]
                if task not in parents:
                    return stop.value
                parent, place = parents.pop(task)
                waiting[parent][place] = stop.value
                missing[parent] -= 1
                if not missing[parent]:
                    ready.append((parent, waiting.pop(parent)))
                continue
            if kind == "ask":
                asked.append((task, what))
            elif not what:
                ready.append((task, []))
            else:
                waiting[task], missing[task] = [None] * len(what), len(what)
                for place, child in enumerate(what):
                    tasks[number], parents[number] = child, (task, place)
                    ready.append((number, None))
                    number += 1
        found, at = counts([meeting for _, meetings in asked for meeting in meetings]), 0
        for task, meetings in asked:
            ready.append((task, found[at : at + len(meetings)]))
            at += len(meetings)
        asked.clear()


class Part(NamedTuple):
    """Leaves that leave the way from a pivot in one stretch of it; `is_class`: at one node."""

    leaves: Array
    is_class: bool = False
    is_beside: bool = False
    tries: int = 0


TRIES = 2  # samples of a part that may show one class, before it counts as one


class _Search:
    def __init__(self, probing: Probing, rng: np.random.Generator, presume: bool) -> None:
        self.probing, self.rng, self.presume = probing, rng, presume

    def build(self, group: Array, witness: int | None, singles: int = 0) -> Task:
        """Return the subtrees whose leaves are a group; several if they are children of one node.

        witness: a leaf of another child of the node above the group.
        """
        if len(group) == 1:
            return [int(group[0])]
        may_be_single = witness is not None and singles >= SINGLES and self.presume
        if may_be_single and (yield from self.are_single(group, witness)):
            return [int(leaf) for leaf in group]
        pivot = int(group[self.rng.integers(len(group))])
        others = group[group != pivot]
        classes, beside = yield from self.order(pivot, others, witness)
        tasks = [self.build(leaves, pivot) for leaves in classes]
        alone = singles + 1 if not classes else 0
        tasks += [self.build(beside, pivot, alone)] if len(beside) else []
        built = yield "build", tasks
        node: Nested = pivot
        for children in built[: len(classes)]:
            node = (node, *children)
        return [node, *(built[-1] if len(beside) else [])]

    def are_single(self, group: Array, witness: int | None) -> Task:
        """Return whether random pairs of a group have no node of their own below that of the witness."""
        number = 2 * max(1, len(group).bit_length())
        pairs = [self.rng.choice(group, 2, replace=False) for _ in range(number)]
        unit = np.array([witness])
        found = yield "ask", [Meeting(int(i), int(j), unit) for i, j in pairs]
        return bool((found == 0).all())

    def order(self, pivot: int, others: Array, witness: int | None) -> Task:
        """Return classes of leaves by where they leave the way from the pivot, nearest first, and others.

        The others are beside the pivot: they meet it at the node at which they meet the witness.
        """
        parts = [Part(self.rng.permutation(others))]
        while any(not part.is_class for part in parts):
            asked = [[] if p.is_class else self.meetings(pivot, p, witness) for p in parts]
            found, at, after = (yield "ask", [m for meetings in asked for m in meetings]), 0, list[Part]()
            for part, meetings in zip(parts, asked, strict=True):
                counts = found[at : at + len(meetings)]
                at += len(meetings)
                after += [part] if part.is_class else self.split(part, meetings, counts, witness)
            parts = after
        if self.probing.signs and witness is not None and parts:
            last = parts.pop().leaves
            absorbed = (yield "ask", [Meeting(pivot, int(j), np.array([witness])) for j in last]) == 0
            parts += [
                Part(p, True, b) for p, b in ((last[~absorbed], False), (last[absorbed], True)) if len(p)
            ]
        beside = [part.leaves for part in parts if part.is_beside]
        return [p.leaves for p in parts if not p.is_beside], np.concatenate([*beside, np.zeros(0, int)])

    def size(self, witness: int | None) -> int:
        return self.probing.cap - (witness is not None)

    def meetings(self, pivot: int, part: Part, witness: int | None) -> list[Meeting]:
        """Return the probes that split a part, with units in as many of its leaves as are counted."""
        leaves, size = part.leaves, self.size(witness)
        if self.probing.signs:
            middle, rest = int(leaves[0]), leaves[1:]
            nearer = [Meeting(pivot, middle, np.array([k])) for k in rest]
            return nearer + [Meeting(pivot, int(k), np.array([middle])) for k in rest]
        units = leaves if len(leaves) <= size else self.rng.choice(leaves, size, replace=False)
        units = units if witness is None else np.append(units, witness)
        return [Meeting(pivot, j, units) for j in leaves.tolist()]

    def split(self, part: Part, meetings: list[Meeting], counts: Array, witness: int | None) -> list[Part]:
        """Return the parts of a part, nearest first."""
        leaves = part.leaves
        if self.probing.signs:
            middle, rest = leaves[:1], leaves[1:]
            inside, contains = counts[: len(rest)] == 0, counts[len(rest) :] == 0
            if not (inside | contains).all():
                raise Inconsistent("comparisons of leaves contradict each other")
            same = np.concatenate([middle, rest[inside & contains]])
            near, far = rest[inside & ~contains], rest[~inside]
            return [
                p
                for p in (Part(near, len(near) == 1), Part(same, True), Part(far, len(far) == 1))
                if len(p.leaves)
            ]
        is_exact, found = len(leaves) <= self.size(witness), list[Part]()
        for count in sorted(set(counts.tolist()), reverse=True):
            members, beside = leaves[counts == count], witness is not None and count == 0
            if is_exact and not beside:
                self.check(counts, count, witness)
            whole = len(members) == len(leaves)
            done = is_exact or (whole and part.tries == TRIES)
            found.append(Part(members, done, beside and done, part.tries + 1 if whole else 0))
        return found

    def check(self, counts: Array, count: int, witness: int | None) -> None:
        """Raise `Inconsistent` unless a count is the number of leaves further away, and the witness."""
        further = int((counts < count).sum()) + (int((counts == count).sum()) - 1) * self.probing.child
        if count != further + (witness is not None):
            raise Inconsistent("counts of units contradict each other, so that no tree explains them")
