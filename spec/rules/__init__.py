"""Constraint rows of the specification, one family of operations per file; `verify` judges by them."""
