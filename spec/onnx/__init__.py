"""The meaning of ONNX's quantization operators, per element, and the constraints of each version."""
