"""Mutation testing of the engine's kernels: what is changed, what must notice, and how each change is tried."""
