"""Targets: the kernels that a device has, each with the signatures that it takes and what ties its ports."""

from interp.apps.quantization.targets import *  # noqa: F403
