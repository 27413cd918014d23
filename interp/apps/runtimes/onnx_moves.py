"""ONNX: operations that move elements; quantized ones move stored integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from interp.apps.runtimes.onnx_graph import OnnxGraph
from interp.apps.runtimes.translation import Operand, Rule, need
from spec.ir import Op
from spec.types import ElementType, QuantizedType

END = -(2**31)  # before the first element, for slices that go backwards


def note_move(graph: OnnxGraph, op: Op, name: str, handle: str) -> Operand:
    """Note the operator, for operands and results of equal parameters."""
    types = {along_no_axis(v.type.element_type) for v in (op.operands[0], op.result)}
    need(len(types) == 1 or not op.result.type.is_quantized, "operands and results of other parameters")
    graph.how.append(f"{name} {op.result.type.storage_type}")
    return Operand(handle, op.result.type)


def along_no_axis(type: ElementType | QuantizedType) -> ElementType | QuantizedType:
    """Return a type without its quantized dimension, which moves with the elements."""
    return replace(type, quantization_dimension=None) if isinstance(type, QuantizedType) else type


def reshape(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    return note_move(graph, op, "Reshape", graph.reshape(operands[0].handle, op.result.type.shape))


def transpose(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    options = {"perm": list(op["permutation"])} if op["permutation"] else {}
    handle = graph.add("Transpose", operands[0].handle, **options)
    return note_move(graph, op, "Transpose", handle)


def concatenate(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    types = {x.type.element_type for x in operands}
    need(len(types) == 1, "operands of several types")
    handle = graph.add("Concat", *(x.handle for x in operands), axis=op["dimension"])
    return note_move(graph, op, "Concat", handle)


def slice(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    rank = operands[0].type.rank
    lists = op["start_indices"], op["limit_indices"], range(rank), op["strides"]
    handle = graph.add("Slice", operands[0].handle, *(graph.integers(list(x)) for x in lists))
    return note_move(graph, op, "Slice", handle)


def reverse(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    axes = list(op["dimensions"])
    lists = [-1] * len(axes), [END] * len(axes), axes, [-1] * len(axes)
    return note_move(graph, op, "Slice", graph.add("Slice", operands[0].handle, *map(graph.integers, lists)))


def broadcast(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write Reshape, which puts every dimension in its place, and Expand."""
    (x,), shape, places = operands, op.result.type.shape, list(op["broadcast_dimensions"])
    order = np.argsort(places).tolist() if places else []
    sizes = [1] * len(shape)
    for k, place in enumerate(places):
        sizes[place] = x.type.shape[k]
    handle = graph.reshape(graph.transpose(x.handle, order), sizes)
    return note_move(graph, op, "Expand", graph.add("Expand", handle, graph.integers(shape)))


def pad(graph: OnnxGraph, op: Op, operands: Sequence[Operand]) -> Operand:
    x, value = operands
    need(not any(op["interior_padding"]), "interior_padding")
    need(x.type.element_type == value.type.element_type, "padding of another type")
    pads = graph.integers([*op["edge_padding_low"], *op["edge_padding_high"]])
    return note_move(graph, op, "Pad", graph.add("Pad", x.handle, pads, value.handle))


MOVES: dict[str, Rule] = {
    "reshape": reshape,
    "transpose": transpose,
    "concatenate": concatenate,
    "slice": slice,
    "reverse": reverse,
    "broadcast_in_dim": broadcast,
    "pad": pad,
}
