"""The documented modules of quantization, which live in `interp.apps.quantization`."""
