"""Error bounds of reductions and contractions, from their leaves, our steps and the reference's steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from interp.backends import Array, State
from interp.comparison.roundoff import (
    Bounded,
    addition,
    bound_conversion,
    deviation,
    holds_sums,
    if_exact,
    magnitude,
    no_bound,
    quantum,
    real,
    requantization,
    rounding,
    run_op,
    saturations,
    steps_on_integers,
)
from interp.engine.bodies import body_ops, run_in
from interp.engine.evaluate import Context, Listener, Place
from interp.engine.facts import facts
from interp.engine.leaf_counts import leaves_of
from interp.engine.quant import Type
from interp.engine.storage import expressed_type, identity, may_clip
from interp.speed.exact_contraction import accumulation_type
from interp.theory.contractions import number_of_products
from spec.ir import Op
from spec.op_attributes import has_algorithm
from spec.schedule import BALANCED, LEFT
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType

F64 = ELEMENT_TYPES["f64"]


@dataclass
class Seen(Listener):
    """Listener that keeps one reduction's leaves and accumulators, and the elements that saturated."""

    saturated: Array
    converted: dict[int, Array] = field(default_factory=dict)
    accumulated: dict[int, Array] = field(default_factory=dict)

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        self.converted[operand] = after

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        self.accumulated[result] = before

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is None or len(results) != 1:
            return
        mask = saturations(op, operands, results[0]).lost
        if place.node.present is not None:
            mask = mask & place.node.present
        mask = mask.any(axis=0) if place.node.stacked else mask
        if place.columns is not None:
            self.saturated.reshape(-1)[place.columns] |= mask.reshape(-1)
        elif mask.shape == self.saturated.shape:
            self.saturated |= mask
        else:  # a body that runs element by element, which does not say on which
            self.saturated |= mask.any()


def _observe(ctx: Context, op: Op, operands: Sequence[Bounded]) -> tuple[State, Seen]:
    seen = Seen(np.zeros(op.results[0].type.shape, bool))
    return run_op(ctx._replace(listeners=(*ctx.listeners, seen)), op, operands), seen


def leaves_with_bounds(op: Op, seen: Seen, region: int, operands: Sequence[Bounded]) -> list[Bounded]:
    """Return the reduction's operands and init values, converted to the accumulation types, with bounds."""
    arguments, first = op.regions[region].arguments, len(operands) - len(seen.converted)
    return [
        Bounded(after, bound_conversion(x, after, v.type.element_type, argument.type.element_type))
        for x, v, after, argument in zip(
            operands[first:], op.operands[first:], seen.converted.values(), arguments, strict=True
        )
    ]


def finish(op: Op, k: int, results: State, seen: Seen, source: Type, error: Array) -> Bounded:
    """Return result k, converted from its accumulator in `source` with that error."""
    accumulated = Bounded(seen.accumulated[k], np.where(seen.saturated, np.nan, error))
    destination = op.results[k].type.element_type
    return Bounded(results[k], bound_conversion(accumulated, results[k], source, destination, may_clip(op)))


