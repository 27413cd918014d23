"""From float programs to quantized ones, and from simulated quantization to quantized operations."""
