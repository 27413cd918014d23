"""`quant.region`: a kernel's operations, isolated, with a specification for each of its ports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interp.engine.quant import Type
from interp.engine.walk import BRANCHES, LOOP, is_passed_on
from interp.loading.source import RESERVED
from spec.errors import UNKNOWN, Location
from spec.ir import Module, Op, Region, Value, nested_ops
from spec.quant_kinds import AnyQuantizedType, CalibratedType
from spec.types import ElementType, QuantizedType, integer, is_tensor

REGION, RETURN = "quant.region", "quant.return"
QUANTIZE, DEQUANTIZE = "stablehlo.uniform_quantize", "stablehlo.uniform_dequantize"
STATS = ("quant.stats", "quant.stats_ref")
IDENTITIES = (*STATS, "quant.coupled_ref")
OUT, BETWEEN, AGAIN = OUTSIDE = "out", "dequantized", "again"  # follow the name of a value of the program
# Operations whose regions hold kernels of their own; the regions of all others are bodies.
CONTROL = (LOOP, *BRANCHES)

Spec = ElementType | QuantizedType | AnyQuantizedType | CalibratedType


def is_float(value: Value) -> bool:
    """Return whether a value is a tensor of floats, so that it may be quantized."""
    return is_tensor(value.type) and getattr(value.type.element_type, "kind", "") == "float"


def free_spec(value: Value) -> Spec:
    """Return the spec of a port without a constraint: any type of a bit or more for floats, else the type."""
    element = value.type.element_type
    if not is_float(value) or not isinstance(element, ElementType):
        return element
    storage = integer(1, True)
    return AnyQuantizedType(storage, storage.min_value, storage.max_value, element, storage.name)


def is_unconstrained(spec: Spec) -> bool:
    return isinstance(spec, AnyQuantizedType) and spec.storage_type.bits == 1


def region(kernel: str, operands: Sequence[Value], results: Sequence[Value], body: Region, at: Any) -> Op:
    """Return a region without constraints on its ports."""
    attributes = {
        "input_specs": tuple(map(free_spec, operands)),
        "logical_kernel": kernel,
        "output_specs": tuple(map(free_spec, results)),
    }
    return Op(REGION, tuple(operands), tuple(results), attributes, (body,), at)


def specs_of(op: Op) -> tuple[Spec, ...]:
    """Return the specs of a region's inputs, then of its outputs."""
    return (*op["input_specs"], *op["output_specs"])


def with_specs(op: Op, specs: Sequence[Spec]) -> Op:
    """Return a region with other specs: of its inputs, then of its outputs."""
    count = len(op.operands)
    given = {"input_specs": tuple(specs[:count]), "output_specs": tuple(specs[count:])}
    return replace(op, attributes={**op.attributes, **given})


def ports_of(op: Op) -> tuple[Value, ...]:
    """Return the values at a region's inputs, then at its outputs."""
    return (*op.operands, *op.results)


def kernels(module: Module) -> Iterator[Op]:
    """Yield the regions of a program in program order, those in bodies of control flow included."""
    for function in module.functions.values():
        yield from blocks_ops(function.body)


def changed_by_loop(op: Op) -> Iterator[Value]:
    """Yield the first and last values of a loop's variables that an iteration changes."""
    for k, ends in enumerate(zip(op.operands, op.results, strict=True)):
        if not is_passed_on(op, k):
            yield from ends


def blocks_ops(body: Region) -> Iterator[Op]:
    """Yield the regions in a block and in the bodies of its control flow."""
    for op in body.ops:
        if op.name == REGION:
            yield op
        elif op.name in CONTROL:
            for inner in op.regions:
                yield from blocks_ops(inner)


def rebuild(module: Module, change: Callable[[Op], Sequence[Op]]) -> Module:
    """Return the program with each operation replaced by those that `change` returns for it.

    It is applied to the operations of functions and of control flow, not to those in regions and bodies;
    control flow is changed after its blocks.
    """

    def block(body: Region) -> Region:
        ops: list[Op] = []
        for op in body.ops:
            if op.name in CONTROL:
                op = replace(op, regions=tuple(map(block, op.regions)))
            ops += change(op)
        return replace(body, ops=tuple(ops))

    functions = {
        name: replace(function, body=block(function.body)) for name, function in module.functions.items()
    }
    return replace(module, functions=functions)


