"""The graph on a page: the choice of its colours, the picture, and a description of the chosen node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from interp.apps.pages.graph import (
    RESULTS,
    Block,
    Graph,
    Node,
    caption,
    count,
    is_constant,
    main_value,
    title,
)
from interp.apps.pages.layout import Edge, Layout, Point
from interp.apps.pages.mark import SCALES, Mark, shade, text
from interp.engine.markup import Html, tag
from interp.engine.storage import storage
from interp.recorder.event import short
from spec.types import BundleType, TensorType

LISTED = 24  # operations of one node


def picture(found: Graph, links: Callable[[Node], Sequence[Html]], chosen: Node | None) -> Html:
    """Return the graph with its choice of colours, and the description of each node, of which one is shown.

    `links` returns links for a description, `chosen` is the node to show first.
    """
    first = {} if chosen is None else {"data_worst": str(chosen.number)}
    return tag(
        "div",
        _choice(),
        tag("div", svg(found), class_="canvas", tabindex="-1"),
        tag("p", caption(found), class_="muted small"),
        tag("div", *(_about(node, links(node)) for node in found.nodes), class_="abouts", aria_live="polite"),
        class_="graph",
        **first,
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


def _about(node: Node, links: Sequence[Html]) -> Html:
    """Return the description of a node, which its link shows."""
    mark = node.mark
    facts = [text(mark, scale.name) and f"{scale.title.lower()} {text(mark, scale.name)}" for scale in SCALES]
    said = ", ".join(filter(None, [mark.events, *facts])) or "no events"
    return tag(
        "section",
        tag("h3", node.title),
        tag("p", said, class_=mark.severity or "muted"),
        *([tag("p", mark.worst, class_="evidence")] if mark.worst else []),
        *([tag("p", *links, class_="links")] if links else []),
        tag("ul", *(tag("li", tag("code", line)) for line in _list_operations(node)), class_="ops"),
        id=f"op/{node.name}",
        class_="about",
        tabindex="-1",
        data_names="\n".join(node.names),
    )


def _list_operations(node: Node) -> Iterator[str]:
    ops = [op for op in node.block.every_op if op.results and not is_constant(op)]
    yield from (f"{value.name} {brief(value.type)}" for value in node.block.values)
    for op in ops[:LISTED]:
        ends = ", ".join(f"{value.name} {brief(value.type)}" for value in op.results)
        yield f"{short(op)} {ends}"
    if len(ops) > LISTED:
        yield f"… and {len(ops) - LISTED:,} more"
    if constants := sum(map(is_constant, node.block.every_op)):
        yield f"{constants:,} constant{'s' * (constants > 1)}"


# A graph as a picture: links between curved lines, each drawn as a box with three lines of text


WIDTH, HEIGHT, APART, BETWEEN = 216, 62, 24, 36
MARGIN = 12
REM = 16
STEEP = 0.3  # sideways for each step downwards
TITLE, NAME, REST = 22, 28, 32  # letters of a node's lines
ROOM = 23  # letters of a title and of the number beside it


def svg(found: Graph) -> Html:
    """Return the picture; its size grows with the page's letters."""
    wide = found.layout.width * (WIDTH + APART) - APART + 2 * MARGIN
    high = found.layout.ranks * (HEIGHT + BETWEEN) - BETWEEN + 2 * MARGIN
    edges = [_edge(edge, found.layout) for edge in found.layout.routes]
    nodes = [_node(node, _corner(found.layout.nodes[node.number])) for node in found.nodes]
    size = f"width:{wide / REM:.2f}rem;height:{high / REM:.2f}rem"
    frame = {"viewBox": f"0 0 {wide:.0f} {high:.0f}", "style": size, "role": "group"}
    content = tag("defs", _arrow()), tag("g", *edges, aria_hidden="true"), *nodes
    return tag("svg", *content, aria_label="Graph of the program", **frame)


def _arrow() -> Html:
    head = tag("path", d="M0 0L8 4L0 8z", class_="head")
    size = {"viewBox": "0 0 8 8", "refX": "7", "refY": "4", "markerWidth": "7", "markerHeight": "7"}
    return tag("marker", head, id="arrow", orient="auto", **size)


def _corner(point: tuple[float, int]) -> tuple[float, float]:
    """Return the upper left corner of a node."""
    return MARGIN + point[0] * (WIDTH + APART) - WIDTH / 2 - APART / 2, MARGIN + point[1] * (HEIGHT + BETWEEN)


