"""Source text of a program: names of its values, closing brackets, and the excerpt that a finding shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from spec.errors import UNKNOWN, Location
from spec.ir import Module, Op, Region, nested_ops

# Names of values in MLIR text, found by location, since jaxlib does not keep them.

_NAME = r"%[\w$.-]+"
_RESULTS = re.compile(rf'((?:{_NAME}(?::\d+)?\s*,\s*)*{_NAME}(?::\d+)?)\s*=\s*(?:"?([\w.$]+)"?\s*)?$')
_WORD = re.compile(r'"?([\w.$]+)')
_LONGEST = 1000  # characters of a line that are searched for the results of an operation
RESERVED = ".."  # stands in names that rewriting makes: no value that is read has it in its name


class WrittenNames:
    """Names in a text, found by the locations that jaxlib gives to the operations it read there."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def all_names(self) -> set[str]:
        """Return every name in the text; values without a name there get other names."""
        return set(re.findall(_NAME, self.text))

    def argument_name(self, where: Location) -> str | None:
        """Return the name of the argument of a function or a region at this place."""
        line = self._line(where)
        found = re.compile(_NAME).match(line, where.column - 1) if line else None
        return _usable(found[0]) if found else None

    def result_names(self, where: Location, op: str, count: int) -> list[str] | None:
        """Return the names of an operation's results; `where` is the place of the first one or of `op`."""
        line = self._line(where)
        before = line[max(0, where.column - 1 - _LONGEST) : where.column - 1]
        found = _RESULTS.search(before)
        if found is None or not count:
            return None
        word = found[2] or ((here := _WORD.match(line, where.column - 1)) and here[1]) or ""
        names = [name for text in found[1].split(",") for name in _expand(text.strip())]
        same = word.rpartition(".")[2] == op.rpartition(".")[2]
        usable = all(map(_usable, names))
        return names if same and usable and len(names) == count else None

    def _line(self, where: Location) -> str:
        return self.lines[where.line - 1] if 0 < where.line <= len(self.lines) else ""


def _expand(text: str) -> list[str]:
    """Return `%4#0`, `%4#1` for `%4:2`."""
    name, _, count = text.partition(":")
    return [f"{name}#{k}" for k in range(int(count))] if count else [name]


def _usable(name: str) -> str | None:
    return None if RESERVED in name else name


# Locations that a text states itself: without them, jaxlib gives the places of operations in the text.

_STATED = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|(?:#[\w.$-]+\s*=\s*)?(?<![\w.])loc(?=\()')
_INK = re.compile(r"[^\n]")


def without_locations(text: str) -> str:
    """Return a text with spaces in place of the locations in it, so that all else stays at its place."""
    parts, at = [], 0
    for match in _STATED.finditer(text) if "loc(" in text else ():
        if match[0].endswith("loc") and match.start() >= at:
            end = closing(text, match.end()) or len(text)
            parts += [text[at : match.start()], _INK.sub(" ", text[match.start() : end])]
            at = end
    return "".join([*parts, text[at:]])


# Search for the closing bracket in MLIR text.

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


def excerpt(text: str | bytes, place: Location) -> list[str]:
    """Return the line of a text at a location, cut to 100 characters, and a line with a caret."""
    lines = text.splitlines() if isinstance(text, str) else []
    if not 0 < place.line <= len(lines):
        return []
    line, start = lines[place.line - 1], max(0, place.column - 60)
    return [line[start : start + 100], " " * (place.column - 1 - start) + "^"]


def decode_text(data: bytes) -> str:
    """Return the text of a file; "" for bytecode."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""


# Places of operations in a text, of which jaxlib has printed the generic form.

HIDDEN = re.compile(r'"(?:[^"\\]|\\.)*"(?!\s*\()|//[^\n]*')
_OPERATION = re.compile(r'(?<![#!\w.%@$-])"?((?:[a-z_]\w*\.)+\w+|return|call)\b"?(?!\s*=|[\w.])')
_SHORT = {"return": "func.return", "call": "func.call"}


def locate_operations(module: Module, text: str, name: str) -> Module:
    """Return the module with the places of its operations in the text from which it comes.

    Operations of one name stand in the same order in both. Where there are not as many of them in the text,
    as of those that the pretty form does not write, they have the file alone.
    """
    places = _places(text, name)
    counts = Counter(op.name for op in module.ops())
    known = {op: iter(places[op]) for op in counts if len(places.get(op, ())) == counts[op]}
    where = {id(op): next(known[op.name], UNKNOWN) for op in _preorder(module) if op.name in known}
    functions = {
        key: replace(function, body=_place_operations(function.body, where, Location(name)))
        for key, function in module.functions.items()
    }
    return replace(module, functions=functions)


def _preorder(module: Module) -> Iterator[Op]:
    for function in module.functions.values():
        yield from nested_ops(function.body)


def _place_operations(region: Region, where: Mapping[int, Location], file: Location) -> Region:
    ops = (
        replace(
            op,
            location=where.get(id(op), file),
            regions=tuple(_place_operations(region, where, file) for region in op.regions),
        )
        for op in region.ops
    )
    return Region(region.arguments, tuple(ops))


def _places(text: str, name: str) -> dict[str, list[Location]]:
    """Return the places of the names of operations in a text."""
    code = HIDDEN.sub(lambda m: " " * len(m[0]), text)
    found: dict[str, list[Location]] = {}
    line, start = 1, 0
    for match in _OPERATION.finditer(code):
        line += code.count("\n", start, match.start())
        start = match.start()
        column = start - code.rfind("\n", 0, start)
        op = _SHORT.get(match[1], match[1])
        found.setdefault(op, []).append(Location(name, line, column))
    return found
