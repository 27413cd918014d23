"""Theorems: when a cheaper computation gives every bit of a fold, and how NumPy and XLA run it."""
