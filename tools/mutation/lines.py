"""Lines of the kernels that a call executes, and lines that a mutant stands on."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache

from mutation.operators import ROOT, Mutant, files

Line = tuple[str, int]  # a kernel's file and a line of it


def executed(function: Callable[[], object], sources: Sequence[str] = ()) -> frozenset[Line]:
    """Return the lines of these files, of the kernels if none are named, that a call executes."""
    kernels = {str(ROOT / file): file for file in sources or files()}
    found: set[Line] = set()

    def within(frame, event: str, argument: object):
        found.add((kernels[frame.f_code.co_filename], frame.f_lineno))
        return within

    def enter(frame, event: str, argument: object):
        return within if frame.f_code.co_filename in kernels else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        function()
    finally:
        sys.settrace(before)
    return frozenset(found)


def lines_of(mutant: Mutant) -> frozenset[Line]:
    """Return the lines of the innermost statement around a mutant, of a compound one those of its header."""
    source = (ROOT / mutant.file).read_bytes()
    last = source.count(b"\n", 0, mutant.end) + 1
    spans = [span for span in _statements(mutant.file) if span[0] <= mutant.line and last <= span[1]]
    first, last = min(spans, key=lambda span: span[1] - span[0], default=(mutant.line, last))
    return frozenset((mutant.file, line) for line in range(first, last + 1))


@lru_cache
def _statements(file: str) -> list[tuple[int, int]]:
    """First and last line of every statement and of every header of a compound one."""
    spans = []
    for node in ast.walk(ast.parse((ROOT / file).read_bytes())):
        if isinstance(node, ast.stmt):
            spans.append((node.lineno, node.end_lineno or node.lineno))
            if body := getattr(node, "body", None):
                spans.append((node.lineno, max(node.lineno, body[0].lineno - 1)))
    return spans
