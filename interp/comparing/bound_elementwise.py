"""Bounds of elementwise operations: what they make of their operands' errors, and what they round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from interp.comparing.bounded import Bounded, if_exact, run_op, saturations, unknown
from interp.comparing.twin_rules import plain
from interp.evaluate import Context
from interp.namespace import Array
from interp.quant import Type
from interp.tracing.rounding import flushed, magnitude, quantization, real, rounding, times
from spec.ir import Op, Value
from spec.types import ElementType, QuantizedType

Numbers = Sequence[Array]
Formula = Callable[[ElementType, Array, Numbers, Numbers], Array]


def _arithmetic(type: ElementType, y: Array, exactly: Array, error: Array, count: float) -> Array:
    """`error` and the rounding of y on both sides, unless both have the exact result."""
    same = (error == 0) & (y == exactly) & (type.name != "f64")
    return np.where(same, flushed(type, y), error + rounding(type, magnitude(y) + error, count))


def _multiplied(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    error = times(np.abs(x[0]), e[1]) + times(np.abs(x[1]), e[0]) + times(e[0], e[1])
    return _arithmetic(type, y, x[0] * x[1], error, 2)


def _divided(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    """XLA may multiply by the reciprocal: one rounding more, unless that is a power of two."""
    away = np.abs(x[1]) - e[1]
    error = (e[0] + times(magnitude(y), e[1])) / away
    error = np.where(away > 0, error, unknown(e, y.shape))
    exactly = np.where(np.abs(np.frexp(x[1])[0]) == 0.5, x[0] / x[1], np.nan)
    return _arithmetic(type, y, exactly, error, 3)


def _exponential(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    error = times(magnitude(y), np.expm1(e[0]))
    return error + rounding(type, magnitude(y) + error, _LIBRARY)


def _sum(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    return _arithmetic(type, y, x[0] + x[1], e[0] + e[1], 2)


def _difference(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    return _arithmetic(type, y, x[0] - x[1], e[0] + e[1], 2)


def _largest(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    """Changing every operand by at most some amount changes a choice among them by at most that."""
    return np.maximum.reduce(np.broadcast_arrays(*e))


def _to_integer(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    return np.where(e[0] == 0, 0, e[0] + 1)


def _lipschitz(constant: float, count: float) -> Formula:
    """Functions into [-1, 1] of that slope at most, which XLA approximates to `count` roundings."""
    return lambda type, y, x, e: constant * e[0] + rounding(type, np.ones(y.shape), count)


_LIBRARY = 16  # roundings that XLA's elementary functions may be off by, generously

FORMULAS: dict[str, Formula] = {
    "abs": _largest,
    "add": _sum,
    "ceil": _to_integer,
    "clamp": _largest,
    "cosine": _lipschitz(1, _LIBRARY),
    "divide": _divided,
    "exponential": _exponential,
    "floor": _to_integer,
    "logistic": _lipschitz(0.25, _LIBRARY),
    "maximum": _largest,
    "minimum": _largest,
    "multiply": _multiplied,
    "negate": _largest,
    "round_nearest_afz": _to_integer,
    "round_nearest_even": _to_integer,
    "sine": _lipschitz(1, _LIBRARY),
    "subtract": _difference,
    "tanh": _lipschitz(1, _LIBRARY),
}


# Operations on floats that compute nothing: exact operands give the twin's result.
MOVING = {"complex", "imag", "real"}


def elementwise(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """`dequantize_op_quantize`: the float operation's formula, then quantization."""
    (after,) = run_op(ctx, op, operands)
    type = op.result.type.element_type
    if not isinstance(type, QuantizedType):
        return (Bounded(after, _plain_error(op, type, after, operands)),)
    expressed = replace(op, results=(Value(op.result.name, plain(op.result.type)),))
    (y,) = run_op(ctx._replace(listeners=()), expressed, operands)
    saturated = saturations(op, [x.value for x in operands], after)
    wanted = np.isfinite(y) & ~saturated
    error = _plain_error(expressed, type.expressed_type, y, operands)
    error = error + quantization(type, real(y, type.expressed_type), after, wanted)
    return (Bounded(after, np.where(saturated, np.nan, error)),)


def _plain_error(op: Op, type: Type, y: Array, operands: Sequence[Bounded]) -> Array:
    """The error of an elementwise operation whose result `y` is not quantized."""
    name, errors = op.name.removeprefix("stablehlo."), [x.error for x in operands]
    kinds = {plain(v.type).storage_type.kind for v in op.operands}
    if name == "select":
        chosen = np.where(operands[0].value, errors[1], errors[2])
        return np.where(errors[0] == 0, chosen, unknown(errors, y.shape))
    assert isinstance(type, ElementType)
    if name in FORMULAS and kinds == {"float"} and type.kind == "float":
        x = [real(p.value, v.type.element_type) for p, v in zip(operands, op.operands, strict=True)]
        error = FORMULAS[name](type, real(y, type), x, errors)
        return np.where(np.isfinite(y), error, unknown([error], y.shape))
    computes = type.kind in ("float", "complex") and name not in MOVING
    return unknown(errors, y.shape) if computes else if_exact(errors, y.shape)
