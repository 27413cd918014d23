"""Blame for results that differ: the pass of XLA that makes the difference, and the smallest such slice."""
