"""`calibrate`: runs a program on samples, and writes the ranges of its values into it as `quant.stats`."""

from interp.apps.quantization.calibrate import *  # noqa: F403
