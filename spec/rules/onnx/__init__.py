"""The constraint rows of ONNX's quantization operators."""
