"""A program as a graph: blocks that read each other, with what is known of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from interp.apps.pages.blocks import RESULTS, Block, blocks, title
from interp.apps.pages.layout import Layout, laid_out
from interp.apps.pages.mark import SCALES, Mark, badness, joined, text
from interp.apps.pages.parts import MOST, parted
from spec.ir import Func

Marked = Callable[[str], Mark | None]


@dataclass(frozen=True)
class Node:
    """A block to be drawn: the names of its values as they are shown, and what is known of them."""

    number: int
    block: Block
    names: tuple[str, ...]
    mark: Mark

    @property
    def name(self) -> str:
        """The name in links to it: that of its last value."""
        return RESULTS if self.block.label == RESULTS else self.names[-1]

    @property
    def label(self) -> str:
        """All that is drawn, in words."""
        known = [
            text(self.mark, scale.name) and f"{scale.title}: {text(self.mark, scale.name)}"
            for scale in SCALES
        ]
        return ", ".join(
            filter(None, [title(self.block), *self.names[-1:], count(self.block), self.mark.events, *known])
        )


@dataclass(frozen=True)
class Graph:
    """Nodes and their places; `left_out` operations, which no result depends on, are not drawn."""

    nodes: tuple[Node, ...]
    layout: Layout
    blocks: int
    left_out: int


def graph(func: Func, names: Mapping[str, str], marked: Marked, most: int = MOST) -> Graph:
    """Return the graph of a function without calls.

    `names` are those to show for its values, and `marked` returns what is known of the value of such a name.
    """
    every = blocks(func)
    few = parted(every, most)
    nodes = []
    for k, block in enumerate(few):
        shown = tuple(dict.fromkeys(names.get(name, name) for name in block.names))
        shown += tuple(f"result {n}" for n in range(len(func.results)) if block.label == RESULTS)
        known = joined(mark for name in shown if (mark := marked(name)))
        nodes.append(Node(k, block, shown, known))
    drawn = sum(len(block.ops) for block in few)
    edges = [(k, node.number) for node in nodes for k in node.block.reads]
    return Graph(tuple(nodes), laid_out(len(nodes), edges), len(every), len(func.body.ops) - 1 - drawn)


def linked(name: str) -> str:
    """Return the name in links for a value: all results of the program have one node."""
    return RESULTS if name.startswith("result ") else name


def caption(found: Graph) -> str:
    """Return in words what the nodes stand for, and what is not drawn."""
    ops = sum(len(node.block.ops) for node in found.nodes)
    said = f"{ops:,} operations in {len(found.nodes):,} nodes"
    if found.blocks > len(found.nodes):
        said += f", which stand for {found.blocks:,} blocks: the picture has at most {MOST} nodes"
    said += ". Elementwise operations and constants are drawn with what they follow or feed."
    if any("/" in name and "#" in name for node in found.nodes for name in node.names):
        said += " Events of a function that runs several times are counted together, and shown at each run."
    if found.left_out:
        said += f" Nothing reads {found.left_out:,} operations, which are not drawn."
    return said


def worst(found: Graph) -> Node | None:
    """Return the node to show first."""
    return min(found.nodes, key=lambda node: badness(node.mark), default=None)


def count(block: Block) -> str:
    """Return what a node that stands for several blocks contains."""
    return f"{block.blocks} blocks, {len(block.ops)} operations" if block.blocks > 1 else ""
