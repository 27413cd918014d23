"""Model constraints: demands on the types of a program's values, and the places they apply to.

>>> given = {"%4": Uniform("!quant.uniform<i8:f32, 0.5>"), "stablehlo.tanh": NoQuant(), "bf16": Any(16)}
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from interp.apps.quantization.folding import CONSTANT
from interp.apps.quantization.kernels import Spec, is_float, ports_of
from interp.apps.quantization.patterns import RESHAPING
from spec.elements import element_type
from spec.errors import Malformed
from spec.ir import Module, Op, Value
from spec.options import short_text
from spec.quant_kinds import AnyQuantizedType, CalibratedType, parse_quant_type
from spec.types import ElementType, QuantizedType, integer


@dataclass(frozen=True)
class Uniform:
    """A value has exactly this type, for instance the one it was trained with."""

    type: QuantizedType | str

    def spec(self, element: ElementType) -> Spec:
        """Return the spec of a port whose values have an element type."""
        type = parse_quant_type(self.type) if isinstance(self.type, str) else self.type
        if not isinstance(type, QuantizedType):
            raise Malformed(f"{short_text(type)} is not a uniform type", "expected !quant.uniform<i8:f32, 0.5:3>")
        if type.expressed_type != element:
            raise Malformed(
                f"{type!r} does not express {element}", f"expected !quant.uniform<...:{element}, ...>"
            )
        return type


@dataclass(frozen=True)
class Any:
    """A value is quantized with at least `bits` bits; the first signature that is wide enough is taken."""

    bits: int

    def spec(self, element: ElementType) -> Spec:
        if not isinstance(self.bits, int) or not 1 < self.bits <= 32:
            raise Malformed(f"Any({short_text(self.bits)})", "expected a number of bits, from 2 to 32")
        storage = integer(self.bits, True)
        return AnyQuantizedType(storage, storage.min_value, storage.max_value, element, storage.name)


@dataclass(frozen=True)
class Calibrated:
    """A value was seen between two numbers, from which its scale follows once a kernel gives the storage."""

    min: float
    max: float

    def spec(self, element: ElementType) -> Spec:
        if not (isfinite(self.min) and isfinite(self.max) and self.min < self.max):
            raise Malformed(f"{self!r} is not a range", "expected min < max, both finite")
        return CalibratedType(element, float(self.min), float(self.max))


@dataclass(frozen=True)
class NoQuant:
    """A value stays in float, and so does every kernel that needs it quantized."""

    def spec(self, element: ElementType) -> Spec:
        return element


Constraint = Uniform | Any | Calibrated | NoQuant
# By the name or the label of a value, an operation, a kernel, or an element type.
Constraints = Mapping[str, Constraint | Sequence[Constraint]]


def constraint_pairs(constraints: Constraints | None) -> list[tuple[str, Constraint]]:
    """Return pairs of a place and a constraint; `Malformed` for anything that is not a constraint."""
    if not isinstance(constraints or {}, Mapping):
        advice = 'expected a dictionary: {"%4": NoQuant()}'
        raise Malformed(f"constraints are {short_text(constraints)}", advice)
    pairs: list[tuple[str, Constraint]] = []
    for place, given in (constraints or {}).items():
        for constraint in given if isinstance(given, Sequence) else (given,):
            if not isinstance(constraint, Uniform | Any | Calibrated | NoQuant):
                raise Malformed(
                    f"the constraint of {place!r} is {short_text(constraint)}",
                    "expected Uniform(type), Any(bits), Calibrated(min, max) or NoQuant()",
                )
            pairs.append((place, constraint))
    return pairs


def is_at(place: str, op: Op, value: Value, is_result: bool, constraint: Constraint) -> bool:
    """Return whether a place names the port of a region that holds a value.

    An operation names the regions that begin with it, a kernel those of it: all their ports, or for a type or
    a range their results alone.
    """
    if place in (value.name, value.label):
        return True
    if element_type(place) is not None:
        return repr(value.type.element_type) == place
    return place in (op["logical_kernel"], principal(op)) and (
        is_result or isinstance(constraint, Any | NoQuant)
    )


def principal(op: Op) -> str:
    """Return the name of a region's first operation that computes: before a bias, the contraction."""
    body = op.regions[0].ops
    computing = (inner.name for inner in body[:-1] if inner.name not in (CONSTANT, *RESHAPING))
    return next(computing, body[0].name)


def refuse_unknown(
    places: Iterator[str], module: Module, regions: Sequence[Op], roots: Mapping[str, Value]
) -> None:
    """Raise `Malformed` for a place that no port has, with the names that come near to it.

    roots: the values that statistics are of, by the names of their results.
    """
    ports = (roots.get(v.name, v) for op in regions for v in ports_of(op))
    known = {v.name: v for v in ports if is_float(v)}
    names = [*known, *(v.label for v in known.values() if v.label)]
    names += {str(op["logical_kernel"]) for op in regions}
    names += {principal(op) for op in regions}
    for place in places:
        close = difflib.get_close_matches(place, names, 3, 0.5) or names[:8]
        there = any(v.name == place for op in module.ops() for v in op.results)
        why = "no kernel of the target reads or gives it" if there else "there is no such value or operation"
        raise Malformed(f"the constraint of {place!r} reaches no port: {why}", f"known: {', '.join(close)}")
