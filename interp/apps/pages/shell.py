"""The frame of a page: its head, contents and sections, with styles and scripts inside; it loads nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple

from interp.engine.markup import Html, document, tag
from spec.ir import Module, show

STYLES = ("base.css", "graph.css", "profile.css", "rows.css")
FIRST, LAST = ("tags.js", "graph.js", "sort.js", "rows.js"), ("fragments.js",)
LONGEST = 100_000  # characters of a program that is shown
SHORTEST = 40  # characters of a line, at least
NO_SCRIPTS = "Choices, maps and plots are drawn by scripts, which are switched off here."


class Verdict(NamedTuple):
    """The headline of a page: its severity ("fine" if none), what was found, evidence, and premises."""

    severity: str
    found: str
    evidence: Sequence[str]
    premises: str


class Section(NamedTuple):
    """A part of a page: the name in links to it, its heading, and its content."""

    name: str
    heading: str
    content: Sequence[Html]


class Assets(NamedTuple):
    """Styles and scripts of a page beside those that all have, and the data that its scripts draw."""

    styles: str = ""
    scripts: str = ""
    data: Any = None


def frame(
    kind: str,
    name: str,
    verdict: Verdict,
    graph: Section | None,
    sections: Sequence[Section],
    assets: Assets = Assets(),  # noqa: B008
) -> str:
    """Return a page: its verdict, contents, graph (beside the rest on wide screens), and sections."""
    head = tag(
        "header",
        tag("h1", tag("small", kind), name),
        _verdict(verdict),
        tag("noscript", tag("p", NO_SCRIPTS)),
        _contents([*([graph] if graph else []), *sections]),
    )
    rail = [tag("div", _section(graph), class_="rail")] if graph else []
    rest = tag("div", *map(_section, sections), class_="rest")
    skip = tag("a", "Skip to the findings", href="#findings", class_="skip")
    content = skip + head + tag("main", *rail, rest, id="findings", **({"class_": "wide"} if graph else {}))
    return document(f"{kind}: {name}", "".join(map(asset, STYLES)) + assets.styles, content, _scripts(assets))


def _contents(sections: Sequence[Section]) -> Html:
    links = (tag("li", tag("a", x.heading, href=f"#{x.name}")) for x in sections)
    return tag("nav", tag("ul", *links, class_="contents"), aria_label="Contents")


def _scripts(assets: Assets) -> str:
    data = json.dumps(assets.data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    facts = f'<script type="application/json" id="facts">{data}</script>\n' if assets.data is not None else ""
    own = assets.scripts or "const maps = new Map();\n"
    code = "".join([*map(asset, FIRST), own, *map(asset, LAST)])
    start = 'follow();\naddEventListener("hashchange", follow);\n'
    return f"{facts}<script>\n{code}{start}</script>"


def _verdict(verdict: Verdict) -> Html:
    told = (line if isinstance(line, Html) else tag("p", line) for line in verdict.evidence)
    return tag(
        "div",
        tag("div", tag("p", verdict.found, class_="lead"), *told, class_=f"verdict {verdict.severity}"),
        tag("p", verdict.premises, class_="premises"),
    )


def _section(section: Section) -> Html:
    heading = tag("h2", section.heading, id=f"title-{section.name}")
    return tag("section", heading, *section.content, id=section.name, aria_labelledby=f"title-{section.name}")


def asset(name: str, package: str = "interp.apps.pages") -> str:
    """Return the text of a style or a script."""
    return resources.files(package).joinpath(name).read_text("utf-8")


def program(module: Module) -> list[Section]:
    """Return a section with the text of a program, or with its length if that is great."""
    count = sum(1 for _ in module.ops())
    text = show(module) if count * SHORTEST <= LONGEST else ""
    if not text or len(text) > LONGEST:
        long = f"{len(text):,} characters" if text else f"{count:,} lines or more"
        return [Section("program", "Program", [tag("p", f"Not shown: its text has {long}.")])]
    folded = tag(
        "details",
        tag("summary", f"{text.count(chr(10)) + 1:,} lines of MLIR"),
        tag("pre", text, tabindex="0"),
    )
    return [Section("program", "Program", [folded])]
