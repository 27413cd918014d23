"""The model that `write` writes: constants kept once, names of the program, dead nodes left out.

A value of a quantized type is a tensor of its stored numbers, with one exception: QuantizeLinear has no
int32, so a value of a wider type than 16 bits is *carried* as the float tensor of the numbers it represents.
Its operand has the plain type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from onnx import helper

from interp.apps.runtimes.onnx_graph import OnnxGraph, dtype_of, onnx_type
from interp.apps.runtimes.translation import Operand, need
from interp.recorder.layers import Path
from spec.ir import Func, nested_ops
from spec.quantized import QuantizedType, storage_range
from spec.types import TensorType

WIDEST = 16  # bits of storage that QuantizeLinear has
I32 = -(2.0**31), 2.0**31 - 2.0**7  # the largest number of f32 that int32 has
OPSET, IR = 21, 10  # the first operator set with 16 and 4 bits of storage
OPSET_OF_2_BITS, IR_OF_2_BITS = 25, 11


def plain(type: TensorType) -> TensorType:
    """Return the type of the numbers that a value represents."""
    return TensorType(type.shape, type.quantized_element_type.expressed_type) if type.is_quantized else type


def is_stored(type: TensorType) -> bool:
    """Return whether QuantizeLinear can write the type."""
    return type.is_quantized and type.storage_type.bits <= WIDEST


class Writer(OnnxGraph):
    """An ONNX graph of one function; `exact` is that of `write`."""

    def __init__(self, func: Func, exact: bool) -> None:
        super().__init__()
        self.func, self.exact = func, exact
        self.path: Path = ()  # of the layer that is written
        self.nodes_of: Counter[str] = Counter()
        self.outputs: set[str] = set()
        self.makers: dict[str, Any] = {}
        self.pools: dict[str, tuple[str, dict[str, Any]]] = {}  # by the sum: what is pooled, and how
        self.sums: dict[str, int] = {}  # by the sum: how many elements each has
        self.held: dict[tuple[str, tuple[int, ...], bytes], str] = {}
        self.reserved = {v.name.lstrip("%") for op in nested_ops(func.body) for v in op.results}
        self.reserved |= {v.name.lstrip("%") for v in func.inputs}
        while any(name.startswith(self.prefix) for name in self.reserved):
            self.prefix += "_"

    def parameter(self, name: str, type: TensorType) -> Operand:
        """Declare an input of the model; a quantized one has stored numbers."""
        need(not type.is_quantized or is_stored(type), "an argument of a quantized type of 32 bits")
        need(None not in type.shape, "a dynamic size")
        self.inputs.append(helper.make_tensor_value_info(name, onnx_type(type.storage_type), type.shape))
        return Operand(name, type)

    def hold(self, x: np.ndarray) -> str:
        """Keep an array in the model once, and return its name."""
        key = x.dtype.name, x.shape, x.tobytes()
        if key not in self.held:
            self.held[key] = super().hold(x)
        return self.held[key]

    def parameters(self, type: QuantizedType) -> tuple[str, str]:
        low, high = storage_range(type.storage_type)
        return super().parameters(replace(type, storage_min=low, storage_max=high))

    def node(self, node: Any) -> str:
        """Add a node, whose output has a name that no value of the program has, and that names its layer."""
        while node.output[0] in self.reserved:
            node.output[0] += "_"
        if self.path:
            name = "/".join(("", *self.path, node.op_type))
            self.nodes_of[name] += 1
            node.name = name if self.nodes_of[name] == 1 else f"{name}_{self.nodes_of[name] - 1}"
        self.makers[node.output[0]] = node
        return super().node(node)

    def rename_output(self, x: Operand, name: str) -> Operand:
        """Give the last node's output the name of a value, if it is that value."""
        if not self.nodes or self.nodes[-1].output[0] != x.handle or x.handle in self.reserved:
            return x
        self.nodes[-1].output[0] = name
        tables: tuple[dict[str, Any], ...] = (self.makers, self.pools, self.sums)
        for notes in tables:
            if x.handle in notes:
                notes[name] = notes[x.handle]
        return replace(x, handle=name)

    def transpose(self, x: str, order: Sequence[int]) -> str:
        """Write Transpose, together with the one that made x."""
        made = self.maker(x)
        if made is None or made.op_type != "Transpose":
            return super().transpose(x, order)
        before = made.attribute[0].ints
        return super().transpose(made.input[0], [before[k] for k in order])

    def quantize(self, x: str, type: TensorType, rounds_first: bool = False) -> Operand:
        """Write QuantizeLinear, or carry the number; rounds_first: the zero point is added after rounding."""
        if not type.is_quantized:
            return Operand(x, type)
        if not is_stored(type):
            expressed = plain(type).storage_type
            need(expressed.bits >= 32, f"{type.storage_type} in {expressed}, which cannot carry it")
            return Operand(x, plain(type))
        x = self.clip(x, type)
        if self.exact and any(type.quantized_element_type.zero_points) and not rounds_first:
            return Operand(self.moved_before_rounding(x, type), type)
        return super().quantize(x, type)

    def moved_before_rounding(self, x: str, type: TensorType) -> str:
        """Write `x / scale + zero_point` in floats, and QuantizeLinear with a scale of 1."""
        element = type.quantized_element_type
        need(element.block_sizes is None, "blocks, exactly")
        scales, points = self.along(element.scales, type), self.along(element.zero_points, type)
        moved = self.add("Add", self.add("Div", x, scales), points)
        zero = replace(element, scales=(1.0,), zero_points=(0,), quantization_dimension=None)
        return str(super().quantize(moved, TensorType(type.shape, zero)).handle)

    def along(self, numbers: Sequence[float], type: TensorType) -> str:
        """Keep numbers of the expressed type along the quantized dimension of a tensor."""
        element = type.quantized_element_type
        sizes = [-1 if k == element.quantization_dimension else 1 for k in range(type.rank)]
        shape = () if element.is_per_tensor else sizes
        dtype = dtype_of(element.expressed_type)
        return self.hold(np.array(numbers, np.float64).astype(dtype).reshape(shape))

    def clip(self, x: str, type: TensorType) -> str:
        """Write Clip where the bounds are narrower than the storage type.

        The numbers of the bounds are rounded by less than half a step, so they are stored as the bounds.
        """
        element = type.quantized_element_type
        low, high = element.storage_min, element.storage_max
        if (low, high) == storage_range(element.storage_type):
            return x
        need(element.expressed_type.bits >= 32, f"narrower bounds of {element.expressed_type}")
        pairs = list(zip(element.scales, element.zero_points, strict=True))
        need(element.block_sizes is None, "blocks with narrower bounds")
        ends = [self.along([(end - z) * s for s, z in pairs], type) for end in (low, high)]
        if element.is_per_tensor:
            return self.add("Clip", x, *ends)
        return self.add("Min", self.add("Max", x, ends[0]), ends[1])

    def store(self, x: Operand, type: TensorType) -> Operand:
        """Write Round, Clip and Cast: a carried value becomes stored numbers of 32 bits.

        They are the program's if the float sum is off by less than half a step, and below 2**31.
        """
        element = type.quantized_element_type
        need(element.storage_type.name == "i32", f"{element.storage_type} of a carried value")
        steps = self.add("Div", x.handle, self.along(element.scales, type))
        if any(element.zero_points):
            steps = self.add("Add", steps, self.along(element.zero_points, type))
        ends = (self.hold(np.array(end, x.type.storage_type.numpy)) for end in I32)
        whole = self.add("Clip", self.add("Round", steps), *ends)
        return Operand(self.add("Cast", whole, to=onnx_type(element.storage_type)), type)

    def maker(self, name: str) -> Any:
        """Return the node that computes a tensor, or None."""
        return self.makers.get(name)

    def finish(self, results: Sequence[Operand]) -> Any:
        """Return the model, without the nodes and constants that no result needs."""
        outputs = [self.output(x) for x in results]
        needed = {info.name for info in outputs}
        nodes: list[Any] = []
        for node in reversed(self.nodes):
            if not needed.isdisjoint(node.output):
                needed.update(node.input)
                nodes.insert(0, node)
        constants = [each for each in self.constants if each.name in needed]
        graph = helper.make_graph(nodes, self.func.name, self.inputs, outputs, constants)
        opset, ir = (OPSET_OF_2_BITS, IR_OF_2_BITS) if self.has_2_bits() else (OPSET, IR)
        versions = [helper.make_opsetid("", opset)]
        return helper.make_model(
            graph, opset_imports=versions, ir_version=ir, producer_name="stablehlo-interp"
        )

    def has_2_bits(self) -> bool:
        values = [*self.func.inputs, *(v for op in nested_ops(self.func.body) for v in op.results)]
        return any(v.type.storage_type.bits == 2 for v in values)

    def output(self, x: Operand) -> Any:
        """Return an output of the model: the node's that computes it, or a copy if it is in use."""
        name = str(x.handle)
        if name in self.outputs or not self.maker(name):
            name = self.add("Identity", name)
        self.outputs.add(name)
        return helper.make_tensor_value_info(name, onnx_type(x.type.storage_type), x.type.shape)
