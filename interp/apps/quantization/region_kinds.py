"""Kinds of regions that `raise_qdq` treats as a whole: lookup tables, and islands that stay in float.

A region fits the first row of `KINDS` that accepts it, or none: then each of its operations has a rule of
its own. A table is what the region computes of every stored number of its only operand: it has the region's
bits. So has an island, which is dequantized, computed in float, and quantized.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from interp.apps.quantization.constants import constants_of
from interp.apps.quantization.kernels import DEQUANTIZE, QUANTIZE, input_specs, output_specs
from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import STABLEHLO, facts
from interp.engine.quant import Type
from interp.execute.run import run
from interp.loading.source import RESERVED
from interp.loading.writer import collapse_repeats
from spec.attributes import Dense
from spec.ir import Func, Module, Op, Region, Value
from spec.types import QuantizedType, TensorType

TABLE, ISLAND = "table", "island"  # begin the name of a region's kernel
BITS = 8  # of the operand of a table
ENTRIES = 1 << BITS
INTERPOLATING = {"gather", "multiply", "add", "reduce", "select", "convert"}  # besides movements
SCALING = ("add", "subtract", "multiply", "divide")  # by constants: integers have these


class Ports(NamedTuple):
    """A region before it has a kind: its block, and the types of its inputs and outputs."""

    body: Region
    inputs: Sequence[Type]
    outputs: Sequence[Type]


class Kind(NamedTuple):
    """A row: whether a region is a table or an island, what it is called, and which regions it accepts."""

    form: str
    name: str
    accepts: Callable[[Ports], bool]


def kind_of(ports: Ports) -> Kind | None:
    """Return the first kind that accepts a region, or None."""
    return next((kind for kind in KINDS if kind.accepts(ports)), None)


def variable_ops(body: Region) -> list[Op]:
    """Return the operations of a region's block that are not constants."""
    constants = constants_of(body)
    return [op for op in body.ops[:-1] if op.results[0].name not in constants]


def _names(ports: Ports) -> set[str]:
    return {op.name.partition(".")[2] for op in variable_ops(ports.body)}


# Islands: a reduction whose result meets every element again, and normalization by channel


def _is_normalization(ports: Ports) -> bool:
    """Return whether what was reduced is repeated and meets what was not, and there is no contraction."""
    constants = constants_of(ports.body)
    reduced, spread = set[str](), set[str]()
    meets = False
    for op in variable_ops(ports.body):
        if facts(op).family in ("contraction", "scatter"):
            return False
        own = {v.name for v in op.operands if v.name not in constants}
        if facts(op).folds or own & reduced:
            reduced |= {v.name for v in op.results}
        if own & spread or (own & reduced and _repeats(op)):
            spread |= {v.name for v in op.results}
        meets |= bool(own & spread) and bool(own - reduced)
    return meets


def _repeats(op: Op) -> bool:
    return op.name == "stablehlo.broadcast_in_dim" and op.result.type.size > op.operand.type.size


def _is_softmax(ports: Ports) -> bool:
    return {"exponential", "reduce"} <= _names(ports) and _is_normalization(ports)


def _is_layer_normalization(ports: Ports) -> bool:
    return bool({"sqrt", "rsqrt"} & _names(ports)) and _is_normalization(ports)


def _is_batch_normalization(ports: Ports) -> bool:
    ops = variable_ops(ports.body)
    folds = any(facts(op).folds or facts(op).family == "contraction" for op in ops)
    return not folds and any(op.name == "stablehlo.batch_norm_inference" for op in ops)


def _is_interpolation(ports: Ports) -> bool:
    """Return whether elements are gathered, weighted by constants, and added, as Resize does."""
    ops, constants = variable_ops(ports.body), constants_of(ports.body)
    if not all(facts(op).moves or op.name.partition(".")[2] in INTERPOLATING for op in ops):
        return False
    factors = [v.name for op in ops if op.name == "stablehlo.multiply" for v in op.operands]
    is_weighted = any(name in constants for name in factors)
    return is_weighted and "gather" in _names(ports) and bool({"add", "reduce"} & _names(ports))


# Tables: elementwise functions of one number of 8 bits


@dataclass(frozen=True)
class Plan:
    """Elementwise operations of a region on the numbers of its operand, and the movements around them.

    paths: by the name of a value, the operations that moved its elements on the way from the operand.
    """

    constants: dict[str, np.ndarray]
    paths: dict[str, tuple[Op, ...]]


def plan_of(body: Region) -> Plan | None:
    """Return how a block computes each element from one element of its argument, or None if it does not."""
    constants = constants_of(body)
    paths: dict[str, tuple[Op, ...]] = {v.name: () for v in body.arguments}
    for op in body.ops[:-1]:
        if op.results[0].name in constants:
            continue
        own = [v for v in op.operands if v.name not in constants]
        others = [constants[v.name] for v in op.operands if v.name in constants]
        if len(op.results) != 1 or any(v.name not in paths for v in own):
            return None
        if facts(op).moves and len(op.operands) == 1:
            paths[op.result.name] = (*paths[own[0].name], op)
        elif _is_elementwise(op) and _is_uniform(op, own, others, paths):
            paths[op.result.name] = paths[own[0].name]
        else:
            return None
    return Plan(constants, paths)


