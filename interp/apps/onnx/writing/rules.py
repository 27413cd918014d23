"""Rules of `write`: an operation on stored numbers, on floats between the two quantizers, or a quantizer.

The operators for plain types are those by which ONNX Runtime is judged (`interp/apps/runtimes`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from interp.apps.onnx.writing.graph import Writer, plain
from interp.apps.runtimes import onnx_rules, onnx_runtime, views
from interp.apps.runtimes.onnx_graph import dtype_of, onnx_type
from interp.apps.runtimes.translation import Operand, Rule, need
from interp.engine.leaf_counts import window_of
from spec.ir import Op, Region, Value
from spec.types import ELEMENT_TYPES, QuantizedType

I32 = ELEMENT_TYPES["i32"]

# Sums over windows, which ONNX has only as a Conv with ones, and means, which it has as operators.


def reduce_window(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write MaxPool, or a sum as a Conv with ones: each product is exact."""
    seen = views.fold(op, operands)
    if seen.body != "add":
        return onnx_runtime.reduce_window(graph, op, operands)
    type = seen.x.type.tensor_element_type
    need(type.kind == "float", f"no pool that adds {type}")
    need(seen.has_identity or not views.window(op).is_padded, "padding with another value than 0")

    def write(x: str, channels: int, options: dict[str, Any]) -> str:
        ones = np.ones((channels, 1, *options["kernel_shape"]), dtype_of(type))
        sums = graph.add("Conv", x, graph.hold(ones), group=channels, **options)
        graph.pools[sums] = x, options
        return sums

    handle = onnx_runtime.write_pool(graph, op, seen.x, write)
    return Operand(
        handle if seen.has_identity else graph.add("Add", handle, seen.init.handle), op.result.type
    )


def refuse_steps(op: Op) -> None:
    """Refuse an accumulator that may round or saturate after each step, which a float sum does not."""
    leaf, accumulator = (v.type.quantized_element_type for v in (op.operands[0], op.result))
    types = {v.type.element_type for v in op.regions[0].arguments}
    need(types == {accumulator} and accumulator.is_per_tensor and leaf.is_per_tensor, "several accumulators")
    need(op.regions[0].ops[0].name == "stablehlo.add", "quantized products, which are rounded at each step")
    need(accumulator.scale <= leaf.scale, "an accumulator with a larger scale than its leaves")
    if accumulator.storage_max - accumulator.storage_min >= 2**32 - 1:
        return
    shape = op.operands[0].type.shape
    number = prod(window_of(op) or (shape[k] for k in op["dimensions"]))
    ends = [abs(end - leaf.zero_point) for end in (leaf.storage_min, leaf.storage_max)]
    holds = number * max(ends) <= min(accumulator.storage_max, -accumulator.storage_min)
    same = accumulator.scale == leaf.scale and accumulator.zero_point == 0
    need(holds and same, f"an accumulator of {accumulator.storage_type}, which may saturate at each step")


def divide_by(graph: Writer, x: str, number: int) -> str:
    """Write the division by an integer: a sum by the number of its terms is AveragePool or ReduceMean."""
    made = graph.maker(x)
    if made is not None and made.op_type == "Transpose":
        inner = graph.maker(made.input[0])
        found = average(graph, inner, number) if inner is not None else None
        return graph.transpose(found, made.attribute[0].ints) if found else quotient(graph, x, number)
    found = average(graph, made, number) if made is not None else None
    return found or quotient(graph, x, number)


def average(graph: Writer, made: Any, number: int) -> str | None:
    """Return the mean in the place of a node that sums that number of elements, or None."""
    name = made.output[0]
    if name in graph.pools and prod(graph.pools[name][1]["kernel_shape"]) == number:
        x, options = graph.pools[name]
        return graph.add("AveragePool", x, count_include_pad=1, **options)
    if graph.sums.get(name) == number:
        return graph.add("ReduceMean", *made.input, keepdims=0, noop_with_empty_axes=1)
    return None


def quotient(graph: Writer, x: str, number: int) -> str:
    return graph.add("Div", x, graph.hold(np.array(number, np.float32)))


