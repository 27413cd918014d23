"""The pages for readers: what they list is what there is, in one order."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import pictures  # noqa: E402

import interp  # noqa: E402
from interp.command.verbs import VERBS  # noqa: E402

README, INDEX = ROOT / "README.md", ROOT / "docs" / "index.md"
LIBRARY = ROOT / "tests" / "library"


def test_the_library_of_the_tests_lists_its_files() -> None:
    """Each section of its README names a folder, and each row the files of that folder."""
    page = (LIBRARY / "README.md").read_text()
    listed = set()
    for section in page.split("\n## ")[1:]:
        folder = re.match(r"`(?:tests/library/)?(\w*/?)`", section)
        assert folder, section
        rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
        listed |= {folder[1] + name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert listed == {path.relative_to(LIBRARY).as_posix() for path in LIBRARY.rglob("*.py")}


def test_helpers_stand_in_the_library() -> None:
    others = {path.name for path in (ROOT / "tests").glob("*.py") if not path.name.startswith("test_")}
    assert others == {"conftest.py"}


def test_the_pictures_are_drawn_from_the_source_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """`tools/pictures.py --write` draws them; README.md and docs/architecture.md show them."""
    assert pictures.main(["--check"]) == 0, capsys.readouterr().out
    pages = "".join((ROOT / name).read_text() for name in ("README.md", "docs/architecture.md"))
    assert set(re.findall(r"[(/]pictures/(\w+\.svg)\)", pages)) == {*pictures.PICTURES}
    assert {path.name for path in pictures.FOLDER.iterdir()} == {*pictures.PICTURES}


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_no_text_leaves_a_picture_or_meets_another(name: str) -> None:
    """A letter is taken for 7.2 pixels wide, as in a wide font; turned texts stand at a distance."""
    root = ElementTree.parse(pictures.FOLDER / name).getroot()
    width, height = (int(root.attrib[key]) for key in ("width", "height"))
    boxes = []
    for node in root.iter("{http://www.w3.org/2000/svg}text"):
        if "transform" in node.attrib:
            continue
        long = 7.2 * len(node.text or "")
        x = int(node.attrib["x"]) - (long / 2 if "text-anchor" in node.attrib else 0)
        y = int(node.attrib["y"])
        assert x >= 0, node.text
        assert x + long <= width, node.text
        assert y <= height, node.text
        boxes.append((x, y, long, node.text))
    for k, (x, y, long, content) in enumerate(boxes):
        for x2, y2, long2, other in boxes[:k]:
            assert abs(y - y2) >= 14 or x + long <= x2 or x2 + long2 <= x, (content, other)


def test_a_stale_picture_is_noticed_and_drawn_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pictures, "FOLDER", tmp_path / "pictures")
    assert pictures.main(["--check"]) == 1
    assert capsys.readouterr().out == "sum.svg, rooms.svg, way.svg out of date: tools/pictures.py --write\n"
    assert pictures.main(["--write"]) == 0
    assert pictures.main(["--check"]) == 0


def test_readme_and_index_list_the_same_pages_in_one_order() -> None:
    table = README.read_text().partition("## Read on")[2].partition("\n## ")[0]
    listed = re.findall(r"\[([^\]]+)\]\(docs/([\w-]+\.md)\)", table)
    assert listed == re.findall(r"\[([^\]]+)\]\(([\w-]+\.md)\)", INDEX.read_text())
    assert sorted(page for _, page in listed) == sorted(
        path.name for path in (ROOT / "docs").glob("*.md") if path != INDEX
    )


PROSE = 150  # characters of a line; tables and code apart


def prose(page: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a page with their numbers, tables and code apart."""
    code = False
    for number, line in enumerate(page.splitlines(), 1):
        code ^= line.startswith("```")
        if not code and not line.startswith(("```", "|", "    ")):
            yield number, line


@pytest.mark.parametrize(
    "path",
    [README, ROOT / "CONTRIBUTING.md", LIBRARY / "README.md", *sorted((ROOT / "docs").glob("*.md"))],
    ids=lambda path: path.name,
)
def test_lines_of_prose_are_short(path: Path) -> None:
    assert [(n, line) for n, line in prose(path.read_text()) if len(line) > PROSE] == []


def test_prose_is_what_stands_outside_of_tables_and_code() -> None:
    page = "a\n```python\nb\n```\n| c |\nd"
    assert list(prose(page)) == [(1, "a"), (6, "d")]


def test_the_table_of_questions_names_every_verb_and_command() -> None:
    """A public name that is not in it is returned by one of these, or is an error."""
    page = (ROOT / "docs/reference.md").read_text()
    table = page.partition("## Which verb for which question")[2].partition("\n## ")[0]
    named = set(re.findall(r"`interp\.(\w+)", table))
    assert named == {name for name in interp.__all__ if name.islower()} - {"schedules"}
    asked = set(re.findall(r"`interp\.trace\(\.\.\.\)\.(\w+)`", table))
    assert all(callable(getattr(interp.Trace, name)) for name in asked)
    assert "PEP 604" not in page  # what Python says of a union of types
    commands = set(re.findall(r"`interp ([\w-]+)", table))
    assert commands == {*VERBS} - {"completion"}
    short = README.read_text().partition("<!-- which -->")[2].partition("<!-- /which -->")[0]
    assert {*re.findall(r"`([\w-]+)`", short)} == commands
