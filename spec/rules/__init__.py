"""Constraint rows of the specification, one family of operations per file; `spec.verify` judges by them."""
