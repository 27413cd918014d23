"""Weights with a scale for each block, as exporters spell them, as constants of a sub-channel type."""

from interp.apps.quantization.block_weights import *  # noqa: F403
