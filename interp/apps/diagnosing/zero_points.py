"""Operations that leave out zero points: of operands, of the result, or of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interp.engine.retyped import retyped, retyped_op
from spec.ir import Op, Value
from spec.types import QuantizedType

ALL = "all zero points"
# The values of an operation whose zero points are left out, by the name of the deviation.
PLACES: dict[str, Callable[[Op], tuple[Value, ...]]] = {
    "zero point of the first operand": lambda op: op.operands[:1],
    "zero point of the second operand": lambda op: op.operands[1:2],
    "zero points of the operands": lambda op: op.operands,
    "zero point of the result": lambda op: op.results,
    ALL: lambda op: (*op.operands, *op.results),
}


def has_points(values: tuple[Value, ...]) -> bool:
    """Return whether a value of a quantized type has a zero point other than 0."""
    types = [value.type.element_type for value in values]
    return any(isinstance(type, QuantizedType) and any(type.zero_points) for type in types)


def may_omit(place: str, op: Op) -> bool:
    """Return whether zero points can be left out at an operation, and no other place means the same ones.

    A body has the types of its operands and results, so that only all are left out of a reduction.
    """
    parts = [op.operands[:1], op.operands[1:], op.results]
    there = [has_points(part) for part in parts]
    if op.regions:
        return place == ALL and any(there)
    several = {"zero points of the operands": all(there[:2]), ALL: there[2] and any(there[:2])}
    return several.get(place, has_points(PLACES[place](op)))


def without_points(op: Op, place: str) -> Op:
    """Return the operation on types whose zero points are 0, where this place says so."""
    if op.regions:
        return retyped_op(op, _without)
    left_out = [id(value) for value in PLACES[place](op)]
    changed = lambda v: replace(v, type=retyped(v.type, _without)) if id(v) in left_out else v
    return replace(op, operands=tuple(map(changed, op.operands)), results=tuple(map(changed, op.results)))


def _without(type: QuantizedType) -> QuantizedType:
    return replace(type, zero_points=(0,) * len(type.zero_points))
