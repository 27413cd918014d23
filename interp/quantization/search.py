"""`search`: which values need more bits, so that the simulated program stays near the float one."""

from interp.apps.quantization.search import *  # noqa: F403
