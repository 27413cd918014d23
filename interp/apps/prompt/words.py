"""Input lines of a session: verbs without parentheses, gdb's words, options, and completions."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import shlex
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

# gdb's words and abbreviations for the verbs of a session; words of Python have an underscore in front.
WORDS = {
    "b": "_break",
    "br": "_break",
    "break": "_break",
    "backtrace": "backtrace",
    "bt": "backtrace",
    "c": "_continue",
    "cont": "_continue",
    "continue": "_continue",
    "d": "delete",
    "fin": "finish",
    "h": "help",
    "i": "info",
    "l": "_list",
    "list": "_list",
    "n": "_next",
    "next": "_next",
    "p": "_print",
    "print": "_print",
    "q": "quit",
    "s": "step",
    "u": "until",
}
STEPPING = ("step", "_next", "back", "_continue", "until", "finish")  # what Enter repeats
RAW = ("_break", "help", "errata")  # whose arguments are one text: `break %4 if value > 100`
# The options of the command line that have another name in Python.
OPTIONS = {
    "in_recipe": "recipes",
    "in_schedule": "schedules",
    "operand": "k",
    "range": "ranges",
    "type": "types",
}
LISTS = ("recipes", "schedules", "types", "kinds")
_PYTHON = frozenset((*keyword.kwlist, *keyword.softkwlist, *dir(builtins)))
_NAME = r"(?:@[\w.$]+/)?%[\w.$#-]+"
_LINE = re.compile(rf"\s*(\w+)((?:[\s,]+(?:-?[\w./#]+|{_NAME}))*)\s*")
_INDEXED = re.compile(rf"""(\s*\w+[\s,]+)["']?({_NAME})["']?[\s,]*[(\[]([-\s,0-9]*?),?\s*[)\]]\s*""")
_INTEGER = re.compile(r"-?[0-9]+")
_INDEX = re.compile(r"[(\[]?\s*-?[0-9]+(\s*,\s*-?[0-9]+)*\s*,?\s*[)\]]?")
_RANGE = re.compile(r"(.+)=([^:]+):([^:]+)")
_OPTION = re.compile(r"(?:^|\s)--[a-z]")
_ARGUMENT = re.compile(r"""\b(\w+)([\s(]+)(["']?)([@%]?[\w.$#/%]*)$""")


def spelled_out(line: str, verbs: Iterable[str], words: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a typed line as Python: `step 5` as `step(5)`, `?` as `help()`; others unchanged.

    A word becomes a string: `until saturate` is `until('saturate')`. Numbers after a name are an index:
    `explain %0 0 2`, or `explain %0 (0, 2)`, is `explain('%0', (0, 2))`. Arguments that are Python only in
    parentheses get them: `run schedule='left'` is `run(schedule='left')`. Options of the command line are
    keywords: `run --schedule left`. words: other words for verbs, such as gdb's `s` for `step`.
    """
    if line.strip() == "?":
        return "help()"
    typed, _, rest = line.strip().partition(" ")
    verb = words.get(typed, typed)
    if verb in RAW and (typed in words or typed in verbs):
        python = rest.lstrip().startswith(("(", "="))
        return line if python else f"{verb}({repr(rest.strip()) if rest.strip() else ''})"
    known = {*verbs, *words.values()}
    if verb not in known:
        return line
    return _call(verb, rest, line.replace(typed, verb, 1), known) or line


def _call(verb: str, rest: str, line: str, verbs: Iterable[str]) -> str | None:
    """Return a line that begins with a verb as a call; None if it is Python already."""
    if _OPTION.search(rest):
        with suppress(ValueError):  # quotes that are not closed, or no number
            return _with_options(verb, rest)
        return None
    match = _LINE.fullmatch(_INDEXED.sub(r"\1\2 \3", line))
    if match is None:
        return _parenthesize(line, verbs)
    given = match[2].replace(",", " ").split()
    return None if any(map(keyword.iskeyword, given)) else f"{match[1]}({', '.join(_arguments(given))})"


def _arguments(given: Sequence[str]) -> list[str]:
    """Return words as Python: a name and several numbers after it are a name and an index."""
    if not given:
        return []
    first, *others = [word if _INTEGER.fullmatch(word) else repr(word) for word in given]
    if len(others) > 1 and given[0] != first and all(map(_INTEGER.fullmatch, others)):
        others = [f"({', '.join(others)})"]
    return [first, *others]


def _with_options(verb: str, rest: str) -> str:
    """Return a call with the options of the command line as keywords.

    `--index 0,2` is an index, `--type i16 --type i32` a list, `--range x=-1:1` a range by name.
    """
    words = [word for word in shlex.split(rest) if word != ","]
    plain, options, name = list[str](), dict[str, list[str]](), ""
    for word in words:
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            options.setdefault(name, []).extend([value] if equals else [])
            name = "" if equals else name
        elif name:
            options[name].append(word)
            name = ""
        else:
            plain.append(word)
    keywords = [_keyword(name.replace("-", "_"), values) for name, values in options.items()]
    return f"{verb}({', '.join([*_arguments(' '.join(plain).replace(',', ' ').split()), *keywords])})"


def _keyword(option: str, values: Sequence[str]) -> str:
    """Return an option as a keyword argument; without a value it is true."""
    name = OPTIONS.get(option, option)
    if name == "ranges":
        found = [match for value in values if (match := _RANGE.fullmatch(value))]
        return f"ranges={{{', '.join(f'{m[1]!r}: ({float(m[2])!r}, {float(m[3])!r})' for m in found)}}}"
    python = [_value(name, value) for value in values]
    if (name in LISTS and python) or len(python) > 1:
        return f"{name}=[{', '.join(python)}]"
    return f"{name}={python[0] if python else True}"


def _value(name: str, text: str) -> str:
    if name == "index" and _INDEX.fullmatch(text):
        return f"({', '.join(re.findall('-?[0-9]+', text))},)"
    return text if _INTEGER.fullmatch(text) else repr(text)


def _parenthesize(line: str, verbs: Iterable[str]) -> str | None:
    """Return a verb and its arguments as a call if the line is valid Python only in that form, else None."""
    verb, _, arguments = line.strip().partition(" ")
    call = f"{verb}({arguments.strip()})"
    return call if verb in verbs and _is_python(call) and not _is_python(line.strip()) else None


def _is_python(text: str) -> bool:
    with suppress(SyntaxError, ValueError):
        return bool(ast.parse(text))
    return False


def unknown_word(line: str, known: Container[str]) -> str:
    """Return the first word of a line that is not Python, or only this word, if nothing has this name."""
    match = re.fullmatch(r"\s*(\w+)(?:\s[^?]*)?", line)
    if match is None or match[1] in known or match[1] in _PYTHON or match[1].isdecimal():
        return ""
    return match[1] if match[1] == line.strip() or not _is_python(line.strip()) else ""


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
