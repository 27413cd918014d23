"""A program as a picture: blocks that read each other, coloured by what is known of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from interp.engine.facts import facts
from interp.engine.markup import Html, tag
from interp.engine.stored import storage
from interp.events.event import short
from interp.pages.blocks import RESULTS, Block, blocks, title
from interp.pages.layout import Edge, Layout, laid_out
from interp.pages.mark import SCALES, Mark, badness, joined, shade, text
from interp.pages.parts import MOST, parted
from spec.ir import Func, Op
from spec.types import BundleType, TensorType

WIDTH, HEIGHT, APART, BETWEEN = 216, 62, 24, 36
MARGIN = 12
LETTERS = 26  # of a node's lines
LISTED = 200  # operations of one node
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
            filter(None, [title(self.block), *self.names[-1:], _count(self.block), self.mark.events, *known])
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


def picture(found: Graph, links: Callable[[Node], Sequence[Html]], chosen: Node | None) -> Html:
    """Return the graph with its choice of colours, and the description of each node, of which one is shown.

    `links` returns links for a description, `chosen` is the node to show first.
    """
    first = {} if chosen is None else {"data_worst": str(chosen.number)}
    return tag(
        "div",
        _choice(),
        tag("div", _svg(found), class_="canvas", tabindex="-1"),
        tag("p", caption(found), class_="muted small"),
        tag("div", *(_about(node, links(node)) for node in found.nodes), class_="abouts", aria_live="polite"),
        class_="graph",
        **first,
    )


def caption(found: Graph) -> str:
    """Return in words what the nodes stand for, and what is not drawn."""
    ops = sum(len(node.block.ops) for node in found.nodes)
    said = f"{ops:,} operations in {len(found.nodes):,} nodes"
    if found.blocks > len(found.nodes):
        said += f", which stand for {found.blocks:,} blocks: the picture has at most {MOST} nodes"
    said += ". Elementwise operations and constants are drawn with what they follow or feed."
    return said + (
        f" Nothing reads {found.left_out:,} operations, which are not drawn." if found.left_out else ""
    )


def _choice() -> Html:
    """Return radio buttons that choose the colours, and the legend of each choice."""
    choices, legends = [], []
    for k, scale in enumerate(SCALES):
        checked = {"checked": "checked"} if not k else {}
        box = tag("input", type="radio", name="colour", value=scale.name, id=f"by-{scale.name}", **checked)
        choices.append(tag("label", box, scale.title))
        marks = [tag("li", tag("i", class_=f"fill {s.style}"), s.label) for s in scale.shades]
        unknown = [] if scale.name == "severity" else [tag("li", tag("i", class_="fill none"), "unknown")]
        legends.append(tag("ul", *marks, *unknown, class_=f"legend of-{scale.name}"))
    return tag("fieldset", tag("legend", "Coloured by"), tag("div", *choices, class_="choices"), *legends)


def _svg(found: Graph) -> Html:
    wide = found.layout.width * (WIDTH + APART) - APART + 2 * MARGIN
    high = found.layout.ranks * (HEIGHT + BETWEEN) - BETWEEN + 2 * MARGIN
    edges = [_edge(edge, found.layout) for edge in found.layout.routes]
    nodes = [_node(node, _corner(found.layout.nodes[node.number])) for node in found.nodes]
    size = {"width": f"{wide:.0f}", "height": f"{high:.0f}", "viewBox": f"0 0 {wide:.0f} {high:.0f}"}
    head = tag("path", d="M0 0L8 4L0 8z", class_="head")
    arrow = tag(
        "marker",
        head,
        id="arrow",
        viewBox="0 0 8 8",
        refX="7",
        refY="4",
        markerWidth="7",
        markerHeight="7",
        orient="auto",
    )
    return tag(
        "svg",
        tag("defs", arrow),
        tag("g", *edges, aria_hidden="true"),
        *nodes,
        role="group",
        aria_label="Graph of the program",
        **size,
    )


def _corner(point: tuple[float, int]) -> tuple[float, float]:
    """Return the upper left corner of a node."""
    return MARGIN + point[0] * (WIDTH + APART) - WIDTH / 2 - APART / 2, MARGIN + point[1] * (HEIGHT + BETWEEN)


def _edge(edge: Edge, layout: Layout) -> Html:
    """Return a smooth line from the bottom of a node to the top of another, through the bends between."""
    points = []
    for x, rank in layout.routes[edge]:
        left, top = _corner((x, rank))
        points += [(left + WIDTH / 2, top), (left + WIDTH / 2, top + HEIGHT)]
    path = [f"M{points[1][0]:.0f} {points[1][1]:.0f}"]
    for (x, y), (to_x, to_y) in pairwise(points[1:-1]):
        middle = (y + to_y) / 2
        straight = (
            f"V{to_y:.0f}"
            if x == to_x
            else f"C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y:.0f}"
        )
        path.append(straight)
    return tag("path", d="".join(path), class_="edge", data_from=str(edge[0]), data_to=str(edge[1]))


def _node(node: Node, corner: tuple[float, float]) -> Html:
    """Return a link to the description of a node, drawn as a box with three lines of text."""
    styles = ";".join(f"--{scale.name}:var(--{shade(node.mark, scale).style})" for scale in SCALES)
    x, y = corner
    shape = {"width": str(WIDTH), "height": str(HEIGHT), "rx": "7"}
    lines = [
        tag("text", _cut(title(node.block), LETTERS - 4), x="20", y="21", class_="title"),
        tag("text", _cut(_named(node), LETTERS + 8), x="20", y="37", class_="name"),
        tag("text", _cut(_rest(node.block), LETTERS + 6), x="20", y="52", class_="rest"),
    ]
    badges = [
        tag("text", badge, x=str(WIDTH - 10), y="21", class_=f"badge on-{scale.name}")
        for scale in SCALES
        if (badge := _badge(node.mark, scale.name))
    ]
    inner = tag(
        "g",
        tag("rect", class_="box", **shape),
        tag("rect", class_="band", width="8", height=str(HEIGHT), rx="4"),
        *lines,
        *badges,
        transform=f"translate({x:.0f} {y:.0f})",
        style=styles,
    )
    attributes = {
        "class_": "node",
        "data_node": str(node.number),
        "data_rank": str(round(y)),
        "data_at": str(round(x)),
    }
    return tag("a", inner, href=f"#op/{node.name}", aria_label=node.label, **attributes)


def _badge(mark: Mark, scale: str) -> str:
    if scale != "severity":
        return text(mark, scale)
    total = sum(n for (s, _), n in mark.counts.items() if s == mark.severity)
    return f"{total:,}" + ("!" if mark.severity == "error" else "") if total else ""


def _cut(line: str, letters: int) -> str:
    return line if len(line) <= letters else f"{line[: letters - 1]}…"


def _named(node: Node) -> str:
    """Return the name and the type of the value that a node ends with; of an argument, its own."""
    if node.name == RESULTS:
        return ", ".join(node.names)
    first = title(node.block) == "argument"
    value = node.block.values[0] if first else node.block.last
    return f"{node.names[0] if first else node.name} {brief(value.type) if value else ''}"


def brief(type: TensorType) -> str:
    """Return a type in a few characters: its sizes, and the type of the stored numbers."""
    if isinstance(type, BundleType):
        return "bundle"
    stored = storage(type.element_type).name
    mark = "q" if type.is_quantized else ""
    return "×".join([*("?" if n is None else str(n) for n in type.shape), mark + stored])


def _count(block: Block) -> str:
    return f"{block.blocks} blocks, {len(block.ops)} operations" if block.blocks > 1 else ""


def _rest(block: Block) -> str:
    """Return what a node contains beside its title."""
    if block.blocks > 1:
        return _count(block)
    names = [short(op) for op in block.ops if not _is_constant(op)]
    if title(block) in names:
        names.remove(title(block))
    inside = sum(1 for _ in block.every_op) - len(block.ops)
    names = [*dict.fromkeys(_plain(name) for name in names)]
    return ", ".join([*([f"{inside} inside"] if inside else []), *names])


def _plain(name: str) -> str:
    return name.rpartition(".")[2].removeprefix("uniform_").replace("broadcast_in_dim", "broadcast")


def _about(node: Node, links: Sequence[Html]) -> Html:
    """Return the description of a node, which its link shows."""
    mark = node.mark
    facts = [text(mark, scale.name) and f"{scale.title.lower()} {text(mark, scale.name)}" for scale in SCALES]
    said = ", ".join(filter(None, [mark.events, *facts])) or "no events"
    return tag(
        "section",
        tag("h3", title(node.block) if node.name == RESULTS else f"{title(node.block)} {node.name}"),
        tag("p", said, class_=mark.severity or "muted"),
        *([tag("p", mark.worst, class_="evidence")] if mark.worst else []),
        *([tag("p", *links, class_="links")] if links else []),
        tag("ul", *(tag("li", tag("code", line)) for line in _listed(node)), class_="ops"),
        id=f"op/{node.name}",
        class_="about",
        tabindex="-1",
        data_names="\n".join(node.names),
    )


def _listed(node: Node) -> Iterator[str]:
    ops = [op for op in node.block.every_op if op.results and not _is_constant(op)]
    yield from (f"{value.name} {brief(value.type)}" for value in node.block.values)
    for op in ops[:LISTED]:
        ends = ", ".join(f"{value.name} {brief(value.type)}" for value in op.results)
        yield f"{short(op)} {ends}"
    if len(ops) > LISTED:
        yield f"… and {len(ops) - LISTED:,} more"
    if constants := sum(map(_is_constant, node.block.every_op)):
        yield f"{constants:,} constant{'s' * (constants > 1)}"


def _is_constant(op: Op) -> bool:
    return facts(op).reference == "constant"


def worst(found: Graph) -> Node | None:
    """Return the node to show first."""
    return min(found.nodes, key=lambda node: badness(node.mark), default=None)
