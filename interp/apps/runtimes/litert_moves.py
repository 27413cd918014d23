"""LiteRT: operations that move elements; quantized tensors keep their parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interp.apps.runtimes.litert_graph import LitertGraph
from interp.apps.runtimes.litert_model import Slot
from interp.apps.runtimes.translation import Operand, Rule, need
from spec.ir import Op
from spec.types import TensorType

VERSIONS = {"BROADCAST_TO": 3}  # the least that is registered for every type; others are of version 1

VERSIONS = {"BROADCAST_TO": 3}  # the least that is registered for every type; others are of version 1


def write_move(
    graph: LitertGraph,
    name: str,
    x: Operand,
    others: Sequence[int],
    shape: Sequence[int],
    options: str = "",
    **values: Any,
) -> Operand:
    """Write an operator whose result has the element type of `x`, and another shape."""
    graph.how.append(f"{name} {x.type.storage_type}")
    type = TensorType(tuple(shape), x.type.element_type)
    return graph.add(name, [x.handle, *others], type, options, values, VERSIONS.get(name, 1))


def to_shape(graph: LitertGraph, x: Operand, shape: Sequence[int]) -> Operand:
    """Write RESHAPE unless the shape is the same; it is not noted, as it serves another operator."""
    if tuple(shape) == x.type.shape:
        return x
    type = TensorType(tuple(shape), x.type.element_type)
    return graph.add(
        "RESHAPE", [x.handle, graph.integers(shape)], type, "ReshapeOptions", {"newShape": list(shape)}
    )


def to_order(graph: LitertGraph, x: Operand, order: Sequence[int]) -> Operand:
    """Write TRANSPOSE unless the order is the same; it is not noted, as it serves another operator."""
    if list(order) == sorted(order):
        return x
    need(x.quantized_type.is_per_tensor if x.type.is_quantized else True, "scales per axis, transposed")
    type = TensorType(tuple(x.type.shape[k] for k in order), x.type.element_type)
    return graph.add("TRANSPOSE", [x.handle, graph.integers(order)], type, "TransposeOptions")


def operand_to_move(op: Op, operands: Sequence[Operand]) -> Operand:
    """Return the first operand, whose element type must be that of the result and per tensor."""
    x, element = operands[0], op.result.type.element_type
    need(x.type.element_type == element, "operands and results of other parameters")
    need(not x.type.is_quantized or x.quantized_type.is_per_tensor, "scales per axis")
    return x


def reshape(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    shape = op.result.type.shape
    x = operand_to_move(op, operands)
    return write_move(graph, "RESHAPE", x, [graph.integers(shape)], shape, "ReshapeOptions", newShape=list(shape))


def transpose(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    order = graph.integers(list(op["permutation"]))
    return write_move(graph, "TRANSPOSE", operand_to_move(op, operands), [order], op.result.type.shape, "TransposeOptions")


def concatenate(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    need(len({x.type.element_type for x in operands}) == 1, "operands of several types")
    x, *rest = operand_to_move(op, operands), *operands[1:]
    others = [y.handle for y in rest]
    shape, axis = op.result.type.shape, op["dimension"]
    return write_move(graph, "CONCATENATION", x, others, shape, "ConcatenationOptions", axis=axis)


def slice(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    lists = [graph.integers(op[name]) for name in ("start_indices", "limit_indices", "strides")]
    x = operand_to_move(op, operands)
    return write_move(graph, "STRIDED_SLICE", x, lists, op.result.type.shape, "StridedSliceOptions")


def reverse(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    axes = graph.integers(list(op["dimensions"]))
    x = operand_to_move(op, operands)
    return write_move(graph, "REVERSE_V2", x, [axes], op.result.type.shape, "ReverseV2Options")


def broadcast(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write RESHAPE, which puts every dimension in its place, and BROADCAST_TO."""
    x, shape, places = operand_to_move(op, operands), op.result.type.shape, list(op["broadcast_dimensions"])
    order = np.argsort(places).tolist() if places else []
    sizes = [1] * len(shape)
    for k, place in enumerate(places):
        sizes[place] = x.type.shape[k]
    placed = to_shape(graph, to_order(graph, x, order), sizes)
    return write_move(graph, "BROADCAST_TO", placed, [graph.integers(shape)], shape, "BroadcastToOptions")


def pad(graph: LitertGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write STABLEHLO_PAD for plain types, else PADV2, which cannot pad between elements or remove some."""
    x, value = operand_to_move(op, operands), operands[1]
    need(value.type.element_type == x.type.element_type, "padding of another type")
    low, high, interior = (list(op[n]) for n in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    shape = op.result.type.shape
    if not x.type.is_quantized:
        values = {"edgePaddingLow": low, "edgePaddingHigh": high, "interiorPadding": interior}
        return write_move(graph, "STABLEHLO_PAD", x, [value.handle], shape, "StablehloPadOptions", **values)
    need(not any(interior), "interior_padding of quantized tensors")
    need(min([*low, *high], default=0) >= 0, "negative padding of quantized tensors")
    return write_move(graph, "PADV2", x, [pairs(graph, low, high), value.handle], shape, "PadV2Options")


def pairs(graph: LitertGraph, low: Sequence[int], high: Sequence[int]) -> int:
    """Keep paddings as the operators take them."""

    return graph.hold(Slot("int32", (len(low), 2), data=np.array([low, high], np.int32).T.copy()))


MOVES: dict[str, Rule] = {
    "broadcast_in_dim": broadcast,
    "concatenate": concatenate,
    "pad": pad,
    "reshape": reshape,
    "reverse": reverse,
    "slice": slice,
    "transpose": transpose,
}
