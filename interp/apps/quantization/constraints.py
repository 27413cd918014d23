"""Model constraints: demands on the types of values, and `constrain`, which writes them as specs of ports."""

from __future__ import annotations

import difflib
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite

from interp.apps.quantization.constants import CONSTANT
from interp.apps.quantization.graph import layer_range
from interp.apps.quantization.kernels import (
    DEQUANTIZE,
    QUANTIZE,
    REGION,
    STATS,
    Spec,
    changed_by_loop,
    is_float,
    is_unconstrained,
    kernels,
    ports_of,
    rebuild,
    rename,
    specs_of,
    with_specs,
)
from interp.apps.quantization.patterns import RESHAPING
from interp.apps.quantization.spellings import with_pairs
from interp.apps.quantization.targets import width
from interp.engine.walk import LOOP
from spec.elements import element_type
from spec.errors import Malformed, short_text
from spec.ir import Module, Op, Value
from spec.quant_kinds import AnyQuantizedType, CalibratedType, parse_quant_type
from spec.types import ElementType, QuantizedType, integer

# Model constraints: demands on the types of a program's values, and the places they apply to.
#
# >>> given = {"%4": Uniform("!quant.uniform<i8:f32, 0.5>"), "stablehlo.tanh": NoQuant(), "bf16": Any(16)}


@dataclass(frozen=True)
class Uniform:
    """A value has exactly this type, for instance the one it was trained with."""

    type: QuantizedType | str

    def spec(self, element: ElementType) -> Spec:
        """Return the spec of a port whose values have an element type."""
        type = parse_quant_type(self.type) if isinstance(self.type, str) else self.type
        if not isinstance(type, QuantizedType):
            raise Malformed(
                f"{short_text(type)} is not a uniform type", "expected !quant.uniform<i8:f32, 0.5:3>"
            )
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


# `constrain`: writes constraints on values as specs of the ports that hold them.

# The constraint of a port that counts: the first of these that there is.
PRECEDENCE = (NoQuant, Uniform, Any, Calibrated)


def constrain(module: Module, constraints: Constraints | None = None, floats: Container[str] = ()) -> Module:
    """Return the program with constraints as specs of its regions' ports.

    constraints: by a value's name (`%4`) or label, an operation (`stablehlo.tanh`), a kernel
    (`generic.dot_general`) or an element type (`bf16`). Where there are several, a value that is not to be
    quantized stays in float; a type is preferred to a width, and a width to a range. What the program itself
    has is taken, too: `uniform_quantize` with `uniform_dequantize` and fake quantization of a constant range
    are types, `quant.stats` is a range. floats: names of values without such a constraint that stay in float.
    Raises `Malformed` for constraints that contradict one another, and for those that reach no port.
    """
    pairs = constraint_pairs(constraints)
    given = absorb_pairs(with_pairs(module))
    ranges, roots = _ranges(given.module)
    loops = [op for op in given.module.ops() if op.name == LOOP]
    changing = {roots.get(v.name, v).name for op in loops for v in changed_by_loop(op)}
    table = _Table(pairs, given, ranges, roots, changing, floats)
    found = rebuild(given.module, lambda op: (table.constrain(op),) if op.name == REGION else (op,))
    missed = [place for place, _ in pairs if place not in table.reached]
    refuse_unknown(iter(missed), module, list(kernels(given.module)), roots)
    return _without_statistics(found, changing)


def _ranges(module: Module) -> tuple[dict[str, tuple[float, float]], dict[str, Value]]:
    """Return the ranges in the program's statistics by name, and the value that each statistic is of."""
    found: dict[str, tuple[float, float]] = {}
    roots: dict[str, Value] = {}

    def read(op: Op) -> Sequence[Op]:
        if op.name in STATS:
            roots[op.result.name] = roots.get(op.operand.name, op.operand)
        if op.name == "quant.stats":
            found[roots[op.result.name].name] = layer_range(op)
        return (op,)

    rebuild(module, read)
    return found, roots


@dataclass
class _Table:
    pairs: list[tuple[str, Constraint]]
    given: Trained
    ranges: dict[str, tuple[float, float]]
    roots: dict[str, Value]
    changing: Container[str]
    floats: Container[str]
    reached: set[str] = field(default_factory=set)

    def constrain(self, op: Op) -> Op:
        """Return a region with the constraints of its ports."""
        specs = []
        for k, (value, spec) in enumerate(zip(ports_of(op), specs_of(op), strict=True)):
            is_result = k >= len(op.operands)
            known = self.roots.get(value.name, value)
            specs.append(self.spec(op, known, is_result, spec) if is_float(value) else spec)
        return with_specs(op, specs)

    def spec(self, op: Op, value: Value, is_result: bool, spec: Spec) -> Spec:
        """Return the spec that the strongest constraint gives a port; without one, its old spec."""
        element = value.type.element_type
        assert isinstance(element, ElementType)
        here = [(p, c) for p, c in self.pairs if is_at(p, op, value, is_result, c)]
        self.reached |= {place for place, _ in here}
        for kind in PRECEDENCE:
            specs = {repr(c.spec(element)): (p, c.spec(element)) for p, c in here if isinstance(c, kind)}
            if len(specs) > 1 and kind is not Any:
                said = "\n".join(f"{place!r}: {text}" for text, (place, _) in specs.items())
                raise Malformed(f"constraints of {value.name} contradict one another", said, op.location)
            if specs:
                return max((found for _, found in specs.values()), key=bits)
            if kind is Uniform and (type := self.given.type(value, op, is_result)) is not None:
                return type
        if value.name in self.floats:
            return element
        if is_unconstrained(spec) and value.name in self.ranges and value.name not in self.changing:
            low, high = self.ranges[value.name]
            return Calibrated(low, high).spec(element) if low < high else spec
        return spec


