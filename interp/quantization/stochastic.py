"""Stochastic rounding: a conversion whose random bits are an argument of the program."""

from interp.apps.quantization.stochastic import *  # noqa: F403
