"""Tables of any length: all rows are compact data, of which a script draws those in view.

The first rows are HTML as well, for readers without scripts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interp.engine.markup import Cell, Html, tabular, tag

FIRST = 24  # rows that are there without scripts
WIDEST, WIDER = 44, 3  # characters of a column, and what is added for the space between
NUMBERS = 2  # commas and signs of a number that is shown with them
ABSENT = "–"
TAG = re.compile("<[^>]*>")


@dataclass(frozen=True)
class Column:
    """A column of a long table: its heading, and a cell for each row, None where nothing is known.

    Cells are texts, which may be HTML, or numbers. `fragments` are the fragments that cells lead to.
    `is_shown`: it is a column of the table, and not only data for other scripts.
    """

    head: str
    cells: Sequence[Cell | float | None]
    fragments: Sequence[str] = ()
    is_shown: bool = True

    @cached_property
    def kind(self) -> str:
        """The kind of its cells: "html", "number" or "text"; columns of numbers may have words in between."""
        kinds = set(map(type, self.cells))
        return "html" if Html in kinds else "number" if kinds & {int, float} else "text"

    @property
    def width(self) -> int:
        """Return the width of the column in characters."""
        texts = map(str, dict.fromkeys(self.cells))
        widest = max(map(len, (TAG.sub("", x) for x in texts) if self.kind == "html" else texts), default=0)
        return min(WIDEST, max(len(self.head), widest + NUMBERS * (self.kind == "number"))) + WIDER

    @property
    def style(self) -> dict[str, str]:
        """Return the attributes of its cells."""
        return {"class_": "n"} if self.kind == "number" else {}

    def data(self) -> dict[str, Any]:
        """Return the column for scripts: cells that repeat are numbers of distinct ones."""
        found: dict[str, Any] = {"head": self.head, "kind": self.kind, "shown": self.is_shown}
        found |= {"to": list(self.fragments)} if self.fragments else {}
        places = {cell: k for k, cell in enumerate(dict.fromkeys(self.cells))}
        if self.kind == "number" or 2 * len(places) > len(self.cells):
            return found | {"cells": list(self.cells)}
        return found | {"distinct": list(places), "cells": [places[cell] for cell in self.cells]}


def columns_of(
    heads: Sequence[str], rows: Sequence[Sequence[Cell]], fragments: Sequence[str] = ()
) -> list[Column]:
    """Return the columns of at least one row; `fragments` are those that the first cells lead to."""
    first, *rest = map(list, zip(*rows, strict=True))
    return [Column(heads[0], first, fragments), *map(Column, heads[1:], rest)]


def rows_of(name: str, caption: str, columns: Sequence[Column]) -> Html:
    """Return a table that is searched, sorted and drawn by a script, and its first rows; `name` is its id."""
    shown = [column for column in columns if column.is_shown]
    total = len(columns[0].cells)
    head = [tag("th", x.head, scope="col", role="columnheader", **x.style) for x in shown]
    sizes = tag("colgroup", *(tag("col", style=f"width:{column.width}ch") for column in shown))
    rows = [_row(shown, k) for k in range(min(FIRST, total))]
    title = caption if len(rows) == total else f"{caption}: the first {len(rows)} of {total:,}"
    size = {"style": f"width:{sum(column.width for column in shown)}ch"}
    drawn = tabular(title, head, rows, sizes, data_caption=caption, aria_rowcount=str(total + 1), **size)
    box = tag("div", drawn, class_="scroll long", tabindex="0", role="region", aria_label=caption)
    return tag("div", box, embed([column.data() for column in columns]), class_="rows", id=f"rows-{name}")


def _row(columns: Sequence[Column], k: int) -> Html:
    """Return the row number `k`."""
    first, *rest = (_cell(column, k) for column in columns)
    told = (
        tag("td", cell, role="cell", data_head=column.head, **column.style)
        for cell, column in zip(rest, columns[1:], strict=True)
    )
    return tag("tr", tag("th", first, scope="row", role="rowheader"), *told, role="row")


def _cell(column: Column, k: int) -> str:
    cell = column.cells[k]
    text = cell if isinstance(cell, str) else ABSENT if cell is None else _number(cell)
    fragment = column.fragments[k] if column.fragments else ""
    return tag("a", text, href=f"#{fragment}") if fragment else text


def _number(x: float) -> str:
    return f"{x:,}".replace("-", "−")


def embed(data: Any, **attributes: str) -> Html:
    """Return data for scripts, as JSON that no parser of HTML takes for tags."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    opening = tag("script", type="application/json", **attributes).removesuffix("</script>")
    return Html(f"{opening}{text.replace('<', chr(92) + 'u003c')}</script>")
