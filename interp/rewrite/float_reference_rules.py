"""The float reference of each operation: on expressed types, without quantizing and dequantizing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from interp.backends import fl
from interp.backends.dtypes import numpy_dtype
from interp.engine.bodies import body_ops
from interp.engine.leaf_counts import WINDOW, WINDOWED, dilation_factors
from interp.engine.storage import identity
from interp.engine.tensor import Tensor
from interp.loading.source import RESERVED
from spec.attributes import ALGORITHM, Dense
from spec.errors import Unsupported
from spec.ir import Module, Op, Region, Value
from spec.op_attributes import TF32
from spec.types import ELEMENT_TYPES, TOKEN, ElementType, QuantizedType, TensorType


class Rewritten(NamedTuple):
    """Replacement of an operation: new operations, and the values that replace its results."""

    ops: tuple[Op, ...]
    results: tuple[Value, ...]


@dataclass(frozen=True)
class Original:
    """An operation before rewriting, with its operands and regions after."""

    module: Module
    op: Op
    operands: tuple[Value, ...]
    regions: tuple[Region, ...]

    def new(self, name: str, operands: Sequence[Value], results: Sequence[Value], **attributes: Any) -> Op:
        return Op(name, tuple(operands), tuple(results), attributes, location=self.op.location)

    def fresh(self, label: str, type: TensorType) -> Value:
        """Return a new value, named after the operation's first result."""
        name = self.op.results[0].name.removeprefix("%").replace("#", ".")
        return Value(f"%{label}{RESERVED}{name}", type)


def plain(type: TensorType) -> TensorType:
    """Return the expressed type of a quantized tensor, f32 for tf32; any other type unchanged.

    No tensor has the type tf32, and f32 is nearer to the exact numbers.
    """
    element = type.element_type
    if not isinstance(element, QuantizedType):
        return type
    expressed = element.expressed_type
    return replace(type, element_type=ELEMENT_TYPES["f32"] if expressed.name == TF32 else expressed)


def same(at: Original) -> Rewritten:
    """Return the same operation on expressed values."""
    results = tuple(Value(v.name, plain(v.type)) for v in at.op.results)
    op = replace(at.op, operands=at.operands, results=results, regions=at.regions)
    return Rewritten((op,), results)


def body(at: Original) -> Rewritten:
    """Return the operations of the only region, which is isolated, on the operands."""
    (region,) = at.regions
    known = {old.name: new for old, new in zip(region.arguments, at.operands, strict=True)}
    ops = tuple(reading(op, known) for op in region.ops[:-1])
    return Rewritten(ops, tuple(known.get(v.name, v) for v in region.returns))


def reading(op: Op, known: Mapping[str, Value]) -> Op:
    """Return an operation that reads other values in place of the known ones, in its regions too."""
    regions = tuple(
        replace(region, ops=tuple(reading(inner, known) for inner in region.ops)) for region in op.regions
    )
    return replace(op, operands=tuple(known.get(v.name, v) for v in op.operands), regions=regions)


def skip_callback(at: Original) -> Rewritten:
    """Remove a callback without results; its token is replaced by a token that it took."""
    tokens = [value for value in at.operands if value.type == TOKEN]
    ops = tuple(at.new("stablehlo.after_all", tokens, [result]) for result in at.op.results)
    return Rewritten(ops, at.op.results)


def alias(at: Original) -> Rewritten:
    """Remove the operation, or replace it by a conversion if the float type changes."""
    return _convert(at, at.operands[0], plain(at.op.result.type), at.op.result.name)


def _convert(at: Original, value: Value, type: TensorType, name: str) -> Rewritten:
    if value.type.element_type == type.element_type:
        return Rewritten((), (value,))
    result = Value(name, replace(value.type, element_type=type.element_type))
    return Rewritten((at.new("stablehlo.convert", [value], [result]),), (result,))


def none(at: Original) -> Rewritten:
    """Raise `Unsupported`: nothing stands for a gradient of rounding."""
    advice = "compare with your own function: interp.compare(module, ..., against=jax_function)"
    raise Unsupported(f"{at.op.name} has no float reference", advice, at.op.location)


