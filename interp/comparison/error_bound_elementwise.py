"""Error bounds of elementwise operations, from their operands' errors and their own roundings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from interp.backends import Array
from interp.comparison.error_bounded import (
    Bounded,
    if_exact,
    quantization_saturations,
    run_op,
    saturations,
    no_bound,
)
from interp.comparison.roundoff import flushing, least_subnormal, magnitude, quantization, real, rounding
from interp.engine.clipping import may_clip
from interp.engine.evaluate import Context
from interp.engine.facts import Bound, facts
from interp.engine.quant import Type
from interp.recorder import exact
from interp.rewrite.float_reference_rules import plain
from spec.ir import Op, Value
from spec.types import ElementType, QuantizedType

Numbers = Sequence[Array]
# How far exact results may be apart, from our result, our operands and how far those may be off.
Propagated = Callable[[Array, Numbers, Numbers], Array]

_LIBRARY = 16  # roundings that XLA's elementary functions may be off by, generously
IEEE = {"f16", "bf16", "f32", "f64"}


def _sum(y: Array, x: Numbers, e: Numbers) -> Array:
    return e[0] + e[1]


def _product(y: Array, x: Numbers, e: Numbers) -> Array:
    return np.abs(x[0]) * e[1] + np.abs(x[1]) * e[0] + e[0] * e[1]


def _quotient(y: Array, x: Numbers, e: Numbers) -> Array:
    away = np.abs(x[1]) - e[1]
    return np.where(away > 0, (e[0] + y * e[1]) / away, _where_known(e[1], e[0]))


def _root(y: Array, x: Numbers, e: Numbers) -> Array:
    """Bound a root by its derivative at the least operand, where it is largest; below 0 there is no bound."""
    least = x[0] - e[0]
    return np.where(least > 0, e[0] / (np.sqrt(x[0]) + np.sqrt(least)), _where_known(e[0]))


def _reciprocal_root(y: Array, x: Numbers, e: Numbers) -> Array:
    near = np.where(x[0] > e[0], e[0] / x[0], np.nan)
    return np.where(x[0] > e[0], y * np.expm1(-0.5 * np.log1p(-near)), _where_known(e[0]))


def _logarithm(y: Array, x: Numbers, e: Numbers) -> Array:
    near = np.where(x[0] > e[0], e[0] / x[0], np.nan)
    return np.where(x[0] > e[0], -np.log1p(-near), _where_known(e[0]))


def _power(y: Array, x: Numbers, e: Numbers) -> Array:
    """Bound `exp(x1 log x0)` for a positive x0."""
    logarithm = _logarithm(y, x, e)
    exponent = logarithm * (np.abs(x[1]) + e[1]) + np.abs(np.log(np.abs(x[0]))) * e[1]
    return np.where(x[0] > e[0], y * np.expm1(exponent), _where_known(*e))


def _exponential(y: Array, x: Numbers, e: Numbers) -> Array:
    return y * np.expm1(e[0])


def _exponential_minus_one(y: Array, x: Numbers, e: Numbers) -> Array:
    return np.exp(x[0]) * np.expm1(e[0])


def _where_known(*errors: Array) -> Array:
    """Return the error 0 where the operands equal the reference's, else infinity."""
    return np.where(sum(errors) == 0, 0, np.inf)


def _largest(y: Array, x: Numbers, e: Numbers) -> Array:
    """Bound a choice among operands by their largest error, which no choice exceeds."""
    return np.maximum.reduce(np.broadcast_arrays(*e))


def _to_integer(y: Array, x: Numbers, e: Numbers) -> Array:
    return np.where(e[0] == 0, 0, e[0] + 1)


def _lipschitz(constant: float) -> Propagated:
    return lambda y, x, e: constant * e[0]


