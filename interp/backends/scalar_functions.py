"""Functions of numbers that recorded code calls, for numba to compile; imported when that is needed.

The intrinsics are single LLVM instructions, which its vectorizer knows; none of them branches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

Generated = tuple[Signature, Callable[..., Any]]


def _llvm_intrinsic(name: str) -> Callable[..., Any]:
    """Return an intrinsic of LLVM as a function of floats of one type."""

    def resolve(context: Any, *operands: Any) -> Generated:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            type = values[0].type
            of = ir.FunctionType(type, [type] * len(values))
            return builder.call(builder.module.declare_intrinsic(f"llvm.{name}", [type], of), values)

        return operands[0](*operands), generate

    if name == "copysign":
        return intrinsic(lambda context, x, y: resolve(context, x, y))
    return intrinsic(lambda context, x: resolve(context, x))


@intrinsic
def select(context: Any, condition: Any, x: Any, y: Any) -> Generated:
    """Return x where the condition holds, else y."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        condition, x, y = values
        return builder.select(builder.trunc(condition, ir.IntType(1)), x, y)

    return x(condition, x, x), generate


def _reinterpret(pairs: dict[Any, Any]) -> Callable[..., Any]:
    """Return a function that gives the bits of a number as a number of another type."""

    def resolve(context: Any, x: Any) -> Generated:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.bitcast(values[0], context.get_value_type(signature.return_type))

        return pairs[x](x), generate

    return intrinsic(resolve)


INTEGERS = {types.float32: types.int32, types.float64: types.int64}


@njit
def fmod(x: Any, y: Any) -> Any:
    """Return the remainder of floats with the sign of x, as C's function does."""
    return np.fmod(x, y)


INTRINSICS = ("fabs", "ceil", "floor", "rint", "sqrt", "trunc", "copysign")
FUNCTIONS: dict[str, Any] = {name: _llvm_intrinsic(name) for name in INTRINSICS} | {
    "select": select,
    "bits": _reinterpret(INTEGERS),
    "from_bits": _reinterpret({integer: float for float, integer in INTEGERS.items()}),
    "fmod": fmod,
}
