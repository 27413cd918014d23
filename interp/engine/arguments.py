"""Check of a function's arguments, and their conversion to the stored elements of its parameters' types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interp.engine.bundles import accept_value
from spec.errors import Malformed
from spec.ir import Func, Module
from spec.types import TOKEN


def accept_arguments(func: Func, args: Sequence[Any]) -> list[Any]:
    """Check the number of arguments, and return each as a stored array of its parameter's type."""
    pairs = zip(complete(func, args), func.inputs, strict=True)
    return [accept_value(x, parameter, i) for i, (x, parameter) in enumerate(pairs)]


def complete(func: Func, args: Sequence[Any]) -> list[Any]:
    """Return the arguments with tokens added that were left out; `Malformed` if their number is wrong.

    JAX gives a function with ordered effects tokens that its caller never sees.
    """
    tokens = [value.type == TOKEN for value in func.inputs]
    if any(tokens) and len(args) == tokens.count(False):
        given = iter(args)
        return [() if is_token else next(given) for is_token in tokens]
    check_count(func, args)
    return list(args)


def check_count(func: Func, args: Sequence[Any]) -> None:
    if len(args) != len(func.inputs):
        wanted = "\n".join(f"{v.title}: {v.type!r}" for v in func.inputs) or "none"
        raise Malformed(f"@{func.name} takes {len(func.inputs)} arguments, {len(args)} given", wanted)


def function_named(module: Module, name: str) -> Func:
    return module.main if isinstance(name, str) and name == "main" else module[name]
