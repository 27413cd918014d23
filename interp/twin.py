"""`twin`: the float program that a quantized one stands for. A transformation of the IR, for XLA to run.

Every quantized type becomes its expressed type; quantizing and dequantizing become nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from interp.identity import combining, identity
from interp.namespace import fl
from interp.ops.conversion import CUSTOM_CALLS
from interp.tensor import Tensor
from spec.errors import Unsupported
from spec.ir import Dense, Func, Module, Op, Region, Value
from spec.types import ElementType, QuantizedType, TensorType


class Rewritten(NamedTuple):
    """What an op becomes: new ops, and the values that stand for its results."""

    ops: tuple[Op, ...]
    results: tuple[Value, ...]


@dataclass(frozen=True)
class Original:
    """An op as it was, beside its rewritten operands and regions."""

    module: Module
    op: Op
    operands: tuple[Value, ...]
    regions: tuple[Region, ...]

    def new(self, name: str, operands: Sequence[Value], results: Sequence[Value], **attributes: Any) -> Op:
        return Op(name, tuple(operands), tuple(results), attributes, location=self.op.location)

    def fresh(self, label: str, type: TensorType) -> Value:
        """A value of its own, named after the op's first result."""
        return Value(f"%{label}_{self.op.results[0].name.strip('%').replace('#', '_')}", type)


def twin(module: Module) -> Module:
    """The float twin: the same functions on expressed values. `Unsupported` where storage is
    reinterpreted."""
    functions = {name: _function(module, func) for name, func in module.functions.items()}
    return Module(functions, source=module.source)


def plain(type: TensorType) -> TensorType:
    """The expressed type of a quantized tensor; any other as it is."""
    element = type.element_type
    return replace(type, element_type=element.expressed_type) if isinstance(element, QuantizedType) else type


