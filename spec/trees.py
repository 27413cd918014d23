"""Trees of accumulations: which children a node adds, and in which arithmetic.

Leaves are numbered from 0. Where a sum has an init value, that is leaf 0, and the elements follow; where it
has none, leaf 0 is the first element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from spec.elements import ElementType, element_type
from spec.errors import Malformed, short_text

ZERO = -1  # a child that is the number 0
KINDS = ("plain", "fma", "exact", "fused")
ROUNDINGS = ("", "toward zero", "wrap", "saturate")


@cache
def _type(name: str) -> ElementType | None:
    """Return the type of sums with a name: a float that arrays have, or a signed integer of 2 to 64 bits."""
    if not name:
        return None
    type = element_type(name)
    real = type is not None and type.kind == "float" and bool(type.numpy)
    whole = type is not None and type.kind == "signed" and 2 <= type.bits <= 64 and name == f"i{type.bits}"
    if type is None or not (real or whole):
        raise Malformed(
            f"{short_text(name)} is not a type of sums", "expected f32, f64, bf16 ..., or i2 to i64"
        )
    return type


@dataclass(frozen=True)
class Arithmetic:
    """The arithmetic of a node: its children enter, are added exactly, and their sum becomes its type.

    kind: "plain": every child is rounded first; "fma": one product is not; "exact": none is; "fused": all are
    cut to `bits` fraction bits below the largest exponent, toward zero or, if `nearest`, half to even.
    normalized: the exponent of a product is its own, and not the sum of its factors' exponents. last: the old
    accumulator is no term of a fused node, and added to its result. type: a name, or "" for the declared
    type. products: the type that products are rounded to, or "" for the node's. cut: a fused sum is cut,
    toward zero, to so many fraction bits. rounding: "" is to nearest, and for integers wraps. flush:
    subnormal children and results count as zeros.
    """

    kind: str = "plain"
    bits: int = 0
    nearest: bool = False
    normalized: bool = False
    last: bool = False
    type: str = ""
    products: str = ""
    cut: int | None = None
    rounding: str = ""
    flush: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS or self.rounding not in ROUNDINGS:
            raise Malformed(
                f"{short_text(self.kind)} {short_text(self.rounding)} is not an arithmetic of nodes"
            )
        if self.element_type is not None and self.element_type.is_integer and self.rounding == "wrap":
            object.__setattr__(self, "rounding", "")
        if why := self._contradiction():
            raise Malformed(f"the arithmetic of a node, {self!r}, contradicts itself", why)

    def _contradiction(self) -> str:
        type, products = (_type(name) for name in (self.type, self.products))
        fused, whole = self.kind == "fused", type is not None and type.is_integer
        if not fused and (self.bits or self.nearest or self.normalized or self.last or self.cut is not None):
            return "only a fused node is cut, and has an old accumulator apart"
        if type and products and type.is_integer != products.is_integer:
            return "sums and products are both integers, or both floats"
        if whole and self.kind != "plain":
            return "sums of integers are exact: expected plain"
        if whole and (self.flush or self.rounding == "toward zero"):
            return "integers wrap or saturate"
        if (type is None or not type.is_integer) and self.rounding in ("wrap", "saturate") and type:
            return "floats neither wrap nor saturate"
        if self.rounding in ("wrap", "saturate") and (self.kind != "plain" or self.flush):
            return "only plain sums of integers wrap or saturate"
        return ""

    @property
    def element_type(self) -> ElementType | None:
        """The type of the node, or None if it is the declared one."""
        return _type(self.type)

    @property
    def product_type(self) -> ElementType | None:
        """The type that products are rounded to, or None if it is the node's."""
        return _type(self.products)

    @property
    def saturates(self) -> bool:
        return self.rounding == "saturate"

    @property
    def has_type(self) -> bool:
        """Return whether it names a type of sums or of products."""
        return bool(self.type or self.products)

    def __repr__(self) -> str:
        return " ".join(self.words()) or "plain"

    def words(self) -> list[str]:
        """Return the words of the canonical text; none for plain sums in the declared type."""
        modes = " nearest" * self.nearest + " normalized" * self.normalized
        kind = f"fused({self.bits}{modes})" if self.kind == "fused" else self.kind
        return [
            *([kind] if self.kind != "plain" else []),
            *(["last"] if self.last else []),
            *([f"in {self.type}"] if self.type else []),
            *([f"products in {self.products}"] if self.products else []),
            *([] if self.cut is None else [f"cut {self.cut}"]),
            *([self.rounding] if self.rounding else []),
            *(["flush"] if self.flush else []),
        ]


