"""Errata, where the specification contradicts itself or is silent: its text, our choice, and the reason."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from typing import NamedTuple

from spec.errata_rows import ROWS
from spec.errors import Malformed

# The text of openxla/stablehlo that the lines `docs/spec.md:7863` are of.
VERSION, COMMIT = "1.20", "3c9301c116f97fbaf696959a0ede32712aec587b"
NOT_REPORTED = "not reported"


class Erratum(NamedTuple):
    """A row of the table: a place where the specification contradicts itself or is silent.

    `section` is the place: usually a line of docs/spec.md at `commit`, which is "" for another text. `case`
    is the conformance case that shows it, or "". `state` is "not reported" (we know of no issue about it),
    "reported: ..." with the issue, or "fixed in ..." with the version.
    """

    id: str
    text: str
    we_do: str
    why: str
    section: str
    test: str
    case: str = ""
    state: str = NOT_REPORTED

    @property
    def commit(self) -> str:
        """The commit of openxla/stablehlo whose docs/spec.md is quoted, or ""."""
        return COMMIT if self.section.startswith("docs/spec.md") else ""

    def to_dict(self) -> dict[str, str]:
        """Return the fields by name."""
        return {**self._asdict(), "commit": self.commit}

    def __str__(self) -> str:
        case = f", case {self.case}" if self.case else ""
        return (
            f"{self.id}: {self.text}\n  where: {self.section}\n  we do: {self.we_do}\n  why: {self.why}\n"
            f"  state: {self.state}\n  shown by: {self.test}{case}"
        )

    def speaks_of(self, word: str) -> bool:
        """Return whether the row, or the folder of its case, has this word, such as an operation's name."""
        words, text = {word, word.removeprefix("uniform_")}, f"{self.section} {self.text} {self.we_do}"
        return not words.isdisjoint([self.case.partition("/")[0], *re.findall(r"\w+", text.lower())])


def erratum(text: str, we_do: str, why: str, section: str, name: str, *more: str) -> Erratum:
    """Return a row; `name` is that of its test without `test_`, and begins with its number: `e1_...`."""
    case, issue = (*more, "", "")[:2]
    id, test = name.partition("_")[0].upper(), f"tests/test_errata.py::test_{name}"
    return Erratum(id, text, we_do, why, section, test, case, f"reported: {issue}" if issue else NOT_REPORTED)


ERRATA = tuple(erratum(*row) for row in ROWS)


def look_up(what: str, operations: Collection[str] = ()) -> tuple[Erratum, ...]:
    """Return the row with this number (`E7`), or those of an operation, a word, a state (`not reported`).

    There may be none that has one of these `operations`. Raises `Malformed`, with similar words, for another
    number or word.
    """
    word = what.strip().lower().removeprefix("stablehlo.")
    if number := re.fullmatch(r"e?(\d+)", word):
        if rows := tuple(row for row in ERRATA if row.id == f"E{number[1]}"):
            return rows
        raise Malformed(f"no erratum {what}", f"known: E1 to {ERRATA[-1].id}, or the name of an operation")
    rows = tuple(row for row in ERRATA if row.speaks_of(word) or row.state.partition(":")[0] == word)
    if rows or word in operations:
        return rows
    words = re.findall(r"[a-z]\w{3,}", " ".join(f"{row.section} {row.text}" for row in ERRATA))
    close = difflib.get_close_matches(word, sorted({*operations, *words}), n=3)
    meant = f"did you mean {' or '.join(close)}?" if close else "expected E7, or the name of an operation"
    raise Malformed(f"no erratum has the word {word!r}", meant)


def table(rows: tuple[Erratum, ...] = ERRATA) -> str:
    """Return errata as lines of text: the text, our choice, the reason, its state, and what shows it."""
    return "\n".join(map(str, rows))
