"""A reduction's tree written with parentheses: `((init..x6 . x7) . x8)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from interp.recorder.element import Element, Taken


class Cover(NamedTuple):
    """The leaves under a node: whether they include the init, and the first and last other leaf, or 0, 0."""

    seeded: bool
    first: int
    last: int

    def __str__(self) -> str:
        if not self.first:
            return "init"
        one = self.first == self.last
        elements = f"x{self.last - 1}" if one else f"x{self.first - 1}..x{self.last - 1}"
        if not self.seeded:
            return elements
        return f"init..x{self.last - 1}" if self.first == 1 else f"init, {elements}"

    def __or__(self, other: Cover) -> Cover:
        return Cover(self.seeded or other.seeded, self.first or other.first, other.last or self.last)


class Parenthesized:
    """The tree of one element. Nodes are numbered as in `Taken.children`: the leaves, then the steps."""

    def __init__(self, element: Element, steps: Sequence[Taken]) -> None:
        self.leaves, self.steps = element.leaves, steps
        self.inputs = ", ".join(value.name for value in element.reduction.inputs)
        n = len(self.leaves)
        self.parents = {child: n + k for k, step in enumerate(steps) for child in step.children if child}
        self.covers = [Cover(not leaf.number, leaf.number, leaf.number) for leaf in self.leaves]
        for step in steps:
            lhs, rhs = step.children
            self.covers.append(self.covers[lhs] | self.covers[rhs])

    def place(self, step: int) -> str:
        """Return the nodes that a step combines, and the node that its result becomes part of, as text."""
        node = len(self.leaves) + step
        parent = self.parents.get(node)
        return self.text(node, 2) + ("" if parent is None else f" inside {self.text(parent, 1)}")

    def text(self, node: int, depth: int) -> str:
        """Return a node as text, with its children to this depth, and only ranges of leaves below."""
        if node < len(self.leaves) or not depth:
            return str(self.covers[node])
        children = self.steps[node - len(self.leaves)].children
        return f"({' . '.join(self.text(child, depth - 1) for child in children)})"

    def origins(self, step: int) -> list[str]:
        """Return the origins of the leaves that a step brings in: `x8 = %arg0 (0, 8)`."""
        found = []
        for child in self.steps[step].children:
            if 0 < child < len(self.leaves):
                origin = self.leaves[child].origin
                place = origin if isinstance(origin, str) else f"{self.inputs} {origin}"
                found.append(f"{self.covers[child]} = {place}")
        return found
