"""A program as a graph of few nodes: blocks of operations that read each other, and marks of their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from types import MappingProxyType

from interp.apps.pages.layout import Edge, Layout, lay_out
from interp.apps.pages.mark import SCALES, Mark, badness, join_marks, text
from interp.engine.facts import facts
from interp.recorder.event import short
from interp.recorder.layers import scopes
from interp.recorder.names import with_layer
from spec.ir import Func, Op, Value, nested_ops, reads

# A program as few blocks that read each other: runs of elementwise operations, and parts of networks.
#
# A block begins with an argument, or with an operation that is more than elementwise or reads several
# blocks. Elementwise operations, and those that only move elements, belong to the block that they read
# alone. So do constants and what is computed of them to the block that reads them first. Operations within
# the regions of another one belong to its block.

RESULTS = "results"
PASSED = ("reshape", "broadcast_in_dim", "transpose", "convert", "custom_call")  # names that say little


@dataclass
class Block:
    """Operations that are drawn as one node: an argument or a first operation, and what follows.

    `values` are the arguments of the program in it, `ops` its operations, `reads` the numbers of the blocks
    whose values it reads. `label` names a part of the program that stands for several blocks, `blocks` of
    them.
    """

    values: list[Value] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    reads: set[int] = field(default_factory=set)
    label: str = ""
    blocks: int = 1

    @property
    def names(self) -> Iterator[str]:
        """Yield the names of all values in it, of regions too."""
        yield from (value.name for value in self.values)
        yield from (value.name for op in self.every_op for value in op.results)

    @property
    def every_op(self) -> Iterator[Op]:
        """Yield its operations and those in their regions."""
        for op in self.ops:
            yield op
            for region in op.regions:
                yield from nested_ops(region)

    @property
    def last(self) -> Value | None:
        """The value that the rest of the program most likely reads: the result of its last operation."""
        for op in reversed(self.ops):
            if op.results:
                return op.results[0]
        return self.values[0] if self.values else None


def blocks(func: Func) -> list[Block]:
    """Return the blocks of a function without calls; a block reads only blocks before it."""
    maker = _Maker(func)
    for op in func.body.ops[:-1]:
        maker.add(op)
    maker.end(func.body.returns)
    return absorb_arguments(maker.blocks)


class _Maker:
    """Blocks of the operations so far, and the block of each value."""

    def __init__(self, func: Func) -> None:
        self.blocks: list[Block] = []
        self.home: dict[str, int] = {}
        self.static: dict[str, Op] = {}
        for value in func.inputs:
            self.home[value.name] = self._new(Block(values=[value]))

    def _new(self, block: Block) -> int:
        self.blocks.append(block)
        return len(self.blocks) - 1

    def add(self, op: Op) -> None:
        """Add an operation to the block that it belongs to, or to a new one."""
        read = reads(op)
        near = {self.home[v.name] for v in read if v.name in self.home}
        if not near and (facts(op).family == "structure" or is_passing(op)):
            self.static |= {v.name: op for v in op.results}
            return
        k = near.pop() if len(near) == 1 and is_passing(op) else self._new(Block(reads=set(near)))
        self._take(read, self.blocks[k])
        self.blocks[k].ops.append(op)
        self.home |= {v.name: k for v in op.results}

    def _take(self, read: Iterable[Value], block: Block) -> None:
        """Move the constants that are read, and what they are computed of, to a block."""
        for value in read:
            if (op := self.static.pop(value.name, None)) is not None:
                self._take(op.operands, block)
                block.ops.append(op)
                for other in op.results:
                    self.static.pop(other.name, None)

    def end(self, returned: Sequence[Value]) -> None:
        """Add the block of the results."""
        near = {self.home[v.name] for v in returned if v.name in self.home}
        block = Block(reads=near, label=RESULTS)
        self._take(returned, block)
        self._new(block)


def is_passing(op: Op) -> bool:
    """Return whether an operation may follow another one in its block."""
    known = facts(op)
    return not op.regions and (known.computes or known.moves or known.family in ("conversion", "simulation"))


def is_constant(op: Op) -> bool:
    """Return whether an operation is a constant."""
    return facts(op).reference == "constant"


def absorb_arguments(found: Sequence[Block]) -> list[Block]:
    """Return blocks in which an argument that one block alone reads, beside another one, belongs to it."""
    readers: dict[int, list[int]] = {}
    for k, block in enumerate(found):
        for n in block.reads:
            readers.setdefault(n, []).append(k)
    gone: dict[int, int] = {}
    for k in reversed(range(len(found))):
        if found[k].values and len(readers.get(k, ())) == 1:
            (reader,) = readers[k]
            if len(found[reader].reads) > 1:
                found[reader].reads.discard(k)
                found[reader].values = [*found[k].values, *found[reader].values]
                found[reader].ops = [*found[k].ops, *found[reader].ops]
                gone[k] = reader
    kept = [k for k in range(len(found)) if k not in gone]
    return renumber([found[k] for k in kept], {k: at for at, k in enumerate(kept)})


def renumber(found: Sequence[Block], numbers: Mapping[int, int]) -> list[Block]:
    """Return blocks that read others by their new numbers."""
    for at, block in enumerate(found):
        block.reads = {numbers[k] for k in block.reads} - {at}
    return list(found)


def title(block: Block) -> str:
    """Return the name of the operation that says most about a block, or of its argument."""
    op = main_op(block)
    return block.label or ("argument" if op is None else short(op))


def main_op(block: Block) -> Op | None:
    """Return the operation that says most about a block; None for an argument, or a part of the program."""
    if block.label:
        return None
    if telling := _telling(block):
        return telling[0]
    plain = [op for op in block.ops if not is_constant(op)]
    return (
        None if block.values else next((x for x in plain if short(x) not in PASSED), (plain or block.ops)[0])
    )


def main_value(block: Block) -> Value | None:
    """Return the result of the operation that says most, an argument, or the last value of a part."""
    op = main_op(block)
    if op is not None and op.results:
        return op.results[0]
    return block.values[0] if block.values and not block.label else block.last


def _telling(block: Block) -> list[Op]:
    return [op for op in block.ops if not is_passing(op) and facts(op).family != "structure"]


# Parts of a program that stand for many blocks, so that a graph of any program has few nodes


MOST = 64  # nodes of a graph
MANY = 8  # nodes that read an argument; to more than those no lines are drawn from it
LISTED = 4  # names of a node in the caption
FEW = 4  # fewer parts than a quarter of those are divided


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
    paths = (scopes(op.location.name, is_from_jax=True) for op in reversed(block.ops))
    return next(filter(None, paths), ())


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
    layer: str = ""
    value: str = ""  # the name of the value that says most, as it is shown

    @property
    def name(self) -> str:
        """The name in links to it: that of its last value."""
        return RESULTS if self.block.label == RESULTS else self.names[-1]

    @property
    def title(self) -> str:
        """Its operation, and its name with that of its layer: `convolution conv2 (%4)`."""
        return title(self.block) if self.name == RESULTS else f"{title(self.block)} {self._full_name}"

    @property
    def _full_name(self) -> str:
        if self.name == RESULTS:
            return ", ".join(self.names)
        return with_layer(self.value or self.name, self.layer)

    @property
    def label(self) -> str:
        """All that is drawn, in words."""
        known = [
            text(self.mark, scale.name) and f"{scale.title}: {text(self.mark, scale.name)}"
            for scale in SCALES
        ]
        return ", ".join(
            filter(
                None,
                [
                    title(self.block),
                    self._full_name if self.names else None,
                    count(self.block),
                    self.mark.events,
                    *known,
                ],
            )
        )


@dataclass(frozen=True)
class Graph:
    """Nodes and their places; `left_out` operations, which no result depends on, are not drawn.

    `apart` are the numbers of arguments that so many nodes read that they are drawn without lines to them.
    """

    nodes: tuple[Node, ...]
    layout: Layout
    blocks: int
    left_out: int
    apart: tuple[int, ...] = ()


def graph(
    func: Func,
    names: Mapping[str, str],
    marked: Marked,
    most: int = MOST,
    layers: Mapping[str, str] = MappingProxyType({}),
) -> Graph:
    """Return the graph of a function without calls.

    `names` are those to show for its values, and `marked` returns what is known of the value of such a name.
    `layers` are the names of layers by the values in them.
    """
    every = blocks(func)
    few = join_neighbours(every, most)
    nodes = []
    for k, block in enumerate(few):
        shown = tuple(dict.fromkeys(names.get(name, name) for name in block.names))
        shown += tuple(f"result {n}" for n in range(len(func.results)) if block.label == RESULTS)
        known = join_marks(mark for name in shown if (mark := marked(name)))
        value = main_value(block)
        name = names.get(value.name, value.name) if value else ""
        nodes.append(Node(k, block, shown, known, _layer(block, layers), name))
    drawn = sum(len(block.ops) for block in few)
    edges = [(k, node.number) for node in nodes for k in node.block.reads]
    apart = _everywhere(few, edges)
    layout = lay_out(len(nodes), [edge for edge in edges if edge[0] not in apart])
    return Graph(tuple(nodes), layout, len(every), len(func.body.ops) - 1 - drawn, tuple(sorted(apart)))


def _everywhere(found: Sequence[Block], edges: Iterable[Edge]) -> set[int]:
    """Return the numbers of the blocks of arguments alone that many others read."""
    readers = Counter(k for k, _ in edges)
    return {k for k, n in readers.items() if n > MANY and found[k].values and not found[k].ops}


def _layer(block: Block, layers: Mapping[str, str]) -> str:
    """Return the layer of the operation that says most about a block, but not of an argument or of a part."""
    plain = [] if block.values else [op for op in reversed(block.ops) if not is_constant(op)]
    telling = (op for op in _telling(block) or plain if op.results)
    return "" if block.label else next((layers.get(op.results[0].name, "") for op in telling), "")


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
    if found.apart:
        names = ", ".join(name for k in found.apart for name in found.nodes[k].names[:LISTED])
        said += f" Without lines to the many nodes that read them: {names}."
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
