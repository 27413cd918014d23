"""Surveys of a program over a data set: what each layer loses, where, and which layer costs most."""
