"""Comparison of a program with its float reference: the difference, its bound, and the error budget."""
