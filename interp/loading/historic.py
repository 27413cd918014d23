"""Reader of operations that were removed from the quant dialect, which jaxlib does not know.

jaxlib refuses an unknown operation of a dialect that it knows. So these get the name of a dialect that it
does not know, at the same line and column, and their own name again when the program is imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from spec.errors import Unsupported
from spec.fake_quant import FORMS
from spec.ir import Module

_QUANT = ("stats", "stats_ref", "coupled_ref", "region", "return")
HISTORIC = frozenset({f"quant.{name}" for name in _QUANT} | FORMS.keys())
_OWN, _HIDDEN = "quant.", "quasi."  # equally long, so that columns stay
_TOKEN = re.compile(r'//[^\n]*|"(?:[^"\\]|\\.)*"')
_CALL = re.compile(r"\s*\(")


def hide(text: str) -> tuple[str, bool]:
    """Return the text with these operations under their other names, and whether there are any.

    They have the generic form alone. TensorFlow's keep their names, since jaxlib does not know its dialect.
    """
    found = False

    def rename(token: re.Match[str]) -> str:
        nonlocal found
        is_op = token[0][1:-1] in HISTORIC and _CALL.match(text, token.end())
        found = found or bool(is_op)
        return token[0].replace(f'"{_OWN}', f'"{_HIDDEN}', 1) if is_op else token[0]

    if any(f'"{name}' in text for name in ("quant.", "tf.")):
        text = _TOKEN.sub(rename, text)
    return text, found


def restore_names(text: str) -> str:
    """Return a text or a message with the operations under their own names."""
    return text.replace(_HIDDEN, _OWN)


def unhide(op: str) -> str:
    """Return the name of an operation that is perhaps hidden."""
    return op.replace(_HIDDEN, _OWN, 1) if op.startswith(_HIDDEN) else op


def find_unknown(op: Any) -> Iterator[Any]:
    """Yield the operations inside this one that neither jaxlib nor this file knows."""
    for inner in (view.operation for region in op.regions for block in region for view in block.operations):
        if not inner.context.is_registered_operation(inner.name) and unhide(inner.name) not in HISTORIC:
            yield inner
        yield from find_unknown(inner)


def refuse_to_refine(module: Module, now: bool) -> None:
    """Raise `Unsupported`, if sizes are to become known now, at the first of these operations."""
    for op in module.ops():
        if now and op.name in HISTORIC:
            advice = "jaxlib, which infers sizes, does not know it: write the program with static sizes"
            raise Unsupported(f"{op.name} in a program of unknown sizes", advice, op.location)


def refuse_to_serialize(module: Module) -> None:
    """Raise `Unsupported` if a program has one of these operations, which bytecode cannot hold."""
    for op in module.ops():
        if op.name in HISTORIC:
            advice = "jaxlib, which writes bytecode, does not know it: save text instead, in a .mlir file"
            raise Unsupported(f"{op.name} cannot be serialized", advice, op.location)
