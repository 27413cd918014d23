"""Model constraints: demands on the types of a program's values, and the places they apply to."""

from interp.apps.quantization.constraints import *  # noqa: F403