def constant(at: Original) -> Rewritten:
    """Return the constant, dequantized if it is quantized."""
    dense, result = at.op["value"], Value(at.op.result.name, plain(at.op.result.type))
    if at.op.result.type.is_quantized:
        stored = np.frombuffer(dense.data, numpy_dtype(at.op.result.type.storage_type))
        shape = at.op.result.type.shape
        storage = np.broadcast_to(stored.reshape(() if dense.splat else shape), shape)
        dense = dense_of(Tensor(at.op.result.type, storage).dequantize(), result.type)
    return Rewritten((at.new("stablehlo.constant", [], [result], value=dense),), (result,))


def dense_of(values: Any, type: TensorType) -> Dense:
    """Return numbers as a constant of a plain type."""
    assert isinstance(type.element_type, ElementType)
    return Dense(type, np.asarray(values, numpy_dtype(type.element_type)).tobytes())


def compare(at: Original) -> Rewritten:
    """Return the comparison with the `compare_type` of floats, since that of the storage no longer fits."""
    op = at.op
    if op.operands[0].type.is_quantized:
        kept = {name: value for name, value in op.attributes.items() if name != "compare_type"}
        op = replace(op, attributes=kept)
    return same(replace(at, op=op))


def bitcast_convert(at: Original) -> Rewritten:
    """Return a reinterpretation of storage under the scale `s / n`, an idiom for a mean, as a product."""
    source, result = at.op.operands[0].type.element_type, at.op.result.type.element_type
    if not isinstance(source, QuantizedType) and not isinstance(result, QuantizedType):
        return same(at)
    ratio = rescaling(source, result)
    if ratio is None:
        raise _reinterpretation_error(at.op, f"from {source!r} to {result!r}")
    type = at.operands[0].type
    out = Value(at.op.result.name, type)
    factor, constants = _factor(at, ratio, type)
    return Rewritten((*constants, at.new("stablehlo.multiply", [at.operands[0], factor], [out])), (out,))


def _factor(at: Original, ratio: np.ndarray, type: TensorType) -> tuple[Value, list[Op]]:
    """Return factors, one for all elements or one for each index of an axis, as a tensor of a type."""
    result = at.op.result.type.element_type
    factor = at.fresh("ratio", type)
    if not isinstance(result, QuantizedType) or not result.is_per_axis:
        splat = Dense(type, dense_of(ratio, TensorType((), type.element_type)).data, splat=True)
        return factor, [at.new("stablehlo.constant", [], [factor], value=splat)]
    factors = at.fresh("ratios", TensorType((ratio.size,), type.element_type))
    axis = (result.quantization_dimension or 0,)
    return factor, [
        at.new("stablehlo.constant", [], [factors], value=dense_of(ratio, factors.type)),
        at.new("stablehlo.broadcast_in_dim", [factors], [factor], broadcast_dimensions=axis),
    ]


def rescaling(source: ElementType | QuantizedType, result: ElementType | QuantizedType) -> np.ndarray | None:
    """Return the factors that reinterpreting storage multiplies values by, or None if it does not multiply.

    There is one factor, or one for each index of the quantization dimension, which both types have then.
    """
    if not isinstance(source, QuantizedType) or not isinstance(result, QuantizedType):
        return None
    alike = source.storage_type == result.storage_type and source.zero_points == result.zero_points
    if not alike or source.expressed_type != result.expressed_type:
        return None
    if (source.block_sizes, source.quantization_dimension) != (None, result.quantization_dimension):
        return None
    expressed = result.expressed_type
    pairs = zip(result.scales, source.scales, strict=True)
    factors = [fl(fl(new, expressed) / fl(old, expressed), expressed) for new, old in pairs]
    return np.asarray(factors if result.is_per_axis else factors[0])


def _reinterpretation_error(op: Op, evidence: str) -> Unsupported:
    return Unsupported(
        f"{op.name} reinterprets storage, which has no float reference",
        f"{evidence}\ncompare with your own function: interp.compare(module, ..., against=jax_function)",
        op.location,
    )


