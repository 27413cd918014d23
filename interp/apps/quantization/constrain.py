"""`constrain`: writes constraints on values as specs of the ports that hold them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from interp.apps.quantization.constraints import (
    Any,
    Calibrated,
    Constraint,
    Constraints,
    NoQuant,
    Uniform,
    is_at,
    constraint_pairs,
    refuse_unknown,
)
from interp.apps.quantization.fake_types import with_pairs
from interp.apps.quantization.graph import layer_range
from interp.apps.quantization.kernels import (
    DEQUANTIZE,
    QUANTIZE,
    REGION,
    STATS,
    WHILE,
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
from interp.apps.quantization.targets import width
from spec.errors import Malformed
from spec.ir import Module, Op, Value
from spec.quant_kinds import AnyQuantizedType
from spec.types import ElementType, QuantizedType

# The constraint of a port that counts: the first of these that there is.
PRECEDENCE = (NoQuant, Uniform, Any, Calibrated)


def constrain(module: Module, constraints: Constraints | None = None) -> Module:
    """Return the program with constraints as specs of its regions' ports.

    constraints: by a value's name (`%4`) or label, an operation (`stablehlo.tanh`), a kernel
    (`generic.dot_general`) or an element type (`bf16`). Where there are several, a value that is not to be
    quantized stays in float; a type is preferred to a width, and a width to a range. What the program itself
    has is taken, too: `uniform_quantize` with `uniform_dequantize` and fake quantization of a constant range
    are types, `quant.stats` is a range.
    Raises `Malformed` for constraints that contradict one another, and for those that reach no port.
    """
    pairs = constraint_pairs(constraints)
    given = absorb_pairs(with_pairs(module))
    ranges, roots = _ranges(given.module)
    loops = [op for op in given.module.ops() if op.name == WHILE]
    changing = {roots.get(v.name, v).name for op in loops for v in changed_by_loop(op)}
    table = _Table(pairs, given, ranges, roots, changing)
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
