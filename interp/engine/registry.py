"""Custom calls that Python functions compute: a user's, registered by target, and JAX's callbacks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from interp.engine.tensor import accept
from spec.errors import Malformed, short_text
from spec.ir import Op
from spec.types import is_tensor

CALLBACKS = frozenset(
    f"xla{ffi}_python_{device}_callback"
    for ffi in ("", "_ffi", "_ffi_partitioned")
    for device in ("cpu", "gpu")
)


def gives_nothing(op: Op) -> bool:
    """Return whether an operation is a callback whose results are only tokens, so that it may be skipped."""
    is_callback = op.name == "stablehlo.custom_call" and op["call_target_name"] in CALLBACKS
    return is_callback and not any(is_tensor(value.type) for value in op.results)


# The user's own custom calls: functions on stored elements, registered by the target of the call.

Function = Callable[..., Any]
REGISTERED: dict[str, Function] = {}


def register(target: str, function: Function) -> None:
    """Let `function` compute the custom calls of this target, even of one that interp knows.

    function: takes the operands as NumPy arrays of stored elements (integers where quantized), and the
    operation (`spec.ir.Op`) as the keyword `op` if it has that parameter. It returns an array or a tuple of
    arrays, one for each result; each must have the result's shape and fit its type without loss. Tokens are
    neither passed nor returned. A program compiled by `interp.compile` calls it back. Raises `Malformed` if
    `function` is not callable or `target` not a str. The registration holds for this process.
    """
    if not isinstance(target, str) or not target:
        raise Malformed(f"{short_text(target)} is not a target", "expected the call_target_name, a str")
    if not callable(function):
        raise Malformed(
            f"{short_text(function)} is not a function", f"expected a function that computes @{target}"
        )
    REGISTERED[target] = function


def results_of(op: Op, arrays: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """Return the results of the registered function; `Malformed` if their types are not the operation's."""
    target = op["call_target_name"]
    results = _call(REGISTERED[target], op, arrays)
    values = [value for value in op.results if is_tensor(value.type)]
    if len(results) != len(values):
        verdict = f"the function registered for @{target} returned {len(results)} results"
        raise Malformed(verdict, f"expected {len(values)}", op.location)
    try:
        return tuple(accept(x, value, k) for k, (x, value) in enumerate(zip(results, values, strict=True)))
    except Malformed as error:
        verdict = f"the function registered for @{target} returned another type"
        raise Malformed(verdict, f"{error.verdict}\n{error.evidence}", op.location) from None


def _call(f: Function, op: Op, arrays: tuple[np.ndarray, ...]) -> tuple[Any, ...]:
    """Call a user's function, and return its results as a tuple."""
    try:
        takes_op = "op" in inspect.signature(f).parameters
    except (TypeError, ValueError):  # a function written in C
        takes_op = False
    results = f(*arrays, op=op) if takes_op else f(*arrays)
    return () if results is None else results if isinstance(results, tuple) else (results,)
