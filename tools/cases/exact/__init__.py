"""A second, independent evaluator: exact arithmetic with `fractions`, written from the text alone.

It shares the reader and the types of `spec/` with the oracle and the engine, but no arithmetic: a number is a
Python float, integer, boolean or pair, and a result is exact, then rounded once. It is written for the
operations and types of the conformance suite; for anything else it raises `Unknown`.

Nearly every rule serves a case that StableHLO's reference interpreter cannot confirm. jaxlib 0.10.2's gives
693 of the 863 expectations of plain programs, bit for bit, and 10 of the other 965. It aborts where a body
promotes and at a division by zero, and lacks batch norms, Cholesky factors and random numbers. The
rules that only confirmed cases need have 138 lines, no more than a process that asks it.
"""
