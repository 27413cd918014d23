"""Search for the closing bracket in MLIR text."""

from __future__ import annotations

import re

_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|->|[<\[{(]|[>\]})]')


def closing(text: str, at: int) -> int:
    """Return the position behind the bracket that closes the one at `at`; 0 if none does."""
    depth = 0
    for match in _BRACKET.finditer(text, at):
        if match[0] in "<[{(":
            depth += 1
        elif match[0] in ">]})":
            depth -= 1
            if depth == 0:
                return match.end()
    return 0
