"""Rewrites of programs: with other accumulators, as their float reference, and the stages between."""
