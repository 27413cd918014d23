"""The tree of a sum by insertion: leaf after leaf, at most log2 n + 2 probes each, whatever the tree is.

THEOREM. A leaf x is added to a binary tree. The probe of x with the last leaf of the heavy path from a node
counts the leaves below their lowest common ancestor, and so names that ancestor: x is above it, or in its
light child, which has at most half of its leaves. One more probe tells whether x is a third child.
"""

from __future__ import annotations

import numpy as np

from interp.apps.revealing.device import Inconsistent, Meeting, Nested, Probing


class Several(Exception):
    """A node of several children, where leaves are not inserted."""


class _Node:
    """A node of the tree so far, or a leaf; the first child is the one with more leaves."""

    def __init__(self, leaf: int | None, children: tuple[_Node, ...] = ()) -> None:
        self.leaf, self.children = leaf, list(children)
        self.parent: _Node | None = None
        self.size = 1 if leaf is not None else sum(child.size for child in children)
        for child in children:
            child.parent = self

    @property
    def last(self) -> _Node:
        """The leaf at the end of the heavy path."""
        at = self
        while at.children:
            at = at.children[0]
        return at


def insert(n: int, probing: Probing) -> Nested:
    """Return the binary tree over n leaves; `Several` if a node has more than two children."""
    root = _Node(0)
    for x in range(1, n):
        place = _find(root, x, probing)
        parent, leaf = place.parent, _Node(x)
        node = _Node(None, (place, leaf))
        node.parent = parent
        if parent is None:
            root = node
        else:
            parent.children[parent.children.index(place)] = node
        while parent is not None:
            parent.size += 1
            parent.children.sort(key=lambda child: -child.size)
            parent = parent.parent
    return _nested(root)


def _find(root: _Node, x: int, probing: Probing) -> _Node:
    """Return the node or leaf above which a leaf x joins."""
    units, at, above = np.arange(x), root, root
    while True:
        p = at.last
        (count,) = probing.counts([Meeting(p.leaf or 0, x, units)])
        size, joint = x - int(count), p
        while joint.size < size and joint is not at:
            assert joint.parent
            joint = joint.parent
        if joint.size != size:
            if size != above.size or above is at:
                raise Inconsistent("counts of units contradict each other, so that no tree explains them")
            _refuse_third(above, x, probing)
            return above
        if not joint.children:
            return joint
        above, at = joint, joint.children[1]


def _refuse_third(node: _Node, x: int, probing: Probing) -> None:
    """Raise `Several` if a leaf is below a node, and below neither of its children."""
    p, q = (child.last.leaf or 0 for child in node.children)
    (count,) = probing.counts([Meeting(p, q, np.array([x]))])
    if count == 0:
        raise Several


def _nested(root: _Node) -> Nested:
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
