"""`tools/docs` builds a site without a warning, and its pages ask no other host for anything."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

import interp
from interp.command.verbs import VERBS
from tests.test_demo import TOOLS, script

for package in ("sphinx", "myst_parser", "furo"):
    pytest.importorskip(package, reason="the site is built with Sphinx: pip install -e .[docs]")

pytestmark = pytest.mark.slow("Sphinx builds the site")
FOREIGN = re.compile(r"""(?:https?:)?//[^\s"')]+""")
# What a browser loads by itself; links that a reader follows may lead anywhere.
LOADED = re.compile(r"<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=\"([^\"]*)\"")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "html"
    with pytest.MonkeyPatch.context() as patch:
        tool = script("docs", patch)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            assert tool.build(folder) == 0
    assert printed.getvalue() == f"{folder / 'index.html'}\n"
    return folder


def test_every_page_is_in_the_site_and_in_its_contents(site: Path) -> None:
    pages = {page.stem for page in (TOOLS.parent / "docs").glob("*.md")}
    index = (site / "index.html").read_text()
    for page in pages:
        assert (site / f"{page}.html").is_file()
        assert page == "index" or f'<a class="reference internal" href="{page}.html">' in index


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    for page in site.rglob("*.html"):
        assets = LOADED.findall(page.read_text())
        assert assets
        assert [asset for asset in assets if FOREIGN.match(asset)] == []
    for style in site.rglob("*.css"):
        assert [
            x
            for x in re.findall(r"(?:@import|url\()\s*[\"']?([^;)]*)", style.read_text())
            if FOREIGN.match(x)
        ] == []


def test_the_reference_has_every_name_and_command(site: Path) -> None:
    python = (site / "generated/python.html").read_text()
    for name in set(interp.__all__) - {"errata", "schedules", "Program"}:
        assert f'id="interp.{name}"' in python
    command = (site / "generated/command.html").read_text()
    for verb in VERBS:
        assert f"usage: interp {verb}" in command


def test_docstrings_are_read_as_markdown(site: Path) -> None:
    python = (site / "generated/python.html").read_text()
    assert '<span class="pre">schedule</span>' in python
    assert "system-message" not in python
