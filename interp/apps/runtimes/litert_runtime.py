"""LiteRT on the CPU, with two sets of kernels: reductions, contractions, and the rules of all operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np

from interp.apps.runtimes import litert_rules, views
from interp.apps.runtimes.litert_graph import LitertGraph, ReferenceGraph, slot_of, versions
from interp.apps.runtimes.litert_model import Node, Operator, Slot, Subgraph
from interp.apps.runtimes.litert_rules import (
    OF_STABLEHLO,
    OPERATORS,
    SCALED,
    pairs,
    quantize,
    to_order,
    to_shape,
)
from interp.apps.runtimes.translation import Operand, Rule, Runtime, need
from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType

# LiteRT: reductions, windows, matrix products and convolutions.

REDUCED = {
    "add": "SUM", "multiply": "REDUCE_PROD", "maximum": "REDUCE_MAX", "minimum": "REDUCE_MIN",
    "or": "REDUCE_ANY", "and": "REDUCE_ALL",
}  # fmt: skip
SAME, VALID = 0, 1  # the schema's Padding


def convert_leaves(graph: LitertGraph, x: Operand, type: ElementType | QuantizedType) -> Operand:
    """Convert the leaves of a reduction to the body's type, as the specification does, if that is another."""
    if x.type.element_type == type:
        return x
    target = TensorType(x.type.shape, type)
    need(x.type.is_quantized and target.is_quantized, "leaves converted between plain types")
    graph.how.append(f"QUANTIZE {x.type.storage_type} to {target.storage_type}")
    return quantize(graph, x, target)


