"""The shortest text of a recovered tree: a pattern that has the same nodes, or the explicit tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from spec.accumulation import Accumulation
from spec.patterns import Level, build
from spec.trees import PLAIN, ZERO, Arithmetic, Node, Tree

MOST = 1 << 20  # nodes of patterns that are built to find one
FROM_FIRST = ("left", "balanced", "star", "pairwise")  # these add the first two items first
FROM_ELSEWHERE = ("right", "halves", "strided")
OUTER = ("left", "balanced", "right", "halves", "strided", "star", "pairwise")
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


def patterns_of(tree: Tree, most: int = MOST) -> Iterator[Accumulation]:
    """Yield the pattern that has this tree over the elements, with an init and without it."""
    n, shape, tried = tree.n, Shape(tree.n), 0
    wanted, bare = shape.keys(tree, False), shape.keys(tree, False, False)
    for level in _levels(tree):
        found, tried = False, tried + 1
        for start in ("", "without init"):
            has_init = not start
            if shape.keys(build(level, n + has_init, has_init), has_init, False) != bare:
                continue
            for own in _with_arithmetic(level, tree):
                if shape.keys(build(own, n + has_init, has_init), has_init) == wanted:
                    found = True
                    yield Accumulation(own, start=start)
                    break
        if found or tried * n > most:
            return


def _with_arithmetic(level: Level, tree: Tree) -> Iterator[Level]:
    """Yield a level with each choice of the tree's arithmetics for its parts."""
    known = tree.arithmetics or (PLAIN,)
    if level.inner is None or level.outer is None:
        for arithmetic in known:
            yield level.with_arithmetic(arithmetic)
        return
    tails: tuple[Arithmetic | None, ...] = (None, *known) if level.tail else (None,)
    inners, outers = list(_with_arithmetic(level.inner, tree)), list(_with_arithmetic(level.outer, tree))
    for inner, outer, tail in product(inners, outers, tails):
        yield replace(level, inner=inner, outer=outer, tail_arithmetic=tail)


def _levels(tree: Tree) -> Iterator[Level]:
    """Yield the patterns to try, the simplest first."""
    n, widest = tree.n, max((len(node.children) for node in tree.nodes), default=2)
    for name in ("left", "right", "balanced", "pairwise", "halves", "strided", "star"):
        yield Level(name)
    wide = [Level("left", (k,)) for k in (widest - 1, widest) if k > 1 and widest > 2]
    yield from wide
    for k in (2, 3, 4, 8, 16, 32, 64, 128):
        yield Level("windows", (k,)) if k < n else Level("left")
    usual, others = [*map(Level, FROM_FIRST), *wide], [*map(Level, FROM_ELSEWHERE)]
    outer, (partner, sizes) = [*map(Level, OUTER), *wide], _sizes(tree)
    for k in dict.fromkeys(k for k in (partner, *sizes) if 1 < k < n):
        tails = ("", "apart", "after", "joins") if n % k else ("",)
        for name in ("lanes", "blocks"):
            first = usual if partner == (k if name == "lanes" else 1) else []
            for inner, last, tail in product([*first, *others], outer, tails):
                if (name, tail) != ("lanes", "joins"):
                    yield Level(name, (k,), PLAIN, inner, last, tail)


def _sizes(tree: Tree) -> tuple[int, list[int]]:
    """Return the least leaf beside leaf 0, and the sizes of groups that the nodes above leaf 0 suggest."""
    n, found = tree.n, list[int]()
    parent = {c: (k, node) for k, node in enumerate(tree.nodes, n) for c in node.children}
    least, sizes = _below(tree)
    at = 0
    while at in parent:
        k, node = parent[at]
        others = [c for c in node.children if c != at and c != ZERO]
        if others:
            found.append(min(least[c] for c in others))
            if any(sizes[c] > 1 for c in others):
                found.append(sizes[at])
        at = k
    usual = (4, 8, 16, 32, 64, 128, 256, 512)
    counts = dict.fromkeys([*found[:6], *found[-4:], *usual])
    return found[0] if found else 1, [k for k in counts if 1 < k < n][:12]


def _below(tree: Tree) -> tuple[list[int], list[int]]:
    """Return the least leaf below each leaf and node, and the number of leaves."""
    least, sizes = list(range(tree.n)), [1] * tree.n
    for node in tree.nodes:
        children = [c for c in node.children if c != ZERO]
        least.append(min(least[c] for c in children))
        sizes.append(sum(sizes[c] for c in children))
    return least, sizes


def explicit(tree: Tree, adds_init: bool) -> Accumulation:
    """Return the accumulation of an explicit tree over the elements; an init is added to the root."""
    if not adds_init:
        return Accumulation(Level("tree", tree=tree), start="without init")
    shift = lambda c: c + 1 if c >= 0 else c
    nodes = [Node(tuple(map(shift, x.children)), x.arithmetic, x.unrounded) for x in tree.nodes]
    nodes.append(Node((0, tree.n + len(nodes)), _init_arithmetic(tree)))
    return Accumulation(Level("tree", tree=Tree(tree.n + 1, tuple(nodes))))


def with_init_last(found: Accumulation, tree: Tree) -> Accumulation:
    """Return a pattern whose elements are added from zero, and then to the init."""
    outer = Level(arithmetic=_init_arithmetic(tree))
    return Accumulation(Level("blocks", (tree.n,), PLAIN, found.level, outer), start="from zero")


def _init_arithmetic(tree: Tree) -> Arithmetic:
    """Return the plain arithmetic in which an init is added to the root of a tree."""
    last = tree.nodes[-1].arithmetic if tree.nodes else PLAIN
    return Arithmetic(type=last.type, rounding=last.rounding, flush=last.flush)
