"""Diagnosis of wrong results: the deviation from a program's declared meaning that reproduces them."""
