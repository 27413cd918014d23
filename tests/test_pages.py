"""The pages for readers: what they list is what there is, in one order."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
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
