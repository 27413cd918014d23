"""Every line of README.md, CONTRIBUTING.md and docs/: sessions, commands, links, tables."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import interp.engine.tensor
import spec.errors
from interp.apps.suite.cases import CASES, discover
from spec.types import make_quantized
from tests.test_layers import ROOMS

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import sessions  # noqa: E402

TEXTS = {str(page.relative_to(ROOT)): page.read_text() for page in sessions.PAGES}
OTHER_COMMANDS = {"pip"}
LONG = {
    f"docs/{name}.md"
    for name in ("blame", "calibration", "conformance", "diagnose", "quantization", "reference", "tutorial")
}
SLOW = (pytest.mark.slow("runs every command of a long page"),)
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^()\s]+)\)")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=SLOW * (name in LONG))
        for name, text in TEXTS.items()
        if sessions.BLOCK.search(text)
    ],
)
def test_a_session_prints_what_its_page_says(name: str) -> None:
    """Rewrite sessions that print something else on purpose: `tools/tables.py --sessions --write`."""
    assert sessions.described(ROOT / name) == ""


def test_there_are_sessions() -> None:
    """The test above is as good as the reader of blocks."""
    assert sum(text.count("\n>>> ") for text in TEXTS.values()) > 60
    assert sum(len(sessions.BLOCK.findall(text)) for text in TEXTS.values()) > 20


PAGE = """Text.

```python
>>> x = 2
>>> x + 1
4
>>> print("a\\n\\nb")
>>> x.y
>>> [1, 2]
[...]
```

```console
$ interp errata > errata.txt
$ interp verify testdata/reduce/c5_duplicate.mlir
$ interp verify testdata/reduce/c5_duplicate.mlir | head -1   # exit status 0
old
```
"""


def test_output_that_differs_is_found_and_replaced() -> None:
    found = [outcome.fine for outcome in sessions.outcomes(PAGE)]
    assert found == [True, False, False, False, True, True, False, False]
    new = sessions.updated(PAGE)
    assert ">>> x + 1\n3\n>>> print" in new
    assert "a\n<BLANKLINE>\nb\n>>> x.y\nTraceback (most recent call last):\n    ...\nAttributeError" in new
    assert "[...]" in new
    assert "(exit status 1, promised 0)\n$ interp verify" in new
    assert "# exit status 0\ntestdata/reduce/c5_duplicate.mlir:7:10: reduce_c5" in new
    assert "old" not in new


@pytest.mark.parametrize(
    ("old", "got", "new"),
    [
        ("a\n", "b\n", "b\n"),
        ("x 1 ...\nleft 2\n", "x 1 0.25\nright 2\n", "x 1 ...\nright 2\n"),
        ("first\n...\nlast\nold\n", "first\n1\n2\nlast\nnew\n", "first\n...\nlast\nnew\n"),
        ("...\nlast\nold\n", "1\n2\nlast\nnew\n", "...\nlast\nnew\n"),
        ("old\nfirst\n...\n", "new\nfirst\n1\n2\n", "new\nfirst\n...\n"),
        ("first\n...\nlast\n", "other\n1\nlast\n", "other\n1\nlast\n"),
    ],
)
def test_what_a_page_leaves_out_stays_left_out(old: str, got: str, new: str) -> None:
    assert sessions.abridged(old, got) == new


@pytest.mark.parametrize("name", TEXTS)
def test_commands_exist(name: str) -> None:
    """`$ interp` lines are run above; of the others the script is there, and can be run."""
    for block in re.findall(r"```console\n(.*?)```", TEXTS[name], re.S):
        for command in re.findall(r"^\$ (\S+)", block, re.M):
            script = command.startswith("tools/") and os.access(ROOT / command, os.X_OK)
            assert script or command == "interp" or command in OTHER_COMMANDS, command


@pytest.mark.parametrize("name", TEXTS)
def test_links_resolve(name: str) -> None:
    """Every link to a file of the repository has its file, and its anchor."""
    for link in LINK.findall(FENCED.sub("", TEXTS[name])):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target.read_text()), link


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", TEXTS)
def test_files_named_in_pages_exist(name: str) -> None:
    """`interp/engine/fold.py` and the like."""
    named = re.findall(r"`((?:interp|spec|tests|tools|testdata)/[\w./*]+)`", TEXTS[name])
    assert [path for path in named if not any(ROOT.glob(path.rstrip("/")))] == []


def test_the_index_names_every_page() -> None:
    linked = set(LINK.findall(TEXTS["docs/index.md"]))
    assert linked == {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {f"docs/{page}" for page in linked} <= set(LINK.findall(TEXTS["README.md"]))


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= 10_000


def test_the_number_of_cases_is_that_of_the_suite() -> None:
    number = f"{len(discover(CASES)):,} cases"
    assert [name for name in ("README.md", "docs/conformance.md") if number not in TEXTS[name]] == []


def test_the_walk_is_short() -> None:
    """One element's way from bytes to report names at most 12 files; the table has every room, in order."""
    page = TEXTS["docs/architecture.md"]
    walk = page.partition("## One element's way")[2].partition("\n## ")[0]
    assert 8 <= len(set(re.findall(r"`((?:interp|spec)/[\w/]+\.py)`", walk))) <= 12
    assert re.findall(r"^\| `interp/(\w+)/` \| \S", page, re.M) == list(ROOMS)


@pytest.mark.parametrize("module", [spec.errors, interp.engine.tensor], ids=lambda module: module.__name__)
def test_examples_in_docstrings(module: ModuleType) -> None:
    results = doctest.testmod(module, extraglobs={"quantized": make_quantized})
    assert results.attempted
    assert not results.failed


def test_tables_are_what_the_tool_prints() -> None:
    """`tools/tables.py --check`: what stands between the markers of the pages."""
    command = [sys.executable, "tools/tables.py", "--check"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