def reduce(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write a reduction, and note how many elements a sum has."""
    found = onnx_runtime.reduce(graph, op, operands)
    made = graph.maker(found.handle)
    if made is not None and made.op_type == "ReduceSum":
        graph.sums[found.handle] = prod(op.operands[0].type.shape[k] for k in op["dimensions"])
    return found


ON_STORED = ("maximum", "minimum")  # bodies that choose one of the stored numbers
BROADCASTING = {*onnx_rules.UNARY, *onnx_rules.BINARY, "compare", "select", "remainder", "is_finite"}


def in_floats(rule: Rule) -> Rule:
    """Return a rule that dequantizes the operands and quantizes the result of one on plain types."""

    def write(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
        reals = [to_reals(graph, x) for x in operands]
        found = rule(graph, float_operation(op), reals)
        return graph.quantize(found.handle, op.result.type)

    return write


def to_reals(graph: Writer, x: Operand) -> Operand:
    """Return the numbers that an operand represents."""
    if not x.type.is_quantized:
        return x
    element, value = x.quantized_type, None
    if x.value is not None and element.is_per_tensor:
        dtype = dtype_of(element.expressed_type)
        centred = (x.value.astype(np.int64) - element.zero_point).astype(dtype)
        value = centred * dtype.type(element.scale)
    return Operand(graph.dequantize(x), plain(x.type), value)


def float_operation(op: Op) -> Op:
    """Return an operation on the numbers that its operands represent."""

    def value(v: Value) -> Value:
        return replace(v, type=plain(v.type))

    regions = tuple(
        Region(tuple(map(value, r.arguments)), tuple(map(float_operation, r.ops))) for r in op.regions
    )
    return replace(
        op, operands=tuple(map(value, op.operands)), results=tuple(map(value, op.results)), regions=regions
    )


def moving(rule: Rule) -> Rule:
    """Return a rule that moves stored numbers, or numbers where one of the operands is carried."""
    floats = in_floats(rule)

    def write(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
        carried = op.result.type.is_quantized and not all(x.type.is_quantized for x in operands)
        return (floats if carried else rule)(graph, op, operands)

    return write


def pad(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Pad: of 16 bits in floats, since ONNX Runtime has none of int16; f32 gives them back exactly."""
    type = op.result.type
    is_wide = type.is_quantized and type.storage_type.bits == 16
    rule = onnx_rules.pad
    if is_wide and type.quantized_element_type.expressed_type.name == "f32":
        return in_floats(rule)(graph, op, operands)
    return moving(rule)(graph, op, operands)


def folding(rule: Rule) -> Rule:
    """Return a rule that reduces stored numbers of 8 bits if the body chooses one of them, else floats."""
    floats = in_floats(rule)

    def write(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
        bodies = {inner.name.removeprefix("stablehlo.") for inner in op.regions[0].ops[:1]}
        stored = all(x.type.is_quantized and x.type.storage_type.bits == 8 for x in operands)
        if bodies <= set(ON_STORED):
            chosen = stored and len({x.type.element_type for x in operands}) == 1
            return (rule if chosen else floats)(graph, op, operands)
        if op.result.type.is_quantized:
            refuse_steps(op)
        return floats(graph, op, operands)

    return write


def narrowing(rule: Rule) -> Rule:
    """Return a rule whose constant operands keep one element of each dimension along which they are equal."""

    def write(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
        small = [narrow(graph, x) for x in operands]
        full = any(x.value is None and x.type.shape == op.result.type.shape for x in operands)
        return rule(graph, op, small if full else operands)

    return write


def narrow(graph: Writer, x: Operand) -> Operand:
    if x.value is None or x.type.size < 2:
        return x
    kept, value = [], x.value
    element = x.type.element_type
    axis = element.quantization_dimension if x.type.is_quantized else None  # type: ignore[union-attr]
    need_all = x.type.is_quantized and x.quantized_type.block_sizes is not None
    for k in range(value.ndim):
        first = value.take([0], axis=k)
        equal = k != axis and not need_all and np.array_equal(np.broadcast_to(first, value.shape), value)
        value = first if equal else value
        kept.append(value.shape[k])
    return graph.constant(replace(x.type, shape=tuple(kept)), value)


def broadcast(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Reshape and Expand; a constant is also known by its elements."""
    found = moving(onnx_rules.broadcast)(graph, op, operands)
    (x,), shape, places = operands, op.result.type.shape, op["broadcast_dimensions"]
    if x.value is None or x.type.is_quantized != found.type.is_quantized:
        return found
    sizes = [1] * len(shape)
    for k, place in enumerate(places):
        sizes[place] = x.type.shape[k]
    moved = x.value.transpose(np.argsort(places).tolist() if places else None).reshape(sizes)
    return replace(found, value=np.broadcast_to(moved, shape))


def reshape(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Reshape; a constant is also known by its elements."""
    found, (x,) = moving(onnx_rules.reshape)(graph, op, operands), operands
    known = x.value is not None and x.type.is_quantized == found.type.is_quantized
    return replace(found, value=x.constant_elements("").reshape(op.result.type.shape)) if known else found


def convert(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Cast; an integer constant is also known by its elements."""
    found, (x,) = in_floats(PLAIN["convert"])(graph, op, operands), operands
    types = [v.type for v in (*op.operands, *op.results)]
    if x.value is None or not all(not t.is_quantized and t.storage_type.is_integer for t in types):
        return found
    return replace(found, value=x.value.astype(op.result.type.storage_type.numpy))


def requantize(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write QuantizeLinear of the numbers; from a carried value of its scales it is ONNX's own meaning."""
    before, after = op.operands[0].type, op.result.type
    rounds_first = before.is_quantized and after.is_quantized and not operands[0].type.is_quantized
    if rounds_first:
        rounds_first = before.quantized_element_type.scales == after.quantized_element_type.scales
    return graph.quantize(graph.dequantize(operands[0]), after, rounds_first)


def dequantize(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    return Operand(graph.dequantize(operands[0]), op.result.type)


def reinterpret(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Take stored numbers as they are, under another type; multiply carried ones by the ratio of scales."""
    (x,), type, before = operands, op.result.type, op.operands[0].type
    if (repr(before.storage_type), repr(type.element_type)) == ("i8", "ui8") and x.type == before:
        whole = graph.add("Cast", x.handle, to=onnx_type(I32))
        pattern = graph.add("Mod", whole, graph.hold(np.array(256, np.int32)))
        return Operand(graph.add("Cast", pattern, to=onnx_type(type.storage_type)), type)
    need(before.storage_type == type.storage_type, "bits of another type")
    if x.type.is_quantized == before.is_quantized:
        return replace(x, type=type)
    if not type.is_quantized:
        return replace(graph.store(x, before), type=type)
    old, new = before.quantized_element_type, type.quantized_element_type
    need(not any((*old.zero_points, *new.zero_points)), "a carried value with a zero point")
    need(old.block_sizes is None and new.block_sizes is None, "a carried value with blocks")
    count = max(len(old.scales), len(new.scales))
    ratios = [b / a for a, b in zip(spread(old, count), spread(new, count), strict=True)]
    if count == 1 and is_reciprocal(ratios[0]):
        return Operand(divide_by(graph, x.handle, round(1 / ratios[0])), x.type)
    along = type if len(new.scales) == count else before
    return Operand(graph.add("Mul", x.handle, graph.along(ratios, along)), x.type)


def look_up(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Gather of one entry of a table of 256 for each number of 8 bits; all of these are in bounds."""
    table, places = operands
    entry = op["slice_sizes"], op["index_vector_dim"], table.type.shape
    need(entry == ((1,), places.type.rank, (256,)), "a table that is not of 256 single entries")
    need(places.type.storage_type.name == "ui8", "indices that may be out of bounds")
    index = graph.add("Cast", places.handle, to=onnx_type(I32))
    return Operand(graph.add("Gather", table.handle, index, axis=0), op.result.type)


def spread(type: QuantizedType, count: int) -> tuple[float, ...]:
    return type.scales if len(type.scales) == count else type.scales * count


def is_reciprocal(ratio: float) -> bool:
    """Return whether a ratio of scales, which are rounded to f32, is that of a mean to its sum."""
    number = round(1 / ratio) if ratio else 0
    return number > 1 and abs(ratio * number - 1) < 2.0**-23


def divide(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Div, or the mean where a sum is divided by the number of its terms."""
    x, y = operands
    if y.value is not None and y.type.storage_type.name == "f32" and np.unique(y.value).size == 1:
        number = float(y.value.reshape(-1)[0])
        if number > 1 and number.is_integer():
            return graph.quantize(divide_by(graph, graph.dequantize(x), int(number)), op.result.type)
    return DIVIDE(graph, op, operands)


def reciprocal_root(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Reciprocal of Sqrt, which rounds twice."""
    return Operand(graph.add("Reciprocal", graph.add("Sqrt", operands[0].handle)), op.result.type)


def each(wrap: Callable[[Rule], Rule], rules: dict[str, Rule]) -> dict[str, Rule]:
    return {name: wrap(rule) for name, rule in rules.items()}


PLAIN = {name: rule for name, rule in onnx_rules.RULES.items() if not name.startswith(("uniform", "quant."))}
SAME = {name: rule for name, rule in PLAIN.items() if name in BROADCASTING}
DIVIDE = narrowing(in_floats(PLAIN["divide"]))
RULES: dict[str, Rule] = {
    **each(in_floats, PLAIN),
    **each(lambda rule: narrowing(in_floats(rule)), SAME),
    **each(moving, onnx_rules.MOVES),
    "broadcast_in_dim": broadcast,
    "reshape": reshape,
    "convert": convert,
    "pad": pad,
    "divide": divide,
    "rsqrt": in_floats(reciprocal_root),
    "reduce": folding(reduce),
    "reduce_window": folding(reduce_window),
    "uniform_quantize": requantize,
    "uniform_dequantize": dequantize,
    "quant.qcast": requantize,
    "quant.dcast": dequantize,
    "bitcast_convert": reinterpret,
    "gather": look_up,
}
