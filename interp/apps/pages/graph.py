"""A program as a graph: blocks that read each other, with what is known of their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from interp.apps.pages.blocks import RESULTS, Block, blocks, renumber, title
from interp.apps.pages.layout import Layout, lay_out
from interp.apps.pages.mark import SCALES, Mark, badness, join_marks, text
from spec.ir import Func

# Parts of a program that stand for many blocks, so that a graph of any program has few nodes


MOST = 64  # nodes of a graph
FEW = 4  # fewer parts than a quarter of those are divided
SEPARATOR = "/"


def join_neighbours(found: Sequence[Block], most: int = MOST) -> list[Block]:
    """Return at most `most` blocks: neighbours of one place in the source, or in the program, become one.

    Places are those that exporters name, such as `model/encoder/attention`; as much of them is used as leaves
    few enough. A series of neighbours reads only blocks before it, so that there are no circles.
    """
    if len(found) <= most:
        return list(found)
    inner, last = list(found[:-1]), found[-1]
    paths = [path(block) for block in inner]
    depth = _depth(paths, most - 1)
    runs = [list(run) for _, run in groupby(range(len(inner)), key=lambda k: paths[k][:depth])]
    series = [piece for run in runs for piece in _pieces(run, _size(runs, most - 1))]
    numbers = {k: at for at, (these, _) in enumerate(series) for k in these}
    whole = [_join([inner[k] for k in these], paths[these[0]][:depth], part) for these, part in series]
    return renumber([*whole, last], {**numbers, len(inner): len(whole)})


def _depth(paths: Sequence[tuple[str, ...]], most: int) -> int:
    """Return how many names of the paths to tell apart: all that leave few enough runs of neighbours."""
    longest = max(map(len, paths))
    few = (d for d in range(longest, 0, -1) if _runs([p[:d] for p in paths]) <= most)
    return next(few, 0)


def _runs(paths: Sequence[tuple[str, ...]]) -> int:
    """Return the number of runs of equal paths."""
    return sum(1 for _ in groupby(paths))


def path(block: Block) -> tuple[str, ...]:
    """Return the place of a block's last operation in its source: names around it, the outermost first."""
    names = (op.location.name.partition(", called at")[0] for op in reversed(block.ops))
    return tuple(next(filter(None, names), "").split(SEPARATOR)[:-1])


def _size(runs: Sequence[Sequence[int]], most: int) -> int:
    """Return how many blocks to join: a whole run, unless that leaves few parts for the room there is."""
    longest = max(map(len, runs))
    if len(runs) * FEW > most:
        return longest
    return next(n for n in range(1, longest + 1) if sum(-(-len(run) // n) for run in runs) <= most)


def _pieces(run: Sequence[int], size: int) -> Iterator[tuple[Sequence[int], str]]:
    """Yield about equal pieces of a run, each with its number among them, such as ` 2/3`."""
    count = -(-len(run) // size)
    for k in range(count):
        piece = run[k * len(run) // count : (k + 1) * len(run) // count]
        yield piece, f" {k + 1}/{count}" * (count > 1)


def _join(series: Sequence[Block], place: tuple[str, ...], part: str) -> Block:
    """Return neighbours as one block, named after their place and the part of it, or after their titles."""
    if len(series) == 1:
        return series[0]
    titles = Counter(title(block) for block in series)
    return Block(
        [value for block in series for value in block.values],
        [op for block in series for op in block.ops],
        {k for block in series for k in block.reads},
        place[-1] + part if place and place[-1] else ", ".join(f"{n} {name}" for name, n in titles.items()),
        sum(block.blocks for block in series),
    )


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
    few = join_neighbours(every, most)
    nodes = []
    for k, block in enumerate(few):
        shown = tuple(dict.fromkeys(names.get(name, name) for name in block.names))
        shown += tuple(f"result {n}" for n in range(len(func.results)) if block.label == RESULTS)
        known = join_marks(mark for name in shown if (mark := marked(name)))
        nodes.append(Node(k, block, shown, known))
    drawn = sum(len(block.ops) for block in few)
    edges = [(k, node.number) for node in nodes for k in node.block.reads]
    return Graph(tuple(nodes), lay_out(len(nodes), edges), len(every), len(func.body.ops) - 1 - drawn)


def link_target(name: str) -> str:
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
