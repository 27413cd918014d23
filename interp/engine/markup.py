"""Tables as aligned lines of text, and HTML in which everything but tags is escaped."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from html import escape

Cell = str | int
LONG = 30  # rows of a table that scrolls on its own


def aligned(rows: Sequence[Sequence[str]], left: Container[int] = (0,)) -> list[str]:
    """Return the lines of a table; columns in `left` are aligned left, the others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if k in left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


class Html(str):
    """Text that is HTML already and is not escaped again."""


def tag(name: str, /, *children: str, **attributes: str) -> Html:
    """Return an HTML element; in attribute names a trailing `_` is dropped, and `_` inside stands for `-`."""
    named = (f' {key.rstrip("_").replace("_", "-")}="{escape(text)}"' for key, text in attributes.items())
    return Html(f"<{name}{''.join(named)}>{''.join(map(_escaped, children))}</{name}>")


def _escaped(child: str) -> str:
    return child if isinstance(child, Html) else escape(child)


def document(title: str, style: str, content: str, scripts: str) -> str:
    """Return an HTML page that loads nothing from the network."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
{tag("title", title)}
<style>
{style}</style>
</head>
<body>
{content}
{scripts}
</body>
</html>
"""


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Html:
    """Return an HTML table, integers aligned right and with commas."""
    rows = list(rows)
    numeric = [bool(rows) and isinstance(cell, int) for cell in (rows[0] if rows else heads)]
    head = [
        tag("th", text, scope="col", **({"class_": "n"} if right else {}))
        for text, right in zip(heads, numeric, strict=True)
    ]
    content = [
        tag("caption", caption),
        tag("thead", tag("tr", *head)),
        tag("tbody", *(_row(row) for row in rows)),
    ]
    style = "scroll long" if len(rows) > LONG else "scroll"
    return tag("div", tag("table", *content), class_=style, tabindex="0", role="region", aria_label=caption)


def _row(cells: Sequence[Cell]) -> Html:
    first, *rest = cells
    return tag("tr", tag("th", str(first), scope="row"), *map(_cell, rest))


def _cell(cell: Cell) -> Html:
    return tag("td", f"{cell:,}".replace("-", "−"), class_="n") if isinstance(cell, int) else tag("td", cell)


def terms(pairs: Iterable[tuple[str, str]]) -> Html:
    """Return an HTML definition list: names, and what they mean."""
    return tag(
        "dl", *(tag(name, text) for pair in pairs for name, text in zip(("dt", "dd"), pair, strict=True))
    )
