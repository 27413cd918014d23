"""The shortest text of a recovered tree: a pattern that has the same nodes, or the explicit tree."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np

from interp.apps.revealing.decomposition import Parts, complexity, levels_of, with_arithmetics
from spec.accumulation import Accumulation
from spec.patterns import Level, build
from spec.trees import PLAIN, ZERO, Arithmetic, Node, Tree

TRIED = 12  # patterns with the nodes of a tree whose arithmetics are compared
FOUND = 4  # patterns that are stated, of those that have an init and those that have none
_ORDER = ("", "without init", "init last")
Key = tuple[int, Arithmetic, int]


class Shape:
    """The nodes of a tree as sets of leaves, by which trees are compared whatever their order of children."""

    def __init__(self, n: int) -> None:
        rng = np.random.default_rng(n)
        self.n, self.numbers = n, rng.integers(1, 1 << 62, n).tolist()

    def keys(self, tree: Tree, has_init: bool, arithmetic: bool = True) -> frozenset[Key] | None:
        """Return the nodes of a tree over these elements, None if it has others; an init is left out."""
        if tree.n != self.n + has_init:
            return None
        values: list[int] = [0] * has_init + self.numbers
        found = list[Key]()
        for node in tree.nodes:
            children = [values[c] for c in node.children if c != ZERO and values[c]]
            total = 0
            for child in children:
                total ^= child
            values.append(total)
            if len(children) < 2:
                continue
            factor = None if node.factor is None or node.factor == ZERO else values[node.factor]
            own = node.arithmetic
            if own.kind == "fma" and not factor:
                own = replace(own, kind="plain")
            found.append((total, own, factor or 0) if arithmetic else (total, PLAIN, 0))
        return frozenset(found)


def patterns_of(tree: Tree, every: bool = False) -> list[Accumulation]:
    """Return the patterns that have this tree over the elements, the simplest first: from every start.

    every: those with groups, too, where there are simpler ones.
    """
    shape, found = Shape(tree.n), list[Accumulation]()
    wanted, parts = shape.keys(tree, False), Parts(tree, shape.numbers)
    for starts in (("",), ("without init", "init last")):
        is_seeded, number = starts == ("",), 0
        for level in islice(levels_of(parts, is_seeded), TRIED):
            if not every and level.is_grouping and any(not each.level.is_grouping for each in found):
                break
            own = with_arithmetics(level, tree, shape.numbers, is_seeded)
            if shape.keys(build(own, tree.n + is_seeded, is_seeded), is_seeded) == wanted:
                found += [Accumulation(own, start=start) for start in starts]
                number += 1
            if number == FOUND:
                break
    return sorted(found, key=lambda each: (*complexity(each.level), _ORDER.index(each.start)))


def explicit(tree: Tree, adds_init: bool) -> Accumulation:
    """Return the accumulation of an explicit tree over the elements; an init is added to the root."""
    if not adds_init:
        return Accumulation(Level("tree", tree=tree), start="without init")
    shift = lambda c: c + 1 if c >= 0 else c
    nodes = [Node(tuple(map(shift, x.children)), x.arithmetic, x.unrounded) for x in tree.nodes]
    nodes.append(Node((0, tree.n + len(nodes)), _init_arithmetic(tree)))
    return Accumulation(Level("tree", tree=Tree(tree.n + 1, tuple(nodes))))


def _init_arithmetic(tree: Tree) -> Arithmetic:
    """Return the plain arithmetic in which an init is added to the root of a tree."""
    last = tree.nodes[-1].arithmetic if tree.nodes else PLAIN
    return Arithmetic(type=last.type, rounding=last.rounding, flush=last.flush)
