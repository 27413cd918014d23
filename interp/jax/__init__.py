"""What JAX's users write in their functions: `fake_quant` to train with, `program` to hand one over."""

from interp.jax.fake_quant import fake_quant
from interp.reading.functions import program

__all__ = ["fake_quant", "program"]
