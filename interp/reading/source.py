"""Where a finding points: the line of the source and a caret under the operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from spec.errors import InterpError, Location
from spec.ir import Module

Judge = Callable[[Module], Sequence[InterpError]]


def excerpt(text: str | bytes, place: Location) -> list[str]:
    """The line of a text at a place, at most 100 characters of it, and the caret."""
    lines = text.splitlines() if isinstance(text, str) else []
    if not 0 < place.line <= len(lines):
        return []
    line, start = lines[place.line - 1], max(0, place.column - 60)
    return [line[start : start + 100], " " * (place.column - 1 - start) + "^"]


def explained(judge: Judge, module: Module, data: bytes, name: str) -> Iterator[str]:
    """What `judge` finds in the module of a file (its bytes, its name), each with the line that it is about.

    That is the file's where it is text; of bytecode, and where locations name other files, the operation's as
    MLIR text.
    """
    found = judge(module)
    if not found:
        return
    text = written(data)
    for error, printed in zip(found, in_print(judge, module), strict=False):
        own = excerpt(text, error.where) if error.where.file == name else []
        yield "\n".join([str(error), *(f"  {line}" for line in own or printed)])


def written(data: bytes) -> str:
    """The text of a file; "" for bytecode."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""


def in_print(judge: Judge, module: Module) -> Iterator[list[str]]:
    """The lines of the same findings in the module's own text."""
    from interp.reading.load import load

    text = repr(module)
    for error in judge(load(text, dialect=module.dialect, checked=False)):
        yield excerpt(text, error.where)
