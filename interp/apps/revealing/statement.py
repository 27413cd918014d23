"""The simplest text of a recovered tree: a pattern that has the same nodes, or the explicit tree.

A tree is taken apart into groups of neighbours or of lanes, and the tree above them. A node is the sum,
modulo 2, of random numbers of the leaves below it, so that trees are compared as sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import reduce
from itertools import count, islice, product
from operator import xor

import numpy as np

from spec.accumulation import Accumulation
from spec.patterns import Level, build
from spec.trees import PLAIN, ZERO, Arithmetic, Node, Tree

SIMPLE = ("left", "right", "balanced", "pairwise", "halves", "strided", "star")
MOST = 2  # patterns of a part that are tried with those of the others
SIZES = 8  # sizes of groups that are tried at a part, of each kind
WORK = 1 << 17  # items of patterns that are built
DEPTH = 3  # levels of groups within groups
TRIED = 12  # patterns with the nodes of a tree whose arithmetics are compared
FOUND = 4  # patterns that are stated, of those that have an init and those that have none
_ORDER = ("", "without init", "init last")
Key = tuple[int, Arithmetic, int]


class Shape:
    """The nodes of a tree as sets of leaves, by which trees are compared whatever their order of children."""

    def __init__(self, n: int) -> None:
        rng = np.random.default_rng(n)
        self.n, self.numbers = n, rng.integers(1, 1 << 62, n).tolist()

    def keys(self, tree: Tree, has_init: bool) -> frozenset[Key] | None:
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
            found.append((total, own, factor or 0))
        return frozenset(found)


def patterns_of(tree: Tree, every: bool = False) -> list[Accumulation]:
    """Return the patterns that have this tree over the elements, the simplest first: from every start.

    every: those with groups, too, where there are simpler ones.
    """
    shape, found = Shape(tree.n), list[Accumulation]()
    wanted, parts = shape.keys(tree, False), Parts(tree, shape.numbers)
    for starts in (("",), ("without init", "init last")):
        is_seeded, number, parts.built = starts == ("",), 0, 0
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


# Trees taken apart.


class Parts:
    """The nodes of a tree, as numbers that tell which leaves are below."""

    def __init__(self, tree: Tree, numbers: Sequence[int]) -> None:
        self.children: dict[int, tuple[int, ...]] = {}
        self.parent: dict[int, int] = {}
        values = list(numbers)
        for node in tree.nodes:
            below = tuple(values[c] for c in node.children if c != ZERO)
            total = reduce(xor, below)
            values.append(total)
            self.children[total] = below
            self.parent |= dict.fromkeys(below, total)
        self.root = values[-1] if tree.nodes else values[0]
        self.items, self.built = list(numbers), 0
        self.seen: dict[tuple[int, ...], list[Level]] = {}

    def nodes(self, items: Sequence[int], root: int) -> frozenset[int]:
        """Return the nodes from a root down to items."""
        ends, found, todo = set(items), set[int](), [root]
        while todo:
            at = todo.pop()
            if at in ends or at not in self.children:
                continue
            found.add(at)
            todo += self.children[at]
        return frozenset(found)

    def has(self, level: Level, items: Sequence[int], wanted: Set[int], is_seeded: bool) -> bool:
        """Return whether a pattern over items has the nodes that are wanted, while the work allows it."""
        self.built += len(items)
        return self.built < WORK and nodes_of(level, items, is_seeded) == wanted

    def above(self, item: int, root: int) -> Iterator[int]:
        """Yield the nodes above an item, up to a root."""
        at = item
        while at != root and at in self.parent:
            at = self.parent[at]
            yield at


def complexity(level: Level) -> tuple[int, int]:
    """Return the number of levels in a level, and how unusual they are, by which the simplest is chosen."""
    plain = level.name in SIMPLE and not level.numbers
    rank = SIMPLE.index(level.name) if plain else len(SIMPLE)
    if not level.inner or not level.outer:
        return 1, rank
    (first, inner), (last, outer) = complexity(level.inner), complexity(level.outer)
    return 1 + first + last, rank + inner + outer + bool(level.tail)


def levels_of(parts: Parts, is_seeded: bool) -> Iterator[Level]:
    """Yield patterns that have all nodes of a tree; is_seeded: there is an init, which no node shows."""
    yield from _levels(parts, parts.items, parts.root, is_seeded, DEPTH)


def _levels(parts: Parts, items: Sequence[int], root: int, is_seeded: bool, depth: int) -> Iterator[Level]:
    wanted = parts.nodes(items, root)
    if len(items) < 3:
        yield Level("left")
        return
    is_simple = False
    for level in _simple(parts, items, wanted):
        if parts.has(level, items, wanted, is_seeded):
            is_simple = True
            yield level
    if depth == DEPTH or (depth and not is_simple):
        for level in sorted(_groupings(parts, items, root, is_seeded, depth), key=complexity):
            if parts.has(level, items, wanted, is_seeded):
                yield level


def _simple(parts: Parts, items: Sequence[int], wanted: Set[int]) -> Iterator[Level]:
    """Yield patterns without groups, but for those whose first node is not there."""
    first = {items[0] ^ items[1], items[1] ^ items[2]} & wanted
    for name in SIMPLE:
        if name == "star" and len(wanted) > 1:
            continue
        if name == "right" and items[-1] ^ items[-2] not in wanted:
            continue
        if name in ("left", "balanced") and not first:
            continue
        yield Level(name)
    width = len(parts.children.get(parts.parent[items[0]], ()))
    if width > 2:
        yield from (Level("left", (k,)) for k in (width, width - 1))
    for k in (2, 3, 4, 8, 16, 32, 64, 128) if first else ():
        if k < len(items):
            yield Level("windows", (k,))


def _groupings(parts: Parts, items: Sequence[int], root: int, is_seeded: bool, depth: int) -> Iterator[Level]:
    """Yield patterns of groups whose groups are nodes of the tree."""
    n, place = len(items), {item: k for k, item in enumerate(items)}
    for name in ("lanes", "blocks"):
        sizes = _lanes(parts, items, root, place) if name == "lanes" else _blocks(parts, items, root)
        for k in islice(sizes, SIZES):
            for tail in ("", "after", "apart", *(("joins",) if name == "blocks" else ())) if n % k else ("",):
                groups, rest = _groups(name, k, tail, items)
                sums = [reduce(xor, group) for group in groups]
                known = (x in parts.children or len(g) == 1 for x, g in zip(sums, groups, strict=True))
                top = reduce(xor, sums)
                if not groups or not all(known) or not (top in parts.children or len(sums) == 1):
                    continue
                if not _holds_rest(parts, tail, top, rest, root):
                    continue
                inner = _few(parts, groups[0], sums[0], is_seeded, depth - 1)
                outer = _few(parts, sums, top, False, depth - 1) if inner else []
                for first, last in product(inner, outer):
                    yield Level(name, (k,), PLAIN, first, last, tail)


def _holds_rest(parts: Parts, tail: str, top: int, rest: Sequence[int], root: int) -> bool:
    """Return whether the items in no group may be added to the others as a tail is."""
    if not rest:
        return top == root
    apart = reduce(xor, rest)
    if tail == "apart":
        return root in (top ^ apart, top) and (len(rest) == 1 or apart in parts.children)
    return top ^ rest[0] in parts.children


def _few(parts: Parts, items: Sequence[int], root: int, is_seeded: bool, depth: int) -> list[Level]:
    """Return the first patterns of a part, once for each part."""
    key = (root, len(items), items[0], items[-1], is_seeded, depth)
    if key not in parts.seen:
        parts.seen[key] = list(islice(_levels(parts, items, root, is_seeded, depth), MOST))
    return parts.seen[key]


def _groups(name: str, k: int, tail: str, items: Sequence[int]) -> tuple[list[Sequence[int]], Sequence[int]]:
    """Return the groups of a pattern, and the items that are in none."""
    n = len(items)
    whole = n - n % k if tail else n
    if name == "lanes":
        return [items[lane:whole:k] for lane in range(min(k, whole))], items[whole:]
    groups = [items[i : min(i + k, whole)] for i in range(0, whole, k)]
    if tail == "joins" and groups:
        return [*groups[:-1], [*groups[-1], *items[whole:]]], []
    return groups, items[whole:]


def _blocks(parts: Parts, items: Sequence[int], root: int) -> Iterator[int]:
    """Yield the sizes of first blocks that are nodes, as the second blocks are, or what there is of them."""
    totals, n = [0], len(items)
    for item in items:
        totals.append(totals[-1] ^ item)
    places = {total: k for k, total in enumerate(totals)}
    for node in parts.above(items[0], root):
        k = places.get(node, 0)
        second = {totals[k] ^ totals[min(2 * k, n)], totals[k] ^ totals[n]}  # the tail may join it
        if 1 < k < n and (2 * k > n or any(each in parts.children for each in second)):
            yield k


def _lanes(parts: Parts, items: Sequence[int], root: int, place: dict[int, int]) -> Iterator[int]:
    """Yield the steps of first lanes that are nodes."""
    n, strides = len(items), dict[int, int]()
    for k in range(2, n // 2 + 1):
        for whole in (n, n - n % k):
            if whole > k:
                strides[reduce(xor, items[0:whole:k])] = k
    for node in parts.above(items[0], root):
        if node in strides:
            yield strides[node]
    if n > 3:  # each lane is one item: the two first are far apart
        yield from (k for k in (8, 4, 16, 32) if n // 2 < k < n)


def nodes_of(level: Level, items: Sequence[int], is_seeded: bool) -> frozenset[int]:
    """Return the nodes of a pattern over items, an init left out."""
    tree = build(level, len(items) + is_seeded, is_seeded)
    return frozenset(value for value, _ in _values(tree, items, is_seeded))


def _values(tree: Tree, items: Sequence[int], is_seeded: bool) -> Iterator[tuple[int, Arithmetic]]:
    """Yield the nodes of two or more items, and their arithmetics."""
    values: list[int] = [0] * is_seeded + list(items)
    for node in tree.nodes:
        below = [values[c] for c in node.children if c != ZERO and values[c]]
        values.append(reduce(xor, below, 0))
        if len(below) > 1:
            yield values[-1], node.arithmetic


def with_arithmetics(level: Level, tree: Tree, numbers: Sequence[int], is_seeded: bool) -> Level:
    """Return a pattern with the arithmetics that a tree's nodes have, where those of each part agree.

    Each part gets a mark instead of an arithmetic; the nodes with that mark tell which it is. An fma without
    a product is plain.
    """
    own = dict(_values(tree, numbers, False))
    marked = _mark(level)
    parts = dict[Arithmetic, list[Arithmetic]]()
    for value, mark in _values(build(marked, len(numbers) + is_seeded, is_seeded), numbers, is_seeded):
        known = parts.setdefault(mark, [])
        if own[value] not in known:
            known.append(own[value])
    usual = tree.nodes[-1].arithmetic if tree.nodes else PLAIN
    chosen = {mark: max(known, key=lambda a: a.kind == "fma") for mark, known in parts.items()}
    return marked.change(lambda mark: chosen.get(mark, usual))


def _mark(level: Level) -> Level:
    numbers = count(1)
    mark = lambda _: Arithmetic("fused", bits=next(numbers))

    def name_tails(at: Level) -> Level:
        if at.inner is None or at.outer is None:
            return at
        tail = mark(None) if at.tail in ("after", "apart") else None
        return replace(at, inner=name_tails(at.inner), outer=name_tails(at.outer), tail_arithmetic=tail)

    return name_tails(level).change(mark)