def contraction(at: Original) -> Rewritten:
    """Return a contraction on one type: one that holds both float types if they differ, else the result's.

    The attribute `algorithm` is removed, since XLA's CPU backend supports few.
    """
    kept = {name: x for name, x in at.op.attributes.items() if name not in ALGORITHM}
    at = replace(at, op=replace(at.op, attributes=kept))
    result = plain(at.op.result.type)
    elements = {v.type.storage_type for v in at.operands} | {result.storage_type}
    if len(elements) == 1 or any(element.kind != "float" for element in elements):
        return with_operands(at, [result] * 2)
    wide = ELEMENT_TYPES["f64" if ELEMENT_TYPES["f64"] in elements else "f32"]
    total = at.fresh("wide", replace(result, element_type=wide))
    ops, operands = conversions(at, at.operands, [total.type] * 2)
    whole = replace(at.op, operands=operands, results=(total,))
    narrow, results = _convert(at, total, result, at.op.result.name)
    return Rewritten((*ops, whole, *narrow), results)


def with_operands(at: Original, types: Sequence[TensorType]) -> Rewritten:
    """Return the operation on operands converted to the element types of `types`."""
    ops, operands = conversions(at, at.operands, types)
    rest = same(replace(at, operands=operands))
    return Rewritten((*ops, *rest.ops), rest.results)


def conversions(
    at: Original, values: Sequence[Value], types: Sequence[TensorType], label: str = "operand"
) -> Rewritten:
    """Return the conversions of values to the element types of `types`, and their results."""
    pairs = [
        _convert(at, value, type, at.fresh(f"{label}{k}", type).name)
        for k, (value, type) in enumerate(zip(values, types, strict=True))
    ]
    return Rewritten(tuple(op for p in pairs for op in p.ops), tuple(v for p in pairs for v in p.results))


# The float references of reductions, in a form that XLA computes as the specification defines it.


def reduction(at: Original) -> Rewritten:
    """Return a reduction of inputs and init values in the body's types.

    If the body has an identity, init values are combined outside the reduction: XLA assumes that an init
    value is the identity, and counts it once per block of 32 elements, or not at all for a single element,
    while the specification counts it once (erratum E9).
    """
    at = _cut(at)
    converted = conversions(at, at.operands, [v.type for v in at.regions[0].arguments])
    half = len(at.operands) // 2
    inputs, inits = converted.results[:half], converted.results[half:]
    apart = [
        _apart(at, k, combine, inputs[k], inits[k])
        for k, combine in enumerate(body_ops(at.module, at.op.regions[0]))
        if combine and _identity(at, k, combine) is not None
    ]
    if len(apart) == half:
        ops = tuple(op for part in apart for op in part.ops)
        reduced = tuple(value for part in apart for value in part.results)
    else:
        reduced = tuple(_accumulator_value(at, f"reduced{k}", k) for k in range(half))
        ops = (replace(at.op, operands=converted.results, results=reduced, regions=at.regions),)
    finished = conversions(at, reduced, [plain(v.type) for v in at.op.results], "result")
    return Rewritten((*converted.ops, *ops, *finished.ops), finished.results)


def _cut(at: Original) -> Original:
    """Limit negative padding to the operand's size: otherwise XLA aborts the process."""
    if at.op.name not in WINDOWED:
        return at
    dilations = dilation_factors(at.op, "base_dilations")
    sizes = [(n - 1) * d + 1 if n else 0 for n, d in zip(at.operands[0].type.shape, dilations, strict=True)]
    padding = zip(sizes, at.op["padding"], strict=True)
    edges = tuple((low, max(high, -low - size)) for size, (low, high) in padding)
    return replace(at, op=replace(at.op, attributes={**at.op.attributes, "padding": edges}))


def _accumulator_value(at: Original, label: str, k: int) -> Value:
    """Return a value of the shape of result k, in the body's type."""
    return at.fresh(label, replace(at.regions[0].arguments[k].type, shape=at.op.results[k].type.shape))


def _identity(at: Original, k: int, combine: Op) -> Any:
    """Return the identity of a body's operation on expressed values."""
    result = replace(combine.result, type=at.regions[0].arguments[k].type)
    return identity(replace(combine, results=(result,)))


