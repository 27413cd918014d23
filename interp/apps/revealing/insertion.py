"""Insertion: a bound on the probes of a binary tree, whatever it is; leaves are added to it one by one.

Where all units are counted, a probe names the ancestor of two leaves; else it tells one unit from none.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from interp.apps.revealing.device import Inconsistent, Meeting, Nested, Probing
from interp.backends import Array

TOGETHER = 4  # times fewer leaves are looked for together than the tree has


class Several(Exception):
    """A node of several children, or one that is exact, where leaves are not inserted."""


class _Node:
    """A node of the tree so far, or a leaf; the first child is the one with more leaves."""

    def __init__(self, leaf: int | None, children: tuple[_Node, ...] = ()) -> None:
        self.leaf, self.children = leaf, list(children)
        self.parent: _Node | None = None
        self.size: int = 1 if leaf is not None else sum(child.size for child in children)
        for child in children:
            child.parent = self

    @property
    def last(self) -> int:
        """The leaf at the end of the heavy path."""
        at = self
        while at.children:
            at = at.children[0]
        return at.leaf or 0

    @property
    def sibling(self) -> _Node:
        """The other child of the node above."""
        assert self.parent
        return self.parent.children[self.parent.children[0] is self]


def insert(n: int, probing: Probing, rng: np.random.Generator) -> Nested:
    """Return the binary tree over n leaves; `Several` if a node has more than two children.

    Of one unit, several leaves are looked for in the same tree, so that their probes are asked together.
    Leaves that join at one place but for the first are looked for again: n / 8 leaves at most, as no more are
    looked for together than may be looked for again.
    """
    root, again = _Node(0), n // 8
    if probing.cap >= n and not (probing.child or probing.signs):
        for x in range(1, n):
            root = _join(root, _find(root, x, probing), x)
        _verify(root, n, probing, rng)
        return _nest(root)
    rest = (1 + rng.permutation(n - 1)).tolist()
    while rest:
        number = max(1, min(root.size // TOGETHER, again + 1))
        leaves, rest = rest[:number], rest[number:]
        taken = set[_Node]()
        for x, place in zip(leaves, _search(root, leaves, probing), strict=True):
            if place in taken:
                rest.append(x)
                again -= 1
                continue
            taken.add(place)
            root = _join(root, place, x)
    _verify(root, n, probing, rng)
    return _nest(root)


def _verify(root: _Node, n: int, probing: Probing, rng: np.random.Generator) -> None:
    """Raise `Several` unless each node loses the units below it, and no others: an exact node does not.

    One probe for each node, with as many units as are counted; of one unit, two: one below and one beside.
    """
    nodes, below = [root], dict[_Node, Array]()
    meetings, counts = list[Meeting](), list[int]()
    for node in nodes:
        nodes += node.children
    for node in reversed(nodes):
        leaves = [np.array([node.leaf])] if node.leaf is not None else [below[c] for c in node.children]
        below[node] = np.concatenate(leaves)
        if not node.children:
            continue
        pair = [child.last for child in node.children]
        lost = below[node.children[0]] if probing.child else below[node]
        lost, others = lost[~np.isin(lost, pair)], np.setdiff1d(np.arange(n), [*lost, *pair])
        most = probing.cap // 2
        for several in [(lost, ()), ((), others)] if probing.signs else [(lost, others)]:
            units = [rng.permutation(np.array(x, int))[: 1 if probing.signs else most] for x in several]
            if sum(map(len, units)):
                meetings.append(Meeting(pair[0], pair[1], np.concatenate(units)))
                counts.append(len(units[1]))
    if meetings and (probing.counts(meetings) != counts).any():
        raise Several


def _join(root: _Node, place: _Node, x: int) -> _Node:
    """Return the root of the tree in which a leaf is added to a node or leaf."""
    parent = place.parent
    node = _Node(None, (place, _Node(x)))
    node.parent = parent
    if parent is None:
        return node
    parent.children[parent.children.index(place)] = node
    while parent is not None:
        parent.size += 1
        parent.children.sort(key=lambda child: -child.size)
        parent = parent.parent
    return root


# Of all units.


def _find(root: _Node, x: int, probing: Probing) -> _Node:
    """Return the node or leaf above which a leaf x joins, of as many units as there are leaves.

    THEOREM. The probe of x with the last leaf of the heavy path from a node counts the leaves below their
    lowest common ancestor, and so names that ancestor: x is above it, or in its light child, which has at
    most half of its leaves. One more probe tells whether x is a third child: log2 n + 2 probes at most.
    """
    units, at, above = np.arange(x), root, root
    while True:
        p = at
        while p.children:
            p = p.children[0]
        (count,) = probing.counts([Meeting(p.leaf or 0, x, units)])
        size, joint = x - int(count), p
        while joint.size < size and joint is not at:
            assert joint.parent
            joint = joint.parent
        if joint.size != size:
            if size != above.size or above is at:
                raise Inconsistent("counts of units contradict each other, so that no tree explains them")
            if probing.counts([_third(above, x)])[0] == 0:
                raise Several
            return above
        if not joint.children:
            return joint
        above, at = joint, joint.children[1]


# Of one unit.


Looking = Generator[Meeting, bool, _Node]


def _search(root: _Node, leaves: Sequence[int], probing: Probing) -> list[_Node]:
    """Return the node or leaf above which each leaf joins; what waits for an answer is asked together."""
    looking = [_look(root, x, probing.child) for x in leaves]
    places, asked = list[_Node | None]([None] * len(leaves)), dict[int, Meeting]()
    answers = dict[int, bool]()
    while None in places:
        for k in answers or range(len(leaves)):
            try:
                asked[k] = looking[k].send(answers[k]) if answers else next(looking[k])
            except StopIteration as stop:
                places[k] = stop.value
        if asked:
            counts = probing.counts([*asked.values()])
            answers = {k: bool(count == 1) for k, count in zip(asked, counts, strict=True)}
            asked.clear()
    return [place for place in places if place]


def _look(root: _Node, x: int, child: bool) -> Looking:
    """Return the node or leaf above which a leaf x joins, where one unit is told from none.

    THEOREM. x joins above one of the 2m - 1 nodes and leaves of a tree of m leaves. A probe tells whether
    that is in the subtree of any node. Of N places that are left, let v be the deepest node on the heavy path
    with more than 2N/3 of them, and u its heavier child. u has at most 2N/3 and at least (2N/3 - 1)/2 of the
    N places, so that fewer than 2N/3 + 1/2 are left whatever the answer is: log2(N) / log2(3/2) + 1 probes
    at most, 1.71 log2 n + 3 with that for a third child.
    """
    at, gone = root, dict[_Node, int]()  # places in a subtree where x is not
    places = lambda node: 2 * node.size - 1 - gone.get(node, 0)
    while (number := places(at)) > 1:
        best, below = at, at
        while below.children:
            below = max(below.children, key=places)
            if best is at or abs(2 * places(below) - number) < abs(2 * places(best) - number):
                best = below
            if 2 * places(below) <= number:
                break
        if (yield _within(best, x, child)) != child:
            at = best
            continue
        less, above = places(best), best
        while True:
            gone[above] = gone.get(above, 0) + less
            if above is at:
                break
            assert above.parent
            above = above.parent
    if at.children and not child and not (yield _third(at, x)):
        raise Several
    return at


def _within(node: _Node, x: int, child: bool) -> Meeting:
    """Return the probe whether a leaf joins below a node, or above it and below the next one.

    child: a unit is lost that is below the same child as the large number, and counts if x is not there.
    """
    p, q = node.last, node.sibling.last
    return Meeting(p, q, np.array([x])) if child else Meeting(p, x, np.array([q]))


def _third(node: _Node, x: int) -> Meeting:
    """Return the probe whose unit is lost if a leaf is below a node, and below neither of its children."""
    p, q = (child.last for child in node.children)
    return Meeting(p, q, np.array([x]))


def _nest(root: _Node) -> Nested:
    done, todo = list[Nested](), [(root, False)]
    while todo:
        at, is_open = todo.pop()
        if at.leaf is not None:
            done.append(at.leaf)
        elif not is_open:
            todo += [(at, True), *((child, False) for child in at.children)]
        else:
            done[-2:] = [(done[-2], done[-1])]
    return done[0]
