"""The operators that quantize, dequantize and multiply integers, by name: functions that append them.

`append(b, node, inputs) -> outputs`. A node whose scales and zero points are `known` is appended with
quantized types where that keeps every bit. Then y has such a type, or x where it is dequantized.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from interp.apps.onnx.loading import products, quantize
from interp.apps.onnx.loading.build_folds import Folds
from spec.ir import Value
from spec.onnx.node import Node

Append = Callable[[Folds, Node, Mapping[str, Value]], tuple[Value, ...]]

OPERATORS: dict[str, Append] = {
    "QuantizeLinear": quantize.quantize_linear,
    "DequantizeLinear": quantize.dequantize_linear,
    "DynamicQuantizeLinear": quantize.dynamic_quantize_linear,
    "MatMulInteger": products.matmul_integer,
    "ConvInteger": products.conv_integer,
    "QLinearMatMul": products.qlinear_matmul,
    "QLinearConv": products.qlinear_conv,
}
