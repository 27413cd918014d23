"""Conversion to blocks with one power of two as scale (OCP MX): the five rules in use."""

from interp.apps.quantization.mx import *  # noqa: F403
