"""WHAT a StableHLO program with quantized types means: literal, per element, slow, standard library only."""
