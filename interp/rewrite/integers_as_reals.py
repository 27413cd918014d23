"""`with_reals`: arithmetic on stored integers as arithmetic on real numbers; composites as float functions.

Programs that sum stored numbers as plain integers reinterpret quantized values as integers, subtract zero
points, multiply, add, and reinterpret the sums in a quantized type. A float reference has no stored numbers:
there the integer `q` is the real number `x / scale + zero_point`, neither rounded nor clamped. A composite
stands for the float function that it names; one that names none stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from interp.engine.facts import facts
from interp.loading.source import RESERVED
from interp.loading.writer import drop_unused
from interp.rewrite.float_reference_rules import Original, Rewritten, dense_of, plain, rescaling, same
from spec.attributes import Symbol
from spec.errors import Malformed
from spec.ir import Func, Module, Op, Region, Value, callee_names, callees, nested_ops
from spec.twins import NAME, twin_in
from spec.types import ElementType, QuantizedType, TensorType, is_tensor

BITCAST = "stablehlo.bitcast_convert"
ARITHMETIC = {"add", "subtract", "multiply", "negate", "dot_general", "convolution"}
CONSTANT = "stablehlo.constant"


def with_reals(module: Module) -> Module:
    """Return the program in which such sums of integers are floats; others stay as they are."""
    if not any(op.name == BITCAST for op in module.ops()):
        return module
    functions = {name: replace(f, body=_Reals(f.body).block()) for name, f in module.functions.items()}
    return replace(module, functions=functions)


def reinterpretations(module: Module) -> list[Op]:
    """Return the reinterpretations of stored numbers that a program has no float reference for."""
    known = ((op, [v.type for v in (*op.operands, *op.results)]) for op in with_reals(module).ops())
    return [
        op
        for op, types in known
        if op.name == BITCAST
        and any(type.is_quantized for type in types)
        and rescaling(*(type.element_type for type in types)) is None
    ]


def integer_composites(module: Module) -> set[str]:
    """Return the decompositions that have no float reference, of composites that name no float function."""
    calls = [name for op in module.ops() if op.name == "func.call" for name in callee_names(op)]
    found = set()
    for op in module.ops():
        if op.name != "stablehlo.composite" or twin_in(module, op):
            continue
        (name,) = callee_names(op)
        own = {name, *callees(module, name)}
        if not own & {*calls} and reinterpretations(Module({x: module[x] for x in own})):
            found |= own
    return found


# Composites: the float function that one names, or the composite as it is between quantizations.


def name_twin(at: Original) -> Rewritten:
    """Return the composite with the float function that it stands for as its decomposition, if it names one.

    Raises `Malformed` where that function takes or gives other types than the expressed ones.
    """
    name, results = twin_in(at.module, at.op), tuple(Value(v.name, plain(v.type)) for v in at.op.results)
    if not name:
        return same(at)
    twin = at.module[name]
    types, own = ([v.type for v in vs] for vs in ((*at.operands, *results), twin.inputs))
    if types != [*own, *twin.results]:
        verdict = f"@{name} is not the float function of {at.op.name}: it has other types"
        evidence = f"expected {types}\ngot {[*own, *twin.results]}"
        raise Malformed(verdict, evidence, at.op.location)
    attributes = {key: value for key, value in at.op.attributes.items() if key != NAME}
    attributes["decomposition"] = Symbol(name)
    return Rewritten((replace(at.op, operands=at.operands, results=results, attributes=attributes),), results)


def keep_integers(at: Original) -> Rewritten:
    """Return a composite as it is, on stored integers, between quantizations."""
    ops, operands = list[Op](), list(at.operands)
    for k, value in enumerate(at.op.operands):
        if value.type.is_quantized:
            operands[k] = at.fresh(f"stored{k}", value.type)
            ops.append(at.new("stablehlo.uniform_quantize", [at.operands[k]], [operands[k]]))
    ops.append(replace(at.op, operands=tuple(operands)))
    results = list(at.op.results)
    for k, value in enumerate(at.op.results):
        if value.type.is_quantized:
            results[k] = at.fresh(f"real{k}", plain(value.type))
            ops.append(at.new("stablehlo.uniform_dequantize", [value], [results[k]]))
    return Rewritten(tuple(ops), tuple(results))


def needless_functions(module: Module) -> set[str]:
    """Return the functions that only decompositions need whose composites name float functions."""
    twins = [op for op in module.ops() if twin_in(module, op)]
    todo = [name for op in twins for name in callee_names(op)]
    within = {*todo}.union(*(callees(module, name) for name in todo))
    return within - _reach(module, (func for name, func in module.functions.items() if name not in within))


def _reach(module: Module, entries: Iterable[Func]) -> set[str]:
    """Return the functions that the float references of some functions run."""
    reached: set[str] = set()
    todo = list(entries)
    while todo:
        ops = nested_ops(todo.pop().body)
        twins = [(op, twin_in(module, op)) for op in ops]
        names = {name for op, twin in twins for name in ([twin] if twin else callee_names(op))}
        todo += [module[name] for name in names - reached]
        reached |= names
    return reached


@dataclass
class _Reals:
    """Writes a block: next to each integer that is arithmetic of stored numbers, the real one.

    reals: by the name of an integer value. The integers go where nothing uses them any more.
    """

    body: Region
    ops: list[Op] = field(default_factory=list)
    reals: dict[str, Value] = field(default_factory=dict)
    made: dict[str, Op] = field(default_factory=dict)
    expressed: ElementType | None = None

    def block(self) -> Region:
        for op in self.body.ops:
            self.made |= {v.name: op for v in op.results}
            if not (op.name == BITCAST and self.write_stored(op)):
                self.ops.append(op)
                self.write_real(op)
        return replace(self.body, ops=drop_unused(self.ops) if self.reals else self.body.ops)

    def write_stored(self, op: Op) -> bool:
        """Write a reinterpretation of a real number in a quantized type; return whether it is one."""
        type, real = op.result.type, self.reals.get(op.operand.name)
        if real is None or not type.is_quantized:
            return False
        points, scales = self.parameters(op.result, "zero_points"), self.parameters(op.result, "scales")
        steps = self.emit("subtract", [real, points], op.result)
        number = self.emit("multiply", [steps, scales], op.result)
        self.ops.append(Op("stablehlo.uniform_quantize", (number,), op.results, location=op.location))
        return True

    def write_real(self, op: Op) -> None:
        """Write the real number of an integer result, if it has one."""
        if len(op.results) != 1 or not is_tensor(op.result.type) or op.regions:
            return
        if op.name == BITCAST:
            if op.operand.type.is_quantized and _keeps_width(op):
                self.reals[op.result.name] = self.divide_by_scale(op.operand)
            return
        name = op.name.partition(".")[2]
        element = op.result.type.element_type
        if not isinstance(element, ElementType) or not element.is_integer or not self.takes(op, name):
            return
        operands = [self.number(v) for v in op.operands]
        if name == "convert":
            self.reals[op.result.name] = operands[0]
        else:
            self.reals[op.result.name] = self.emit(name, operands, op.result, op.attributes)

    def takes(self, op: Op, name: str) -> bool:
        """Return whether an operation computes with integers of which one is a real number at least."""
        known = [v for v in op.operands if v.name in self.reals]
        rest = [v for v in op.operands if v.name not in self.reals]
        widens = name == "convert" and known and _is_wider(op)
        return bool(
            known and (widens or name in ARITHMETIC or facts(op).moves) and all(map(self.is_constant, rest))
        )

    def is_constant(self, v: Value) -> bool:
        """Return whether a value is a constant, or moves, converts or adds constants alone."""
        op = self.made.get(v.name)
        if op is None:
            return False
        name = op.name.partition(".")[2]
        return op.name == CONSTANT or (
            (facts(op).moves or name == "convert" or name in ARITHMETIC)
            and all(map(self.is_constant, op.operands))
        )

    # Writing

    def emit(
        self, name: str, operands: list[Value], like: Value, attributes: Mapping[str, object] | None = None
    ) -> Value:
        assert self.expressed is not None
        result = Value(
            f"%{name}{len(self.ops)}{RESERVED}{like.name.removeprefix('%').replace('#', '.')}",
            TensorType(like.type.shape, self.expressed),
        )
        self.ops.append(Op(f"stablehlo.{name}", tuple(operands), (result,), dict(attributes or {})))
        return result

    def number(self, v: Value) -> Value:
        """Return the real number of an integer, or a constant as a float."""
        return self.reals.get(v.name) or self.emit("convert", [v], v)

    def divide_by_scale(self, q: Value) -> Value:
        """Return `x / scale + zero_point` of a quantized value."""
        self.expressed = q.type.quantized_element_type.expressed_type
        number = self.emit("uniform_dequantize", [q], q)
        steps = self.emit("divide", [number, self.parameters(q, "scales")], q)
        return self.emit("add", [steps, self.parameters(q, "zero_points")], q)

    def parameters(self, q: Value, name: str) -> Value:
        """Return the scales or zero points of a quantized value, in its shape."""
        type = q.type.quantized_element_type
        self.expressed = type.expressed_type
        axis = (type.quantization_dimension,) if type.is_per_axis else ()
        shape = tuple(q.type.shape[d] for d in axis if d is not None)
        plain = TensorType(shape, type.expressed_type)
        numbers = np.asarray(getattr(type, name), np.float64).reshape(shape)
        dense = dense_of(numbers, plain)
        small = self.emit("constant", [], Value(q.name, plain), {"value": dense})
        return self.emit("broadcast_in_dim", [small], q, {"broadcast_dimensions": axis})


def _keeps_width(op: Op) -> bool:
    """Return whether a quantized value is reinterpreted as its own storage."""
    type, element = op.operand.type.quantized_element_type, op.result.type.element_type
    blocks = isinstance(type, QuantizedType) and type.block_sizes is not None
    return not blocks and element == type.storage_type


def _is_wider(op: Op) -> bool:
    """Return whether a conversion of integers keeps every number."""
    source, target = op.operand.type.tensor_element_type, op.result.type.tensor_element_type
    if not source.is_integer or not target.is_integer:
        return False
    return target.min_value <= source.min_value and source.max_value <= target.max_value