def _apart(at: Original, k: int, combine: Op, value: Value, init: Value) -> Rewritten:
    """Return the reduction of operand k alone: `combine(init, r)`, where r reduces from the identity."""
    scalar = at.regions[0].arguments[k].type
    a, b, c, start = (at.fresh(f"{label}{k}", scalar) for label in ("lhs", "rhs", "both", "start"))
    body = Region((a, b), (at.new(combine.name, [a, b], [c]), at.new("stablehlo.return", [c], [])))
    padding, attributes, value = _explicit_padding(at, k, value, init)
    reduced, spread, whole = (
        _accumulator_value(at, f"{label}{k}", k) for label in ("reduced", "init", "whole")
    )
    neutral = dense_of(_identity(at, k, combine), scalar)
    ops = (
        at.new("stablehlo.constant", [], [start], value=neutral),
        Op(at.op.name, (value, start), (reduced,), attributes, (body,), at.op.location),
        at.new("stablehlo.broadcast_in_dim", [init], [spread], broadcast_dimensions=()),
        at.new(combine.name, [spread, reduced], [whole]),
    )
    return Rewritten((*padding, *ops), (whole,))


def _explicit_padding(
    at: Original, k: int, value: Value, init: Value
) -> tuple[tuple[Op, ...], dict[str, Any], Value]:
    """Return a reduce_window's padding and base dilation as a `pad` with the init value (E10)."""
    attributes = dict(at.op.attributes)
    if at.op.name != WINDOW:
        return (), attributes, value
    edges, dilations = at.op["padding"], at.op["base_dilations"]
    if set(edges) <= {(0, 0)} and set(dilations) <= {1}:
        return (), attributes, value
    low, high = zip(*edges, strict=True)
    sizes = zip(value.type.shape, edges, dilations, strict=True)
    shape = tuple(sum(edge) + ((n - 1) * d + 1 if n else 0) for n, edge, d in sizes)
    padded = at.fresh(f"padded{k}", replace(value.type, shape=shape))
    pad = at.new(
        "stablehlo.pad",
        [value, init],
        [padded],
        edge_padding_low=low,
        edge_padding_high=high,
        interior_padding=tuple(d - 1 for d in dilations),
    )
    attributes |= {"padding": ((0, 0),) * len(edges), "base_dilations": (1,) * len(edges)}
    return (pad,), attributes, padded


def select_and_scatter(at: Original) -> Rewritten:
    """Convert to the element type of `scatter`, since XLA demands one type; `select` compares as before."""
    at = _cut(at)
    source, element = at.operands[0].type, at.regions[1].arguments[0].type
    if source.rank == 0 or source.storage_type.kind != element.storage_type.kind:
        raise Unsupported(
            f"{at.op.name} on {source!r} has no float reference",
            "XLA needs at least rank 1 (else its compiler aborts the process) and a single element type",
            at.op.location,
        )
    if 0 in at.operands[1].type.shape:
        return _nothing_scattered(at, element)
    select = _retype_region(at.regions[0], source.element_type, element.element_type)
    return with_operands(replace(at, regions=(select, at.regions[1])), [element] * 3)


def _nothing_scattered(at: Original, element: TensorType) -> Rewritten:
    """Return the init everywhere: no window fits, and XLA of jaxlib 0.8.1 compiles such a program forever."""
    init = at.operands[2]
    scalar = at.fresh("init", replace(init.type, element_type=element.element_type))
    out = Value(at.op.result.name, replace(at.operands[0].type, element_type=element.element_type))
    convert = at.new("stablehlo.convert", [init], [scalar])
    return Rewritten(
        (convert, at.new("stablehlo.broadcast_in_dim", [scalar], [out], broadcast_dimensions=())), (out,)
    )


def scatter(at: Original) -> Rewritten:
    """Convert inputs and updates to the body's types once; XLA would convert at every step.

    XLA skips a window that is not wholly in bounds, while the specification skips single elements: then the
    reference differs.
    """
    n, types = len(at.op.results), [value.type for value in at.regions[0].arguments]
    return with_operands(at, [*types[:n], at.operands[n].type, *types[n:]])


def _retype_region(region: Region, source: Any, element: Any) -> Region:
    def value(v: Value) -> Value:
        return replace(v, type=replace(v.type, element_type=element)) if v.type.element_type == source else v

    def values(vs: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(map(value, vs))

    ops = tuple(replace(op, operands=values(op.operands), results=values(op.results)) for op in region.ops)
    return Region(values(region.arguments), ops)
