"""LiteRT models (.tflite) as StableHLO programs with the bits of LiteRT's reference kernels."""
