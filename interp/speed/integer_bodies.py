"""Bodies of one quantized operation that have the same result on stored integers, in any fold and tree."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from interp.backends import DIRECTIONS, Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.fold import Body, Elementwise
from interp.speed.order_free import smallest_integer
from interp.speed.units import dequantizing_op
from interp.theory.addition import adds_integers
from interp.theory.conversion import requantizes_to_itself
from spec.ir import Op, Region
from spec.types import QuantizedType

Function = Callable[[Namespace, Array, Array], Array]


def body_of(ctx: Context, op: Op, region: int, columns: Array | None = None) -> Body:
    """Return a region as a fold's body, on stored integers if a theorem and all listeners allow it."""
    read = None if ctx.is_watched else dequantizing_op(op, ctx.reading)
    function = on_integers(read.regions[region]) if read else None
    if function is None:
        return ctx.body(op, region, columns)

    def combine(xp: Namespace, lhs: State, rhs: State) -> State:
        return (function(xp, *lhs, *rhs),)

    return Elementwise(lambda lhs, rhs, node: combine(ctx.xp, lhs, rhs), combine)


def on_integers(region: Region) -> Function | None:
    """Return the body as a function of stored integers, or None.

    THEOREM: on one quantized type, `add`, `maximum`, `minimum` and `compare` may act on stored integers: a
    saturating `add` where `exact_sums` holds every sum of two stored numbers; the others where requantizing
    returns every stored number unchanged, so that dequantize, which never decreases, is strictly increasing.
    """
    op, *_ = region.ops
    type, *others = {value.type.element_type for value in region.arguments}
    if others or not (isinstance(type, QuantizedType) and type.storage_type.is_integer):
        return None
    if op.operands != region.arguments or op.results != region.returns:
        return None
    name = op.name.removeprefix("stablehlo.")
    if name == "add" and op.result.type.element_type == type:
        return partial(saturating_sum, type) if adds_integers(type) else None
    if not requantizes_to_itself(type, type):
        return None
    if name == "compare":
        compare = DIRECTIONS[op["comparison_direction"]]
        return lambda xp, a, b: compare(a, b)
    if facts(op).chooses and op.result.type.element_type == type:
        return lambda xp, a, b: getattr(xp, name)(a, b)
    return None


def saturating_sum(type: QuantizedType, xp: Namespace, a: Array, b: Array) -> Array:
    """Return `clamp(a + b - zero_point)`, computed in integers wide enough for the unclamped sum."""
    low, high, zero_point = type.storage_min, type.storage_max, type.zero_point
    dtype = smallest_integer(3, low, high)
    total = xp.sum_in(dtype, a, b)
    if zero_point:
        total = total - dtype.type(zero_point)
    return xp.clip(total, dtype.type(low), dtype.type(high)).astype(a.dtype)
