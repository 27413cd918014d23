"""Target constraints: how the parameters of some ports of a kernel follow from those of others."""

from interp.apps.quantization.port_rules import *  # noqa: F403
