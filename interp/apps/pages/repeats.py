"""Parts of a tree that repeat: a tree of thousands of nodes is a few chains, rounds of pairs, and nodes.

Two parts have one shape if they differ in the numbers of their leaves alone. A node whose sum grows by parts
of one shape continues a chain; one that adds two parts of one shape continues rounds of pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spec.trees import PLAIN, ZERO, Arithmetic, Node, Tree

Item = tuple[int, int, bool]  # a shape, how many parts have it, and whether they enter unrounded
LEAF, INIT, NUMBER_0 = 0, 1, 2  # the shapes that are no nodes


class Shape(NamedTuple):
    """Shape of a part of a tree; `kind` is "leaf", "init", "zero", "chain", "pairs" or "node".

    A chain starts with `head` and adds `items` in each of `number` nodes. Pairs add two neighbours a round
    until `number` parts, of the one item, are one. A node adds items at once.
    """

    kind: str
    arithmetic: Arithmetic = PLAIN
    head: int = -1
    items: tuple[Item, ...] = ()
    number: int = 0


class Repeats:
    """The shape of each leaf and node of a tree, and which child of a node continues its shape."""

    def __init__(self, tree: Tree, has_init: bool) -> None:
        self.tree, self.shapes = tree, [Shape("leaf"), Shape("init"), Shape("zero")]
        self.numbers = {shape: k for k, shape in enumerate(self.shapes)}
        self.of = [LEAF] * tree.n
        if has_init:
            self.of[0] = INIT
        self.spans = [(k, k, 1) for k in range(tree.n)]  # least and greatest leaf below, and how many
        self.heads = dict[int, int]()  # of a node of a chain, the child that is the chain before
        for k, node in enumerate(tree.nodes, tree.n):
            below = [self.spans[c] for c in node.children if c != ZERO]
            low, high = min(each[0] for each in below), max(each[1] for each in below)
            self.spans.append((low, high, sum(each[2] for each in below)))
            shape = self._join(k, node)
            self.numbers.setdefault(shape, len(self.shapes))
            if self.numbers[shape] == len(self.shapes):
                self.shapes.append(shape)
            self.of.append(self.numbers[shape])

    def shape(self, at: int) -> Shape:
        """Return the shape of a leaf or node."""
        return self.shapes[NUMBER_0 if at == ZERO else self.of[at]]

    def leaves(self, at: int) -> int:
        """Return how many leaves are below."""
        return self.spans[at][2] if at != ZERO else 0

    def _is_block(self, at: int) -> bool:
        """Return whether the leaves below are neighbours."""
        low, high, count = self.spans[at]
        return high - low + 1 == count

    def _number(self, child: int) -> int:
        return NUMBER_0 if child == ZERO else self.of[child]

    def _items(self, node: Node, without: int = -1) -> tuple[Item, ...]:
        """Return the items of a node, but for the child at one position."""
        counts = Counter(
            (self._number(child), node.unrounded == position)
            for position, child in enumerate(node.children)
            if position != without
        )
        return tuple(sorted((shape, count, marked) for (shape, marked), count in counts.items()))

    def _join(self, k: int, node: Node) -> Shape:
        items, own = self._items(node), node.arithmetic
        if len(items) == 1 and len(node.children) == 2:
            return self._pair(node, items[0][0])
        if len(items) == 1:
            return Shape("node", own, items=items, number=1)
        position = self._head(node)
        child, rest = node.children[position], self._items(node, position)
        self.heads[k] = child
        head = self.shape(child)
        if head.kind == "chain" and (head.arithmetic, head.items) == (own, rest):
            return head._replace(number=head.number + 1)
        if self._is_begun(child, rest, own):
            return Shape("chain", own, rest[0][0], rest, 2)
        return Shape("chain", own, self._number(child), rest, 1)

    def _pair(self, node: Node, item: int) -> Shape:
        """Return the shape of two parts of one shape: another round, unless blocks begin to be added."""
        inner, first = self.shapes[item], node.children[0]
        begins = first >= self.tree.n and self._is_block(first)
        begins = begins and not all(map(self._is_block, self.tree_children(first)))
        if inner.kind == "pairs" and inner.arithmetic == node.arithmetic and not begins:
            return inner._replace(number=2 * inner.number)
        return Shape("pairs", node.arithmetic, items=((item, 1, False),), number=2)

    def _is_begun(self, child: int, rest: tuple[Item, ...], own: Arithmetic) -> bool:
        """Return whether a child is the sum of two parts of the added shape, so that a chain begins."""
        shape = self.shape(child)
        if shape.kind != "pairs" or shape.arithmetic != own:
            return False
        return rest == ((self._number(self.tree_children(child)[0]), 1, False),)

    def tree_children(self, at: int) -> Sequence[int]:
        """Return the children of a node that are no zeros."""
        return [c for c in self.tree.nodes[at - self.tree.n].children if c != ZERO]

    def _head(self, node: Node) -> int:
        """Return the position of the child that a chain continues, or of the one with the most leaves."""
        free = [p for p in range(len(node.children)) if p != node.unrounded]
        for position in free:
            child, own = node.children[position], node.arithmetic
            head = self.shape(child)
            if head.kind not in ("chain", "pairs") or head.arithmetic != own:
                continue
            rest = self._items(node, position)
            if (head.kind, head.items) == ("chain", rest) or self._is_begun(child, rest, own):
                return position
        return max(free, key=lambda p: self.leaves(node.children[p]))

    # The parts that a shape has at one place of the tree.

    def steps(self, at: int) -> list[list[int]]:
        """Return the parts of a chain in the order of its additions: its head, and those of each node."""
        shape, found, below = self.shape(at), list[list[int]](), at
        for _ in range(shape.number):
            children = list(self.tree.nodes[below - self.tree.n].children)
            head = self.heads.get(below)
            if head is None:  # the first of three equal parts
                found.append([children[1]])
                below = children[0]
                continue
            children.remove(head)
            found.append(children)
            below = head
        return [[below], *reversed(found)]

    def parts(self, at: int) -> list[int]:
        """Return the parts that pairs add, from the left."""
        found, rounds = [at], self.shape(at).number.bit_length() - 1
        for _ in range(rounds):
            found = [child for each in found for child in self.tree_children(each)]
        return found

    def below(self, at: int) -> Iterator[int]:
        """Yield the leaves below, from the left."""
        todo = [at]
        while todo:
            child = todo.pop()
            if 0 <= child < self.tree.n:
                yield child
            elif child != ZERO:
                todo += reversed(self.tree.nodes[child - self.tree.n].children)

    # In words.

    def words(self, at: int) -> str:
        """Return what a part is, in words: `16 x (256 leaves one after the other, fma) in pairs`."""
        return self._words(self._number(at), 0)

    def _words(self, number: int, depth: int) -> str:
        shape = self.shapes[number]
        if number in (LEAF, INIT, NUMBER_0):
            return shape.kind
        if depth == DEEPEST:
            return "..."
        own = f", {shape.arithmetic!r}" if shape.arithmetic != PLAIN else ""
        parts = [self._name_several(item, count, depth) for item, count, _ in shape.items]
        several = " and ".join(parts)
        if shape.kind == "pairs":
            return f"{self._name_several(shape.items[0][0], shape.number, depth)} in pairs{own}"
        if shape.kind == "node":
            return f"{several} in one node{own}"
        if shape.number == 1:
            return f"{self._name_several(shape.head, 1, depth)} and {several}{own}"
        if shape.items == ((shape.head, 1, shape.items[0][2]),):
            return f"{self._name_several(shape.head, shape.number + 1, depth)} one after the other{own}"
        repeated = several if len(parts) == 1 and shape.items[0][1] == 1 else f"({several})"
        if shape.items[0][:2] == (LEAF, 1) and len(parts) == 1:
            repeated = f"{shape.number:,} leaves"
        else:
            repeated = f"{shape.number:,} x {repeated}"
        return f"{self._name_several(shape.head, 1, depth)}, then {repeated} one after the other{own}"

    def _name_several(self, number: int, count: int, depth: int) -> str:
        """Return so many parts of a shape, in words."""
        if number == LEAF:
            return f"{count:,} leaves" if count > 1 else "a leaf"
        words = self._words(number, depth + 1)
        if number in (INIT, NUMBER_0):
            return words if count == 1 else f"{count:,} x {words}"
        return f"{count:,} x ({words})" if count > 1 else f"({words})"


DEEPEST = 6  # parts within parts that words tell
