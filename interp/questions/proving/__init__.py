"""Proofs about every input: ranges of all values of a program, and of every partial sum in it."""
