"""Reductions on stored integers: the integer reading in units of one scale, and bodies of one operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from interp.backends import DIRECTIONS, Array, Namespace, State
from interp.engine.bodies import retype_op
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.fold import Body, Elementwise
from interp.engine.memo import once
from interp.engine.quant import in_f64, round_parameters
from interp.speed.order_free import smallest_integer
from interp.theory.quantized_arithmetic import adds_integers, requantizes_to_itself
from spec.accumulator import Reading
from spec.integer_reading import in_integers
from spec.ir import Op, Region, Value, nested_ops
from spec.types import QuantizedType

# Rewrite of the integer reading's reductions to dequantizing ones in f64, to which all theorems apply.

SCALES_DIFFER = "in the integer reading: operands and accumulators have different scales"
FAR_FROM_THE_ENDS = 2.0**-900, 2.0**900  # of f64
MOVES = {"stablehlo.return", "stablehlo.constant"}


def dequantizing_op(op: Op, reading: Reading) -> Op | None:
    """Return the reduction whose dequantize reading is the integer reading of this one, or None.

    THEOREM: it is the same reduction with the expressed type f64. f64 has a precision of 53, and stored
    elements have at most 32 bits, so that every |q|, |zero_point| and |q - zero_point| is below 2^34: with
    equal scales the error before rounding is below 5 * 2^34 * 2^-53, and the result is that of integers q -
    zero_point.
    Assumptions: operands, bodies and results have the same scale when rounded to their expressed types, and
    it is far from the ends of f64's range; the operations of the bodies are those of the integer reading.
    """
    return _in_units(op) if reading.is_integer else op


@once
def _in_units(op: Op) -> Op | None:
    types = [value.type.element_type for value in _values(op)]
    quantized = [type for type in types if isinstance(type, QuantizedType)]
    if not quantized:
        return op
    if any(not type.is_per_tensor or not type.storage_type.is_integer for type in quantized):
        return None
    scales = {round_parameters(type).scales for type in quantized}
    if len(scales) > 1 or not FAR_FROM_THE_ENDS[0] < scales.pop()[0] < FAR_FROM_THE_ENDS[1]:
        return None
    inner = [each for region in op.regions for each in nested_ops(region)]
    computes = all(each.name in MOVES or (in_integers(each) and not _multiplies(each)) for each in inner)
    return retype_op(op, in_f64) if computes else None


def _multiplies(op: Op) -> bool:
    return op.name == "stablehlo.multiply"


def _values(op: Op) -> Iterator[Value]:
    yield from (*op.operands, *op.results)
    for region in op.regions:
        yield from region.arguments
        for inner in nested_ops(region):
            yield from (*inner.operands, *inner.results)


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