def body_ops(module: Module, body: Region) -> list[Op | None]:
    """Per operand of a reduction the one operation that combines it, in the function that the body calls if
    it does."""
    while len(body.ops) == 2 and body.ops[0].name == "func.call" and body.ops[0].operands == body.arguments:
        body = module[body.ops[0]["callee"].name].body
    return [combining(body, k) for k in range(len(body.arguments) // 2)]


def _function(module: Module, func: Func) -> Func:
    results = tuple(plain(type) for type in func.results)
    return replace(func, body=_region(module, func.body, {}), results=results)


def _region(module: Module, region: Region, outer: Mapping[str, Value]) -> Region:
    arguments = tuple(Value(v.name, plain(v.type)) for v in region.arguments)
    env = {**outer, **{v.name: v for v in arguments}}
    ops: list[Op] = []
    for op in region.ops:
        operands = tuple(env[v.name] for v in op.operands)
        regions = tuple(_region(module, inner, env) for inner in op.regions)
        new, results = RULES.get(op.name, _same)(Original(module, op, operands, regions))
        ops += new
        env.update((old.name, value) for old, value in zip(op.results, results, strict=True))
    return Region(arguments, tuple(ops))


def _same(at: Original) -> Rewritten:
    """The op on expressed values."""
    results = tuple(Value(v.name, plain(v.type)) for v in at.op.results)
    op = replace(at.op, operands=at.operands, results=results, regions=at.regions)
    return Rewritten((op,), results)


def _alias(at: Original) -> Rewritten:
    """Nothing, or a conversion where the float type changes."""
    return _converted(at, at.operands[0], plain(at.op.result.type), at.op.result.name)


def _converted(at: Original, value: Value, type: TensorType, name: str) -> Rewritten:
    if value.type.element_type == type.element_type:
        return Rewritten((), (value,))
    result = Value(name, replace(value.type, element_type=type.element_type))
    return Rewritten((at.new("stablehlo.convert", [value], [result]),), (result,))


def _custom_call(at: Original) -> Rewritten:
    return _alias(at) if at.op["call_target_name"] in CUSTOM_CALLS else _same(at)


def _constant(at: Original) -> Rewritten:
    """Quantized constants are dequantized."""
    dense, result = at.op["value"], Value(at.op.result.name, plain(at.op.result.type))
    if at.op.result.type.is_quantized:
        stored = np.frombuffer(dense.data, np.dtype(at.op.result.type.storage_type.numpy))
        shape = at.op.result.type.shape
        storage = np.broadcast_to(stored.reshape(() if dense.splat else shape), shape)
        dense = _dense(Tensor(at.op.result.type, storage).dequantize(), result.type)
    return Rewritten((at.new("stablehlo.constant", [], [result], value=dense),), (result,))


def _dense(values: Any, type: TensorType) -> Dense:
    assert isinstance(type.element_type, ElementType)
    return Dense(type, np.asarray(values, np.dtype(type.element_type.numpy)).tobytes())


def _iota(at: Original) -> Rewritten:
    if at.op.result.type.is_quantized:
        raise _reinterpreted(at.op, "an iota of storage integers")
    return _same(at)


def _compare(at: Original) -> Rewritten:
    """`compare_type` is the storage's; floats have their own."""
    op = at.op
    if op.operands[0].type.is_quantized:
        kept = {name: value for name, value in op.attributes.items() if name != "compare_type"}
        op = replace(op, attributes=kept)
    return _same(replace(at, op=op))


def _bitcast_convert(at: Original) -> Rewritten:
    """The mean idiom: the same storage under the scale `s / n` is a multiplication."""
    source, result = at.op.operands[0].type.element_type, at.op.result.type.element_type
    if not isinstance(source, QuantizedType) and not isinstance(result, QuantizedType):
        return _same(at)
    ratio = rescaling(source, result)
    if ratio is None:
        raise _reinterpreted(at.op, f"from {source!r} to {result!r}")
    type = at.operands[0].type
    factor = at.fresh("ratio", type)
    out = Value(at.op.result.name, type)
    splat = Dense(type, _dense(ratio, TensorType((), type.element_type)).data, splat=True)
    constant = at.new("stablehlo.constant", [], [factor], value=splat)
    return Rewritten((constant, at.new("stablehlo.multiply", [at.operands[0], factor], [out])), (out,))


def rescaling(source: ElementType | QuantizedType, result: ElementType | QuantizedType) -> float | None:
    """What a reinterpretation of storage multiplies values by, or None where it does not multiply them."""
    if not isinstance(source, QuantizedType) or not isinstance(result, QuantizedType):
        return None
    same = source.storage_type == result.storage_type and source.zero_points == result.zero_points
    if not same or source.expressed_type != result.expressed_type:
        return None
    if not source.is_per_tensor or not result.is_per_tensor:
        return None
    expressed = result.expressed_type
    return fl(fl(result.scale, expressed) / fl(source.scale, expressed), expressed)


def _reinterpreted(op: Op, evidence: str) -> Unsupported:
    return Unsupported(
        f"{op.name} reinterprets storage, which has no float twin",
        f"{evidence}\ncompare with your own function: interp.compare(module, ..., against=jax_function)",
        op.location,
    )


def _contraction(at: Original) -> Rewritten:
    """Operands in the result's type."""
    return _with_operands(at, [plain(at.op.result.type)] * 2)


def _with_operands(at: Original, types: Sequence[TensorType]) -> Rewritten:
    """The op on operands converted to the element types of `types`."""
    ops, operands = _conversions(at, at.operands, types)
    same = _same(replace(at, operands=operands))
    return Rewritten((*ops, *same.ops), same.results)


def _conversions(
    at: Original, values: Sequence[Value], types: Sequence[TensorType], label: str = "operand"
) -> Rewritten:
    pairs = [
        _converted(at, value, type, at.fresh(f"{label}{k}", type).name)
        for k, (value, type) in enumerate(zip(values, types, strict=True))
    ]
    return Rewritten(tuple(op for p in pairs for op in p.ops), tuple(v for p in pairs for v in p.results))


def _reduction(at: Original) -> Rewritten:
    """Inputs and init values in the body's types, init values outside where the body has an identity.

    XLA takes an init value for one: it counts it once per block of 32 elements, or not at all for a single
    element, where the specification counts it once (erratum E9).
    """
    body = at.regions[0]
    ops, operands = _conversions(at, at.operands, [v.type for v in body.arguments])
    half = len(operands) // 2
    inputs, inits = operands[:half], operands[half:]
    shape = at.op.results[0].type.shape
    reduced = tuple(at.fresh(f"reduced{k}", replace(v.type, shape=shape)) for k, v in enumerate(body.returns))
    combine = [op for op in body_ops(at.module, at.op.regions[0]) if op]
    starts = [start for k, op in enumerate(combine) if (start := _start(at, k, op))]
    if len(starts) < half:
        ops += (replace(at.op, operands=operands, results=reduced, regions=(body,)),)
    else:
        padding, attributes, inputs = _padded(at, inputs, inits)
        operands = (*inputs, *(start.result for start in starts))
        reduction = Op(at.op.name, operands, reduced, attributes, (body,), at.op.location)
        last, reduced = _combined(at, [op.name for op in combine], inits, reduced)
        ops += (*padding, *starts, reduction, *last)
    new, results = _conversions(at, reduced, [plain(v.type) for v in at.op.results], "result")
    return Rewritten((*ops, *new), results)


def _start(at: Original, k: int, op: Op) -> Op | None:
    """The identity of a body's operation as a constant, where there is one."""
    start = at.fresh(f"start{k}", at.regions[0].arguments[k].type)
    value = identity(replace(op, results=(start,)))
    return (
        None if value is None else at.new("stablehlo.constant", [], [start], value=_dense(value, start.type))
    )


def _combined(
    at: Original, names: Sequence[str], inits: Sequence[Value], reduced: Sequence[Value]
) -> Rewritten:
    """`name(broadcast(init), reduced)` per operand."""
    ops: list[Op] = []
    wholes = tuple(at.fresh(f"whole{k}", v.type) for k, v in enumerate(reduced))
    for name, init, value, whole in zip(names, inits, reduced, wholes, strict=True):
        spread = Value(f"{whole.name}_init", whole.type)
        ops.append(at.new("stablehlo.broadcast_in_dim", [init], [spread], broadcast_dimensions=()))
        ops.append(at.new(name, [spread, value], [whole]))
    return Rewritten(tuple(ops), wholes)


def _padded(
    at: Original, inputs: Sequence[Value], inits: Sequence[Value]
) -> tuple[tuple[Op, ...], dict[str, Any], tuple[Value, ...]]:
    """A reduce_window's padding and base dilation as `pad` ops: they are leaves of the init value (E10)."""
    attributes = dict(at.op.attributes)
    edges, dilations = attributes.get("padding", ()), attributes.get("base_dilations", ())
    if set(edges) <= {(0, 0)} and set(dilations) <= {1}:
        return (), attributes, tuple(inputs)
    low, high = zip(*edges, strict=True)
    sizes = zip(inputs[0].type.shape, edges, dilations, strict=True)
    shape = tuple(sum(edge) + ((n - 1) * d + 1 if n else 0) for n, edge, d in sizes)
    steps = {
        "edge_padding_low": low,
        "edge_padding_high": high,
        "interior_padding": tuple(d - 1 for d in dilations),
    }
    padded = tuple(at.fresh(f"padded{k}", replace(v.type, shape=shape)) for k, v in enumerate(inputs))
    ops = tuple(
        at.new("stablehlo.pad", [value, init], [result], **steps)
        for value, init, result in zip(inputs, inits, padded, strict=True)
    )
    attributes |= {"padding": ((0, 0),) * len(edges), "base_dilations": (1,) * len(edges)}
    return ops, attributes, padded


def _select_and_scatter(at: Original) -> Rewritten:
    """XLA wants one element type throughout: that of `scatter`. Widening keeps what `select` compares."""
    source, element = at.operands[0].type, at.regions[1].arguments[0].type
    if source.rank == 0 or source.storage_type.kind != element.storage_type.kind:
        raise Unsupported(
            f"{at.op.name} on {source!r} has no float twin",
            "XLA wants rank 1 at least (its compiler aborts the process) and one element type throughout",
            at.op.location,
        )
    select = _retyped(at.regions[0], source.element_type, element.element_type)
    return _with_operands(replace(at, regions=(select, at.regions[1])), [element] * 3)


def _retyped(region: Region, source: Any, element: Any) -> Region:
    def value(v: Value) -> Value:
        return replace(v, type=replace(v.type, element_type=element)) if v.type.element_type == source else v

    def values(vs: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(map(value, vs))

    ops = tuple(replace(op, operands=values(op.operands), results=values(op.results)) for op in region.ops)
    return Region(values(region.arguments), ops)


RULES: dict[str, Callable[[Original], Rewritten]] = {
    "stablehlo.uniform_quantize": _alias,
    "stablehlo.uniform_dequantize": _alias,
    "quant.qcast": _alias,
    "quant.dcast": _alias,
    "quant.scast": _bitcast_convert,
    "stablehlo.custom_call": _custom_call,
    "stablehlo.constant": _constant,
    "arith.constant": _constant,
    "stablehlo.iota": _iota,
    "stablehlo.compare": _compare,
    "stablehlo.bitcast_convert": _bitcast_convert,
    "stablehlo.dot_general": _contraction,
    "stablehlo.convolution": _contraction,
    "stablehlo.reduce": _reduction,
    "stablehlo.reduce_window": _reduction,
    "stablehlo.select_and_scatter": _select_and_scatter,
}
