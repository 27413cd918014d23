"""ONNX's quantization operators as functions on arrays, every version, exact; programs as ONNX models."""

from interp.apps.onnx.array_functions import (
    conv_integer,
    dequantize_linear,
    dynamic_quantize_linear,
    matmul_integer,
    qlinear_conv,
    qlinear_matmul,
    quantize_linear,
)
from interp.apps.onnx.writing.write import write

__all__ = [
    "conv_integer",
    "dequantize_linear",
    "dynamic_quantize_linear",
    "matmul_integer",
    "qlinear_conv",
    "qlinear_matmul",
    "quantize_linear",
    "write",
]
