"""A second, independent evaluator: exact arithmetic with `fractions`, written from the text alone.

It shares the reader and the types of `spec/` with the oracle and the engine, but no arithmetic: a number is a
Python float, integer, boolean or pair, and a result is exact, then rounded once. It is written for the
operations and types of the conformance suite; for anything else it raises `Unknown`.
"""
