"""Measures of the source for `tools/house`: imports, names, the modules of a run, sizes, and the limits."""
