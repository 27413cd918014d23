#!/usr/bin/env python3
"""Notebooks of docs/notebooks: their cells run, and print what stands in the files.

tools/notebooks.py --write    run them, and write what they print
tools/notebooks.py --check    exit status 1 where one prints something else

A cell runs as in Jupyter, in one namespace for each notebook, in the folder of the file: what it prints, and
the value of its last expression as text and, if it has that form, as HTML.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from interp.engine.files import write_text  # noqa: E402

FOLDER = ROOT / "docs" / "notebooks"


def notebooks() -> list[Path]:
    return sorted(FOLDER.glob("*.ipynb"))


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook with the outputs that its cells have now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    with contextlib.chdir(FOLDER):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                outputs = run_cell("".join(cell["source"]), names, count)
                cell = {**cell, "execution_count": count, "outputs": outputs}
            cells.append(cell)
    return {**notebook, "cells": cells}


def run_cell(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Return the outputs of a cell: the text that it prints, and the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    text = printed.getvalue()
    outputs = [{"name": "stdout", "output_type": "stream", "text": lines(text)}] if text else []
    if value is None:
        return outputs
    result = {"data": forms(value), "execution_count": count, "metadata": {}, "output_type": "execute_result"}
    return [*outputs, result]


def forms(value: Any) -> dict[str, list[str]]:
    """Return a value as text and, if it has that form, as HTML."""
    html = getattr(value, "_repr_html_", None)
    return {**({"text/html": lines(html())} if html else {}), "text/plain": lines(repr(value))}


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def as_text(notebook: dict[str, Any]) -> str:
    """Return the text of the file, as Jupyter writes it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def as_markdown(notebook: dict[str, Any]) -> str:
    """Return a notebook as a page: its texts, its code, and what that prints."""
    return "\n\n".join(part for cell in notebook["cells"] for part in cell_markdown(cell)) + "\n"


def cell_markdown(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        return [source]
    printed = (output.get("text") or output["data"]["text/plain"] for output in cell["outputs"])
    return [f"```python\n{source}\n```", *(f"```text\n{''.join(text).rstrip()}\n```" for text in printed)]


def write_pages(folder: Path) -> None:
    """Write the notebooks as pages of the site."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in notebooks():
        write_text(folder / f"{file.stem}.md", as_markdown(json.loads(file.read_text())))


def main(arguments: Sequence[str]) -> int:
    if arguments not in (["--write"], ["--check"]):
        print(__doc__)
        return 2
    stale = []
    for file in notebooks():
        text = as_text(run(json.loads(file.read_text())))
        if text != file.read_text():
            stale.append(file.name)
            if arguments == ["--write"]:
                write_text(file, text)
    if stale and arguments == ["--check"]:
        print(f"{', '.join(stale)} out of date: tools/notebooks.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
