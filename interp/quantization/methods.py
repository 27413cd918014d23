"""The range of a value from its statistics: by its ends, averages, quantiles, least error, or entropy."""

from interp.apps.quantization.methods import *  # noqa: F403
