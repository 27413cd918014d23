"""Theorems that several questions share: extremes of sums and operations, quantized addition as integers."""
