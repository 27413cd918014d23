"""Programs as ONNX models with QuantizeLinear and DequantizeLinear."""
