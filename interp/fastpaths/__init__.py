"""Theorems: when a cheaper computation has every bit of a fold, and how NumPy and XLA run it."""
