"""The tree of a sum from probes: a large number and its negative absorb what is added below their meeting.

With M in leaf i, -M in leaf j and units in other leaves, the result counts the units outside the lowest
common ancestor of i and j. From a random leaf, the pivot, one probe for each other leaf of a group tells
where that leaf leaves the way from the pivot to the root. Leaves that leave it at one node are a group.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from interp.apps.revealing.device import Counts, Inconsistent, Meeting, Nested, Probing
from interp.apps.revealing.insertion import Several, insert
from interp.backends import Array

DIVIDED = 64  # samples by which the children of an exact node are told apart
PIVOTS_OF_FEW = 0.65  # where fewer units than leaves are counted
SMALL = 8  # units, of which fewer tell random pivots too little
PIVOTS = 0.8  # times n log2 n: probes of random pivots
FEW = 16  # leaves of which any number of probes is cheap
SINGLES = 3  # children that are one leaf in a row, before the rest of a node is presumed to be such


Task = Generator[Any, Any, Any]


def recover(n: int, probing: Probing, rng: np.random.Generator, presume: bool = True) -> Nested:
    """Return the tree over n leaves; `Inconsistent` if counts contradict each other.

    Random pivots take about 0.7 n log2 n probes of binary trees. If they take 0.8 n log2 n, or where hardly
    more than one unit is told from none, the leaves of a binary tree are inserted one after the other: see
    `insertion`. Where wide nodes hold the sum of the large number and a unit, nothing is inserted.
    """
    pivots = PIVOTS if probing.cap >= n else PIVOTS_OF_FEW
    limit = int(pivots * n * np.log2(n)) if n > FEW else n * n
    if probing.signs or (probing.cap < n and (probing.child or probing.cap < SMALL)):
        limit = 0
    search = _Search(probing, rng, presume)
    insertion = None if probing.is_near else partial(insert, n, probing, rng)
    roots: list[Nested] = _run(search.build(np.arange(n), None), probing.counts, limit, insertion)
    return roots[0]


def _run(first: Task, counts: Counts, limit: int, insertion: Callable[[], Nested] | None) -> Any:
    """Run a task and those that it starts; all probes that wait are asked together.

    If they are more than a limit, the tree is that of the insertion, but for one that is not binary.
    """
    parents: dict[int, tuple[int, int]] = {}  # task -> its parent and its place
    waiting: dict[int, list[Any]] = {}  # parent -> results of its children
    missing: dict[int, int] = {}
    tasks, asked, number = {0: first}, list[tuple[int, Sequence[Meeting]]](), 1
    ready, spent = list[tuple[int, Any]]([(0, None)]), 0
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
        probes = [meeting for _, meetings in asked for meeting in meetings]
        spent += len(probes)
        if insertion is not None and spent > limit:
            with suppress(Several):
                return [insertion()]
            insertion = None
        found, at = counts(probes), 0
        for task, meetings in asked:
            ready.append((task, found[at : at + len(meetings)]))
            at += len(meetings)
        asked.clear()


class Part(NamedTuple):
    """Leaves that leave the way from a pivot in one stretch of it; `is_class`: at one node.

    sizes: for each leaf, how many leaves its child of that node has, where the node is exact.
    """

    leaves: Array
    is_class: bool = False
    is_beside: bool = False
    sizes: Array | None = None


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
        tasks, alone = list[Task](), singles + 1 if not classes else 0
        for groups in classes:
            tasks += [self.build(leaves, pivot if len(groups) == 1 else None) for leaves in groups]
        tasks += [self.build(beside, pivot, alone)] if len(beside) else []
        built = iter((yield "build", tasks))
        node: Nested = pivot
        for groups in classes:
            node = (node, *(child for _ in groups for child in next(built)))
        return [node, *(next(built) if len(beside) else [])]

    def are_single(self, group: Array, witness: int | None) -> Task:
        """Return whether random pairs of a group have no node of their own below that of the witness."""
        number = 2 * max(1, len(group).bit_length())
        pairs = [self.rng.choice(group, 2, replace=False) for _ in range(number)]
        unit = np.array([witness])
        found = yield "ask", [Meeting(int(i), int(j), unit) for i, j in pairs]
        return bool((found == 0).all())

    def order(self, pivot: int, others: Array, witness: int | None) -> Task:
        """Return classes of leaves by where they leave the way from the pivot, nearest first, and others.

        A class is a list of groups: one, or those of each other child of a node that is exact. The others
        are beside the pivot: they meet it at the node at which they meet the witness.
        """
        parts = [Part(self.rng.permutation(others))]
        while any(not part.is_class for part in parts):
            asked = [[] if p.is_class else self.meetings(pivot, p, witness) for p in parts]
            found, at, after = (yield "ask", [m for meetings in asked for m in meetings]), 0, list[Part]()
            for part, meetings in zip(parts, asked, strict=True):
                counts = found[at : at + len(meetings)]
                at += len(meetings)
                after += (
                    [part]
                    if part.is_class
                    else (yield from self.split(pivot, part, meetings, counts, witness))
                )
            parts = after
        if self.probing.signs and witness is not None and parts:
            last = parts.pop().leaves
            absorbed = (yield "ask", [Meeting(pivot, int(j), np.array([witness])) for j in last]) == 0
            parts += [
                Part(p, True, b) for p, b in ((last[~absorbed], False), (last[absorbed], True)) if len(p)
            ]
        beside = [part.leaves for part in parts if part.is_beside]
        classes = list[list[Array]]()
        for part in parts:
            if not part.is_beside:
                groups = [part.leaves] if part.sizes is None else (yield from self.divide(pivot, part))
                classes.append(groups)
        return classes, np.concatenate([*beside, np.zeros(0, int)])

    def divide(self, pivot: int, part: Part) -> Task:
        """Return the leaves of each child of an exact node: those that lose the same units, of any sample.

        A unit is lost beside a large number of its own child alone. A sample is half of the leaves.
        """
        assert part.sizes is not None
        groups, rounds = [part.leaves[part.sizes == size] for size in np.unique(part.sizes)], 0
        size = {int(leaf): int(s) for leaf, s in zip(part.leaves, part.sizes, strict=True)}
        while any(len(group) != size[int(group[0])] for group in groups):
            rounds += 1
            if rounds > DIVIDED:
                raise Inconsistent("the children of an exact node are not told apart")
            after, asked = list[Array](), list[Meeting]()
            wide = [group for group in groups if len(group) != size[int(group[0])]]
            samples = [
                group[self.rng.permutation(len(group))[: max(1, min(len(group) // 2, self.probing.cap))]]
                for group in wide
            ]
            for group, units in zip(wide, samples, strict=True):
                asked += [Meeting(pivot, j, units) for j in group.tolist()]
            found, at = (yield "ask", asked), 0
            for group, units in zip(wide, samples, strict=True):
                lost = len(units) - found[at : at + len(group)]
                at += len(group)
                after += [group[lost == each] for each in np.unique(lost)]
            groups = [group for group in groups if len(group) == size[int(group[0])]] + after
            if any(len(group) % size[int(group[0])] for group in groups):
                raise Inconsistent("the children of an exact node have other sizes")
        return [
            child for group in groups for child in np.array_split(group, len(group) // size[int(group[0])])
        ]

    def size(self, witness: int | None) -> int:
        return self.probing.cap - (witness is not None)

    def meetings(self, pivot: int, part: Part, witness: int | None) -> list[Meeting]:
        """Return the probes that split a part, with units in as many of its leaves as are counted."""
        leaves, size = part.leaves, self.size(witness)
        if self.probing.signs:
            return [Meeting(pivot, int(leaves[0]), np.array([k])) for k in leaves[1:]]
        units = leaves if len(leaves) <= size else self.rng.choice(leaves, size, replace=False)
        units = units if witness is None else np.append(units, witness)
        return [Meeting(pivot, j, units) for j in leaves.tolist()]

    def split(
        self, pivot: int, part: Part, meetings: list[Meeting], counts: Array, witness: int | None
    ) -> Task:
        """Return the parts of a part, nearest first."""
        leaves = part.leaves
        if self.probing.signs:
            return (yield from self.split_by_signs(pivot, leaves, counts))
        is_exact, found = len(leaves) <= self.size(witness), list[Part]()
        if is_exact and not self.probing.child:
            return (yield from self.classes(pivot, leaves, counts, witness))
        for count in sorted(set(counts.tolist()), reverse=True):
            members, beside = leaves[counts == count], witness is not None and count == 0
            if is_exact:
                self.check(counts, count, witness)
            if is_exact or beside or len(members) == 1:
                found.append(Part(members, True, beside))
            else:
                found += yield from self.certify(pivot, members, meetings[0].units, self.size(witness))
        return found

    def split_by_signs(self, pivot: int, leaves: Array, counts: Array) -> Task:
        """Return the parts nearer than the first leaf, with it, and further."""
        middle, rest = leaves[:1], leaves[1:]
        inside = rest[counts == 0]
        contains = (yield "ask", [Meeting(pivot, int(k), middle) for k in inside]) == 0
        near, same, far = inside[~contains], np.append(middle, inside[contains]), rest[counts != 0]
        parts = (Part(near, len(near) == 1), Part(same, True), Part(far, len(far) == 1))
        return [part for part in parts if len(part.leaves)]

    def certify(self, pivot: int, members: Array, sample: Array, size: int) -> Task:
        """Return the parts of members with one count of units in a sample of a part.

        THEOREM. Let s be a member in the sample. A member that is nearer than s has a larger count than s,
        since the unit in s is beyond it. So no member is nearer, and those that a meeting of the pivot and s
        absorbs are of the class of s. They are asked about in groups of so many units as are counted.
        """
        chosen = members[np.isin(members, sample)][:1]
        if not len(chosen):
            return [Part(members)]
        others = members[members != chosen[0]]
        groups = np.array_split(others, -(-len(others) // size))
        meet = lambda units: Meeting(pivot, int(chosen[0]), units)
        beyond = (yield "ask", [meet(group) for group in groups]) > 0
        doubtful = [k for group, far in zip(groups, beyond, strict=True) if far for k in group.tolist()]
        single = yield "ask", [meet(np.array([k])) for k in doubtful]
        far = np.array(doubtful, int)[np.asarray(single) > 0]
        same = members[~np.isin(members, far)]
        return [part for part in (Part(same, True), Part(far, len(far) == 1)) if len(part.leaves)]

    def classes(self, pivot: int, leaves: Array, counts: Array, witness: int | None) -> Task:
        """Return the classes of leaves, nearest first, from the counts of all units of the leaves.

        The count of a class is the number of leaves further away, and of the witness. An exact node keeps the
        units of its other children, too: of those leaves of it and beyond all but the leaf's own child.
        """
        found, further = list[Part](), 0 if witness is None else 1
        ascending = sorted(set(counts.tolist()))
        while ascending:
            count = ascending.pop(0)
            chosen = counts == count
            if witness is not None and count == 0:
                found.append(Part(leaves[chosen], True, True))
                further += int(chosen.sum())
                continue
            sizes, several = None, [count]
            if count != further:
                meet = int(leaves[chosen][0])
                while ascending:  # nearer leaves, or those of smaller children of the node?
                    units = leaves[counts == ascending[0]][: self.probing.cap]
                    (kept,) = yield "ask", [Meeting(pivot, meet, units)]
                    if kept != len(units):
                        break
                    several.append(ascending.pop(0))
                if not self.divides(counts, several, further):
                    raise Inconsistent("counts of units contradict each other, so that no tree explains them")
                chosen = np.isin(counts, several)
                sizes = further + int(chosen.sum()) - counts[chosen]
            found.append(Part(leaves[chosen], True, sizes=sizes))
            further += int(chosen.sum())
        return found[::-1]

    def divides(self, counts: Array, several: list[int], further: int) -> bool:
        """Return whether leaves with these counts may be whole children of one exact node."""
        members = {count: int((counts == count).sum()) for count in several}
        total = further + sum(members.values())
        return all(total - c > 0 and m % (total - c) == 0 for c, m in members.items())

    def check(self, counts: Array, count: int, witness: int | None) -> None:
        """Raise `Inconsistent` unless a count is the number of leaves further away, and the witness."""
        further = int((counts < count).sum()) + (int((counts == count).sum()) - 1) * self.probing.child
        if count != further + (witness is not None):
            raise Inconsistent("counts of units contradict each other, so that no tree explains them")
