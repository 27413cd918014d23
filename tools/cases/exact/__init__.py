"""A second, independent reason for expectations: exact arithmetic with `fractions`, from the text alone.

It shares the reader and the types of `spec/` with the oracle and the engine, and no arithmetic: a number is a
Python float, integer, boolean or pair, an operation its exact result, rounded once. It is written for the
operations and types of the conformance suite; for anything else it raises `Unknown`.
"""
