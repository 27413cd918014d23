"""`instrument`: a program with a `quant.stats_ref` on every value whose range quantization may need."""

from interp.apps.quantization.instrument import *  # noqa: F403
