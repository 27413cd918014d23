"""The meaning of StableHLO programs with quantized types: literal, per element, slow, self-contained."""
