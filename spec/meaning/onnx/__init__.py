"""The literal meaning of ONNX's quantization operators."""
