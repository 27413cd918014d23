"""Functions that other projects test with a tolerance: ours of the same kind, mutants, and two tests."""
