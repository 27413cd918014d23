"""Operations that move elements, or choose among them: storage stays, and the operands share one type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from interp.apps.quantization.forms import Forms
from interp.apps.quantization.symbols import FREE, Constant, Pending, Plain, Stored, Symbol
from interp.apps.quantization.types import moved_type
from spec.ir import Op
from spec.types import QuantizedType


def move(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return an operation that moves elements of one operand; the others are indices."""
    x, *rest = operands
    if not all(isinstance(each, Plain | Constant) for each in rest):
        return None
    if isinstance(x, Pending):
        return [Pending(op, tuple(operands), decide_movement)]
    assert isinstance(x, Stored)
    type = moved_type(op, x.type)
    if type is None:
        return None
    key = ("moved", x, id(op))
    return t.writer.find(key) or t.writer.keep(key, [_move(t, op, x, rest, type)])


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
