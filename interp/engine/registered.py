"""Custom calls of the user's own: functions on stored elements, by the target of the call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from interp.engine.tensor import accept
from spec.errors import Malformed
from spec.ir import Op
from spec.options import shown
from spec.types import is_tensor

Function = Callable[..., Any]
REGISTERED: dict[str, Function] = {}


def register(target: str, function: Function) -> None:
    """Let `function` compute the custom calls of this target, in place of ours if there is one.

    function: takes the operands as NumPy arrays of stored elements (integers where quantized), and by
    keyword `op`, the operation (`spec.ir.Op`), if it has a parameter of this name. Returns an array, or a
    tuple of arrays, of the result types; each must have the result's shape and fit its type without loss.
    Tokens are neither taken nor given. A function compiled by `interp.compile` calls it back. Raises
    `Malformed` if `function` cannot be called. The registration holds for this process.
    """
    if not isinstance(target, str) or not target:
        raise Malformed(f"{shown(target)} is not a target", "expected the call_target_name, a str")
    if not callable(function):
        raise Malformed(f"{shown(function)} is not a function", f"expected what computes @{target}")
    REGISTERED[target] = function


def results_of(op: Op, arrays: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """Return what the registered function makes of stored elements; `Malformed` if the types differ."""
    target = op["call_target_name"]
    results = _called(REGISTERED[target], op, arrays)
    values = [value for value in op.results if is_tensor(value.type)]
    if len(results) != len(values):
        verdict = f"the function registered for @{target} returned {len(results)} results"
        raise Malformed(verdict, f"expected {len(values)}", op.location)
    try:
        return tuple(accept(x, value, k) for k, (x, value) in enumerate(zip(results, values, strict=True)))
    except Malformed as error:
        verdict = f"the function registered for @{target} returned another type"
        raise Malformed(verdict, f"{error.verdict}\n{error.evidence}", op.location) from None


def _called(f: Function, op: Op, arrays: tuple[np.ndarray, ...]) -> tuple[Any, ...]:
    """Return a user's results as a tuple."""
    try:
        takes_op = "op" in inspect.signature(f).parameters
    except (TypeError, ValueError):  # a function written in C
        takes_op = False
    results = f(*arrays, op=op) if takes_op else f(*arrays)
    return () if results is None else results if isinstance(results, tuple) else (results,)
