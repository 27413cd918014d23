"""A program on other quantized types: with another expressed type, or wider storage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.engine.quant import UNBOUNDED
from spec.ir import Dense, Func, Op, Region, Symbol, Value
from spec.types import QuantizedType, TensorType

Change = Callable[[QuantizedType], QuantizedType]


def remove_bounds(type: QuantizedType) -> QuantizedType:
    """Return the type with storage that holds every integer, infinity and NaN, so that nothing is clipped.

    MLIR has no name for such storage. The type keeps its storage range, to recognise numbers beyond it.
    """
    return replace(type, storage_type=UNBOUNDED, spelling=UNBOUNDED.name)


def retype(type: TensorType, change: Change) -> TensorType:
    if not isinstance(type.element_type, QuantizedType):
        return type
    return replace(type, element_type=change(type.element_type))


def retype_function(func: Func, change: Change, suffix: str = "") -> Func:
    """Return the function on other types; `suffix` is added to its name and those of its callees."""
    results = tuple(retype(type, change) for type in func.results)
    return replace(
        func, name=func.name + suffix, body=retype_region(func.body, change, suffix), results=results
    )


def retype_region(region: Region, change: Change, suffix: str = "") -> Region:
    ops = tuple(retype_op(op, change, suffix) for op in region.ops)
    return Region(_values(region.arguments, change), ops)


def retype_op(op: Op, change: Change, suffix: str = "") -> Op:
    return replace(
        op,
        operands=_values(op.operands, change),
        results=_values(op.results, change),
        attributes={name: _attribute(x, change, suffix) for name, x in op.attributes.items()},
        regions=tuple(retype_region(region, change, suffix) for region in op.regions),
    )


def _values(values: tuple[Value, ...], change: Change) -> tuple[Value, ...]:
    return tuple(replace(value, type=retype(value.type, change)) for value in values)


def _attribute(x: Any, change: Change, suffix: str) -> Any:
    if isinstance(x, Symbol):
        return Symbol(x.name + suffix)
    if not isinstance(x, Dense) or not x.type.is_quantized:
        return x
    type = retype(x.type, change)
    stored = np.frombuffer(x.data, numpy_dtype(x.type.storage_type))
    return replace(x, type=type, data=stored.astype(numpy_dtype(type.storage_type)).tobytes())


# Zero points that are left out: of operands, of the result, or of all

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
        return retype_op(op, _without)
    left_out = [id(value) for value in PLACES[place](op)]
    changed = lambda v: replace(v, type=retype(v.type, _without)) if id(v) in left_out else v
    return replace(op, operands=tuple(map(changed, op.operands)), results=tuple(map(changed, op.results)))


def _without(type: QuantizedType) -> QuantizedType:
    return replace(type, zero_points=(0,) * len(type.zero_points))
