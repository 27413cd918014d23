"""Theorems that several questions share: extremes of sums, and addition of quantized numbers as integers."""
