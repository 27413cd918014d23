"""Trees of nested children, with chains joined in some order, or with products as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interp.apps.revealing.device import Nested
from spec.patterns import Level, build
from spec.trees import Node, Tree, canonical


def tree_of(nested: Nested) -> Tree:
    """Return the tree of nested children, with plain nodes."""
    count, nodes = _leaves(nested), list[Node]()
    todo, done = [(nested, False)], list[tuple[int, int]]()  # least leaf below, and number
    while todo:
        at, is_open = todo.pop()
        if isinstance(at, int):
            done.append((at, at))
        elif not is_open:
            todo += [(at, True), *((child, False) for child in at)]
        else:
            children = sorted(done[-len(at) :])
            del done[-len(at) :]
            nodes.append(Node(tuple(number for _, number in children)))
            done.append((children[0][0], count + len(nodes) - 1))
    return canonical(count, nodes, done[0][1])


def join_chains(tree: Tree) -> Iterator[Tree]:
    """Yield the tree with nodes that have no leaf as a child in place of those of several, in some orders."""
    tree = _flat(tree)
    if not any(len(node.children) > 2 and min(node.children) >= tree.n for node in tree.nodes):
        return
    for name in ("left", "balanced", "right"):
        nodes, numbers = list[Node](), list(range(tree.n))
        for node in tree.nodes:
            children = [numbers[c] for c in node.children]
            if len(children) == 2 or min(node.children) < tree.n:
                nodes.append(Node(tuple(children), node.arithmetic, node.unrounded))
                numbers.append(tree.n + len(nodes) - 1)
                continue
            m, offset = len(children), tree.n + len(nodes)
            for inner in build(Level(name), m, False).nodes:
                below = (children[c] if c < m else offset + c - m for c in inner.children)
                nodes.append(Node(tuple(below)))
            numbers.append(tree.n + len(nodes) - 1)
        yield canonical(tree.n, nodes, tree.n + len(nodes) - 1)


def with_fma(tree: Tree) -> Tree:
    """Return a tree whose plain nodes take a product as it is: one that is exact is not flushed first."""
    nodes = list[Node]()
    for node in tree.nodes:
        products = [p for p, child in enumerate(node.children) if child < tree.n]
        if node.arithmetic.kind == "plain" and products:
            node = Node(node.children, replace(node.arithmetic, kind="fma"), products[-1])
        nodes.append(node)
    return Tree(tree.n, tuple(nodes))


def _flat(tree: Tree) -> Tree:
    """Return the tree with one node for each node without leaves and those below it that have none."""
    has_leaf = lambda child: child < tree.n or min(tree.nodes[child - tree.n].children) < tree.n
    nodes, numbers, inner = list[Node](), list(range(tree.n)), dict[int, list[int]]()
    for k, node in enumerate(tree.nodes, tree.n):
        children = list[int]()
        for child in node.children:
            joins = min(node.children) >= tree.n and not has_leaf(child)
            children += inner.get(child, [numbers[child]]) if joins else [numbers[child]]
        inner[k] = children
        nodes.append(Node(tuple(children), node.arithmetic))
        numbers.append(tree.n + len(nodes) - 1)
    least = list(range(tree.n))
    for node in nodes:
        least.append(min(least[c] for c in node.children))
    nodes = [Node(tuple(sorted(node.children, key=least.__getitem__))) for node in nodes]
    return canonical(tree.n, nodes, tree.n + len(nodes) - 1)


def _leaves(nested: Nested) -> int:
    count, todo = 0, [nested]
    while todo:
        at = todo.pop()
        if isinstance(at, int):
            count += 1
        else:
            todo += at
    return count
