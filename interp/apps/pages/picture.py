"""The graph on a page: the choice of its colours, the picture, and a description of the chosen node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from interp.apps.pages.blocks import RESULTS, is_constant, title
from interp.apps.pages.drawn import brief, svg
from interp.apps.pages.graph import Graph, Node, caption
from interp.apps.pages.mark import SCALES, text
from interp.engine.markup import Html, tag
from interp.recorder.event import short

LISTED = 200  # operations of one node


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
    ops = [op for op in node.block.every_op if op.results and not is_constant(op)]
    yield from (f"{value.name} {brief(value.type)}" for value in node.block.values)
    for op in ops[:LISTED]:
        ends = ", ".join(f"{value.name} {brief(value.type)}" for value in op.results)
        yield f"{short(op)} {ends}"
    if len(ops) > LISTED:
        yield f"… and {len(ops) - LISTED:,} more"
    if constants := sum(map(is_constant, node.block.every_op)):
        yield f"{constants:,} constant{'s' * (constants > 1)}"
