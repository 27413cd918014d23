"""The operators: their literal meaning by name, and `evaluate`, which applies it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from spec.meaning.index import Tensor
from spec.meaning.onnx import linear as quantize
from spec.meaning.onnx import products as integer_ops
from spec.onnx.node import Node

OPERATORS: dict[str, Callable[..., Any]] = {
    "QuantizeLinear": quantize.quantize_linear,
    "DequantizeLinear": quantize.dequantize_linear,
    "DynamicQuantizeLinear": quantize.dynamic_quantize_linear,
    "MatMulInteger": integer_ops.matmul_integer,
    "ConvInteger": integer_ops.conv_integer,
    "QLinearMatMul": integer_ops.qlinear_matmul,
    "QLinearConv": integer_ops.qlinear_conv,
}


def evaluate(node: Node, inputs: Mapping[str, Tensor]) -> tuple[Tensor, ...]:
    """Return the outputs of a node for its inputs by name."""
    outputs = OPERATORS[node.operator](node, **inputs)
    return outputs if isinstance(outputs, tuple) else (outputs,)