def _edge(edge: Edge, layout: Layout) -> Html:
    """Return a smooth line from the bottom of a node to the top of another, through the bends between."""
    points = list(_points(layout.routes[edge]))
    path = f"M{points[0][0]:.0f} {points[0][1]:.0f}"
    for (x, y, slope), (to_x, to_y, to_slope) in pairwise(points):
        third = (to_y - y) / 3
        controls = f"{x + slope * third:.0f} {y + third:.0f} {to_x - to_slope * third:.0f} {to_y - third:.0f}"
        path += f"C{controls} {to_x:.0f} {to_y:.0f}"
    return tag("path", d=path, class_="edge", data_above=str(edge[0]), data_below=str(edge[1]))


def _points(route: Sequence[Point]) -> Iterator[tuple[float, float, float]]:
    """Yield places on an edge, and its slope there; upright beside nodes that it might touch."""
    places = [(left + WIDTH / 2, top) for left, top in map(_corner, route)]
    yield places[0][0], places[0][1] + HEIGHT, 0.0
    for k in range(1, len(places) - 1):
        (x, top), slope = places[k], (places[k + 1][0] - places[k - 1][0]) / (2 * (HEIGHT + BETWEEN))
        if k in (1, len(places) - 2) or abs(slope) > STEEP:
            yield x, top, 0.0
            yield x, top + HEIGHT, 0.0
        else:
            yield x, top + HEIGHT / 2, slope
    yield *places[-1], 0.0


def _node(node: Node, corner: tuple[float, float]) -> Html:
    """Return a link to the description of a node, drawn as a box with three lines of text."""
    x, y = (round(place) for place in corner)
    size = {"height": str(HEIGHT)}
    inner = tag(
        "g",
        tag("rect", class_="box", width=str(WIDTH), rx="7", **size),
        tag("rect", class_="band", width="8", rx="4", **size),
        *_texts(node),
        transform=f"translate({x} {y})",
        style=";".join(f"--{scale.name}:var(--{shade(node.mark, scale).style})" for scale in SCALES),
    )
    places = {"data_node": str(node.number), "data_rank": str(y), "data_at": str(x)}
    return tag("a", inner, href=f"#op/{node.name}", aria_label=node.label, class_="node", **places)


def _texts(node: Node) -> Iterator[Html]:
    """Yield the three lines of a node, and its number on each scale."""
    badges = {scale.name: badge for scale in SCALES if (badge := _badge(node.mark, scale.name))}
    room = min(TITLE, ROOM - max(map(len, badges.values()), default=0))
    yield tag("text", _cut(f"{node.layer} {title(node.block)}".strip(), room), x="20", y="21", class_="title")
    yield tag("text", _cut(_name_and_type(node), NAME), x="20", y="37", class_="name")
    yield tag("text", _cut(_rest(node.block), REST), x="20", y="52", class_="rest")
    for name, badge in badges.items():
        yield tag("text", badge, x=str(WIDTH - 10), y="21", class_=f"badge on-{name}")


def _badge(mark: Mark, scale: str) -> str:
    if scale != "severity":
        return text(mark, scale)
    total = sum(n for (s, _), n in mark.counts.items() if s == mark.severity)
    return f"{total:,}" + ("!" if mark.severity == "error" else "") if total else ""


def _cut(line: str, letters: int) -> str:
    return line if len(line) <= letters else f"{line[: letters - 1]}…"


def _name_and_type(node: Node) -> str:
    """Return the name and the type of the result of the operation that gives a node its title."""
    if node.name == RESULTS:
        return ", ".join(node.names)
    value = main_value(node.block)
    kind = brief(value.type) if value else ""
    return f"{shorten_name(node.value or node.name, NAME - 1 - len(kind))} {kind}"


def shorten_name(name: str, letters: int) -> str:
    """Return a name whose function is cut if it is too long: `@soft…/%4`."""
    function, slash, value = name.rpartition("/")
    room = max(letters - len(value) - 2, 2)
    return name if len(name) <= letters or not slash else f"{function[:room]}…/{value}"


def brief(type: TensorType) -> str:
    """Return a type in a few characters: its sizes, and the type of the stored numbers."""
    if isinstance(type, BundleType):
        return "bundle"
    stored = storage(type.element_type).name
    sizes = "×".join("?" if n is None else str(n) for n in type.shape)
    return f"{sizes} {'q' * type.is_quantized}{stored}".lstrip()


def _rest(block: Block) -> str:
    """Return what a node contains beside its title."""
    if block.blocks > 1:
        return count(block)
    names = [short(op) for op in block.ops if not is_constant(op)]
    if title(block) in names:
        names.remove(title(block))
    inside = sum(1 for _ in block.every_op) - len(block.ops)
    names = [*dict.fromkeys(_plain(name) for name in names)]
    return ", ".join([*([f"{inside} inside"] if inside else []), *names])


def _plain(name: str) -> str:
    return name.rpartition(".")[2].removeprefix("uniform_").replace("broadcast_in_dim", "broadcast")
