"""`bound_results`: a run in which every element carries a bound on its distance from the float reference.

The bound holds for any schedule of XLA, and for sums that it computes in a wider type. An error is an f64
in real units; it is infinite if there is no bound (after a comparison, a selection, or a body of several
operations), and NaN if something saturated on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from interp.backends import State
from interp.comparison import error_bound_elementwise, error_bound_folds
from interp.comparison.error_bounded import Bounded, Rule, bound_conversion, bound_input, if_exact, run_op, no_bound
from interp.comparison.roundoff import deviation, magnitude, real, rounding
from interp.engine.bodies import code_of
from interp.engine.clipping import may_clip
from interp.engine.evaluate import Context
from interp.engine.facts import Bound, facts
from interp.engine.walk import Domain, Env, walk
from interp.rewrite.float_reference_rules import plain, rescaling
from spec.integer_reading import has_integers
from spec.ir import Op, Region
from spec.types import QuantizedType


class _Bounds(Domain[Bounded]):
    """Values of a run with their bounds; a branch is decided if its predicate is the reference's, too."""

    rounds = 1 << 8

    def __init__(self, ctx: Context) -> None:
        self.ctx, self.module = ctx, ctx.module

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

    def apply(self, op: Op, operands: list[Bounded], env: Env[Bounded]) -> Sequence[Bounded]:
        row = facts(op)
        rule = error_bound_elementwise.elementwise if row.family == "elementwise" else RULES[row.error]
        if self.ctx.reading.is_integer and has_integers(op):  # the rules are those of float arithmetic
            rule = _opaque
        return rule(self._scope(env) if op.regions else self.ctx, op, *operands)

    def _scope(self, env: Env[Bounded]) -> Context:
        """Return the context of an operation whose regions may capture values."""
        return self.ctx._replace(env={name: x.value for name, x in env.items()})


def bound_results(ctx: Context, region: Region, args: Sequence[Bounded]) -> tuple[Bounded, ...]:
    """Return the results of a region with their bounds; the values are those of `ctx.run`."""
    return tuple(walk(_Bounds(ctx), region, args))


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
