"""Accumulator studies: how many bits each channel of each layer needs, and what narrower ones cost."""