def in_blocks(region: Region, change: Callable[[Region], Region]) -> Region:
    """Return a block with its control flow's blocks changed, and then changed itself."""

    def inner(op: Op) -> Op:
        if op.name not in CONTROL:
            return op
        return replace(op, regions=tuple(in_blocks(each, change) for each in op.regions))

    return change(replace(region, ops=tuple(map(inner, region.ops))))


def rename(op: Op, names: Mapping[str, Value]) -> Op:
    """Return an operation that uses other values, its regions included."""
    operands = tuple(names.get(v.name, v) for v in op.operands)
    regions = tuple(replace(r, ops=tuple(rename(inner, names) for inner in r.ops)) for r in op.regions)
    return replace(op, operands=operands, regions=regions)


def without(module: Module, dropped: Callable[[Op], bool]) -> Module:
    """Return the program without identities that `dropped` names; their users take the operand instead."""
    names: dict[str, Value] = {}

    def change(op: Op) -> Sequence[Op]:
        op = rename(op, names)
        if not dropped(op):
            return (op,)
        names[op.result.name] = op.operand
        return ()

    return rebuild(module, change)


@dataclass
class Names:
    """Names that a program does not use yet."""

    used: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, module: Module) -> Names:
        used = {v.name for function in module.functions.values() for v in function.inputs}
        for function in module.functions.values():
            for op in nested_ops(function.body):
                used |= {v.name.partition("#")[0] for v in op.results}
                used |= {v.name for inner in op.regions for v in inner.arguments}
        return cls(used)

    def fresh(self, name: str) -> str:
        """Return the name, or the name with a number after it; MLIR's begin with a letter, or are numbers."""
        if name[1:2].isdigit() and not name[1:].isdigit():
            name = f"%v{name[1:]}"
        found, count = name, 0
        while found in self.used:
            count += 1
            found = f"{name}_{count}"
        self.used.add(found)
        return found

    def fresh_results(self, op: Op, prefix: str) -> tuple[Value, ...]:
        """Return an operation's results under a new name with a prefix, which several share."""
        if not op.results:
            return ()
        stem, several, _ = op.results[0].name.removeprefix("%").partition("#")
        name = self.fresh(f"%{prefix}{stem}")
        return tuple(replace(v, name=f"{name}#{k}" if several else name) for k, v in enumerate(op.results))


def program_name(name: str) -> str:
    """Return the name that a value of a region has in the program."""
    before, _, label = name.rpartition(RESERVED)
    return name if not before else before if label in OUTSIDE else f"%{label}"


def definitions(module: Module) -> dict[str, Op]:
    """Return the operation that defines each value of a program, by the value's name."""
    ops = (op for function in module.functions.values() for op in nested_ops(function.body))
    return {value.name: op for op in ops for value in op.results}


def users(body: Region) -> dict[str, list[Op]]:
    """Return the operations of a block that use each value, by name, themselves or in their bodies."""
    found: dict[str, list[Op]] = {}
    for op in body.ops:
        names = {v.name for v in op.operands}
        names |= {v.name for inner in op.regions for each in nested_ops(inner) for v in each.operands}
        for name in names:
            found.setdefault(name, []).append(op)
    return found


# `quant.region`: a logical kernel, whose ports have the types that quantization decided on.


def region_op(
    operands: Sequence[Value],
    results: Sequence[Value],
    body: Region,
    specs: tuple[Sequence[Type], Sequence[Type]],
    kernel: str,
    location: Location = UNKNOWN,
) -> Op:
    """Return a region of a kernel; `specs` are the types of its inputs and of its outputs."""
    inputs, outputs = specs
    attributes = {"input_specs": tuple(inputs), "output_specs": tuple(outputs), "logical_kernel": kernel}
    return Op(REGION, tuple(operands), tuple(results), attributes, (body,), location)


def input_specs(op: Op) -> tuple[Type, ...]:
    """Return the type of each input port: uniform, or the element type itself for a float."""
    return tuple(op["input_specs"])


def output_specs(op: Op) -> tuple[Type, ...]:
    """Return the type of each output port."""
    return tuple(op["output_specs"])
