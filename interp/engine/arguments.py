"""The arguments of a function: their number is checked, and they are stored as the parameters' types say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interp.engine.bundles import accept_value
from spec.errors import Malformed
from spec.ir import Func, Module


def accepted(func: Func, args: Sequence[Any]) -> list[Any]:
    """Check the number of arguments, and return each as a stored array of its parameter's type."""
    check_count(func, args)
    return [
        accept_value(x, parameter, i) for i, (x, parameter) in enumerate(zip(args, func.inputs, strict=True))
    ]


def check_count(func: Func, args: Sequence[Any]) -> None:
    if len(args) != len(func.inputs):
        wanted = "\n".join(f"{v.title}: {v.type!r}" for v in func.inputs) or "none"
        raise Malformed(f"@{func.name} takes {len(func.inputs)} arguments, {len(args)} given", wanted)


def function_named(module: Module, name: str) -> Func:
    return module.main if isinstance(name, str) and name == "main" else module[name]
