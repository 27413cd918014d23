"""ONNX's quantization operators as functions on arrays, every version, exact; programs as ONNX models."""

from interp.onnx.products import conv_integer, matmul_integer, qlinear_conv, qlinear_matmul
from interp.onnx.quantize import dequantize_linear, dynamic_quantize_linear, quantize_linear
from interp.onnx.write import write

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
