"""Input lines of a session: verbs without parentheses, and completions."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable, Iterable
from contextlib import suppress

_NAME = r"(?:@[\w.$]+/)?%[\w.$#-]+"
_LINE = re.compile(rf"\s*(\w+)((?:[\s,]+(?:-?[\w./#]+|{_NAME}))*)\s*")
_INDEXED = re.compile(rf"""(\s*\w+[\s,]+)["']?({_NAME})["']?[\s,]*[(\[]([-\s,0-9]*?),?\s*[)\]]\s*""")
_INTEGER = re.compile(r"-?[0-9]+")
_ARGUMENT = re.compile(r"""\b(\w+)([\s(]+)(["']?)([@%]?[\w.$#/%]*)$""")


def spelled_out(line: str, verbs: Iterable[str]) -> str:
    """Return a typed line as Python: `step 5` as `step(5)`, `?` as `help()`; others unchanged.

    A word becomes a string: `until saturate` is `until('saturate')`. Numbers after a name are an index:
    `explain %0 0 2`, or `explain %0 (0, 2)`, is `explain('%0', (0, 2))`. Arguments that are Python only in
    parentheses get them: `run schedule='left'` is `run(schedule='left')`.
    """
    if line.strip() == "?":
        return "help()"
    match = _LINE.fullmatch(_INDEXED.sub(r"\1\2 \3", line))
    if match is None:
        return _called(line, verbs)
    if match[1] not in verbs:
        return line
    words = match[2].replace(",", " ").split()
    if any(keyword.iskeyword(word) for word in words):
        return line
    first, *others = [word if _INTEGER.fullmatch(word) else repr(word) for word in words] or [""]
    if len(others) > 1 and words[0] != first and all(map(_INTEGER.fullmatch, others)):
        others = [f"({', '.join(others)})"]
    return f"{match[1]}({', '.join([first, *others])})"


def _called(line: str, verbs: Iterable[str]) -> str:
    """Return a verb and its arguments as a call if the line is valid Python only in that form."""
    verb, _, arguments = line.strip().partition(" ")
    call = f"{verb}({arguments.strip()})"
    return call if verb in verbs and _is_python(call) and not _is_python(line.strip()) else line


def _is_python(text: str) -> bool:
    with suppress(SyntaxError, ValueError):
        return bool(ast.parse(text))
    return False


def completions(text: str, candidates: Callable[[str], Iterable[str]]) -> tuple[str, list[str]]:
    """Return the word at the end of the text, and the members of `candidates(verb)` that complete it.

    A name such as `%4`, or `@pool/%4`, may be begun without its `%` or `@`. After a parenthesis without a
    quote it gets quotes.
    """
    match = _ARGUMENT.search(text)
    if match is None:
        return "", []
    verb, gap, quote, word = match.groups()
    found = [x for x in candidates(verb) if x.startswith((word, f"%{word}", f"@{word}"))]
    return word, [f'"{x}"' if "(" in gap and not quote else x for x in found]
