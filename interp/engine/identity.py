"""The identity element of a reduction's body, if its operation has one (erratum E9)."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from interp.backends import fl, max_finite
from interp.engine.facts import Facts, facts
from interp.engine.quant import Type
from interp.engine.stored import storage_range
from spec.ir import Op
from spec.types import ElementType, QuantizedType

Stored = int | float | Fraction


def identity(op: Op) -> Stored | None:
    """Return the stored number `e` with `op(e, x) = x` for every x, or None if none is known."""
    return neutral(facts(op), op.result.type.element_type)


def neutral(row: Facts, type: Type) -> Stored | None:
    """Return the identity of an operation on elements of this type, or None if none is known."""
    match row.identity:
        case "zero":
            return _storage_number(0, type)
        case "one":
            return _storage_number(1, type)
        case "least":
            return _bounds(type)[0]
        case "greatest":
            return _bounds(type)[1]
        case "all ones":
            return _storage_number(-1, type) if _bounds(type)[0] else _bounds(type)[1]
    return None


def _storage_number(value: int, type: Type) -> Stored:
    """Return the stored number that represents a real number exactly."""
    if isinstance(type, QuantizedType):
        return Fraction(value) / Fraction(fl(type.scale, type.expressed_type)) + type.zero_point
    return value


def _bounds(type: Type) -> tuple[Stored, Stored]:
    """Return the least and the greatest stored number."""
    if isinstance(type, ElementType) and type.kind == "float":
        greatest = inf if type.special == "ieee" else max_finite(type)
        return -greatest, greatest
    return storage_range(type)
