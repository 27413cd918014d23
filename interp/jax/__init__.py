"""Functions for JAX code: `fake_quant` to train with, and `program` to pass a function to a verb."""

from interp.jax.fake_quant import fake_quant
from interp.loading.models import program

__all__ = ["fake_quant", "program"]