def reduction(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Bound a reduction: errors of leaves, of our steps and the reference's; one operation per operand."""
    results, seen = _observe(ctx, op, operands)
    leaves, half = leaves_with_bounds(op, seen, 0, operands), len(results)
    found, combining = [], body_ops(ctx.module, op.regions[0])
    single = all(combine is not None and facts(combine).identity for combine in combining)
    for k, combine in enumerate(combining):
        element = op.regions[0].arguments[k].type.element_type
        folded = Fold(ctx, op, element, leaves[k], leaves[half + k], seen.accumulated[k])
        rule = _rule(element, combine) if combine and single else None
        error = rule(folded) if rule and not _init_per_block(folded, combine) else _without_bound(folded)
        found.append(finish(op, k, results, seen, element, error))
    return tuple(found)


class Fold(NamedTuple):
    """One operand of a reduction: its converted leaves and init value, and its accumulators."""

    ctx: Context
    op: Op
    element: Type
    leaf: Bounded
    init: Bounded
    value: Array

    @property
    def expressed_type(self) -> ElementType:
        return expressed_type(self.element)

    def over(self, name: str, f: Callable[[Bounded], Array]) -> Array:
        """Fold in f64, with the body `name`, f of the leaves and of the init value."""
        x, init = np.asarray(f(self.leaf)), np.asarray(f(self.init))
        unobserved = self.ctx._replace(listeners=(), schedule=BALANCED, env={})
        return np.asarray(run_in(unobserved, self.op, (x, init), F64, name))

    def reals(self, x: Bounded) -> Array:
        return real(x.value, self.element)


def _is_float(element: Type) -> bool:
    return isinstance(element, QuantizedType) or element.kind == "float"


def _init_per_block(fold: Fold, combine: Op | None) -> bool:
    """Return whether our schedule counts the init value several times, which the reference does not."""
    if not fold.ctx.schedule.may_repeat_init or combine is None or not facts(combine).counts:
        return False
    return bool(np.any(fold.init.value != identity(combine)) or np.any(fold.init.error))


def _without_bound(fold: Fold) -> Array:
    return no_bound([fold.over("stablehlo.add", lambda x: x.error)], fold.value.shape)


def _bound_integers(fold: Fold) -> Array:
    """Bound integer operations, which have no error in any schedule if their operands have none."""
    return if_exact([fold.over("stablehlo.add", lambda x: x.error)], fold.value.shape)


def _bound_sum(fold: Fold) -> Array:
    """Bound a sum: the leaves' errors, our steps, and the reference's (n - 1) u sum|x| in any schedule."""
    size = fold.over("stablehlo.add", lambda x: magnitude(fold.reals(x)))
    error = fold.over("stablehlo.add", lambda x: x.error + deviation(x.value, fold.element))
    step = min(quantum(fold.reals(fold.leaf)), quantum(fold.reals(fold.init)))
    starts = np.any(fold.reals(fold.init)) or np.any(fold.init.error)
    additions = leaves_of(fold.op) if starts else max(leaves_of(fold.op) - 1, 0)
    sides = 2
    if isinstance(fold.element, QuantizedType):
        steps = steps_on_integers(fold.element, leaves_of(fold.op), size, addition(fold.element))
        error, sides = error + steps + deviation(fold.value, fold.element), 1
    if error.any() or not holds_sums(fold.expressed_type, step, size).all():
        error = error + rounding(fold.expressed_type, size + error, sides * additions)
    return error


def _bound_choice(fold: Fold) -> Array:
    """Bound maximum and minimum: by the largest error of a leaf, and the change by requantizing per step."""
    error = fold.over("stablehlo.maximum", lambda x: x.error)
    if not isinstance(fold.element, QuantizedType):
        return error
    size = fold.over("stablehlo.maximum", lambda x: magnitude(fold.reals(x)))
    error = np.where(np.isfinite(size), error, np.inf)  # the reference may choose an infinity, or NaN
    each = requantization(fold.element, fold.element)
    return error + steps_on_integers(fold.element, leaves_of(fold.op), size, each)


def _rule(element: Type, combine: Op) -> Callable[[Fold], Array] | None:
    """Return the bound for a body of one associative operation, or None if there is none."""
    if not _is_float(element):
        return _bound_integers
    row = facts(combine)
    return _bound_sum if row.error == "sum" else _bound_choice if row.chooses else None


def select_and_scatter(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Give no bound to a selection: XLA breaks its ties in its own way."""
    results, seen = _observe(ctx, op, operands)
    worst = [np.max(x.error, initial=0) for x in (operands[0], *leaves_with_bounds(op, seen, 1, operands))]
    element = op.regions[1].arguments[0].type.element_type
    return (finish(op, 0, results, seen, element, no_bound(worst, results[0].shape)),)


def contraction(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Bound the error by sums of `|a| e_b + e_a (|b| + e_b)` and `2 n u |a| |b|` over the products."""
    results, seen = _observe(ctx, op, operands)
    element = accumulation_type(op)
    if has_algorithm(op):  # which the reference is without
        error = no_bound([p.error.sum() for p in operands], results[0].shape)
        return (finish(op, 0, results, seen, element, error),)
    if element.kind != "float":
        worst = [np.max(x.error, initial=0) for x in operands]
        rule = if_exact if element.kind != "complex" else no_bound
        return (finish(op, 0, results, seen, element, rule(worst, results[0].shape)),)
    x = [real(p.value, v.type.element_type) for p, v in zip(operands, op.operands, strict=True)]
    (a, b), (ea, eb) = map(magnitude, x), (p.error for p in operands)
    size = in_reals(ctx, op, a, b)
    error = in_reals(ctx, op, a, eb) + in_reals(ctx, op, ea, b + eb)
    if error.any() or not holds_sums(element, quantum(a) * quantum(b), size).all():
        error = error + rounding(element, size + error, 2 * number_of_products(op))
    known = np.isfinite(seen.accumulated[0]) & all(np.isfinite(v).all() for v in x)  # XLA spreads 0 * NaN
    if np.isinf(ea).any() or np.isinf(eb).any():  # of these the reference may make 0 * infinity
        sides = (np.isinf(ea), np.ones_like(b)), (np.ones_like(a), np.isinf(eb))
        known = known & (sum(in_reals(ctx, op, *pair) for pair in sides) == 0)
    error = np.where(known, error, no_bound([error], error.shape))
    return (finish(op, 0, results, seen, element, error),)


def in_reals(ctx: Context, op: Op, lhs: Array, rhs: Array) -> Array:
    """Return the contraction in f64 of numbers that may be infinite: 0 times infinity is 0 here."""
    finite = [np.where(np.isinf(x), _HUGE, x) for x in (lhs, rhs)]
    result = run_in(ctx._replace(listeners=(), schedule=LEFT), op, finite, F64)
    return np.where(result > 2.0**-100 * _HUGE, np.inf, result)


_HUGE = 2.0**500  # for infinity; its square is infinite
