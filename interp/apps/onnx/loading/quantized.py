"""The quantization operators of a graph: its nodes as those of `spec.onnx`, checked and appended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from interp.apps.onnx.loading.node import Build, Node, to_storage
from interp.apps.onnx.loading.quantized_operators import OPERATORS
from spec.errors import Location
from spec.ir import Value
from spec.onnx import node as spec_node
from spec.rules.onnx.verify import verify
from spec.types import TensorType


def append(operator: str, n: Node) -> Sequence[Value]:
    """Return the outputs of a quantization operator."""
    node = describe(operator, n)
    keeps = operator == "DequantizeLinear"  # which sees quantized types where other operators see integers
    values = {name: n.raw_value(k) if keeps else n.value(k) for name, k in places(operator, n).items()}
    return OPERATORS[operator](n.b, node, values)


def places(operator: str, n: Node) -> dict[str, int]:
    """Return the positions of the inputs that are given, by name."""
    return {name: k for k, name in enumerate(spec_node.SIGNATURES[operator].inputs) if n.has(k)}


def describe(operator: str, n: Node) -> spec_node.Node:
    """Return a node as one of `spec.onnx`; raise the first constraint of its version that it violates."""
    found = places(operator, n)
    node = spec_node.Node(
        operator,
        spec_node.version_of(operator, n.version),
        {name: plain(n.type(k)) for name, k in found.items()},
        {name: tuple(x) if isinstance(x, list) else x for name, x in n.attributes.items()},
        {name: elements(n, k) for name, k in found.items() if is_parameter(n, name, k)},
        Location(n.b.location.file, name=n.title),
    )
    for violation in verify(node):
        raise violation
    return node


def plain(type: TensorType) -> TensorType:
    """Return the type of the stored numbers."""
    return replace(type, element_type=type.storage_type)


def is_parameter(n: Node, name: str, k: int) -> bool:
    """Return whether an input is a scale or a zero point that constants determine."""
    return name.endswith(("scale", "zero_point")) and n.symbol(k).is_known


def elements(n: Node, k: int) -> tuple[Any, ...]:
    """Return the numbers of a known input."""
    array, type = n.symbol(k).to_array(), n.type(k).storage_type
    exact = to_storage(array, type).astype("int64" if type.is_integer else "float64")
    return tuple(exact.reshape(-1).tolist())


def sixteen_bits(operator: str, n: Node) -> Sequence[Value]:
    """Return the outputs of an operator as quantizers write it before opset 21, which has 16 bits itself."""
    return append(operator, replace(n, version=21))


MICROSOFT: dict[str, Build] = {
    operator: partial(sixteen_bits, operator) for operator in ("QuantizeLinear", "DequantizeLinear")
}
TABLE: dict[str, Build] = {operator: partial(append, operator) for operator in OPERATORS}