# Rules by `Facts.error`. Both sides round the exact result once, correctly.
CORRECT: dict[Bound, Propagated] = {
    "product": _product,
    "quotient": _quotient,
    "root": _root,
    "sum": _sum,
}
# XLA approximates these, relative to the result.
APPROXIMATED: dict[Bound, Propagated] = {
    "exponential": _exponential,
    "exponential minus one": _exponential_minus_one,
    "logarithm": _logarithm,
    "power": _power,
    "reciprocal root": _reciprocal_root,
}
# XLA approximates these, relative to 1.
INTO_UNIT: dict[Bound, Propagated] = {"sigmoid": _lipschitz(0.25), "wave": _lipschitz(1)}
# No rounding.
CHOSEN: dict[Bound, Propagated] = {"largest": _largest, "rounded to integer": _to_integer}
ELEMENTWISE_RULES = CORRECT | APPROXIMATED | INTO_UNIT | CHOSEN


def _error(op: Op, type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    """Bound |y - r| for the reference's result r; y is the float operation on x, whose error is e."""
    size, operands, rule = magnitude(y), np.broadcast_to(sum(e), y.shape), facts(op).error
    error = ELEMENTWISE_RULES[rule](size + least_subnormal(type), x, e)
    error = np.where(np.isnan(operands), np.nan, np.where(np.isnan(error), np.inf, error))
    if rule in CHOSEN:
        return error
    if rule in INTO_UNIT:
        return error + rounding(type, np.ones(y.shape), _LIBRARY)
    if rule in APPROXIMATED:
        return error + rounding(type, size + error, _LIBRARY)
    same = (error == 0) & (y == _exactly(op, x)) & (type.name != "f64")
    same = same | (operands == 0) if type.name in IEEE else same
    return np.where(same, flushing(type, y), error + rounding(type, size + error, 2))


def _exactly(op: Op, x: Numbers) -> Array:
    """Return the results in f64, which are exact where a narrower type can represent them."""
    return np.sqrt(x[0]) if facts(op).error == "root" else exact.FORMULAS[exact.formula(op)](*x)


def elementwise(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Bound `dequantize_op_quantize`: the float operation's formula, then quantization."""
    (after,) = run_op(ctx, op, operands)
    type = op.result.type.element_type
    if not isinstance(type, QuantizedType):
        return (Bounded(after, _plain_error(op, type, after, operands)),)
    expressed = replace(op, results=(Value(op.result.name, plain(op.result.type)),))
    (y,) = run_op(ctx._replace(listeners=()), expressed, operands)
    # The exact result may lie within the range where the float one, which is quantized, does not.
    exactly = saturations(op, [x.value for x in operands], after, clips=True)
    in_floats = quantization_saturations(y, type.expressed_type, after, type, may_clip(op))
    # Operands are rounded, too: the reference clips what lies beyond the range in floats, and nothing else.
    saturated, clipped = exactly.lost | in_floats.lost, in_floats.clipped
    wanted = np.isfinite(y) & ~saturated & ~clipped
    error = _plain_error(expressed, type.expressed_type, y, operands)
    rounded = quantization(type, real(y, type.expressed_type), after, wanted)
    error = error + np.where(clipped, 0, rounded)
    return (Bounded(after, np.where(saturated, np.nan, error)),)


def _plain_error(op: Op, type: Type, y: Array, operands: Sequence[Bounded]) -> Array:
    """Bound an elementwise operation whose result `y` is not quantized."""
    rule, errors = facts(op).error, [x.error for x in operands]
    kinds = {plain(v.type).storage_type.kind for v in op.operands}
    if rule == "selected":
        chosen = np.where(operands[0].value, errors[1], errors[2])
        return np.where(errors[0] == 0, chosen, no_bound(errors, y.shape))
    assert isinstance(type, ElementType)
    if rule in ELEMENTWISE_RULES and kinds == {"float"} and type.kind == "float":
        x = [real(p.value, v.type.element_type) for p, v in zip(operands, op.operands, strict=True)]
        error = _error(op, type, real(y, type), x, errors)
        return np.where(np.isfinite(y), error, no_bound([error], y.shape))
    if op.attributes.get("compare_type") == "TOTALORDER" and kinds == {"float"}:  # tells -0 from +0
        errors = [np.where(p.value == 0, np.inf, error) for p, error in zip(operands, errors, strict=True)]
    computes = type.kind in ("float", "complex") and rule != "parts"
    return no_bound(errors, y.shape) if computes else if_exact(errors, y.shape)
