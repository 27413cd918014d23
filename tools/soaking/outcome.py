"""Outcome of checking one item: counts, or a finding."""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

Counts = Counter[str]
NUMBER = re.compile(r"0x[0-9a-fA-F]+|-?\d[\d.]*(?:e[-+]?\d+)?")


class Finding(Exception):
    """A claim that does not hold: which kind of claim, and the evidence."""

    def __init__(self, kind: str, evidence: str) -> None:
        super().__init__(kind, evidence)
        self.kind, self.evidence = kind, evidence


class Failure(NamedTuple):
    """A finding of an item, with all that is needed to see it again."""

    item: str
    kind: str
    evidence: str
    sort: str
    reproduction: str = ""

    @property
    def text(self) -> str:
        """The finding, and how to see it again."""
        again = f"again: tools/soak --only {self.item}"
        return "\n".join(filter(None, [f"{self.item}: {self.kind}", self.evidence, self.reproduction, again]))


@contextmanager
def claiming(kind: str, *expected: type[Exception]) -> Iterator[None]:
    """Raise `Finding` of this kind for any exception but a finding and the expected ones."""
    try:
        yield
    except (Finding, *expected):
        raise
    except Exception as error:
        frames = "".join(traceback.format_tb(error.__traceback__)[-3:])
        message = str(error).strip() or traceback.extract_tb(error.__traceback__)[-1].line or repr(error)
        evidence = f"{frames}{type(error).__name__}: {message.splitlines()[0]}"
        raise Finding(kind, evidence) from error


def sort_of(finding: Finding, subject: str) -> str:
    """Return what findings of one cause likely share: kind, subject and the last line, less its numbers."""
    last = finding.evidence.strip().splitlines()[-1] if finding.evidence.strip() else ""
    return f"{finding.kind} | {subject} | {NUMBER.sub('#', last)[:160]}"
