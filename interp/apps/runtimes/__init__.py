"""Runtimes with formats of their own: each runs a program that is translated operation by operation.

A runtime is a `Translator` (`translation.py`): a table of operations, each with the function that writes the
runtime's operator for it, and a graph that collects them and runs. What a format cannot express is
`NotExpressible`, with the reason; it is never approximated.
"""
