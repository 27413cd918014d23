"""Text of answers, whose tables are aligned lines, and HTML in which everything but tags is escaped."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

Cell = str | int
BROAD = 4  # columns of a table that is legible on any screen
LONG = 30  # rows of a table that scrolls on its own


class Row(str):
    """A line of a table: `cells` are its texts, `left` the columns aligned left; `is_head`: it names them."""

    cells: tuple[str, ...]
    left: Container[int]
    is_head: bool


class Text(str):
    """Lines of text in one: `lines` has them, and those that are rows of tables keep their cells."""

    lines: tuple[str, ...]


class Display:
    """An answer, which a notebook displays with the tables of its text.

    A class with tables defines `_repr_text_`, and one with lines alone `__repr__`.
    """

    def __repr__(self) -> str:
        return str(self._repr_text_())  # a plain string, which any serializer takes

    def _repr_text_(self) -> str:
        """Return the text of the answer, of `join_lines` if it has tables."""
        return repr(self)

    def _repr_html_(self) -> str:
        return as_html(self._repr_text_())


def align(rows: Sequence[Sequence[str]], left: Container[int] = (0,), indent: int = 0) -> list[Row]:
    """Return the lines of a table, the first of which has the names of the columns.

    Columns in `left` are aligned left, the others right; every line begins with `indent` spaces.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_align_row(row, widths, left, indent, row is rows[0]) for row in rows]


def _align_row(
    cells: Sequence[str], widths: Sequence[int], left: Container[int], indent: int, is_head: bool
) -> Row:
    columns = enumerate(zip(cells, widths, strict=True))
    padded = (cell.ljust(width) if k in left else cell.rjust(width) for k, (cell, width) in columns)
    row = Row(" " * indent + "  ".join(padded).rstrip())
    row.cells, row.left, row.is_head = tuple(cells), left, is_head
    return row


def join_lines(lines: Iterable[str]) -> Text:
    """Return lines as one text, which keeps the cells of their tables, those of texts among them, too."""
    parts = [part for line in lines for part in (line.lines if isinstance(line, Text) else (line,))]
    text = Text("\n".join(parts))
    text.lines = tuple(parts)
    return text


class Html(str):
    """Text that is HTML already and is not escaped again."""


def as_html(text: str) -> Html:
    """Return a text as HTML without scripts: rows as tables, and its other lines as they are."""
    lines = text.lines if isinstance(text, Text) else (text,)
    parts = (
        part
        for is_row, group in groupby(lines, lambda line: isinstance(line, Row))
        for part in (_tables(group) if is_row else [tag("pre", "\n".join(group))])
    )
    return tag("div", *parts)


def _tables(rows: Iterable[str]) -> Iterator[Html]:
    """Yield the tables of rows, each of which begins at its head."""
    found: list[list[Row]] = []
    for row in rows:
        assert isinstance(row, Row)
        if row.is_head or not found:
            found.append([])
        found[-1].append(row)
    for table in found:
        yield tag("table", *(_table_row(row) for row in table))


def _table_row(row: Row) -> Html:
    side = lambda k: "left" if k in row.left else "right"
    cells = (
        tag("th" if row.is_head else "td", cell, style=f"text-align: {side(k)}; white-space: pre")
        for k, cell in enumerate(row.cells)
    )
    return tag("tr", *cells)


def tag(name: str, /, *children: str, **attributes: str) -> Html:
    """Return an HTML element; in attribute names a trailing `_` is dropped, and `_` inside stands for `-`."""
    named = (f' {key.rstrip("_").replace("_", "-")}="{escape(text)}"' for key, text in attributes.items())
    return Html(f"<{name}{''.join(named)}>{''.join(map(_escape, children))}</{name}>")


def _escape(child: str) -> str:
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
    """Return an HTML table, integers aligned right and with commas.

    On narrow screens the rows of a broad one are cards, whose cells have their heads in front.
    """
    rows = list(rows)
    numeric = [bool(rows) and isinstance(cell, int) for cell in (rows[0] if rows else heads)]
    head = [
        tag("th", text, scope="col", role="columnheader", **({"class_": "n"} if right else {}))
        for text, right in zip(heads, numeric, strict=True)
    ]
    styles = {"class_": "cards"} if len(heads) > BROAD else {}
    content = tabular(caption, head, [_row(row, heads) for row in rows], **styles)
    style = "scroll long" if len(rows) > LONG else "scroll"
    return tag("div", content, class_=style, tabindex="0", role="region", aria_label=caption)


def tabular(
    caption: str, head: Iterable[Html], rows: Iterable[Html], *columns: Html, **attributes: str
) -> Html:
    """Return a table of cells and rows; its roles are named, which cards would hide.

    columns: the elements that say how wide its columns are, if any.
    """
    return tag(
        "table",
        tag("caption", caption),
        *columns,
        tag("thead", tag("tr", *head, role="row"), role="rowgroup"),
        tag("tbody", *rows, role="rowgroup"),
        role="table",
        **attributes,
    )


def _row(cells: Sequence[Cell], heads: Sequence[str]) -> Html:
    first, *rest = cells
    told = (_cell(cell, head) for cell, head in zip(rest, heads[1:], strict=True))
    name = first if isinstance(first, Html) else str(first)
    return tag("tr", tag("th", name, scope="row", role="rowheader"), *told, role="row")


def _cell(cell: Cell, head: str) -> Html:
    if isinstance(cell, int):
        return tag("td", f"{cell:,}".replace("-", "−"), class_="n", role="cell", data_head=head)
    return tag("td", cell, role="cell", data_head=head)


def terms(pairs: Iterable[tuple[str, str]]) -> Html:
    """Return an HTML definition list: names, and what they mean."""
    return tag(
        "dl", *(tag(name, text) for pair in pairs for name, text in zip(("dt", "dd"), pair, strict=True))
    )
