"""Notebooks: the outputs in the files are those of a run, and answers are shown with their tables."""

from __future__ import annotations

import inspect
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import interp
from interp.engine.markup import Display, align, as_html, join_lines

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import notebooks  # noqa: E402


@pytest.mark.parametrize("file", notebooks.notebooks(), ids=lambda file: file.stem)
def test_a_notebook_prints_what_stands_in_its_file(file: Path) -> None:
    """`tools/notebooks.py --write` writes it anew."""
    stored = json.loads(file.read_text())
    assert notebooks.run(stored) == stored


def test_every_notebook_is_on_the_page_with_the_cells_that_jupyter_asks_for() -> None:
    page = (ROOT / "docs/notebooks.md").read_text()
    assert re.findall(r"\(notebooks/(\w+)\.ipynb\)", page) == ["overflow", "device", "quantize"]
    assert len(notebooks.notebooks()) == 3
    for file in notebooks.notebooks():
        notebook = json.loads(file.read_text())
        assert (notebook["nbformat"], file.read_text()) == (4, notebooks.as_text(notebook))
        ids = [cell["id"] for cell in notebook["cells"]]
        assert len(set(ids)) == len(ids)


def cell(source: str, *outputs: dict[str, object]) -> dict[str, object]:
    return {"cell_type": "code", "source": [source], "outputs": [*outputs], "execution_count": 1}


def test_an_output_that_differs_is_found_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(notebooks, "FOLDER", tmp_path)
    printed = {"name": "stdout", "output_type": "stream", "text": ["2\n"]}
    file = tmp_path / "small.ipynb"
    file.write_text(notebooks.as_text({"cells": [cell("x = 1\nprint(x + 1)\nx + 2", printed)]}))
    assert notebooks.main(["--check"]) == 1
    assert capsys.readouterr().out == "small.ipynb out of date: tools/notebooks.py --write\n"
    assert notebooks.main(["--write"]) == 0
    assert notebooks.main(["--check"]) == 0
    first, second = json.loads(file.read_text())["cells"][0]["outputs"]
    assert (first, second["data"]) == (printed, {"text/plain": ["3"]})
    notebooks.write_pages(tmp_path)
    assert (tmp_path / "small.md").read_text().endswith("```text\n2\n```\n\n```text\n3\n```\n")


# Answers as HTML.


class Reader(HTMLParser):
    """Reads the names of the elements of a page, the texts of table cells, and all words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.cells: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.cells += [""] if tag in ("td", "th") else []

    def handle_data(self, data: str) -> None:
        self.words += data.split()
        if self.cells and self.lasttag in ("td", "th"):
            self.cells[-1] += data


# What is no answer: programs and their parts, errors, choices, what a caller gives.
TEXT_ONLY = {"Module", "Func", "Op", "Value", "Schedule", "Batch", "Batches", "Column", "Listener", "Rate"}


def test_every_answer_has_a_form_for_notebooks() -> None:
    names = [name for name in interp.__all__ if inspect.isclass(getattr(interp, name))]
    answers = [name for name in names if not issubclass(getattr(interp, name), Exception)]
    assert {name for name in answers if not hasattr(getattr(interp, name), "_repr_html_")} == TEXT_ONLY


def subclasses(cls: type) -> list[type]:
    return [sub for direct in cls.__subclasses__() for sub in (direct, *subclasses(direct))]


def test_every_repr_is_a_plain_string() -> None:
    """Serializers take no subclass of str: what has tables is `_repr_text_`, and `repr` its plain text."""
    for name in interp.__all__:
        getattr(interp, name)  # imports its module
    tables = [cls for cls in subclasses(Display) if cls._repr_text_ is not Display._repr_text_]  # type: ignore[attr-defined]
    assert len(tables) > 15
    assert [cls for cls in tables if cls.__repr__ is not Display.__repr__] == []
    others = [cls for cls in subclasses(Display) if cls not in tables]
    assert [cls for cls in others if "join_lines" in cls.__repr__.__code__.co_names] == []  # type: ignore[attr-defined]


PROGRAM = """func.func @main(%x: tensor<2x8xi8>) -> tensor<2xi8> {
  %zero = stablehlo.constant dense<0> : tensor<i8>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x8xi8>, tensor<i8>) -> tensor<2xi8>
  return %sum : tensor<2xi8>
}"""


@pytest.fixture(scope="module")
def trace() -> interp.Trace:
    return interp.trace(interp.load(PROGRAM), np.full((2, 8), 20, np.int8))


TABLES = {"summary", "explain", "matrix"}


@pytest.mark.parametrize("ask", ["summary", "explain", "matrix", "verdict", "bounds"])
def test_html_has_the_words_of_the_text(trace: interp.Trace, ask: str) -> None:
    answer = getattr(trace, ask)()
    page = Reader(answer._repr_html_())
    assert type(repr(answer)) is str
    assert page.words == repr(answer).split()
    tables = {"table", "tr", "th", "td"} if ask in TABLES else set()
    assert page.names == {"div"} | tables | ({"pre"} if ask != "summary" else set())


def test_html_of_tables_is_escaped() -> None:
    rows = align([["<b>", "n"], ["<script>alert(1)</script>", "&1"], ["", "2"]], indent=2)
    text = join_lines(["<i>head", join_lines([*rows, "between"]), *align([["x"], ["<y"]])])
    assert text == "<i>head\n" + "\n".join(rows) + "\nbetween\nx\n<y"
    assert rows[0] == "  <b>                         n"
    page = Reader(as_html(text))
    assert page.names == {"div", "pre", "table", "tr", "th", "td"}
    assert page.cells == ["<b>", "n", "<script>alert(1)</script>", "&1", "", "2", "x", "<y"]
    assert page.words == text.split()