PLAIN = Arithmetic()


@dataclass(frozen=True)
class Node:
    """A node of a tree: its children, in order, and its arithmetic.

    Children are leaves 0 to n - 1, nodes n + k, or `ZERO`. unrounded: the position of the child that an fma
    does not round, or None.
    """

    children: tuple[int, ...]
    arithmetic: Arithmetic = PLAIN
    unrounded: int | None = None

    @property
    def factor(self) -> int | None:
        """The child that enters unrounded, or None."""
        return None if self.unrounded is None else self.children[self.unrounded]


@dataclass(frozen=True)
class Tree:
    """A tree over n leaves. Children come before their parents, and the last node is the root.

    Every leaf has one place; only leaf 0 may have several or none, where it is the init value. Trees are
    equal if their nodes add the same children in the same order with the same arithmetic.
    """

    n: int
    nodes: tuple[Node, ...]

    def __post_init__(self) -> None:
        places = [0] * (self.n + len(self.nodes))
        for k, node in enumerate(self.nodes):
            for child in node.children:
                if not ZERO <= child < self.n + k:
                    raise Malformed(f"node {k} of a tree of {self.n} leaves has the child {child}")
                places[child] += child != ZERO
        root = 1 if self.nodes else 0  # it has no parent
        if self.n < 1 or (not self.nodes and self.n > 2):
            raise Malformed(f"a tree of {self.n} leaves has {len(self.nodes)} nodes")
        wrong = next((i for i in range(1, self.n) if places[i] != 1 and self.nodes), None)
        if wrong is not None:
            raise Malformed(f"leaf {wrong} has {places[wrong]} places in a tree", "expected one")
        if any(count != 1 for count in places[self.n : len(places) - root]):
            raise Malformed("a node has not one parent in a tree")

    @property
    def root(self) -> int:
        """The number of the root: a node, or the only leaf that is used."""
        return self.n + len(self.nodes) - 1

    @cached_property
    def arithmetics(self) -> tuple[Arithmetic, ...]:
        """The arithmetics of its nodes, each once."""
        return tuple(dict.fromkeys(node.arithmetic for node in self.nodes))

    def places_of_init(self) -> int:
        """Return how many places leaf 0 has."""
        return sum(node.children.count(0) for node in self.nodes) if self.nodes else 1


def canonical(n: int, nodes: Sequence[Node], root: int) -> Tree:
    """Return the tree below a root, whose nodes are numbered anew: children first, from the left."""
    numbers, ordered, todo = dict[int, int](), list[Node](), [(root, False)]
    while todo:
        at, done = todo.pop()
        if at < n:
            continue
        node = nodes[at - n]
        if not done:
            todo += [(at, True), *((child, False) for child in reversed(node.children))]
            continue
        numbers[at] = n + len(ordered)
        children = tuple([numbers.get(c, c) for c in node.children])
        same = children == node.children
        ordered.append(node if same else Node(children, node.arithmetic, node.unrounded))
    return Tree(n, tuple(ordered))


@dataclass(frozen=True)
class Steps:
    """The tree of an accumulation as a schedule: a node combines its children from the left."""

    tree: Tree
    name: str = "steps"

    def steps(self, n: int, seeded: bool) -> list[tuple[int, int]]:
        pairs, roots = list[tuple[int, int]](), list(range(n))
        for node in self.tree.nodes:
            root, *others = [roots[child] for child in node.children if child != ZERO]
            for other in others:
                pairs.append((root, other))
                root = n + len(pairs) - 1
            roots.append(root)
        return pairs
