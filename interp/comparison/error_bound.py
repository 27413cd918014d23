"""`bound_results`: a run whose elements carry bounds on their distance from the float reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from interp.backends import Array, State
from interp.comparison import error_bound_folds
from interp.comparison.error_bound_along import bound_along
from interp.comparison.roundoff import (
    Bounded,
    Rule,
    bound_conversion,
    bound_input,
    deviation,
    flushing,
    if_exact,
    least_subnormal,
    magnitude,
    no_bound,
    quantization,
    quantization_saturations,
    real,
    rounding,
    run_op,
    saturations,
)
from interp.engine.bodies import code_of
from interp.engine.evaluate import Context
from interp.engine.facts import Bound, facts
from interp.engine.quant import Type
from interp.engine.storage import may_clip
from interp.engine.walk import Domain, Env, walk
from interp.execute.accumulating import NO_WAYS, Ways
from interp.recorder import exact
from interp.rewrite.float_reference_rules import plain, rescaling
from spec.integer_reading import has_integers
from spec.ir import Op, Region, Value
from spec.twins import twin_of
from spec.types import ElementType, QuantizedType

# Error bounds of elementwise operations, from their operands' errors and their own roundings.

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


# `bound_results`: a run in which every element carries a bound on its distance from the float reference.
#
# The bound holds for any schedule of XLA, and for sums that it computes in a wider type. An error is an f64
# in real units; it is infinite if there is no bound (after a comparison, a selection, or a body of several
# operations), and NaN if something saturated on the way.


class _Bounds(Domain[Bounded]):
    """Values of a run with their bounds; a branch is decided if its predicate is the reference's, too."""

    rounds = 1 << 8

    def __init__(self, ctx: Context, ways: Ways) -> None:
        self.ctx, self.module, self.ways = ctx, ctx.module, ways

    def decide(self, op: Op, x: Bounded) -> int | None:
        return None if np.any(x.error) else int(x.value)

    def branches(self, op: Op, by: Bounded, env: Env[Bounded]) -> Sequence[Bounded]:
        return _opaque(self._scope(env), op, by)

    def loop(self, op: Op, state: list[Bounded], by: Bounded | None, env: Env[Bounded]) -> Sequence[Bounded]:
        """Go on without bounds; the condition is not evaluated twice, for the sake of listeners."""
        ctx, worst = self._scope(env), [np.max(x.error, initial=0) for x in state]
        values: State = tuple(x.value for x in state)
        if by is not None and by.value:
            values = ctx.run(op.regions[1], values)
        if by is None or by.value:
            values = ctx.run(code_of(op), values)
        return [Bounded(value, no_bound(worst, value.shape)) for value in values]

    def call(self, op: Op, operands: list[Bounded], env: Env[Bounded]) -> Sequence[Bounded]:
        """Give no bound for a composite of which the reference is a function of its own."""
        results = super().call(op, operands, env)
        if not twin_of(op):
            return results
        worst = [np.max(x.error, initial=0) for x in operands]
        return [Bounded(x.value, no_bound(worst, x.value.shape)) for x in results]

    def apply(self, op: Op, operands: list[Bounded], env: Env[Bounded]) -> Sequence[Bounded]:
        row = facts(op)
        rule = elementwise if row.family == "elementwise" else RULES[row.error]
        if id(op) in self.ways:
            rule = bound_along
        elif self.ctx.reading.is_integer and has_integers(op):  # the rules are those of float arithmetic
            rule = _opaque
        return rule(self._scope(env) if op.regions else self.ctx, op, *operands)

    def _scope(self, env: Env[Bounded]) -> Context:
        """Return the context of an operation whose regions may capture values."""
        return self.ctx._replace(env={name: x.value for name, x in env.items()})


def bound_results(
    ctx: Context, region: Region, args: Sequence[Bounded], ways: Ways = NO_WAYS
) -> tuple[Bounded, ...]:
    """Return the results of a region with their bounds; the values are those of `ctx.run`.

    ways: the sums that the operations of the context keep along an accumulation.
    """
    return tuple(walk(_Bounds(ctx, ways), region, args))