def _is_elementwise(op: Op) -> bool:
    return (facts(op).family == "elementwise" or op.name == "stablehlo.convert") and not op.regions


def _is_uniform(
    op: Op, own: Sequence[Value], others: Sequence[np.ndarray], paths: dict[str, tuple[Op, ...]]
) -> bool:
    """Return whether operands moved alike, have the result's shape, and constants are one number each."""
    alike = all(_same_moves(paths[v.name], paths[own[0].name]) for v in own)
    shaped = all(v.type.shape == op.result.type.shape for v in own)
    return alike and shaped and all(collapse_repeats(x).size == 1 for x in others)


def _same_moves(one: tuple[Op, ...], other: tuple[Op, ...]) -> bool:
    pairs = [(op.name, op.attributes, op.result.type.shape) for op in one]
    return pairs == [(op.name, op.attributes, op.result.type.shape) for op in other]


def _is_table(ports: Ports) -> bool:
    """Return whether a region computes a function of one number of 8 bits, of two roundings or more.

    One operation alone is a quantized one with the same bits, and bounds are those of the type.
    """
    if not _is_function(ports) or not all(map(_is_per_tensor, (*ports.inputs, *ports.outputs))):
        return False
    (type,) = ports.inputs
    return isinstance(type, QuantizedType) and type.storage_type.bits == BITS


def _is_function(ports: Ports) -> bool:
    """Return whether a region computes a function of each element, by two roundings or more."""
    if len(ports.inputs) != 1 or not isinstance(ports.inputs[0], QuantizedType):
        return False
    rounding = [op for op in variable_ops(ports.body) if _is_elementwise(op) and not facts(op).clips]
    return len(rounding) > 1 and plan_of(ports.body) is not None


def _is_island_function(ports: Ports) -> bool:
    """Return whether a region is such a function, and no sum of scaled integers that is stored again."""
    scaled = _names(ports) <= {*SCALING, *(name for name, row in STABLEHLO.items() if row.clips or row.moves)}
    is_stored = all(map(_is_per_tensor, ports.outputs))
    return _is_function(ports) and not (scaled and is_stored)


def _is_per_tensor(type: Type) -> bool:
    return isinstance(type, QuantizedType) and type.is_per_tensor


def entries(op: Op, k: int) -> tuple[np.ndarray, tuple[Op, ...]]:
    """Return result `k` of a region that is a table for each bit pattern of its operand, and the movements.

    The result is what the region's float operations give for all stored numbers. Patterns beyond a narrow
    range have the entries of its ends.
    """
    body, (source,), target = op.regions[0], input_specs(op), output_specs(op)[k]
    plan = plan_of(body)
    assert plan is not None
    assert isinstance(source, QuantizedType)
    program = _on_entries(body, plan, k, source, target)
    patterns = np.arange(ENTRIES, dtype=np.uint8).view(numpy_dtype(source.storage_type))
    (found,) = run(program, np.clip(patterns, source.storage_min, source.storage_max))
    return np.asarray(found.storage), plan.paths[body.returns[k].name]


def _on_entries(body: Region, plan: Plan, k: int, source: QuantizedType, target: Type) -> Module:
    """Return the program that computes a region's result for a vector of all stored numbers."""

    def vector(v: Value, element: Type | None = None) -> Value:
        return Value(v.name, TensorType((ENTRIES,), element or v.type.element_type))

    (port,), result = body.arguments, body.returns[k]
    stored, out = (
        Value(f"%stored{RESERVED}", TensorType((ENTRIES,), source)),
        vector(Value(f"%out{RESERVED}", result.type), target),
    )
    ops = [Op(DEQUANTIZE, (stored,), (vector(port),))]
    names = {port.name: vector(port)}
    for op in body.ops[:-1]:
        v = op.results[0]
        if v.name in plan.constants:
            number = collapse_repeats(plan.constants[v.name]).reshape(-1)[:1]
            if number.size:
                type = TensorType((ENTRIES,), v.type.element_type)
                value = Dense(type, np.ascontiguousarray(number).tobytes(), splat=True)
                names[v.name] = vector(v)
                ops.append(Op("stablehlo.constant", (), (vector(v),), {"value": value}))
        elif facts(op).moves:
            names[v.name] = names[op.operand.name]
        else:
            names[v.name] = vector(v)
            operands = tuple(names[x.name] for x in op.operands)
            ops.append(replace(op, operands=operands, results=(vector(v),)))
    ops.append(Op(QUANTIZE, (names[result.name],), (out,)))
    main = Func("main", Region((stored,), (*ops, Op("func.return", (out,), ()))), (out.type,))
    return Module({"main": main})


KINDS = (
    Kind(ISLAND, "softmax", _is_softmax),
    Kind(ISLAND, "layer_normalization", _is_layer_normalization),
    Kind(ISLAND, "normalization", _is_normalization),
    Kind(ISLAND, "batch_normalization", _is_batch_normalization),
    Kind(ISLAND, "interpolation", _is_interpolation),
    Kind(TABLE, "", _is_table),
    Kind(ISLAND, "elementwise", _is_island_function),
)