def reduce(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write a reduction, and one more operator for an init value that is not the identity."""
    seen, type = views.fold(op, operands), op.result.type
    name = REDUCED.get(seen.body)
    boolean = type.storage_type.kind == "boolean"
    need(name is not None and boolean == (seen.body in ("or", "and")), f"a body of {seen.body}")
    need(type.is_quantized or type.storage_type.name not in SCALED, f"{type.storage_type} without a scale")
    x = convert_leaves(graph, seen.x, seen.accumulator)
    axes = graph.integers(list(op["dimensions"]))
    graph.how.append(f"{name} {x.type.storage_type}")
    y = graph.add(str(name), [x.handle, axes], type, "ReducerOptions", {"keepDims": False})
    if seen.has_identity:
        return y
    need(seen.body in OPERATORS, "an init value that is not the identity")
    init, (combine, options) = convert_leaves(graph, seen.init, seen.accumulator), OPERATORS[seen.body]
    graph.how.append(f"{combine} {x.type.storage_type}")
    return graph.add(combine, [y.handle, init.handle], type, options)


def reduce_window(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write MAX_POOL_2D for quantized operands, LiteRT's own reduce_window for plain ones."""
    seen = views.fold(op, operands)
    if not op.result.type.is_quantized:
        return plain_window(graph, op, seen)
    return pool_maxima(graph, op, seen)


def pool_maxima(graph: LitertGraph, op: Op, seen: views.Fold) -> Operand:
    """Write MAX_POOL_2D."""
    at, x, type = views.window(op), seen.x, op.result.type
    need(seen.body == "maximum", f"no quantized pool of {seen.body}")
    need(x.type.element_type == seen.accumulator, "leaves converted before a pool")
    need(seen.has_identity, "an init value that is not the identity")
    need(set(at.dilations) <= {1}, "window_dilations")
    spatial = at.spatial
    need(len(spatial) <= 2, f"windows in {len(spatial)} dimensions")
    rest = [k for k in range(len(at.size)) if k not in spatial]
    order, height = [*spatial, *rest], 2 - len(spatial)
    shape = x.type.shape
    sizes = [1] * (1 + height) + [shape[k] for k in spatial] + [prod(shape[k] for k in rest)]
    given = to_shape(graph, to_order(graph, x, order), sizes)
    values = window_options(at, spatial, height, shape)
    result = [1] * (1 + height) + [type.shape[k] for k in spatial] + [prod(type.shape[k] for k in rest)]
    graph.how.append(f"MAX_POOL_2D {x.type.storage_type}")
    pooled = TensorType(tuple(result), type.element_type)
    y = graph.add("MAX_POOL_2D", [given.handle], pooled, "Pool2DOptions", values)
    return to_order(graph, to_shape(graph, y, [type.shape[k] for k in order]), views.inverse(order))


def window_options(
    at: views.Window, spatial: Sequence[int], height: int, shape: Sequence[int]
) -> dict[str, object]:
    """Return the options of a pool in two dimensions, the first of which may be 1."""
    size, strides = ([1] * height + [x[k] for k in spatial] for x in (at.size, at.strides))
    pads = [(0, 0)] * height + [(at.low[k], at.high[k]) for k in spatial]
    sizes = [1] * height + [shape[k] for k in spatial]
    padding = padding_of(sizes, size, strides, pads)
    need(padding is not None, "padding that is neither SAME nor VALID")
    return {
        "padding": padding,
        "filterHeight": size[0],
        "filterWidth": size[1],
        "strideH": strides[0],
        "strideW": strides[1],
    }


def padding_of(
    sizes: Sequence[int], window: Sequence[int], strides: Sequence[int], pads: Sequence[tuple[int, int]]
) -> int | None:
    """Return SAME or VALID where it means these paddings; `window` is dilated."""
    if not any(map(any, pads)):
        return VALID
    totals = [
        max((-(-n // stride) - 1) * stride + k - n, 0)
        for n, k, stride in zip(sizes, window, strides, strict=True)
    ]
    same = [(total // 2, total - total // 2) for total in totals]
    return SAME if list(map(tuple, pads)) == same else None


def plain_window(graph: LitertGraph, op: Op, seen: views.Fold) -> Operand:
    """Write STABLEHLO_REDUCE_WINDOW, with its body as a graph of its own."""
    rank, type = len(op["window_dimensions"]), op.result.type
    need(seen.body in OF_STABLEHLO, f"a body of {seen.body}")
    need(seen.x.type.element_type == seen.accumulator, "leaves converted between plain types")
    pads = op.attributes.get("padding") or ((0, 0),) * rank
    ones = [1] * rank
    values: dict[str, object] = {
        "windowDimensions": list(op["window_dimensions"]),
        "windowStrides": list(op.attributes.get("window_strides") or ones),
        "baseDilations": list(op.attributes.get("base_dilations") or ones),
        "windowDilations": list(op.attributes.get("window_dilations") or ones),
        "padding": [n for pair in pads for n in pair],
        "bodySubgraphIndex": 1 + len(graph.bodies),
    }
    scalar = slot_of(TensorType((), seen.accumulator))
    node = Node(Operator(f"STABLEHLO_{seen.body.upper()}"), [0, 1], [2])
    graph.bodies.append(Subgraph([scalar] * 3, [node], [0, 1], [2]))
    graph.how.append(f"STABLEHLO_REDUCE_WINDOW {seen.body} {type.storage_type}")
    inputs = [seen.x.handle, seen.init.handle]
    return graph.add("STABLEHLO_REDUCE_WINDOW", inputs, type, "StablehloReduceWindowOptions", values)


def dot_general(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write BATCH_MATMUL on operands of rank 3."""
    at, (lhs, rhs), type = views.matrix_product(op), operands, op.result.type
    check_types(lhs, rhs, type)
    need(not rhs.type.is_quantized or rhs.quantized_type.is_per_tensor, "BATCH_MATMUL with scales per axis")
    left = to_shape(graph, to_order(graph, lhs, at.lhs_order), [at.batch, at.rows, at.contracted])
    right = to_shape(graph, to_order(graph, rhs, at.rhs_order), [at.batch, at.contracted, at.columns])
    product = TensorType((at.batch, at.rows, at.columns), type.element_type)
    graph.how.append(f"BATCH_MATMUL {lhs.type.storage_type}")
    y = graph.add("BATCH_MATMUL", [left.handle, right.handle], product, "BatchMatMulOptions")
    return to_shape(graph, y, type.shape)


def check_types(lhs: Operand, rhs: Operand, type: TensorType) -> None:
    """Require types that the kernels of contractions take: floats, or quantized operands and result."""
    number = lhs.type.is_quantized + rhs.type.is_quantized + type.is_quantized
    need(number in (0, 3), "quantized and plain types together")
    names = [x.storage_type.name for x in (lhs.type, rhs.type, type)]
    known = set(names) == {"f32"} if number == 0 else names[2] == names[0]
    need(known, f"a product of {names[0]} and {names[1]} in {names[2]}")


def convolution(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write CONV_2D, channels last; explicit padding that is neither SAME nor VALID becomes PADV2."""
    at, (lhs, rhs), type = views.kernel(op), operands, op.result.type
    check_types(lhs, rhs, type)
    symmetric = not rhs.type.is_quantized or set(rhs.quantized_type.zero_points) == {0}
    need(symmetric or rhs.type.storage_type.name == "ui8", "weights with a zero point")
    need(len(at.strides) <= 2, f"{len(at.strides)} spatial dimensions")
    x, weights = channels_last(graph, lhs, at.lhs_order), channels_last(graph, rhs, at.rhs_order)
    flat = 2 - len(at.strides)
    x, padding = write_padding(graph, x, weights, at, flat)
    values = {
        "padding": padding,
        "strideH": ([1] * flat + at.strides)[0],
        "strideW": at.strides[-1],
        "dilationHFactor": ([1] * flat + at.dilations)[0],
        "dilationWFactor": at.dilations[-1],
    }
    batch, features, *spatial = (type.shape[k] for k in at.result_order)
    result = TensorType((batch, *[1] * flat, *spatial, features), type.element_type)
    graph.how.append(f"CONV_2D {lhs.type.storage_type}")
    inputs = [x.handle, weights.handle, bias(graph, x, weights, features)]
    y = graph.add("CONV_2D", inputs, result, "Conv2DOptions", values)
    y = to_shape(graph, y, (batch, *spatial, features))
    order = [at.result_order[0], *at.result_order[2:], at.result_order[1]]
    return to_order(graph, y, views.inverse(order))


def bias(graph: LitertGraph, x: Operand, weights: Operand, features: int) -> int:
    """Keep the bias that the operator demands, of zeros."""
    if not x.type.is_quantized:
        return graph.hold(Slot("float32", (features,), data=np.zeros(features, np.float32)))
    scales = [
        float(np.float32(x.quantized_type.scale) * np.float32(s)) for s in weights.quantized_type.scales
    ]
    data = np.zeros(features, np.int64 if x.type.storage_type.name == "i16" else np.int32)
    return graph.hold(Slot(data.dtype.name, (features,), scales, data=data))


def channels_last(graph: LitertGraph, x: Operand, order: Sequence[int]) -> Operand:
    """Bring (batch, feature, spatial...) into (batch, spatial..., feature), with two spatial dimensions."""
    if x.type.is_quantized and x.quantized_type.is_per_axis:
        return weights_per_axis(graph, x, [order[0], *order[2:], order[1]])
    x = to_order(graph, x, [order[0], *order[2:], order[1]])
    first, *rest = x.type.shape
    return to_shape(graph, x, [first, *[1] * (3 - len(rest)), *rest])


def weights_per_axis(graph: LitertGraph, x: Operand, order: Sequence[int]) -> Operand:
    """Keep known weights in the order that CONV_2D takes, with scales along the output features."""
    element = x.quantized_type
    need(element.quantization_dimension == order[0], "scales along another dimension than output features")
    values = x.constant_elements("weights with scales per axis").transpose(order)
    first, *rest = values.shape
    values = values.reshape(first, *[1] * (3 - len(rest)), *rest)
    return graph.constant(TensorType(values.shape, replace(element, quantization_dimension=0)), values)


def write_padding(
    graph: LitertGraph, x: Operand, weights: Operand, at: views.Kernel, flat: int
) -> tuple[Operand, int]:
    """Return the operand and SAME or VALID; other paddings are written as PADV2 with the zero point."""
    window = [
        (k - 1) * d + 1 for k, d in zip(weights.type.shape[1:3], [1] * flat + at.dilations, strict=True)
    ]
    pads = [(0, 0)] * flat + at.pads
    found = padding_of(x.type.shape[1:3], window, [1] * flat + at.strides, pads)
    if found is not None:
        return x, found
    low, high = ([0, *(pair[k] for pair in pads), 0] for k in (0, 1))
    shape = [n + a + b for n, a, b in zip(x.type.shape, low, high, strict=True)]
    type = TensorType(tuple(shape), x.type.element_type)
    zero = views.identity("add", x.type.element_type)
    value = graph.constant(TensorType((), x.type.element_type), views.scalar(zero, x.type))
    y = graph.add("PADV2", [x.handle, pairs(graph, low, high), value.handle], type, "PadV2Options")
    return y, VALID


FOLDS: dict[str, Rule] = {
    "reduce": reduce,
    "reduce_window": reduce_window,
    "dot_general": dot_general,
    "convolution": convolution,
}


RULES = litert_rules.RULES | litert_rules.MOVES | FOLDS
RUNTIMES = {
    "litert": Runtime("litert", versions, LitertGraph, RULES),
    "litert-reference": Runtime("litert-reference", versions, ReferenceGraph, RULES),
}
