"""Stochastic rounding: a conversion whose random bits are an argument of the program."""

from interp.rewrite.stochastic import *  # noqa: F403
