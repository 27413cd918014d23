"""Mutation testing of the engine's kernels: what is changed, what must notice, how each change is tried."""
