"""Findings about a program, each with the line of the source that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from interp.loading.load import load
from interp.loading.source import excerpt, written
from spec.errors import InterpError
from spec.ir import Module

Judge = Callable[[Module], Sequence[InterpError]]


def explained(judge: Judge, module: Module, data: bytes, name: str) -> Iterator[str]:
    """Return the findings of `judge` on a file (its bytes and its name), each with its source line.

    The line is from the file if that is text. For bytecode, and if locations name other files, it is the
    operation as MLIR text.
    """
    found = judge(module)
    if not found:
        return
    text = written(data)
    for error, printed in zip(found, in_print(judge, module), strict=False):
        own = excerpt(text, error.where) if error.where.file == name else []
        yield "\n".join([str(error), *(f"  {line}" for line in own or printed)])


def in_print(judge: Judge, module: Module) -> Iterator[list[str]]:
    """Yield the findings with lines of the text that the module prints as."""
    text = repr(module)
    for error in judge(load(text, dialect=module.dialect, checked=False)):
        yield excerpt(text, error.where)
