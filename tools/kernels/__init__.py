"""Kernels of other runtimes, one operator at a time: writers of their models, and runs on arrays."""