def _conversion(ctx: Context, op: Op, operand: Bounded) -> tuple[Bounded, ...]:
    """Bound convert, uniform_quantize, uniform_dequantize, qcast, dcast and the custom calls for them."""
    (after,) = run_op(ctx, op, [operand])
    types = op.operands[0].type.element_type, op.result.type.element_type
    return (Bounded(after, bound_conversion(operand, after, *types, clips=may_clip(op))),)


def _bitcast(ctx: Context, op: Op, operand: Bounded) -> tuple[Bounded, ...]:
    """Bound a bitcast that multiplies, an idiom for a mean; give no bound for other quantized bits."""
    (after,) = run_op(ctx, op, [operand])
    source, result = op.operands[0].type.element_type, op.result.type.element_type
    ratio = rescaling(source, result)
    if ratio is None or not isinstance(result, QuantizedType):
        bits = not isinstance(source, QuantizedType) and not isinstance(result, QuantizedType)
        bits = bits and not np.isnan(operand.value).any()  # the bits of a NaN are XLA's own (erratum E17)
        # A float zero of the reference may have another sign.
        zero = (operand.value == 0) & (getattr(source, "kind", "") in ("float", "complex"))
        error = np.where(zero, np.inf, operand.error)
        error = (if_exact if bits else no_bound)([np.max(error, initial=0)], after.shape)
        return (Bounded(after, error),)
    if result.is_per_axis:
        axis = result.quantization_dimension
        ratio = ratio.reshape([-1 if d == axis else 1 for d in range(op.result.type.rank)])
    before, x = real(operand.value, source), real(after, result)
    error = ratio * (operand.error + deviation(operand.value, source)) + deviation(after, result)
    same = (error == 0) & (before * ratio == x)
    rounded = rounding(result.expressed_type, magnitude(x) + error, 2)
    return (Bounded(after, error + np.where(same, 0, rounded)),)


def _opaque(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Give no bound, for operations without a rule."""
    results = run_op(ctx, op, operands)
    worst = [np.max(x.error, initial=0) for x in operands]
    return tuple(Bounded(value, no_bound(worst, value.shape)) for value in results)


def _constant(ctx: Context, op: Op) -> tuple[Bounded, ...]:
    (value,) = run_op(ctx, op, ())
    return (bound_input(value, op.result.type),)


def _iota(ctx: Context, op: Op) -> tuple[Bounded, ...]:
    """Bound a quantized iota, which is the float iota quantized."""
    (value,), type = run_op(ctx, op, ()), plain(op.result.type)
    (index,) = run_op(ctx, replace(op, results=(replace(op.result, type=type),)), ())
    source = bound_input(index, type)
    return (Bounded(value, bound_conversion(source, value, type.element_type, op.result.type.element_type)),)


def _move(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Move the errors like the elements, for shape operations."""
    values = run_op(ctx, op, operands)
    errors = run_op(ctx._replace(listeners=()), op, [Bounded(x.error, x.error) for x in operands])
    return tuple(Bounded(*pair) for pair in zip(values, errors, strict=True))


def _place(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Move the errors like the elements if the indices have no error; else give no bound."""
    (value,) = run_op(ctx, op, operands)
    n = 2 if op.name == "stablehlo.dynamic_update_slice" else 1  # what follows are indices
    errors = [Bounded(x.error, x.error) if k < n else x for k, x in enumerate(operands)]
    (error,) = run_op(ctx._replace(listeners=()), op, errors)
    if any(np.any(x.error) for x in operands[n:]):
        error = no_bound([np.max(x.error, initial=0) for x in operands], value.shape)
    return (Bounded(value, error),)


# By `Facts.error`, of what is not elementwise.
RULES: dict[Bound, Rule] = {
    "constant": _constant,
    "contracted": error_bound_folds.contraction,
    "converted": _conversion,
    "iota": _iota,
    "moved": _move,
    "placed": _place,
    "reduced": error_bound_folds.reduction,
    "reinterpreted": _bitcast,
    "scattered": error_bound_folds.select_and_scatter,
    "unknown": _opaque,
}
