"""Scale and zero point from a range of real numbers: the formulas in use, each a row with its source."""

from interp.apps.quantization.ranges import *  # noqa: F403
