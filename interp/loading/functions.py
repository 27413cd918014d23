"""JAX functions with example arguments, as programs."""

from __future__ import annotations

from collections.abc import Sequence
from types import BuiltinFunctionType
from typing import Any, TypeGuard

from spec.errors import Malformed
from spec.options import short_text


def program(function: Any, *args: Any, **keywords: Any) -> Any:
    """Return a JAX function, on arguments of these shapes and types, as a program that every verb takes.

    function: any function that `jax.jit` takes, or a jitted one, with its options. args, keywords: examples
    or `jax.ShapeDtypeStruct`s, in pytrees. Returns the `jax.stages.Lowered`, with which a verb takes and
    gives the trees of the function. The pair `(function, args)` stands for `program(function, *args)`
    wherever a program does.
    """
    import jax

    if not callable(function):
        raise Malformed(f"{short_text(function)} is not a function", "expected a JAX function and its arguments")
    jitted = function if hasattr(function, "lower") else jax.jit(function)
    return jitted.lower(*args, **keywords)


def is_pair(source: Any) -> TypeGuard[tuple[Any, Sequence[Any]]]:
    """Return whether a program is given as a function and the tuple of its example arguments."""
    return (
        isinstance(source, tuple)
        and len(source) == 2
        and is_function(source[0])
        and isinstance(source[1], tuple | list)
    )


def is_function(source: Any) -> bool:
    """Return whether a program is given as a function alone, jitted or not; JAX traces no built-in one."""
    other = isinstance(source, type | BuiltinFunctionType) or hasattr(source, "mlir_module_serialized")
    return callable(source) and not other
