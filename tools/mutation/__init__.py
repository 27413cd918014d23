"""Mutation testing of the engine's kernels: the changes, the tests that must notice, and the trials."""
