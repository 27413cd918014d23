"""Reader of the pretty form without jaxlib's checks: jaxlib prints the generic form of what it has parsed.

jaxlib verifies what it parses, and has no option against that. But it verifies an operation before those
inside, and its report of an error has the generic form of the operation. The program is put into a module
that has an attribute which no module may have: the report is the whole program, nothing in it verified.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from jaxlib.mlir import ir

from interp.loading.brackets import closing
from spec.errors import UNKNOWN, Location
from spec.ir import Module, Op, Region, nested_ops

_ATTRIBUTE = "unverified"  # a module's attributes have a dialect before their name
_REPORT = "see current operation:"
_HIDDEN = re.compile(r'"(?:[^"\\]|\\.)*"(?!\s*\()|//[^\n]*')
_ALIAS = re.compile(r"^[ \t]*[!#][\w.$-]+[ \t]*=[ \t]*", re.MULTILINE)
_RESOURCES = re.compile(r"\{-#.*?#-\}", re.DOTALL)
_NAME = re.compile(r'(?<![#!\w.%@$-])"?((?:[a-z_]\w*\.)+\w+|return|call)\b"?(?!\s*=|[\w.])')
_SHORT = {"return": "func.return", "call": "func.call"}


def generic(context: Any, text: str) -> str | None:
    """Return the generic form of a program of which nothing is verified, or None if it cannot be parsed."""
    apart = _apart(text)
    reports: list[str] = []
    try:
        with context:
            ir.Module.parse(apart)
    except ir.MLIRError as error:
        reports = [note.message for report in error.error_diagnostics for note in report.notes]
    except (ValueError, RuntimeError, UnicodeError):
        return None
    for report in reports:
        form, mark, end = report.removeprefix(_REPORT).rpartition(f" {{{_ATTRIBUTE}}}")
        if report.startswith(_REPORT) and mark:
            return "\n".join([form + end, *_RESOURCES.findall(text)])
    return None


def inner(module: Any) -> Any:
    """Return the module that the text of a program has itself, if that is the only operation inside."""
    ops = list(module.regions[0].blocks[0].operations)
    return ops[0].operation if len(ops) == 1 and ops[0].operation.name == "builtin.module" else module


def _apart(text: str) -> str:
    """Return the text inside the module that fails; aliases and resources stay outside, where they must."""
    aliases, rest, at = [], [], 0
    code = _HIDDEN.sub(lambda m: " " * len(m[0]), text)
    for match in _ALIAS.finditer(code):
        if match.start() < at:
            continue
        end = _end_of_alias(code, match.end())
        aliases.append(text[match.start() : end].strip())
        rest.append(text[at : match.start()])
        at = end
    body = "".join([*rest, text[at:]])
    resources = _RESOURCES.findall(body)
    head = "\n".join([*aliases, f"module attributes {{{_ATTRIBUTE}}} {{"])
    return "\n".join([head, _RESOURCES.sub("", body), "}", *resources])


def _end_of_alias(code: str, at: int) -> int:
    """Return where the type or attribute of an alias ends."""
    word = re.compile(r"[!#]?[\w.$-]*[ \t]*").match(code, at)
    end = word.end() if word else at
    if end < len(code) and code[end] in "<[({":
        end = closing(code, end) or len(code)
    line = code.find("\n", end)
    return len(code) if line < 0 else line


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
    code = _HIDDEN.sub(lambda m: " " * len(m[0]), text)
    found: dict[str, list[Location]] = {}
    line, start = 1, 0
    for match in _NAME.finditer(code):
        line += code.count("\n", start, match.start())
        start = match.start()
        column = start - code.rfind("\n", 0, start)
        op = _SHORT.get(match[1], match[1])
        found.setdefault(op, []).append(Location(name, line, column))
    return found
