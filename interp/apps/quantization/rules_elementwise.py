"""Rules of elementwise operations, and of operations that move elements or choose among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import numpy as np

from interp.apps.quantization.symbols import (
    FREE,
    WIDEST,
    Constant,
    Forms,
    Pending,
    Plain,
    Stored,
    Symbol,
    add_clamp,
    moved_type,
    stored_in,
    times,
)
from spec.ir import Op
from spec.types import QuantizedType


def waiting(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return an elementwise operation that gets its type from what it is used for."""
    settled = [t.apply_clamp(x) for x in operands]
    forms = [s if s else x for s, x in zip(settled, operands, strict=True)]
    if not all(_takes_part(x) for x in forms):
        return None
    return [Pending(op, tuple(forms), decide_elementwise)]


def _takes_part(x: Symbol) -> bool:
    if isinstance(x, Constant):  # as one step: no scale is infinite, and no stored number is -0
        return x.splat is not None and repr(x.splat) not in ("inf", "-inf", "-0.0")
    if not isinstance(x, Stored):
        return False
    return x.type.is_per_tensor and x.type.storage_type.bits <= WIDEST and x.clamp == FREE


def multiply(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Push a constant factor into the scale; a product of two quantized values waits for its type."""
    x, factor = operands if isinstance(operands[1], Constant) else operands[::-1]
    if not isinstance(factor, Constant):
        return waiting(t, op, operands)
    return _scale(t, op, operands, x, factor.splat)


def divide(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Push a constant divisor into the scale."""
    x, divisor = operands
    if not isinstance(divisor, Constant):
        return waiting(t, op, operands)
    return _scale(t, op, operands, x, 1 / divisor.splat if divisor.splat else None)


def _scale(
    t: Forms, op: Op, operands: Sequence[Symbol], x: Symbol, factor: float | None
) -> Sequence[Symbol] | None:
    settled = t.apply_clamp(x)
    if factor is None or settled is None or settled.data is not None:
        return waiting(t, op, operands)
    type = times(settled.type, factor)
    return waiting(t, op, operands) if type is None else [_times(settled, type, factor)]


def _times(x: Stored, type: QuantizedType, factor: float) -> Stored:
    scaled = replace(x, type=type)
    return replace(scaled, error=x.error * factor + scaled.rounding)


def keep_bounds(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Keep bounds that are constants until the value has its type."""
    name = op.name.partition(".")[2]
    x, low, high = operands[0], -inf, inf
    if name == "clamp":
        least, x, most = operands
        ends = [end.splat if isinstance(end, Constant) else None for end in (least, most)]
        if None in ends:
            return None
        low, high = (end for end in ends if end is not None)
    else:
        x, end = operands if isinstance(operands[1], Constant) else operands[::-1]
        if not isinstance(end, Constant) or end.splat is None:
            return waiting(t, op, operands)
        low, high = (end.splat, inf) if name == "maximum" else (-inf, end.splat)
    return [add_clamp(x, low, high, op)] if isinstance(x, Stored | Pending) and low <= high else None


def decide_elementwise(t: Forms, x: Pending, type: QuantizedType) -> Stored:
    """Return a waiting operation, computed in the type that it got."""
    if type.is_per_tensor and type.storage_type.bits <= WIDEST:
        return t.flow.elementwise(x.op, [_operand(t, each) for each in x.operands], type)
    return t.flow.quantize(t.as_float(replace(x, clamp=FREE)), type)


def _operand(t: Forms, x: Symbol) -> Stored:
    """Return an operand of an elementwise operation; a number alone is held exactly, as one step."""
    if isinstance(x, Stored):
        return x
    assert isinstance(x, Constant)
    number = x.splat or 0.0
    like = t.like(x)
    type = replace(like, scales=(abs(number) or 1.0,), zero_points=(0,))
    return t.flow.quantize_constant(x, type)


# Operations that move elements, or choose among them: storage stays, and the operands share one type.


def move(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return an operation that moves elements of one operand; the others are indices."""
    x, *rest = operands
    if not all(isinstance(each, Plain | Constant) for each in rest):
        return None
    if isinstance(x, Pending):
        return [Pending(op, tuple(operands), decide_movement)]
    assert isinstance(x, Stored)
    type = moved_type(op, x.type) or (None if rest else _type_of_constant(t, op, x))
    if type is None:
        return None
    key = ("moved", x, id(op))
    return t.writer.find(key) or t.writer.keep(key, [_move(t, op, x, rest, type)])


def _type_of_constant(t: Forms, op: Op, x: Stored) -> QuantizedType | None:
    """Return the type per axis of a constant whose elements moved, or None if several axes have its scales.

    The scales move as the elements do. It is for constants, which are written after they moved: StableHLO has
    no `reverse` and no `slice` of scales per axis.
    """
    if x.data is None or x.type.block_sizes is not None:
        return None
    axis, count = x.type.quantization_dimension, len(x.type.scales)
    places = np.arange(count).reshape([count if d == axis else 1 for d in range(len(x.shape))])
    index = replace(x, type=stored_in(x.type, 32), data=np.broadcast_to(places, x.shape))
    moved = t.move_constant(op, index)
    for d in range(moved.ndim) if moved.size else ():
        along = np.moveaxis(moved, d, 0).reshape(moved.shape[d], -1)
        if (along == along[:, :1]).all():
            kept = along[:, 0].tolist()
            scales, zeros = (tuple(xs[k] for k in kept) for xs in (x.type.scales, x.type.zero_points))
            return replace(x.type, scales=scales, zero_points=zeros, quantization_dimension=d)
    return None


def _move(t: Forms, op: Op, x: Stored, rest: Sequence[Symbol], type: QuantizedType) -> Stored:
    if x.data is not None and not rest:
        result = t.move_constant(op, x)
        return replace(t.flow.constant(result, type), clamp=x.clamp, bounds=x.bounds)
    values = [t.flow.value(x), *(t.as_float(each) for each in rest)]
    found = t.flow.move(op, values, type)
    steps = min(x.steps[0].reshape(-1)), max(x.steps[1].reshape(-1))  # channels may stand elsewhere now
    return replace(found, clamp=x.clamp, bounds=x.bounds, steps=steps, error=x.error)


def join(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return an operation whose operands and result have one type: each is brought to it."""
    return [Pending(op, tuple(operands), decide_movement)]


def decide_movement(t: Forms, x: Pending, type: QuantizedType) -> Stored:
    """Return the operation on operands of one type: quantizing first changes no bit.

    With scales per axis the floats are moved: no operation joins such operands, and others move their axis.
    """
    if not type.is_per_tensor:
        return t.flow.quantize(t.as_float(replace(x, clamp=FREE)), type)
    kept = _other_operands(x.op)
    values = [
        t.as_float(each) if k in kept else t.flow.value(t.as_stored(each, type))
        for k, each in enumerate(x.operands)
    ]
    return t.flow.move(x.op, values, type)


def _other_operands(op: Op) -> tuple[int, ...]:
    """Return the operands that are not of the result's type: indices, the predicate."""
    name = op.name.partition(".")[2]
    if name == "select":
        return (0,)
    if name in ("gather", "dynamic_slice"):
        return tuple(range(1, len(op.operands)))
    return tuple(range(2, len(op.operands))) if name == "dynamic_update_slice" else ()
