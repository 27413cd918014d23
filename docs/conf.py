"""Sphinx: the pages of this folder, and the reference that `tools/docs` writes from docstrings and help.

The site opens from a file, without a network: styles, scripts and the search index lie beside the pages.
"""

import re
import sys
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

project = "stablehlo-interp"
author = "the authors of stablehlo-interp"
try:
    release = metadata.version(project)
except metadata.PackageNotFoundError:
    release = ""
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "notebooks/*.ipynb"]
html_theme = "furo"
html_title = project
html_copy_source = False
html_show_copyright = False
html_show_search_summary = False  # it would fetch pages, which a browser refuses for files
html_show_sphinx = False
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
NOTEBOOK = re.compile(r"\(notebooks/(\w+)\.ipynb\)")
LINKED = re.compile(r"^\* \[.*?\]\((.*?)\.md\)", re.M)


def setup(app: object) -> None:
    app.connect("source-read", with_contents)  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", as_restructured)  # type: ignore[attr-defined]


def with_contents(app: object, page: str, source: list[str]) -> None:
    """Give the pages that link to others a table of contents, which GitHub would show as code."""
    if page == "index":
        source[0] += contents(LINKED.findall(source[0]))
    elif page == "notebooks":
        names = NOTEBOOK.findall(source[0])
        source[0] = NOTEBOOK.sub(r"(generated/\1.md)", source[0]) + contents(
            [f"generated/{x}" for x in names]
        )
    elif page == "reference":
        source[0] += "\n## Full reference\n" + contents(["generated/python", "generated/command"], "")


def contents(pages: list[str], options: str = ":hidden:\n") -> str:
    return "\n```{toctree}\n" + options + "\n".join(["", *pages, "```\n"])


def as_restructured(
    app: object, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Write a docstring's Markdown (`code`, a plain *) as reStructuredText, line by line."""
    lines[:] = [line if line.lstrip().startswith(">>>") else marked(line) for line in lines]


def marked(line: str) -> str:
    pieces = re.split(r"(`+[^`]+`+)", line)
    code = [f"``{piece.strip('`')}``" for piece in pieces[1::2]]
    plain = [re.sub(r"([*|_\\])", r"\\\1", piece) for piece in pieces[::2]]
    return "".join(text for pair in zip(plain, [*code, ""], strict=True) for text in pair)
