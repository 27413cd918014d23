"""Error bounds of sums along an accumulation, from the distance of their results from the exact sums.

THEOREM. Let y be the exact sum of our operands. The reference is off from y by what its operands are off, and
by the roundings of its own sum in any order; our result is off from y by a distance that is measured. So the
bound is the sum of the three, whatever the tree, its nodes and their types are. Where a node of integers
overflows there is no bound, as where a quantized result saturates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.comparison.error_bound_folds import F64, Fold, Seen, finish, in_reals, leaves_with_bounds
from interp.comparison.roundoff import (
    Bounded,
    deviation,
    holds_sums,
    magnitude,
    no_bound,
    quantization_saturations,
    quantum,
    real,
    rounding,
    run_op,
)
from interp.engine.additions import Addition
from interp.engine.evaluate import Context, Place
from interp.engine.leaf_counts import leaves_of
from interp.engine.quant import Type
from interp.engine.storage import expressed_type, may_clip
from interp.execute.along import is_contraction, is_counted
from interp.kernels import OPERATIONS
from interp.kernels.contraction import geometry_of
from interp.recorder.detect_sums import addition_events
from interp.speed.exact_contraction import accumulation_type
from interp.theory.contractions import number_of_products
from spec.ir import Op
from spec.op_attributes import has_algorithm
from spec.types import QuantizedType

OVERFLOWS = ("wrap", "saturate")
ROUNDOFF = 2.0**-52  # of a sum in f64, for each addition and product, generously


@dataclass
class SeenAlong(Seen):
    """Listener that also notes the elements of which a node of integers overflowed."""

    def on_addition(self, place: Place, addition: Addition) -> None:
        for found in addition_events(addition):
            if found.kind in OVERFLOWS and addition.type.is_integer:
                at = found.at if place.columns is None else np.asarray(place.columns).reshape(-1)[found.at]
                self.saturated.reshape(-1)[at] = True

    def on_node(self, place: Place, lhs: State, rhs: State, results: State) -> None:
        """Note where the accumulator of the integer reading overflows."""
        if is_contraction(place.op) and results[0].dtype.kind in "iO":
            lost = lhs[0].astype(object) + rhs[0] != results[0]
            self.saturated.reshape(-1)[:] |= (lost.any(0) if place.node.stacked else lost).reshape(-1)


def bound_along(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Bound the error of a sum along an accumulation."""
    seen = SeenAlong(np.zeros(op.results[0].type.shape, bool))
    results = run_op(ctx._replace(listeners=(*ctx.listeners, seen)), op, operands)
    plain = ctx._replace(listeners=(), operations=OPERATIONS)
    types = [value.type.element_type for value in (*op.operands, *op.results)]
    if not all(_is_float(type) for type in types):
        return (_integers(plain, op, operands, results, seen),)
    if is_contraction(op) and not has_algorithm(op):
        return (_contraction(plain, op, operands, results[0], seen),)
    if is_counted(op) and not is_contraction(op):
        return (_reduction(plain, op, operands, results, seen),)
    worst = [np.max(x.error, initial=0) for x in operands]
    return (Bounded(results[0], no_bound(worst, results[0].shape)),)


def _is_float(type: Type) -> bool:
    return isinstance(type, QuantizedType) or type.kind == "float"


def _integers(ctx: Context, op: Op, operands: Sequence[Bounded], results: State, seen: SeenAlong) -> Bounded:
    """Bound a sum of plain integers, which is the reference's, or was lost."""
    (declared, *_), worst = run_op(ctx, op, operands), [np.max(x.error, initial=0) for x in operands]
    lost = _arrange(op, operands, seen.saturated) if is_contraction(op) else seen.saturated
    differs = np.where(lost, np.nan, no_bound(worst, lost.shape))
    error = differs if sum(worst) else np.where(results[0] == declared, 0.0, differs)
    return Bounded(results[0], error)


def _contraction(
    ctx: Context, op: Op, operands: Sequence[Bounded], result: Array, seen: SeenAlong
) -> Bounded:
    element, types = accumulation_type(op), [value.type.element_type for value in op.operands]
    x = [real(p.value, type) for p, type in zip(operands, types, strict=True)]
    e = [p.error + deviation(p.value, type) for p, type in zip(operands, types, strict=True)]
    a, b = map(magnitude, x)
    size = in_reals(ctx, op, a, b)
    error = in_reals(ctx, op, a, e[1]) + in_reals(ctx, op, e[0], b + e[1])
    n = number_of_products(op)
    if error.any() or not holds_sums(element, quantum(a) * quantum(b), size).all():
        error = error + rounding(element, size + error, n)
    y, slack = in_reals(ctx, op, *x), (n + 2) * ROUNDOFF * size
    finite = all(np.isfinite(v).all() for v in x)
    type, lost = op.result.type.element_type, _arrange(op, operands, seen.saturated)
    off, more = _distance(op, type, y, result)
    error = np.where(finite & np.isfinite(error), error + slack + off, no_bound([error], error.shape))
    return Bounded(result, np.where(lost | more, np.nan, error))


def _arrange(op: Op, operands: Sequence[Bounded], normal: Array) -> Array:
    """Return marks in the order of the normal form in that of the result."""
    geometry = geometry_of(NUMPY, op)
    shape = geometry.of(*(p.value for p in operands[:2])).shape
    return np.asarray(geometry.result(normal.reshape(shape)))


def _distance(op: Op, type: Type, y: Array, result: Array) -> tuple[Array, Array]:
    """Return how far results are from exact sums, and where they saturated; what is clipped is at 0."""
    off = np.abs(real(result, type) - y) + deviation(result, type)
    off = np.where(np.isfinite(off), off * (1 + ROUNDOFF), np.inf)
    if not isinstance(type, QuantizedType):
        return off, np.zeros(off.shape, bool)
    found = quantization_saturations(y, F64, result, type, may_clip(op))
    return np.where(found.clipped, 0, off), found.lost


def _reduction(ctx: Context, op: Op, operands: Sequence[Bounded], results: State, seen: SeenAlong) -> Bounded:
    element = op.regions[0].arguments[0].type.element_type
    leaf, init = leaves_with_bounds(op, seen, 0, operands)
    fold, expressed = Fold(ctx, op, element, leaf, init, seen.accumulated[0]), expressed_type(element)
    add = lambda f: fold.over("stablehlo.add", f)
    size = add(lambda x: magnitude(fold.reals(x)))
    error = add(lambda x: x.error + deviation(x.value, element))
    step, n = min(quantum(fold.reals(fold.leaf)), quantum(fold.reals(fold.init))), leaves_of(op)
    if error.any() or not holds_sums(expressed, step, size).all():
        error = error + rounding(expressed, size + error, n)
    y = add(fold.reals)
    off = np.abs(real(fold.value, element) - y) + deviation(fold.value, element)
    error = np.where(np.isfinite(off), error + off + (n + 2) * ROUNDOFF * size, no_bound([error], y.shape))
    if isinstance(element, QuantizedType):
        seen.saturated |= quantization_saturations(y, F64, fold.value, element).lost
    return finish(op, 0, results, seen, element, error)