def bits(spec: Spec) -> int:
    """Return the width that a spec asks for, 0 where it asks for none."""
    return width(spec) if isinstance(spec, AnyQuantizedType) else 0


def _without_statistics(module: Module, changing: Container[str]) -> Module:
    """Return the program without the statistics that became specs; propagation needs the others.

    Those of a value at no port may be of one that control flow couples with a port's. Those of what a
    loop changes are no specs: only its first and its last value were seen.
    """
    pairs = [pair for op in kernels(module) for pair in zip(ports_of(op), specs_of(op), strict=True)]
    ports = {v.name for v, _ in pairs}
    needed = {v.name for v, spec in pairs if isinstance(spec, AnyQuantizedType)}
    names: dict[str, Value] = {}

    def change(op: Op) -> Sequence[Op]:
        op = rename(op, names)
        here = {v.name for v in (*op.operands, *op.results)}
        if op.name not in STATS or here & needed or not here & ports or op.operand.name in changing:
            return (op,)
        names[op.result.name] = op.operand
        return ()

    return rebuild(module, change)


# The types that training chose: pairs of `uniform_quantize` and `uniform_dequantize` in a program


@dataclass
class Trained:
    """A program without the pairs that only regions read, and the types that these ports have for that.

    read: by a region's first result, the types of values that it reads. made: by a value's name, the type
    that it has wherever it is read, so that the region which gives it may store it so.
    """

    module: Module
    read: dict[tuple[str, str], QuantizedType] = field(default_factory=dict)
    made: dict[str, QuantizedType] = field(default_factory=dict)

    def type(self, value: Value, op: Op, is_result: bool) -> QuantizedType | None:
        """Return the type of a region's port, if training chose one."""
        if is_result:
            return self.made.get(value.name)
        return self.read.get((op.results[0].name, value.name))


def absorb_pairs(module: Module) -> Trained:
    """Return the program without its quantize-dequantize pairs, as far as regions read them."""
    found, roots = Trained(module), _roots(module)
    pairs = _pairs(module, roots)
    readers = _readers(module, roots)
    merged = {name: pair for name, pair in pairs.items() if _read_by_regions(readers.get(name, []))}
    names: dict[str, Value] = {}
    for name, (value, _) in merged.items():
        names[name] = names.get(value.name, value)

    def change(op: Op) -> Sequence[Op]:
        if op.name == REGION:
            for name in (roots.get(v.name, v).name for v in op.operands):
                if name in merged:
                    found.read[op.results[0].name, merged[name][0].name] = merged[name][1]
        if op.name == DEQUANTIZE and op.result.name in merged:
            return ()
        return (rename(op, names),)

    short = rebuild(module, change)
    left = _readers(short, {})
    found.module = rebuild(
        short, lambda op: () if op.name == QUANTIZE and op.result.name not in left else (op,)
    )
    found.made = {
        value.name: type
        for name, (value, type) in merged.items()
        if {id(op) for op in readers.get(value.name, [])} <= _quantizers(module, name)
    }
    return found


def _roots(module: Module) -> dict[str, Value]:
    """Return, by the name of a statistic's result, the value that it is of."""
    found: dict[str, Value] = {}
    for op in module.ops():
        if op.name in STATS:
            found[op.result.name] = found.get(op.operand.name, op.operand)
    return found


def _pairs(module: Module, roots: Mapping[str, Value]) -> dict[str, tuple[Value, QuantizedType]]:
    """Return, by the dequantized value's name, the float that was quantized and its type."""
    stored: dict[str, tuple[Value, QuantizedType]] = {}
    found: dict[str, tuple[Value, QuantizedType]] = {}
    for op in module.ops():
        if op.name == QUANTIZE and not op.operand.type.is_quantized:
            value = roots.get(op.operand.name, op.operand)
            stored[op.result.name] = value, op.result.type.quantized_element_type
        elif op.name == DEQUANTIZE and op.operand.name in stored:
            found[op.result.name] = stored[op.operand.name]
    return found


def _quantizers(module: Module, name: str) -> set[int]:
    """Return the operation that quantizes what a dequantized value stands for, by identity."""
    stored = {op.operand.name for op in module.ops() if op.name == DEQUANTIZE and op.result.name == name}
    return {id(op) for op in module.ops() if op.name == QUANTIZE and op.result.name in stored}


def _readers(module: Module, roots: Mapping[str, Value]) -> dict[str, list[Op]]:
    """Return the operations that read each value, in bodies too; statistics of it do not count."""
    found: dict[str, list[Op]] = {}
    for op in module.ops():
        for v in op.operands if op.name not in STATS else ():
            found.setdefault(roots.get(v.name, v).name, []).append(op)
    return found


def _read_by_regions(readers: Sequence[Op]) -> bool:
    return bool(readers) and all(op.name == REGION for op in readers)
