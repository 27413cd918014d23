"""Stages from a float program to quantized operations: calibrate, constrain, propagate, materialize."""
